import type { TransactionOutput } from '../../htlc/transaction.ts';
import { hash160 } from '../../primitives/hash.ts';
import { inIndexOrder, ownedOutputs, type UnspentEntry } from '../chain/address-index.ts';
import { tipHeight } from '../chain/ledger.ts';
import { outPointKey } from '../chain/mempool.ts';
import { ownerKey, scriptOwner } from '../chain/script-owner.ts';
import { promisedCoins } from '../chain/sent.ts';
import type { SmartChain } from '../node.ts';
import { classifyScript } from '../script/classify.ts';
import type { SpendableCoin } from './choose-coins.ts';
import type { Keyring } from './keyring.ts';

/** Confirmed coins of a public key that no mempool transaction spends, in the order of the address index. */
export function coinsOfKey(chain: SmartChain, publicKey: Uint8Array): SpendableCoin[] {
  return confirmedCoins(chain, ownerKey({ kind: 'key', hash: hash160(publicKey) }));
}

function confirmedCoins(chain: SmartChain, owner: string, promised = promisedOf(chain)): SpendableCoin[] {
  const { ledger } = chain.tree;
  const { spentBy } = chain.mempool();
  const isTaken = (name: string) => spentBy.has(name) || promised.has(name);
  const usable = [...ownedOutputs(ledger.addresses, owner).unspent.values()].filter(
    (entry) => !isTaken(outPointKey(entry)) && isMature(chain, entry) && !isLocked(entry.output),
  );
  return inIndexOrder(usable).map(({ txid, vout, output }) => ({ txid, vout, output }));
}

/** Coins, by `outPointKey`, of transactions that were sent and are not in the mempool: {@link promisedCoins}. */
export function promisedOf(chain: SmartChain): ReadonlySet<string> {
  return promisedCoins({ sent: chain.sent, tree: chain.tree, mempool: chain.mempool() });
}

/** Anyone can send a key coins that it cannot spend yet. They are its own, but cannot be inputs. */
function isLocked({ script }: TransactionOutput): boolean {
  return classifyScript(script).stripped !== undefined;
}

/** Coins of all keys that are held, waiting ones too, ordered by the stored bytes of their ids. */
export function coinsOfRing(chain: SmartChain, ring: Keyring): SpendableCoin[] {
  const owners = keyOwners(ring);
  const promised = promisedOf(chain);
  const confirmed = [...owners].flatMap((owner) => confirmedCoins(chain, owner, promised));
  const waiting = waitingCoins(chain, owners).filter(
    (coin) => !isLocked(coin.output) && !promised.has(outPointKey(coin)),
  );
  return inIndexOrder([...confirmed, ...waiting]);
}

/** Owners (by `ownerKey`) whose keys are held. */
export function keyOwners({ keys }: Keyring): Set<string> {
  return new Set(Array.from(keys.keys(), (hash) => `key:${hash}`));
}

/** Outputs of waiting transactions that go to the owners and that nothing waiting spends, in the order of arrival. */
export function waitingCoins(chain: SmartChain, owners: ReadonlySet<string>): SpendableCoin[] {
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

/** Whether the coins of a confirmed output may be spent by now: those that a block made must first have aged. */
export function isMature({ tree, params }: SmartChain, { record }: UnspentEntry): boolean {
  return !record.coinbase || tipHeight(tree.ledger) + 1 - record.height >= params.maturity;
}
