import type { NewRecord, StreamLabels } from '../../ports/event-log.ts';
import type { DrivableKind } from '../loop/drivable.ts';
import { DEFAULT_RUNTIME_POLICY } from '../runtime-policy.ts';

/**
 * The labels that the runtime would give a stream with these records, for rebuilding an index. None for a stream that
 * no kind drives, or that does not fold.
 *
 * @example
 * ```ts
 * import { toEnvelopes } from 'swapfold/events';
 * import { labelsOf, swapKind } from 'swapfold/runtime';
 * import { buildSwapPair } from 'swapfold/testing';
 *
 * const records = toEnvelopes(buildSwapPair().taker);
 * const labels = labelsOf([swapKind('maker'), swapKind('taker')]);
 * labels('taker-swap/3447b727', records).outcome; // → 'completed'
 * labels('taker-swap/3447b727', records.slice(0, 9)).outcome; // → 'in-progress'
 * labels('other/3447b727', records); // → {}
 * ```
 */
export function labelsOf(
  kinds: readonly DrivableKind[],
): (stream: string, records: readonly NewRecord[]) => StreamLabels {
  const byMachine = new Map(kinds.map((kind) => [kind.machine, kind]));
  return (stream, records) => {
    const kind = byMachine.get(stream.slice(0, stream.indexOf('/')));
    if (kind === undefined) return {};
    try {
      return kind.create(stream, records, { policy: DEFAULT_RUNTIME_POLICY, chain: () => undefined }).preview([]);
    } catch {
      return {};
    }
  };
}
