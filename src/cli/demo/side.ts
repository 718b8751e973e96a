import { join } from 'node:path';
import { LogConflictError, openSqliteLog, type SqliteLog } from '../../log/sqlite/index.ts';
import type { AppendBatch, EventLog, LogEntry } from '../../ports/event-log.ts';
import type { Peers } from '../../ports/peers.ts';
import type { RuntimeChain } from '../../runtime/loop/gate.ts';
import { swapKind } from '../../runtime/loop/swap-kind.ts';
import { createRuntime, type Runtime } from '../../runtime/operate/supervisor.ts';
import type { VirtualClock } from '../../sim/virtual-clock.ts';

export type Side = 'maker' | 'taker';

export const SIDES: readonly Side[] = ['maker', 'taker'];

/** One side's process: it can be gone at any moment, without a word. */
export type LiveSide = {
  readonly log: SqliteLog;
  readonly runtime: Runtime;
  /** Whatever it does from now on reaches nobody. */
  readonly vanish: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type LiveSideOptions = {
  readonly dir: string;
  readonly side: Side;
  readonly clock: VirtualClock;
  readonly chains: readonly RuntimeChain[];
  readonly peers: Peers;
  /** Position of the last entry that was told before. */
  readonly after: number;
  readonly onEntry: (entry: LogEntry) => void;
  /** Called before and after each append. */
  readonly touch: () => void;
  /** Told why the log did not take an append. */
  readonly onLogError: (error: unknown) => void;
};

/** Path of a side's log. */
export function logPath(dir: string, side: Side): string {
  return join(dir, `${side}.db`);
}

export async function openSide(options: LiveSideOptions): Promise<LiveSide> {
  const { dir, side, clock, touch } = options;
  const log = await openSqliteLog({ path: logPath(dir, side) });
  const process = { alive: true };
  const subscription = log.subscribe({ after: options.after }, options.onEntry);
  const runtime = createRuntime({
    log: processLog(log, process, { touch, onLogError: options.onLogError }),
    chains: options.chains.map((chain) => processChain(chain, process)),
    peers: options.peers,
    clock,
    // Keys of simulated wallets are made by hashing; hardly one of them is a point of the curve.
    kinds: [swapKind('taker', { keyRule: () => null }), swapKind('maker', { keyRule: () => null })],
  });
  return {
    log,
    runtime,
    async vanish() {
      process.alive = false;
      subscription.close();
      await log.close();
    },
    async close() {
      await runtime.drain();
      subscription.close();
    },
  };
}

/** Nothing ever comes back to a process that is gone. */
function silence<T>(): Promise<T> {
  return new Promise(() => {});
}

type Life = { readonly alive: boolean };

type Border = Pick<LiveSideOptions, 'touch' | 'onLogError'>;

function processLog(log: SqliteLog, process: Life, { touch, onLogError }: Border): EventLog {
  return {
    append: async (batch: AppendBatch) => {
      if (!process.alive) return silence();
      touch();
      const stored = await log.append(batch).catch((error: unknown) => {
        if (!(error instanceof LogConflictError)) onLogError(error);
        throw error;
      });
      touch();
      return process.alive ? stored : silence();
    },
    read: (stream, from) => (process.alive ? log.read(stream, from) : silence()),
    find: (query) => (process.alive ? log.find(query) : silence()),
    subscribe: (given, onEntry) => log.subscribe(given, onEntry),
    quarantined: () => log.quarantined(),
    close: () => log.close(),
  };
}

function processChain(chain: RuntimeChain, process: Life): RuntimeChain {
  const alive = <A extends unknown[], T>(call: (...given: A) => T) => {
    return (...given: A): T | Promise<never> => (process.alive ? call(...given) : silence<never>());
  };
  return {
    traits: chain.traits,
    htlcKey: (swap) => chain.htlcKey(swap),
    quote: alive(() => chain.quote()),
    payment: alive((query) => chain.payment(query)),
    transaction: alive((hash) => chain.transaction(hash)),
    checkFee: alive((check, forSwap) => chain.checkFee(check, forSwap)),
    prepare: alive((request, forSwap) => chain.prepare(request, forSwap)),
    broadcast: alive((transaction, ...sending) => chain.broadcast(transaction, ...sending)),
    subscribe: (onChange) => chain.subscribe((news) => (process.alive ? onChange(news) : undefined)),
    reserve: (transactions) => chain.reserve(transactions),
    release: (transactions) => chain.release(transactions),
    hold: (hold) => chain.hold?.(hold),
    resumed: () => chain.resumed?.(),
  };
}
