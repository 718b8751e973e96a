import type { RpcMethod } from '../method.ts';
import { integerAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';

/** Hash of a block of the active chain. */
export const getblockhash: RpcMethod = {
  name: 'getblockhash',
  usage: 'index',
  summary: 'Returns the hash of the block at a height of the active chain.',
  arity: [1, 1],
  run(params, { chain }) {
    const block = chain.tree.ledger.blocks[integerAt(params, 0)];
    if (block === undefined) throw new RpcError(RPC_CODE.parameter, 'Block height out of range');
    return block.hash;
  },
};
