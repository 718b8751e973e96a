import type { SmartChain } from '../../smartchain/node.ts';
import type { Params } from './method.ts';
import { integerAt } from './params.ts';
import { RPC_CODE, RpcError } from './rpc-error.ts';

/** Most blocks of one call. */
const MOST_BLOCKS = 10_000;

/** Blocks that the first parameter asks for. @throws RpcError -1 for no whole number, -8 for too many */
export function blocksToMine(params: Params): number {
  const count = integerAt(params, 0);
  if (count <= MOST_BLOCKS) return count;
  throw new RpcError(RPC_CODE.parameter, `Invalid parameter, at most ${MOST_BLOCKS} blocks in one call`);
}

/** Mines as many blocks as the first parameter says, each durable before the next; gives their hashes. @throws RpcError */
export async function mineBlocks(
  chain: SmartChain,
  { params, script }: { readonly params: Params; readonly script: Uint8Array },
): Promise<string[]> {
  const count = blocksToMine(params);
  const hashes: string[] = [];
  while (hashes.length < count) hashes.push((await chain.mine({ script })).hash);
  return hashes;
}
