import type { SwapRequest } from '../../events/journal.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import type { LockedAmounts } from '../../htlc/locked-amount.ts';
import type { StreamQuery } from '../../ports/event-log.ts';
import type { NewEvent } from '../command.ts';
import { draining } from '../errors.ts';
import { reload } from '../loop/drive.ts';
import { reserve } from '../loop/drive-load.ts';
import type { RuntimeChain } from '../loop/gate.ts';
import type { Loop } from '../loop/loop.ts';
import { tellResumed } from '../loop/tell-resumed.ts';
import { createLoop, type RuntimeOptions } from './create-loop.ts';
import { type Drained, type DrainOptions, drainLoop } from './drain.ts';
import { type Imported, type ImportReport, importSwap, importText } from './import-swap.ts';
import { allowFees, type FeeAllowance, type OperatorAction, operate, type StreamRole } from './operate.ts';
import { type Resumed, resumeStreams } from './resume.ts';
import { type Started, startStream, startSwap } from './start-swap.ts';
import type { SwapStatus } from './status.ts';
import { listStatus, statusOfSides, statusOfSwap } from './status-query.ts';

/**
 * Drives every stream of a log, each by a runner of its own.
 *
 * - V1: a runner's fault, a chain that hangs or a stream that cannot be read stops nobody else.
 * - V2: nothing runs before all unfinished streams are loaded and what they have signed is reserved.
 * - V3: it publishes nothing: what happened is told by the log's own subscriptions, once it is durable.
 */
export type Runtime = {
  /** Loads and resumes what is unfinished; all else waits for it. Repeated calls give the same answer. */
  readonly resumeAll: () => Promise<Resumed>;
  /**
   * Starts a swap; asked again with the same request, it changes nothing.
   *
   * @throws RuntimeError SWAP_REQUEST_INVALID, SWAP_EXISTS, COIN_NOT_ACTIVE, COIN_WALLET_ONLY, LOG_UNAVAILABLE, RUNTIME_DRAINING
   */
  readonly startSwap: (request: SwapRequest) => Promise<Started>;
  /** Starts a stream of any kind that the runtime drives. @throws RuntimeError SWAP_EXISTS, LOG_UNAVAILABLE, RUNTIME_DRAINING; LogError LOG_RECORD_INVALID */
  readonly startStream: (given: { readonly stream: string; readonly events: readonly NewEvent[] }) => Promise<Started>;
  /** Takes over a swap from elsewhere and drives it at once. @throws RuntimeError SWAP_UNREADABLE, SWAP_EXISTS, LOG_UNAVAILABLE; LogError LOG_RECORD_INVALID */
  readonly importSwap: (log: SwapLog) => Promise<Imported>;
  /** The same for every swap of a text in a form of the real node. */
  readonly importText: (text: string) => Promise<ImportReport>;
  /** New commitments stop; what is locked is claimed or refunded all the same. @throws RuntimeError SWAP_NOT_FOUND */
  readonly pause: (uuid: string, reason?: string) => Promise<void>;
  readonly resume: (uuid: string, reason?: string) => Promise<void>;
  /** Forgets all pauses between tries, and makes a runner that failed anew. */
  readonly retryNow: (uuid: string, reason?: string) => Promise<void>;
  /** Takes out what can be taken, from whatever state. The order stands until coins came of it or a chain shows that none can. Of one side alone where a role is given. */
  readonly recoverFunds: (uuid: string, reason?: string, role?: StreamRole) => Promise<void>;
  /** Takes back an order of {@link Runtime.recoverFunds} that has not ended. */
  readonly cancelRecovery: (uuid: string, reason?: string) => Promise<void>;
  /**
   * Lets the fees of one swap on one chain be higher than the policy's bound: at once, for what waits for a fee within it.
   *
   * @throws RuntimeError FEE_ORDER_INVALID, SWAP_NOT_FOUND
   */
  readonly allowFees: (uuid: string, fees: FeeAllowance) => Promise<void>;
  /** How a swap stands; null where the log holds none. @throws LogError, RuntimeError LOG_UNAVAILABLE */
  readonly status: (uuid: string) => Promise<SwapStatus | null>;
  /** The same for every side of a swap that the log holds, the taker's first, and for its watches. @throws LogError, RuntimeError LOG_UNAVAILABLE */
  readonly sides: (uuid: string) => Promise<readonly SwapStatus[]>;
  /** The same for the streams that a query finds. @defaultValue at most 100 of them */
  readonly list: (query: StreamQuery) => Promise<readonly SwapStatus[]>;
  /** A coin was activated, or its adapter replaced. Swaps that waited for it go on. */
  readonly addChain: (chain: RuntimeChain) => void;
  readonly removeChain: (coin: string) => void;
  /** Shuts down: every runner finishes its current command, then the log is closed. */
  readonly drain: (options?: DrainOptions) => Promise<Drained>;
  /**
   * What the swaps that run will still take from the wallets, in coin units by ticker: payments and fees that are not signed yet, and
   * the fees of claims where the wallet pays them. A new swap may have what is beyond.
   */
  readonly locked: () => LockedAmounts;
  readonly sizes: () => RuntimeSizes;
};

