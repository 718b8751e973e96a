import type { Answer, FaultKind } from '../../ports/chain.ts';
import type { DecimalText } from '../../primitives/decimal.ts';

/** Faults that changed something, or withheld an answer. Each world has its own copies. */
const fired = new WeakSet<object>();

/** Notes that a fault took effect. */
export function markFired(fault: object): void {
  fired.add(fault);
}

/** Whether a fault of a wallet or a chain has ever taken effect. */
export function hasFired(fault: object): boolean {
  return fired.has(fault);
}

/** An error answer. */
export function refused(kind: FaultKind, message: string): Answer<never> {
  return { ok: false, fault: { kind, message } };
}

/** What is to be signed belongs to another key than the wallet's. */
export function ofSomebodyElse(role: 'sender' | 'receiver'): Answer<never> {
  return refused('invalid', `the ${role}${SOMEBODY_ELSE}`);
}

const SOMEBODY_ELSE = ' is somebody else';

/** Whether a wallet answered with {@link ofSomebodyElse}. */
export function isOfSomebodyElse({ kind, message }: { readonly kind: string; readonly message: string }): boolean {
  return kind === 'invalid' && message.endsWith(SOMEBODY_ELSE);
}

/** No fee up to `maxFee` is enough; `least` is, in coin units. */
export function tooDear(maxFee: string | undefined, least: DecimalText): Answer<never> {
  return { ok: false, fault: { kind: 'feeTooLow', message: `no fee of at most ${maxFee} would do`, leastFee: least } };
}

export function answered<T>(value: T): Answer<T> {
  return { ok: true, value };
}

export type Acceptance = Answer<'sent' | 'known' | 'confirmed'>;

// Always the same objects: they never differ, and simulations need them by the million.
export const SENT: Acceptance = { ok: true, value: 'sent' };
export const KNOWN: Acceptance = { ok: true, value: 'known' };
export const CONFIRMED: Acceptance = { ok: true, value: 'confirmed' };
