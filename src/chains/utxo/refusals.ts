import type { FaultKind } from '../../ports/chain.ts';
import type { UtxoRefusal } from './reader.ts';

/** What nodes say when they refuse a transaction, by the words that are the same in every version of their family. */
const WORDS: readonly (readonly [RegExp, FaultKind])[] = [
  [/mempool[- ]conflict|too many potential replacements|replacement-adds-unconfirmed/, 'noReplacement'],
  [/insufficient fee|insufficient priority|min relay fee not met|mempool min fee not met|mempool full/, 'feeTooLow'],
  // Whoever votes on Qtum's rules may raise the least price of gas above what is usual.
  [/low-gas-price|small-gasprice/, 'feeTooLow'],
  // What “Locktime requirement not satisfied” says of a script never changes: its own lock time or sequence is wrong.
  [/non-(?:BIP68-)?final/, 'notFinal'],
  [/too-long-mempool-chain/, 'tooManyAncestors'],
];

/**
 * What is wrong with the node itself: it warms up, is in its initial download, has no connection, no memory, a broken database, or an error of its own. Says
 * nothing of the transaction.
 */
const OUT_OF_ORDER: ReadonlySet<number> = new Set([-28, -10, -9, -7, -20, -32603]);
const IN_CHAIN = -27;
const INPUTS_MISSING = /missingorspent|missing-inputs|Missing inputs|inputs-spent/;

/** Null where the words do not say: an input is unknown or taken, and the node does not tell which; Komodo's says nothing at all. */
export function refusalKind({ code, message }: UtxoRefusal): FaultKind | null {
  if (OUT_OF_ORDER.has(code)) return 'unavailable';
  if (message === '' || INPUTS_MISSING.test(message)) return null;
  return WORDS.find(([words]) => words.test(message))?.[1] ?? 'invalid';
}

/** Whether the node refuses a transaction because it holds it. */
export function isKnownAlready({ code, message }: UtxoRefusal): 'confirmed' | 'known' | null {
  if (code === IN_CHAIN || /already in block chain|outputs already in utxo set/i.test(message)) return 'confirmed';
  return /txn-already-in-mempool|txn-already-known|already have transaction/.test(message) ? 'known' : null;
}
