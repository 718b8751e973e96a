import { tipNode } from '../chain-view.ts';
import type { RpcMethod } from '../method.ts';

/** Hash of the last block. */
export const getbestblockhash: RpcMethod = {
  name: 'getbestblockhash',
  usage: '',
  summary: 'Returns the hash of the last block of the active chain.',
  arity: [0, 0],
  run: (_params, { chain }) => tipNode(chain).block.hash,
};
