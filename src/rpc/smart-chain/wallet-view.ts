import type { OutPoint } from '../../htlc/transaction-encoding.ts';
import { ownedOutputs, type UnspentEntry } from '../../smartchain/chain/address-index.ts';
import { outPointKey } from '../../smartchain/chain/mempool.ts';
import type { SmartChain } from '../../smartchain/node.ts';

/** Whether no transaction in the mempool spends an output. */
export function isFree(chain: SmartChain, outPoint: OutPoint): boolean {
  return !chain.mempool().spentBy.has(outPointKey(outPoint));
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
