import { freeBalance } from '../chain/free-balance.ts';
import { ownerKey, scriptOwner } from '../chain/script-owner.ts';
import { heldTokens } from '../chain/token-index.ts';
import type { SmartChain } from '../node.ts';
import { promisedOf } from '../wallet/coins.ts';
import { tokenOutputScript } from './build.ts';

/**
 * Confirmed tokens of an id that a key can send: those left out that are held by a transaction which waits, or was sent and could
 * still be mined. A non-fungible token is on an address that its other module shares in. Zero for an unknown id.
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