/** How much there is of everything, for health checks. */
export type RuntimeSizes = {
  readonly runners: number;
  readonly ready: number;
  readonly waiting: number;
  /** Calls of the outside world. */
  readonly underWay: number;
  readonly chains: Readonly<
    Record<string, { readonly asking: number; readonly queued: number; readonly abandoned: number }>
  >;
};

/**
 * A runtime at rest: {@link Runtime.resumeAll}, or whatever is asked of it first, sets it going.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { createInProcessNetwork } from 'swapfold/peers/in-process';
 * import { createRuntime, swapKind } from 'swapfold/runtime';
 * import { buildSwap, createVirtualClock, successPath } from 'swapfold/testing';
 *
 * const peers = createInProcessNetwork().peer('a1'.repeat(32));
 * const clock = createVirtualClock(millisOf(1734566500000));
 * const kinds = [swapKind('taker')];
 * const runtime = createRuntime({ log: createMemoryLog(), chains: [], peers, clock, kinds });
 * const log = buildSwap({ role: 'taker', path: successPath('taker').slice(0, 8) });
 * await runtime.importSwap(log);
 * (await runtime.status(log.uuid))?.waiting?.text; // →
 * //   'Waits until DOC and MARTY can be asked again.'
 * await runtime.drain();
 * ```
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  const parts = createLoop(options);
  const { loop, feeds, concerned, topics, calls, random } = parts;
  const resumeAll = resumedOnce(loop);
  const afterResume = async <T>(action: () => Promise<T>): Promise<T> => {
    await resumeAll();
    return action();
  };
  const act = (action: OperatorAction['action']) => (uuid: string, reason?: string, role?: StreamRole) =>
    afterResume(() => operate(loop, uuid, { action, reason: reason ?? null, ...(role === undefined ? {} : { role }) }));

  const removeChain = (coin: string): void => {
    for (const known of [loop.gates, loop.resumed]) known.delete(coin);
    feeds.close(coin);
    calls.close(coin);
    for (const [slot] of concerned.of(coin)) reload(loop, slot);
  };

  return {
    resumeAll,
    startSwap: (request) => afterResume(() => startSwap(loop, request, { random })),
    startStream: (given) => afterResume(() => startStream(loop, given)),
    importSwap: (log) => afterResume(() => importSwap(loop, log)),
    importText: (text) => afterResume(() => importText(loop, text)),
    pause: act('pause'),
    resume: act('resume'),
    retryNow: act('retry'),
    recoverFunds: act('recover'),
    cancelRecovery: act('cancelRecovery'),
    allowFees: (uuid, order) => afterResume(() => allowFees(loop, uuid, order)),
    status: (uuid) => statusOfSwap(loop, uuid),
    sides: (uuid) => statusOfSides(loop, uuid),
    list: (query) => listStatus(loop, query),
    addChain(chain) {
      parts.openGate(chain);
      const slots = concerned.of(chain.traits.coin);
      // All that is spoken for, before the first of them goes on and spends.
      for (const [{ driven, state }] of slots) {
        if (driven !== null && state.doing.mode !== 'failed') reserve(loop, driven);
      }
      if (!loop.held) tellResumed(loop);
      for (const [slot] of slots) reload(loop, slot);
    },
    removeChain,
    drain: (given = {}) =>
      drainLoop(loop, given, () => {
        feeds.closeAll();
        topics.close();
        calls.closeAll();
      }),
    locked: () => loop.locks.all(),
    sizes: () => sizesOf(loop),
  };
}

/** Resumes what the log holds: once, and again only where that failed. */
function resumedOnce(loop: Loop): () => Promise<Resumed> {
  let resumed: Promise<Resumed> | null = null;
  return () => {
    if (loop.draining) return Promise.reject(draining());
    resumed ??= resumeStreams(loop).catch((error: unknown) => {
      resumed = null;
      throw error;
    });
    return resumed;
  };
}

function sizesOf({ scheduler, gates, slots, underWay }: Loop): RuntimeSizes {
  const { ready, waiting } = scheduler.sizes();
  const chains = Object.fromEntries([...gates].map(([coin, gate]) => [coin, gate.sizes()]));
  return { runners: slots.size, ready, waiting, underWay, chains };
}
