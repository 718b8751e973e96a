import type { Answer, ChainFault, FaultKind } from '../../ports/chain.ts';
import { BackendSilent, Disagreement } from './reader.ts';

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
