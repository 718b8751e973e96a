import { markBlock } from '../block-params.ts';
import type { RpcMethod } from '../method.ts';

/** Takes back what invalidateblock did to a block and to all that is built on it. */
export const reconsiderblock: RpcMethod = {
  name: 'reconsiderblock',
  usage: '"hash"',
  summary: 'Removes the invalid mark of a block and of its descendants.',
  arity: [1, 1],
  run: (params, { chain }) => markBlock(chain, params, 'valid'),
};
