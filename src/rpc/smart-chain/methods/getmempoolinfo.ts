import type { RpcMethod } from '../method.ts';

/** How much waits for a block. */
export const getmempoolinfo: RpcMethod = {
  name: 'getmempoolinfo',
  usage: '',
  summary: 'Returns how many transactions wait for a block, and their size in bytes.',
  arity: [0, 0],
  run(_params, { chain }) {
    const { entries, bytes } = chain.mempool();
    // What they take of the memory is not counted here; their bytes are the least of it.
    return { size: entries.size, bytes, usage: bytes };
  },
};
