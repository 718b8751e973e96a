import { differencesOf } from '../../events/compare-events.ts';
import type { StoredEvent } from '../../events/decode-event.ts';
import { redactLog } from '../../events/redact.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { isJsonObject } from '../../primitives/json.ts';
import { aligned, type DifferentEvent, type DifferentMember, type LoneEvent, lone, textOf } from './aligned.ts';
import { compareJournals, type JournalComparison } from './journals.ts';

export type { DifferentEvent, DifferentMember, LoneEvent } from './aligned.ts';
export type { JournalComparison } from './journals.ts';

/** How two logs of one side of a swap differ. */
export type CopyComparison = {
  readonly kind: 'copies';
  /** Events that both hold, without any difference. */
  readonly equal: number;
  readonly different: readonly DifferentEvent[];
  readonly onlyLeft: readonly LoneEvent[];
  readonly onlyRight: readonly LoneEvent[];
  /** Members beside the events. */
  readonly head: readonly DifferentMember[];
  /** The engine's own records; null where one of the logs has none. */
  readonly journal: JournalComparison | null;
};

/** Compares two logs of one side of a swap. Never throws for what they say. */
export function compareCopies(left: SwapLog, right: SwapLog): CopyComparison {
  const [shownLeft, shownRight] = [redactLog(left), redactLog(right)];
  const pairs = aligned(left.events, right.events);
  const different: DifferentEvent[] = [];
  for (const [leftSeq, rightSeq] of pairs) {
    const [one, other] = [left.events[leftSeq], right.events[rightSeq]];
    if (one === undefined || other === undefined) continue;
    const [difference] = differencesOf([one], [other], left.role);
    if (difference === undefined) continue;
    const shown = { left: shownLeft.events[leftSeq], right: shownRight.events[rightSeq] };
    const members = difference.members.map((name) => memberOf(name, shown));
    different.push({ left: leftSeq, right: rightSeq, type: one.type, members });
  }
  return {
    kind: 'copies',
    equal: pairs.length - different.length,
    different,
    onlyLeft: lone(left.events, new Set(pairs.map(([seq]) => seq))),
    onlyRight: lone(right.events, new Set(pairs.map(([, seq]) => seq))),
    head: headDifferences(shownLeft, shownRight),
    journal: compareJournals(left, right),
  };
}

/** Whether two logs say the same, whatever surrounds their events. */
export function isSameStory({ journal, ...events }: CopyComparison): boolean {
  return [events, ...(journal === null ? [] : [journal])].every(
    ({ different, onlyLeft, onlyRight }) => different.length === 0 && onlyLeft.length === 0 && onlyRight.length === 0,
  );
}

type Shown = { readonly left: StoredEvent | undefined; readonly right: StoredEvent | undefined };

function memberOf(name: string, { left, right }: Shown): DifferentMember {
  const value = (event: StoredEvent | undefined): string | null => {
    if (event === undefined) return null;
    if (name === 'timestamp') return String(event.at);
    return isJsonObject(event.data) ? textOf(event.data[name]) : name === 'data' ? textOf(event.data) : null;
  };
  return { name, left: value(left), right: value(right) };
}

/** What the RPC adds and what differs with the release that wrote the text says nothing of the swap; it is told all the same. */
function headDifferences(left: SwapLog, right: SwapLog): readonly DifferentMember[] {
  const [one, other] = [
    left.head as Readonly<Record<string, unknown>>,
    right.head as Readonly<Record<string, unknown>>,
  ];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].toSorted();
  return names
    .map((name) => ({ name, left: textOf(one[name]), right: textOf(other[name]) }))
    .filter((member) => member.left !== member.right);
}
