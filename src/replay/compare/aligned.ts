import { canonicalJson, type JsonValue } from '../../primitives/json.ts';

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

type Typed = { readonly type: string };

/** Longest list of events that is put side by side; of what is beyond, events of one position are. */
const MOST_ALIGNED = 500;

/** Positions of the events that belong together: the longest run of types that both logs have in one order. */
export function aligned(left: readonly Typed[], right: readonly Typed[]): readonly (readonly [number, number])[] {
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

/** Events that belong to none of the other log. */
export function lone(
  events: readonly (Typed & { readonly at: number })[],
  paired: ReadonlySet<number>,
): readonly LoneEvent[] {
  return events.flatMap(({ type, at }, seq) => (paired.has(seq) ? [] : [{ seq, type, at }]));
}

/** A member's value as text; null for none. */
export function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : canonicalJson(value as JsonValue);
}
