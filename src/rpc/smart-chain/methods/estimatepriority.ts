import { blocksAt } from '../estimate-params.ts';
import type { RpcMethod } from '../method.ts';

/** Priority with which a transaction without a fee is likely to be in a block soon. */
export const estimatepriority: RpcMethod = {
  name: 'estimatepriority',
  usage: 'nblocks',
  summary:
    'Estimates the priority a zero-fee transaction needs to be in one of the next nblocks blocks; -1 when unknown.',
  arity: [1, 1],
  run(params, { chain, estimator = chain.fees }) {
    const blocks = blocksAt(params);
    return estimator.priorityFor(blocks) ?? -1;
  },
};
