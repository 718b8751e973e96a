import { hash160 } from '../../primitives/hash.ts';
import { ownedOutputs, type UnspentEntry } from '../../smartchain/chain/address-index.ts';
import { tipHeight } from '../../smartchain/chain/ledger.ts';
import { outPointKey } from '../../smartchain/chain/mempool.ts';
import { ownerKey } from '../../smartchain/chain/script-owner.ts';
import type { SmartChain } from '../../smartchain/node.ts';
import type { OutPoint } from '../../smartchain/transaction/transaction.ts';
import { coinsOfRing } from '../../smartchain/wallet/coins.ts';
import type { Keyring } from '../../smartchain/wallet/keyring.ts';

/** Owners (by `ownerKey`) whose keys the wallet holds. */
export function keyOwners({ keys }: Keyring): Set<string> {
  return new Set([...keys.values()].map(({ publicKey }) => ownerKey({ kind: 'key', hash: hash160(publicKey) })));
}

/** Satoshis that the wallet can spend now. */
export function ringBalance(chain: SmartChain, ring: Keyring): bigint {
  return coinsOfRing(chain, ring).reduce((total, { output }) => total + output.value, 0n);
}

/** Whether nothing waiting spends an output. */
export function isFree(chain: SmartChain, outPoint: OutPoint): boolean {
  return !chain.mempool().spentBy.has(outPointKey(outPoint));
}

/** Whether the coins of an output may be spent by now: those that a block made must first have aged. */
export function isMature({ tree, params }: SmartChain, { record }: UnspentEntry): boolean {
  return !record.coinbase || tipHeight(tree.ledger) + 1 - record.height >= params.maturity;
}

/** Confirmed unspent outputs of owners, in the order of the chain. */
export function unspentOf({ tree }: SmartChain, owners: Iterable<string>): UnspentEntry[] {
  const { addresses } = tree.ledger;
  const entries = [...owners].flatMap((owner) => [...ownedOutputs(addresses, owner).unspent.values()]);
  return entries.sort((left, right) => {
    const [from, to] = [left.record, right.record];
    return from.height - to.height || from.position - to.position || left.vout - right.vout;
  });
}
