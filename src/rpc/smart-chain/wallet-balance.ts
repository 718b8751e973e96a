import type { TransactionOutput } from '../../htlc/transaction.ts';
import { ownerKey, scriptOwner } from '../../smartchain/chain/script-owner.ts';
import { coinsOfRing, isMature, keyOwners } from '../../smartchain/wallet/coins.ts';
import type { NodeContext } from './context.ts';
import { isFree, unspentOf } from './wallet-view.ts';

/** What the wallet's keys hold, in satoshis. */
export type WalletBalance = {
  /** In blocks, and what comes back from own payments that wait. */
  readonly trusted: bigint;
  /** What somebody else sends and no block holds yet. */
  readonly pending: bigint;
  /** What blocks made and may not be spent yet. */
  readonly immature: bigint;
};

/** What can be spent, what comes and what has to age. What a sent transaction spends counts as gone. Source: smart-chain node. */
export function walletBalance({ chain, wallet }: NodeContext): WalletBalance {
  const { ring } = wallet;
  const owners = keyOwners(ring);
  const { entries } = chain.mempool();
  const isOwn = ({ script }: TransactionOutput) => {
    const owner = scriptOwner(script);
    return owner !== undefined && owners.has(ownerKey(owner));
  };
  const isFromWallet = (txid: string): boolean => {
    const inputs = entries.get(txid)?.transaction.inputs ?? [];
    return inputs.every((input) => {
      const source = entries.get(input.txid) ?? chain.tree.ledger.transactions.get(input.txid);
      const output = source?.transaction.outputs[input.vout];
      return output !== undefined && isOwn(output);
    });
  };
  let [trusted, pending] = [0n, 0n];
  for (const { txid, output } of coinsOfRing(chain, ring)) {
    if (!entries.has(txid) || isFromWallet(txid)) trusted += output.value;
    else pending += output.value;
  }
  const young = unspentOf(chain, owners).filter((entry) => isFree(chain, entry) && !isMature(chain, entry));
  return { trusted, pending, immature: young.reduce((total, { output }) => total + output.value, 0n) };
}
