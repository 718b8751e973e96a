import type { FaultKind } from '../../../src/ports/chain.ts';

/** What the node says when it refuses a transaction, by the words that are the same in every version of its family. */
const WORDS: readonly (readonly [RegExp, FaultKind])[] = [
  [/txn-mempool-conflict|too many potential replacements|replacement-adds-unconfirmed/, 'noReplacement'],
  [/insufficient fee|min relay fee not met|mempool min fee not met|mempool full/, 'feeTooLow'],
  // What “Locktime requirement not satisfied” says of a script never changes: its own lock time or sequence is wrong.
  [/non-final/, 'notFinal'],
  [/too-long-mempool-chain/, 'tooManyAncestors'],
];

const WARMING_UP = -28;
const INPUTS_MISSING = /missingorspent|missing-inputs|Missing inputs/;

/** Null where the words do not say: an input is unknown or spent, and the node does not tell which. */
export function refusalOf({ code, message }: { readonly code: number; readonly message: string }): FaultKind | null {
  if (code === WARMING_UP) return 'unavailable';
  if (INPUTS_MISSING.test(message)) return null;
  return WORDS.find(([words]) => words.test(message))?.[1] ?? 'invalid';
}
