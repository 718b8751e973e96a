import type { Answer, ChainFault, FaultKind, PaymentView } from '../../ports/chain.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { Disagreement, TooFew } from './silence.ts';

export function ok<T>(value: T): Answer<T> {
  return { ok: true, value };
}

export function fault(
  kind: FaultKind,
  message: string,
  more: Partial<ChainFault> = {},
): { readonly ok: false; readonly fault: ChainFault } {
  return { ok: false, fault: { kind, message, ...more } };
}

/**
 * A missing answer of a backend is the fault `unavailable`, or `disagreement` if several contradict each other; everything else is a bug and is
 * thrown.
 */
export function unanswered(error: unknown): Answer<never> {
  if (error instanceof Disagreement) return fault('disagreement', error.message);
  if (error instanceof BackendSilent) return fault('unavailable', error.message);
  throw error;
}

/** The fault carries what too few nodes say about a payment. */
export async function doubted(error: unknown, byFew: () => Promise<Answer<PaymentView>>): Promise<Answer<PaymentView>> {
  if (!(error instanceof TooFew)) throw error;
  const seen = await byFew();
  return seen.ok ? fault('unavailable', error.message, { doubtful: seen.value }) : seen;
}

/**
 * After these faults, no node has what was sent. After any other, one may: a swap that got its number would let it go out beside another withdrawal.
 */
export const NEVER_TAKEN: ReadonlySet<FaultKind> = new Set(['invalid', 'insufficientFunds', 'feeTooLow', 'nonceUsed']);
