import type { RpcMethod } from '../method.ts';

/** Size of the mempool. */
export const getmempoolinfo: RpcMethod = {
  name: 'getmempoolinfo',
  usage: '',
  summary: 'Returns how many transactions wait for a block, and their size in bytes.',
  arity: [0, 0],
  run(_params, { chain }) {
    const { entries, bytes } = chain.mempool();
    // Memory use is not measured; the bytes are a lower bound.
    return { size: entries.size, bytes, usage: bytes };
  },
};
