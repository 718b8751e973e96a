import { SwapfoldError } from '../../primitives/error.ts';
import type { SmartChain } from '../../smartchain/node.ts';
import { breaks } from '../../smartchain/turns.ts';
import type { Params } from './method.ts';
import { integerOrTextAt } from './params.ts';
import { RPC_CODE, RpcError } from './rpc-error.ts';

/** Maximum number of blocks per call. */
const MOST_BLOCKS = 10_000;

/** Blocks that the first parameter asks for. @throws RpcError -1 for no whole number, -8 for too many */
export function blocksToMine(params: Params): number {
  const count = integerOrTextAt(params, 0);
  if (count <= MOST_BLOCKS) return count;
  throw new RpcError(RPC_CODE.parameter, `Invalid parameter, at most ${MOST_BLOCKS} blocks in one call`);
}

/** Mines as many blocks as the first parameter says, each durable before the next; gives their hashes. @throws RpcError, which names those that stand; what stops the first one */
export async function mineBlocks(
  chain: SmartChain,
  { params, script }: { readonly params: Params; readonly script: Uint8Array },
): Promise<string[]> {
  const count = blocksToMine(params);
  const hashes: string[] = [];
  const rest = breaks();
  while (hashes.length < count) {
    await rest();
    try {
      hashes.push((await chain.mine({ script })).hash);
    } catch (error) {
      throw hashes.length === 0 ? error : stoppedAfter(hashes, { count, error });
    }
  }
  return hashes;
}

type Stopped = { readonly count: number; readonly error: unknown };

/** Earlier blocks remain, and a caller who does not know mines them twice. */
function stoppedAfter(hashes: readonly string[], { count, error }: Stopped): unknown {
  if (!(error instanceof SwapfoldError)) return error;
  const [first, last] = [hashes[0], hashes.at(-1)];
  const stand = first === last ? `block ${first} remains` : `blocks ${first} to ${last} remain`;
  return new RpcError(
    RPC_CODE.misc,
    `${error.shortMessage} [${error.code}] ${hashes.length} of ${count} blocks were mined: ${stand}.`,
  );
}
