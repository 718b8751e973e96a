import { differencesOf } from '../../events/compare-events.ts';
import type { StoredEvent } from '../../events/decode-event.ts';
import { redactLog } from '../../events/redact.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { canonicalJson, isJsonObject, type JsonValue } from '../../primitives/json.ts';

/** A member of two logs that differs; null where a log does not have it, and secrets are left out. */
export type DifferentMember = { readonly name: string; readonly left: string | null; readonly right: string | null };

/** An event that one of two logs holds alone. Positions count from 0 in its own log. */
export type LoneEvent = { readonly seq: number; readonly type: string; readonly at: number };

/** An event of one type at the same place of both logs, with what differs in it. */
export type DifferentEvent = {
  readonly left: number;
  readonly right: number;
  readonly type: string;
  readonly members: readonly DifferentMember[];
};

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
};

/** Holds two logs of one side of a swap against each other. Never throws for what they say. */
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
  };
}

/** Whether two logs tell the same, whatever stands beside their events. */
export function isSameStory({ different, onlyLeft, onlyRight }: CopyComparison): boolean {
  return different.length === 0 && onlyLeft.length === 0 && onlyRight.length === 0;
}

/** Longest list of events that is put side by side; of what is beyond, events of one position are. */
const MOST_ALIGNED = 500;

/** Positions of the events that belong together: the longest run of types that both logs have in one order. */
function aligned(left: readonly StoredEvent[], right: readonly StoredEvent[]): readonly (readonly [number, number])[] {
  if (left.length > MOST_ALIGNED || right.length > MOST_ALIGNED) {
    return left.flatMap(({ type }, seq) => (right[seq]?.type === type ? [[seq, seq] as const] : []));
  }
  // lengths[i][j]: what the two rests from i and j on have in common.
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const row = lengths[i];
      const isSame = left[i]?.type === right[j]?.type;
      if (row !== undefined) row[j] = isSame ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (left[i]?.type === right[j]?.type) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

function lone(events: readonly StoredEvent[], paired: ReadonlySet<number>): readonly LoneEvent[] {
  return events.flatMap(({ type, at }, seq) => (paired.has(seq) ? [] : [{ seq, type, at }]));
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

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : canonicalJson(value as JsonValue);
}
