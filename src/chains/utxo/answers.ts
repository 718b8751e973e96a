import type { Answer, ChainFault, FaultKind } from '../../ports/chain.ts';
import { BackendSilent } from '../../ports/silence.ts';

export function ok<T>(value: T): Answer<T> {
  return { ok: true, value };
}

export function fault(kind: FaultKind, message: string): { readonly ok: false; readonly fault: ChainFault } {
  return { ok: false, fault: { kind, message } };
}

/** A missing answer of a backend is the fault `unavailable`; everything else is a bug and is thrown. */
export function unanswered(error: unknown): Answer<never> {
  if (error instanceof BackendSilent) return fault('unavailable', error.message);
  throw error;
}
