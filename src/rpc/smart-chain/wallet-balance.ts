import type { TransactionOutput } from '../../htlc/transaction.ts';
import { ownerKey, scriptOwner } from '../../smartchain/chain/script-owner.ts';
import type { SmartChain } from '../../smartchain/node.ts';
import { coinsOfRing, isMature, keyOwners } from '../../smartchain/wallet/coins.ts';
import type { Keyring } from '../../smartchain/wallet/keyring.ts';
import type { NodeContext } from './context.ts';
import { isFree, unspentOf } from './wallet-view.ts';

/** Balance of the wallet's keys, in satoshis. */
export type WalletBalance = {
  /** Confirmed coins, and the change of own unconfirmed payments. */
  readonly trusted: bigint;
  /** Unconfirmed payments from others. */
  readonly pending: bigint;
  /** Immature coinbase outputs. */
  readonly immature: bigint;
};

/** The last balance per key ring. Clients ask far more often than balances change, and a wallet may hold many coins. */
const known = new WeakMap<Keyring, { readonly basis: readonly unknown[]; readonly balance: WalletBalance }>();

/** What can be spent, what comes and what has to age. What a sent transaction spends counts as gone. Source: smart-chain node. */
export function walletBalance({ chain, wallet: { ring } }: NodeContext): WalletBalance {
  const basis = basisOf(chain, ring);
  const last = known.get(ring);
  if (last?.basis.every((part, index) => part === basis[index]) === true) return last.balance;
  const balance = countBalance(chain, ring);
  known.set(ring, { basis, balance });
  return balance;
}

/** All that a balance follows from: none of it changes while the others stay. Keys are only added; between two tips, so is what was sent. */
function basisOf(chain: SmartChain, { keys }: Keyring): readonly unknown[] {
  const { tree, sent } = chain;
  const waiting = chain.mempool();
  return [tree.tip, waiting, waiting.changes, sent.all.size, sent.open.size, keys.size];
}

function countBalance(chain: SmartChain, ring: Keyring): WalletBalance {
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
