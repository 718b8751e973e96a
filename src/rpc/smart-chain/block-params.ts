import type { BlockNode } from '../../smartchain/chain/tree.ts';
import { lenientHash } from '../../smartchain/encoding/lenient.ts';
import type { SmartChain } from '../../smartchain/node.ts';
import type { Params } from './method.ts';
import { textAt } from './params.ts';
import { RPC_CODE, RpcError } from './rpc-error.ts';

/** A block by the hash that a parameter gives. @throws RpcError -5 `Block not found` */
export function blockNodeAt({ tree }: SmartChain, params: Params, index = 0): BlockNode {
  const node = tree.nodes.get(lenientHash(textAt(params, index)));
  if (node === undefined) throw new RpcError(RPC_CODE.addressOrKey, 'Block not found');
  return node;
}

/** Invalidates or reconsiders a block. @throws RpcError -5 for an unknown block, -20 if the chain refuses */
export async function markBlock(chain: SmartChain, params: Params, as: 'invalid' | 'valid'): Promise<null> {
  const answer = await chain.mark(blockNodeAt(chain, params), as);
  if (!('refused' in answer)) return null;
  const { refused } = answer;
  throw new RpcError(RPC_CODE.database, refused.kind === 'missing-inputs' ? 'Missing inputs' : refused.reason);
}
