import { freeBalance } from '../chain/free-balance.ts';
import { ownerKey, scriptOwner } from '../chain/script-owner.ts';
import { heldTokens } from '../chain/token-index.ts';
import type { SmartChain } from '../node.ts';
import { promisedOf } from './coins.ts';
import { tokenOutputScript } from './token-transactions.ts';

/**
 * Confirmed tokens of an id that a key can send, without those that a pending transaction spends, or one that was sent and could still be mined. A
 * non-fungible token is at an address that its other module shares. Zero for an unknown id.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { systemRandom } from 'swapfold/runtime';
 * import { buildCreate, openSmartChain, openWallet } from 'swapfold/smartchain';
 * import { payToKeyScript, PREFIXES, tokenBalance } from 'swapfold/smartchain';
 *
 * const now = () => millisOf(1_764_000_000_000);
 * const chain = await openSmartChain({ log: createMemoryLog(), now, params: { maturity: 1 } });
 * const wallet = await openWallet({ prefixes: PREFIXES.main, random: systemRandom });
 * const { publicKey } = await wallet.create();
 * const mine = () => chain.mine({ script: payToKeyScript(publicKey) });
 * for (let left = 2; left > 0; left -= 1) await mine();
 * const token = { name: Buffer.from('KITE'), supply: 1000n, description: Buffer.from('Kites') };
 * const made = buildCreate({ chain, ring: wallet.ring, publicKey }, token);
 * if ('built' in made) chain.submit(made.built);
 * await mine();
 * 'built' in made && tokenBalance(chain, { tokenId: made.built.txid, key: publicKey }); // → 1000n
 * ```
 */
export function tokenBalance(
  chain: SmartChain,
  { tokenId, key }: { readonly tokenId: string; readonly key: Uint8Array },
): bigint {
  const { transactions, tokens } = chain.tree.ledger;
  const owner = scriptOwner(tokenOutputScript(transactions.get(tokenId)?.token?.boundEval, key));
  if (owner === undefined) return 0n;
  const held = heldTokens(tokens, tokenId, ownerKey(owner));
  return freeBalance(held, { ...chain.mempool(), promised: promisedOf(chain) }, ({ amount }) => amount);
}
