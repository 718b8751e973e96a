import type { Anomaly } from '../events/anomaly.ts';
import type { SwapLog } from '../events/saved-swap.ts';

/** A log as it was after the event at a position, with the records of the engine until then. */
export function cutAfter(log: SwapLog, seq: number): SwapLog {
  const kept = (anomaly: Anomaly) => anomaly.seq === null || anomaly.seq <= seq;
  const cut = { ...log, events: log.events.slice(0, seq + 1), anomalies: log.anomalies.filter(kept) };
  const { journal } = log;
  if (journal === undefined) return cut;
  return { ...cut, journal: { ...journal, records: journal.records.filter(({ before }) => before <= seq + 1) } };
}
