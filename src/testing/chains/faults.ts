import type { Answer, FaultKind } from '../../ports/chain.ts';

/** An error answer. */
export function refused(kind: FaultKind, message: string): Answer<never> {
  return { ok: false, fault: { kind, message } };
}

export function answered<T>(value: T): Answer<T> {
  return { ok: true, value };
}

export type Acceptance = Answer<'sent' | 'known' | 'confirmed'>;

// The same objects each time: they never differ, and simulations ask for them by the million.
export const SENT: Acceptance = { ok: true, value: 'sent' };
export const KNOWN: Acceptance = { ok: true, value: 'known' };
export const CONFIRMED: Acceptance = { ok: true, value: 'confirmed' };
