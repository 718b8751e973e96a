import type { DecodedTransaction } from '../../htlc/transaction.ts';
import { ownerKey, scriptOwner } from '../../smartchain/chain/script-owner.ts';
import { keyOwners } from '../../smartchain/wallet/coins.ts';
import type { NodeContext } from './context.ts';
import { findWalletTransaction, type WalletTransaction } from './wallet-transaction.ts';

/**
 * Transactions that have to do with the wallet, the newest first: those in no block by the time of their coming, then block by
 * block down the active chain. Undefined stands for one that has not, so that whoever goes through a long chain can pause.
 */
export function* walletHistory(context: NodeContext): Generator<WalletTransaction | undefined> {
  const { chain } = context;
  const { ledger } = chain.tree;
  const { entries } = chain.mempool();
  const times = new Map([...entries.values()].map(({ txid, time }) => [txid, time]));
  for (const txid of chain.sent.open) times.set(txid, chain.sent.all.get(txid)?.time ?? 0);
  const loose = [...times].sort(([, left], [, right]) => left - right).map(([txid]) => txid);
  for (const txid of loose.reverse()) yield findWalletTransaction(context, txid);
  const concerns = relation(context);
  for (let height = ledger.blocks.length - 1; height >= 0; height--) {
    for (const { txid, transaction } of [...(ledger.blocks[height]?.transactions ?? [])].reverse()) {
      yield concerns(transaction) ? findWalletTransaction(context, txid) : undefined;
    }
  }
}

/** As {@link findWalletTransaction} decides of one in a block, with the owners gathered once. */
function relation({ chain, wallet }: NodeContext): (transaction: DecodedTransaction) => boolean {
  const owners = new Set([...keyOwners(wallet.ring), ...wallet.ring.watched]);
  const isOwn = (script: Uint8Array | undefined) => {
    const owner = script === undefined ? undefined : scriptOwner(script);
    return owner !== undefined && owners.has(ownerKey(owner));
  };
  const { transactions } = chain.tree.ledger;
  return ({ inputs, outputs }) =>
    outputs.some(({ script }) => isOwn(script)) ||
    inputs.some(({ txid, vout }) => isOwn(transactions.get(txid)?.transaction.outputs[vout]?.script));
}
