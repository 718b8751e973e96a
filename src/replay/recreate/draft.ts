import type { StoredEvent } from '../../events/decode-event.ts';
import type { Millis } from '../../primitives/time.ts';

/**
 * How certain a recreated fact is. `certain`: it follows from the source by a rule of the protocol that both parties obey. `assumed`: it is the
 * likely course, but the other party may have seen it otherwise. `unknown`: nobody can tell from the source; the value is a placeholder.
 */
export type Certainty = 'certain' | 'assumed' | 'unknown';

/** One fact of a recreated log that is not a copy of the same member of the source. */
export type Inference = {
  /** Position of the event in the recreated log; null for a member beside the events. */
  readonly seq: number | null;
  readonly event: string | null;
  /** Null for the event as such, with its time. */
  readonly member: string | null;
  readonly certainty: Certainty;
  /** The fact of the source: an event with its position, or a member of one. */
  readonly from: string;
  /** One plain sentence. */
  readonly because: string;
};

/** Why a fact is what it is. */
export type Ground = { readonly certainty: Certainty; readonly from: string; readonly because: string };

/** A log in the making, with the proof of what is inferred. */
export type Draft = { readonly events: StoredEvent[]; readonly inferred: Inference[] };

export function emptyDraft(): Draft {
  return { events: [], inferred: [] };
}

/** Appends an event, with the grounds for it and for each of its members that is no copy. */
export function append(
  draft: Draft,
  event: { readonly type: string; readonly at: Millis; readonly data: unknown },
  grounds: { readonly event: Ground; readonly members?: Readonly<Record<string, Ground>> },
): void {
  const at = { seq: draft.events.length, event: event.type };
  draft.events.push({ ...event, known: true });
  draft.inferred.push({ ...at, member: null, ...grounds.event });
  for (const [member, ground] of Object.entries(grounds.members ?? {}))
    draft.inferred.push({ ...at, member, ...ground });
}

export function certain(from: string, because: string): Ground {
  return { certainty: 'certain', from, because };
}

export function assumed(from: string, because: string): Ground {
  return { certainty: 'assumed', from, because };
}

export function unknown(from: string, because: string): Ground {
  return { certainty: 'unknown', from, because };
}
