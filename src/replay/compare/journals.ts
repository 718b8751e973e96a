import type { JournalRecord, LogJournal } from '../../events/journal.ts';
import { shownLog } from '../../events/redact.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { isJsonObject } from '../../primitives/json.ts';
import { aligned, type DifferentEvent, type DifferentMember, type LoneEvent, lone, textOf } from './aligned.ts';

/** How the engine's own records of two logs of one side differ. Positions count from 0 among the records of a journal. */
export type JournalComparison = {
  /** Records that both hold, without any difference. */
  readonly equal: number;
  readonly different: readonly DifferentEvent[];
  readonly onlyLeft: readonly LoneEvent[];
  readonly onlyRight: readonly LoneEvent[];
};

/** Holds the journals of two logs against each other; null where a log has none, as all that came from elsewhere. Secrets are compared and never told. */
export function compareJournals(left: SwapLog, right: SwapLog): JournalComparison | null {
  if (!hasRecords(left.journal) || !hasRecords(right.journal)) return null;
  const [one, other] = [left.journal.records, right.journal.records];
  const [shownOne, shownOther] = [shownLog(left), shownLog(right)];
  const pairs = aligned(one, other);
  const different: DifferentEvent[] = [];
  for (const [leftSeq, rightSeq] of pairs) {
    const [before, after] = [one[leftSeq], other[rightSeq]];
    if (before === undefined || after === undefined) continue;
    const names = namesThatDiffer(before, after);
    if (names.length === 0) continue;
    const shown = { left: shownOne.journal?.records[leftSeq], right: shownOther.journal?.records[rightSeq] };
    const members = names.map((name) => memberOf(name, shown));
    different.push({ left: leftSeq, right: rightSeq, type: before.type, members });
  }
  return {
    equal: pairs.length - different.length,
    different,
    onlyLeft: lone(one, new Set(pairs.map(([seq]) => seq))),
    onlyRight: lone(other, new Set(pairs.map(([, seq]) => seq))),
  };
}

/** Whether a log has records of an engine at all. */
export function hasRecords(journal: LogJournal | undefined): journal is LogJournal {
  return journal !== undefined && journal.records.length > 0;
}

/** The place among the public events counts too: it says what was known when the engine acted. */
function membersOf({ at, before, data }: JournalRecord): Readonly<Record<string, unknown>> {
  return { ...(isJsonObject(data) ? data : { data }), timestamp: at, 'public events before it': before };
}

function namesThatDiffer(left: JournalRecord, right: JournalRecord): readonly string[] {
  const [one, other] = [membersOf(left), membersOf(right)];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => textOf(one[name]) !== textOf(other[name])).toSorted();
}

type Shown = { readonly left: JournalRecord | undefined; readonly right: JournalRecord | undefined };

function memberOf(name: string, { left, right }: Shown): DifferentMember {
  const value = (record: JournalRecord | undefined) => (record === undefined ? null : textOf(membersOf(record)[name]));
  return { name, left: value(left), right: value(right) };
}
