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
 * - V1: a failing runner, a hanging chain or an unreadable stream stops no other stream.
 * - V2: nothing runs before all unfinished streams are loaded and what they have signed is reserved.
 * - V3: it publishes nothing: the log's own subscriptions report events once they are durable.
 */
export type Runtime = {
  /** Loads and resumes unfinished streams; everything else waits for it. Repeated calls return the same answer. */
  readonly resumeAll: () => Promise<Resumed>;
  /**
   * Starts a swap; asked again with the same request, it changes nothing.
   *
   * @throws RuntimeError SWAP_REQUEST_INVALID, SWAP_EXISTS, COIN_NOT_ACTIVE, COIN_WALLET_ONLY, LOG_UNAVAILABLE, RUNTIME_DRAINING
   */
  readonly startSwap: (request: SwapRequest) => Promise<Started>;
  /** Starts a stream of any kind that the runtime drives. @throws RuntimeError SWAP_EXISTS, LOG_UNAVAILABLE, RUNTIME_DRAINING; LogError LOG_RECORD_INVALID */
  readonly startStream: (given: { readonly stream: string; readonly events: readonly NewEvent[] }) => Promise<Started>;
  /**
   * Imports a swap from elsewhere and drives it immediately. @throws RuntimeError SWAP_UNREADABLE, SWAP_EXISTS,
   * LOG_UNAVAILABLE; LogError LOG_RECORD_INVALID
   */
  readonly importSwap: (log: SwapLog) => Promise<Imported>;
  /** The same for every swap of a text in a form of the real node. */
  readonly importText: (text: string) => Promise<ImportReport>;
  /** Stops new commitments; locked coins are still claimed or refunded. @throws RuntimeError SWAP_NOT_FOUND */
  readonly pause: (uuid: string, reason?: string) => Promise<void>;
  readonly resume: (uuid: string, reason?: string) => Promise<void>;
  /** Ends all pauses between attempts, and restarts a failed runner. */
  readonly retryNow: (uuid: string, reason?: string) => Promise<void>;
  /**
   * Recovers what can be recovered, from any state. The order stays until it has recovered coins, or a chain shows that
   * it cannot. With a role, only for that side.
   */
  readonly recoverFunds: (uuid: string, reason?: string, role?: StreamRole) => Promise<void>;
  /** Cancels an open order of {@link Runtime.recoverFunds}. */
  readonly cancelRecovery: (uuid: string, reason?: string) => Promise<void>;
  /**
   * Allows the fees of one swap on one chain to exceed the policy's limit, immediately also for what waits for a fee
   * within it.
   *
   * @throws RuntimeError FEE_ORDER_INVALID, SWAP_NOT_FOUND
   */
  readonly allowFees: (uuid: string, fees: FeeAllowance) => Promise<void>;
  /** The status of a swap; null if the log holds none. @throws LogError, RuntimeError LOG_UNAVAILABLE */
  readonly status: (uuid: string) => Promise<SwapStatus | null>;
  /** The same for every side of a swap that the log holds, the taker's first, and for its watches. @throws LogError, RuntimeError LOG_UNAVAILABLE */
  readonly sides: (uuid: string) => Promise<readonly SwapStatus[]>;
  /** The same for the streams that a query finds. @defaultValue at most 100 of them */
  readonly list: (query: StreamQuery) => Promise<readonly SwapStatus[]>;
  /** A coin was activated, or its adapter replaced. Swaps that waited for it continue. */
  readonly addChain: (chain: RuntimeChain) => void;
  readonly removeChain: (coin: string) => void;
  /** Shuts down: every runner finishes its current command, then the log is closed. */
  readonly drain: (options?: DrainOptions) => Promise<Drained>;
  /**
   * What running swaps will still take from the wallets, in coin units by ticker: payments and fees that are not yet
   * signed, and the fees of claims that the wallet pays. A new swap may use the rest.
   */
  readonly locked: () => LockedAmounts;
  readonly sizes: () => RuntimeSizes;
};

/** Counts of everything, for health checks. */
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
 * An idle runtime: {@link Runtime.resumeAll}, or the first call, starts it.
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
      // Everything reserved, before the first stream continues and spends.
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

/** Resumes what the log holds: once, and again only after a failure. */
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
