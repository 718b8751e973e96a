import type { Answer, ChainFault, FaultKind } from '../../ports/chain.ts';
import { BackendSilent, CallReverted, Disagreement } from './reader.ts';

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

/** No answer of a backend, or a contract's refusal of one, is the fault `unavailable`, or `disagreement` where several contradict one another; everything else is a bug and is thrown. */
export function unanswered(error: unknown): Answer<never> {
  if (error instanceof Disagreement) return fault('disagreement', error.message);
  if (error instanceof CallReverted) return fault('unavailable', `a contract refuses to answer: ${error.message}`);
  if (error instanceof BackendSilent) return fault('unavailable', error.message);
  throw error;
}
