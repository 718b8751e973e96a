import type { Answer } from '../../ports/chain.ts';
import { fault, unanswered as unansweredByNodes } from '../accounts/answers.ts';
import { CallReverted } from './reader.ts';

/** A missing answer of a backend, or a contract's refusal, is a fault; everything else is a bug and is thrown. */
export function unanswered(error: unknown): Answer<never> {
  if (error instanceof CallReverted) return fault('unavailable', `a contract call failed: ${error.message}`);
  return unansweredByNodes(error);
}
