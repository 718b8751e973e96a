import { markBlock } from '../block-params.ts';
import type { RpcMethod } from '../method.ts';

/** Gives a block up, with all that is built on it. */
export const invalidateblock: RpcMethod = {
  name: 'invalidateblock',
  usage: '"hash"',
  summary: 'Marks a block as invalid for good, as if it broke a rule of the chain.',
  arity: [1, 1],
  run: (params, { chain }) => markBlock(chain, params, 'invalid'),
};
