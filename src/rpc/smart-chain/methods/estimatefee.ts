import { coins } from '../amount.ts';
import { blocksAt } from '../estimate-params.ts';
import type { RpcMethod } from '../method.ts';

/** Fee for 1,000 bytes with which a transaction is likely to be in a block soon. */
export const estimatefee: RpcMethod = {
  name: 'estimatefee',
  usage: 'nblocks',
  summary: 'Estimates the fee per kilobyte for a transaction to be in one of the next nblocks blocks; -1 when unknown.',
  arity: [1, 1],
  run(params, { chain, estimator = chain.fees }) {
    const blocks = blocksAt(params);
    const fee = estimator.feeFor(blocks);
    return fee === undefined ? -1 : coins(fee);
  },
};
