import type { IdentifiedTransaction } from './block.ts';
import { checkForm } from './check-transaction.ts';
import { tipHeight, unspentOutput } from './ledger.ts';
import { type AcceptTerms, acceptTransaction, isRefused, type Mempool, outPointKey } from './mempool.ts';
import { returningPolicy } from './relay-policy.ts';
import type { BlockTree, ChainChange } from './tree.ts';

/** A transaction whose id its sender was told. */
export type SentTransaction = IdentifiedTransaction & {
  /** When it was sent, seconds since 1970. */
  readonly time: number;
};

/** All sent transactions, whatever became of them. */
export type SentTransactions = {
  /** By id, in the order of sending. */
  readonly all: Map<string, SentTransaction>;
  /** Ids of those that no block of the active chain includes. */
  readonly open: Set<string>;
};

export function noneSent(): SentTransactions {
  return { all: new Map(), open: new Set() };
}

/** Adds a transaction as the last one; one that was sent before moves to the end. */
export function addSent({ all, open }: SentTransactions, transaction: SentTransaction): void {
  const { txid } = transaction;
  all.delete(txid);
  all.set(txid, transaction);
  open.add(txid);
}

/** Updates which of them a block of the active chain includes. */
export function followSent({ all, open }: SentTransactions, { disconnected, connected }: ChainChange): void {
  for (const { transactions } of disconnected) for (const { txid } of transactions) if (all.has(txid)) open.add(txid);
  for (const { transactions } of connected) for (const { txid } of transactions) open.delete(txid);
}

/** The parts of the chain that decide whether a sent transaction can still be mined. */
export type SentView = {
  readonly sent: SentTransactions;
  readonly tree: BlockTree;
  readonly mempool: Mempool;
};

/** Those that are neither in a block nor in the mempool. */
function missingOf({ sent, mempool }: Pick<SentView, 'sent' | 'mempool'>): SentTransaction[] {
  return [...sent.open].flatMap((txid) => (mempool.entries.has(txid) ? [] : (sent.all.get(txid) ?? [])));
}

/**
 * Offers unconfirmed sent transactions to the mempool: after a start, and after every change of the chain, because a reorganization or an age that
 * was missing can make a refused one valid again. Of two that spend the same coin the later one comes first: when it was sent, the earlier one was no
 * longer in the mempool.
 */
export function offerSent({ sent, tree, mempool }: SentView, terms: Pick<AcceptTerms, 'policy'>): void {
  let missing = missingOf({ sent, mempool });
  if (missing.length === 0) return;
  const spender = new Map<string, string>();
  for (const { txid, transaction } of sent.all.values()) {
    if (sent.open.has(txid)) for (const input of transaction.inputs) spender.set(outPointKey(input), txid);
  }
  const isLatest = ({ txid, transaction }: SentTransaction) =>
    transaction.inputs.every((input) => spender.get(outPointKey(input)) === txid);
  missing = [...missing.filter(isLatest), ...missing.filter((each) => !isLatest(each))];
  const policy = returningPolicy(terms.policy);
  // One may depend on another that follows it.
  for (let before = -1; before !== missing.length && missing.length > 0; ) {
    before = missing.length;
    missing = missing.filter(({ txid, transaction, bytes, time }) => {
      const offered = { txid, transaction, bytes };
      return isRefused(acceptTransaction(mempool, offered, { tree, policy, time, allowHighFees: true }));
    });
  }
}

/**
 * Coins, by `outPointKey`, spent by transactions that were sent, are not in the mempool and could still be mined: spending them again would break the
 * promise that these were sent. Leaves out expired transactions, and those whose coins are gone.
 */
export function promisedCoins(view: SentView): ReadonlySet<string> {
  const missing = missingOf(view);
  const promised = new Set<string>();
  if (missing.length === 0) return promised;
  const possible = new Map(missing.map((each) => [each.txid, each]));
  for (let before = -1; before !== possible.size; ) {
    before = possible.size;
    for (const each of possible.values()) if (!canBeMined(each, view, possible)) possible.delete(each.txid);
  }
  for (const { transaction } of possible.values()) {
    for (const input of transaction.inputs) promised.add(outPointKey(input));
  }
  return promised;
}

type Possible = ReadonlyMap<string, SentTransaction>;

function canBeMined({ transaction }: SentTransaction, { tree, mempool }: SentView, possible: Possible): boolean {
  const { ledger, params } = tree;
  const refusal = checkForm(transaction, { height: tipHeight(ledger) + 1, params });
  // A shortened chain can reach the height of this format again.
  if (refusal?.kind === 'invalid' && refusal.reason !== 'tx-overwinter-not-active') return false;
  return transaction.inputs.every((input) => {
    const source = mempool.entries.get(input.txid) ?? possible.get(input.txid);
    return source?.transaction.outputs[input.vout] !== undefined || unspentOutput(ledger, input) !== undefined;
  });
}
