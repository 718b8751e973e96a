import { checkForm, isCoinbase } from './check-transaction.ts';
import { tipHeight } from './ledger.ts';
import {
  type AcceptTerms,
  acceptTransaction,
  emptyMempool,
  type Mempool,
  outPointKey,
  removeEntry,
} from './mempool.ts';
import { returningPolicy } from './relay-policy.ts';
import type { ChainChange } from './tree.ts';

/**
 * The mempool after the active chain changed. Removes transactions that new blocks include or conflict with. After a reorganization it validates
 * every transaction of the disconnected blocks and of the mempool again.
 */
export function followChain(mempool: Mempool, change: ChainChange, terms: Omit<AcceptTerms, 'allowHighFees'>): Mempool {
  if (change.disconnected.length > 0) return afterReorganisation(mempool, change, terms);
  for (const { transactions } of change.connected) {
    for (const { txid, transaction } of transactions) {
      removeEntry(mempool, txid, { withChildren: false });
      for (const input of transaction.inputs) {
        const rival = mempool.spentBy.get(outPointKey(input));
        if (rival !== undefined) removeEntry(mempool, rival.txid, { withChildren: true });
      }
    }
  }
  const { params, ledger } = terms.tree;
  const height = tipHeight(ledger) + 1;
  for (const { txid, transaction } of [...mempool.entries.values()]) {
    // Expired, or in the format from before Sapling: a block that includes it would be refused.
    if (checkForm(transaction, { height, params }) !== undefined) removeEntry(mempool, txid, { withChildren: true });
  }
  return mempool;
}

function afterReorganisation(
  mempool: Mempool,
  { disconnected }: ChainChange,
  terms: Omit<AcceptTerms, 'allowHighFees'>,
): Mempool {
  const again = emptyMempool();
  const policy = returningPolicy(terms.policy);
  const returned = [...disconnected].reverse().flatMap(({ transactions }) => transactions);
  for (const each of [...returned, ...mempool.entries.values()]) {
    if (isCoinbase(each.transaction) || terms.tree.ledger.transactions.has(each.txid)) continue;
    const known = mempool.entries.get(each.txid);
    const { txid, transaction, bytes } = each;
    acceptTransaction(
      again,
      { txid, transaction, bytes },
      { ...terms, policy, allowHighFees: true, time: known?.time ?? terms.time },
    );
  }
  return again;
}
