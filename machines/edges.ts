import type { EdgeMeta } from './graph.ts';

// Annotations of the swap charts' edges. "before" is the month in which the real node stopped storing that order
// (stored-swap history of KDF). A log may be younger, because releases lag behind and nodes are updated late.

/** The specification's consequence, and what the real node emits live. */
export const live: EdgeMeta = { origin: ['spec', 'live'] };
/** Emitted live by the real node; the specification is silent. */
export const liveOnly: EdgeMeta = { origin: ['live'] };
/** The specification's consequence; no current node emits it. */
export const specOnly: EdgeMeta = { origin: ['spec'] };
/** The real node emits it only after a restart. */
export const restart: EdgeMeta = { origin: ['restart'] };

/**
 * This engine emits it live; no release of the real node does. It continues where the real node ends a swap with money
 * still within reach: after one failed claim, or when the other side spends during a refund after all.
 */
export const engine: EdgeMeta = { origin: ['engine'] };

/** As `engine`, where one of these events stands earlier in the log. */
export function engineAfter(...types: readonly string[]): EdgeMeta {
  return { origin: ['engine'], after: types };
}

/** As `engine`, where none of these events stands earlier in the log. */
export function engineWithout(...types: readonly string[]): EdgeMeta {
  return { origin: ['engine'], without: types };
}

/** An order that older releases stored, until the given month. */
export function legacy(before: string): EdgeMeta {
  return { origin: ['legacy'], before };
}

/** The specification's consequence, which older releases stored too, until the given month. */
export function specAndLegacy(before: string): EdgeMeta {
  return { origin: ['spec', 'legacy'], before };
}
