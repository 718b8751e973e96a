import { markBlock } from '../block-params.ts';
import type { RpcMethod } from '../method.ts';

/** Reverses invalidateblock for a block and all its descendants. */
export const reconsiderblock: RpcMethod = {
  name: 'reconsiderblock',
  usage: '"hash"',
  summary: 'Removes the invalid mark of a block and of its descendants.',
  arity: [1, 1],
  run: (params, { chain }) => markBlock(chain, params, 'valid'),
};
