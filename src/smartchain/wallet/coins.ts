import { hash160 } from '../../primitives/hash.ts';
import { inIndexOrder, ownedOutputs, storedOrder } from '../chain/address-index.ts';
import { tipHeight } from '../chain/ledger.ts';
import { outPointKey } from '../chain/mempool.ts';
import { ownerKey, scriptOwner } from '../chain/script-owner.ts';
import type { SmartChain } from '../node.ts';
import { classifyScript } from '../script/classify.ts';
import type { TxOutput } from '../transaction/transaction.ts';
import type { SpendableCoin } from './choose-coins.ts';
import type { Keyring } from './keyring.ts';

/** Confirmed coins of a public key that nothing waiting spends, in the order of the address index. */
export function coinsOfKey(chain: SmartChain, publicKey: Uint8Array): SpendableCoin[] {
  return confirmedCoins(chain, ownerKey({ kind: 'key', hash: hash160(publicKey) }));
}

function confirmedCoins(chain: SmartChain, owner: string): SpendableCoin[] {
  const { ledger, params } = chain.tree;
  const { spentBy } = chain.mempool();
  const next = tipHeight(ledger) + 1;
  const usable = [...ownedOutputs(ledger.addresses, owner).unspent.values()].filter(
    (entry) =>
      !spentBy.has(outPointKey(entry)) &&
      (!entry.record.coinbase || next - entry.record.height >= params.maturity) &&
      !isLocked(entry.output),
  );
  return inIndexOrder(usable).map(({ txid, vout, output }) => ({ txid, vout, output }));
}

/** Anybody can send a key coins that it cannot spend yet. They are its own, and no inputs. */
function isLocked({ script }: TxOutput): boolean {
  return classifyScript(script).stripped !== undefined;
}

/** Coins of all keys that are held, waiting ones too, ordered by the stored bytes of their ids. */
export function coinsOfRing(chain: SmartChain, ring: Keyring): SpendableCoin[] {
  const owners = new Set(
    [...ring.keys.values()].map(({ publicKey }) => ownerKey({ kind: 'key', hash: hash160(publicKey) })),
  );
  const coins = [...owners].flatMap((owner) => confirmedCoins(chain, owner));
  const { entries, spentBy } = chain.mempool();
  for (const { txid, transaction } of entries.values()) {
    for (const [vout, output] of transaction.outputs.entries()) {
      const owner = scriptOwner(output.script);
      if (owner === undefined || !owners.has(ownerKey(owner)) || spentBy.has(`${txid}:${vout}`)) continue;
      if (isLocked(output)) continue;
      coins.push({ txid, vout, output });
    }
  }
  const keyed = coins.map((coin) => ({ coin, key: storedOrder(coin.txid) }));
  keyed.sort((left, right) =>
    left.key < right.key ? -1 : left.key > right.key ? 1 : left.coin.vout - right.coin.vout,
  );
  return keyed.map(({ coin }) => coin);
}
