import { ownerKey, scriptOwner } from '../../smartchain/chain/script-owner.ts';
import type { SmartChain } from '../../smartchain/node.ts';
import type { SpendableCoin } from '../../smartchain/wallet/choose-coins.ts';

/** Outputs of waiting transactions that go to the owners and that nothing waiting spends, in the order of arrival. */
export function waitingOf(chain: SmartChain, owners: ReadonlySet<string>): SpendableCoin[] {
  const { entries, spentBy } = chain.mempool();
  const found: SpendableCoin[] = [];
  for (const { txid, transaction } of entries.values()) {
    for (const [vout, output] of transaction.outputs.entries()) {
      const owner = scriptOwner(output.script);
      if (owner === undefined || !owners.has(ownerKey(owner)) || spentBy.has(`${txid}:${vout}`)) continue;
      found.push({ txid, vout, output });
    }
  }
  return found;
}
