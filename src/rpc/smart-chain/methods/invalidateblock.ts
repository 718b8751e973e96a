import { markBlock } from '../block-params.ts';
import type { RpcMethod } from '../method.ts';

/** Invalidates a block and all its descendants. */
export const invalidateblock: RpcMethod = {
  name: 'invalidateblock',
  usage: '"hash"',
  summary: 'Marks a block as invalid for good, as if it broke a rule of the chain.',
  arity: [1, 1],
  run: (params, { chain }) => markBlock(chain, params, 'invalid'),
};
