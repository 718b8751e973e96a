import type { SwapLog } from '../../events/saved-swap.ts';
import type { AppendBatch, EventLog } from '../../ports/event-log.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { isConflict, isDamage, isRefused, logUnavailable } from '../errors.ts';
import type { DrivableInputs, DrivableKind } from '../loop/drivable.ts';
import { fold, readStream } from '../loop/streams.ts';
import { swapKind } from '../loop/swap-kind.ts';
import { DEFAULT_RUNTIME_POLICY } from '../runtime-policy.ts';
import { type Imported, type ImportTarget, importInto } from './import-swap.ts';
import { type SwapStatus, statusOfDriven } from './status.ts';

/** A stream that an import has begun or grown, durable by now. */
export type KeptSwap = {
  /** How it stands when nobody drives it. */
  readonly status: () => SwapStatus;
  /** All its records. */
  readonly records: readonly Envelope[];
  readonly labels: NonNullable<AppendBatch['labels']>;
};

export type SwapKeeperOptions = {
  readonly log: EventLog;
  /** Told of each stream that was begun or grown, in the order in which the log holds what was appended. */
  readonly onKept?: (kept: KeptSwap) => void;
  /** Told that an append failed, so that the log may hold records or not of which nothing else is told. */
  readonly onUnsure?: () => void;
};

/** Imports swaps into a log. @throws RuntimeError SWAP_UNREADABLE, SWAP_EXISTS, LOG_UNAVAILABLE; LogError LOG_RECORD_INVALID */
export type SwapKeeper = (log: SwapLog) => Promise<Imported>;

/**
 * Takes swaps into a log as `Runtime.importSwap` does, and drives none of them: it keeps nothing of a swap in memory once
 * the log holds it. The node that opens the log next drives what is unfinished.
 */
export function createSwapKeeper({ log, onKept, onUnsure }: SwapKeeperOptions): SwapKeeper {
  const inputs: DrivableInputs = { policy: DEFAULT_RUNTIME_POLICY, chain: () => undefined };
  const kinds: ReadonlyMap<string, DrivableKind> = new Map(
    (['taker', 'maker'] as const).map((role) => swapKind(role)).map((kind) => [kind.machine, kind]),
  );

  const append = async (batch: AppendBatch, before: readonly Envelope[]): Promise<boolean> => {
    const { stream, records } = batch;
    const driven = fold({ kinds, inputs }, stream, [...before, ...records]);
    const labels = driven.preview([]);
    let added: readonly Envelope[];
    try {
      added = await log.append({ ...batch, labels });
    } catch (error) {
      if (isConflict(error)) return false;
      if (isDamage(error) || isRefused(error)) throw error;
      onUnsure?.();
      throw logUnavailable(stream, error);
    }
    onKept?.({ status: () => statusOfDriven(driven, null), records: [...before, ...added], labels });
    return true;
  };

  const target: ImportTarget = {
    read: (stream) => readStream({ log }, stream),
    begin: (stream, records) => append({ stream, expected: 0, records }, []),
    grow: (stream, { stored, more }) => append({ stream, expected: stored.length, records: more }, stored),
    found: () => {},
  };
  return (swap) => importInto(target, swap);
}
