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

/** No answer of a backend is the fault `unavailable`, or `disagreement` where several contradict one another; everything else is a bug and is thrown. */
export function unanswered(error: unknown): Answer<never> {
  if (error instanceof Disagreement) return fault('disagreement', error.message);
  if (error instanceof BackendSilent) return fault('unavailable', error.message);
  throw error;
}

/** What too few say of a payment comes with the fault. */
export async function doubted(error: unknown, byFew: () => Promise<Answer<PaymentView>>): Promise<Answer<PaymentView>> {
  if (!(error instanceof TooFew)) throw error;
  const seen = await byFew();
  return seen.ok ? fault('unavailable', error.message, { doubtful: seen.value }) : seen;
}

/** After these no node has what was sent. After any other fault one may, and a swap that got its number would let it go out beside another withdrawal. */
export const NEVER_TAKEN: ReadonlySet<FaultKind> = new Set(['invalid', 'insufficientFunds', 'feeTooLow', 'nonceUsed']);
