import type { MemoryLog } from '../../log/memory/index.ts';
import type { Report } from './rules.ts';
import type { MarketParty } from './scenario.ts';

// Rule M14. The check is here and not in the engine, whose own guard pauses it for a while: behind that, a log could
// grow forever.

/** The most that a process may do at its boundary in one moment of true time. A sound one needs less than a tenth of it for a few swaps. */
const MOST_ACTS_AT_ONCE = 1_000;
/** The most records of one swap. The longest log of a sound process has a tenth of it. */
const MOST_RECORDS = 1_000;

/** The moment that a process is in. */
export type Moment = {
  /** In milliseconds of true time. */
  at: number;
  acts: number;
};

/** Counts what a process does, and reports whether that is more than any process that comes to rest does at once. */
export function isRestless(moment: Moment, now: number): boolean {
  if (moment.at !== now) {
    moment.at = now;
    moment.acts = 0;
  }
  moment.acts += 1;
  return moment.acts > MOST_ACTS_AT_ONCE;
}

/** What is known of an engine after a run. */
type Rested = {
  readonly party: Pick<MarketParty, 'name'>;
  readonly log: MemoryLog;
  /** It was stopped because it did not come to rest. */
  readonly restless: boolean;
};

/** Every engine comes to rest, also a rogue's: nothing that a chain or a peer says may keep it at work without end. */
export function judgeRest({ party, log, restless }: Rested, report: Report): void {
  const say = (text: string) => report({ rule: 'M14', party: party.name, swap: null, text });
  if (restless) say(`it did more than ${MOST_ACTS_AT_ONCE} things at once and did not come to rest`);
  for (const { stream } of log.find({})) {
    const { length } = log.read(stream);
    if (length > MOST_RECORDS) say(`${stream} has grown to ${length} records`);
  }
}
