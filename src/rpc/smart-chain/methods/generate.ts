import { payToKeyScript } from '../../../smartchain/tokens/scripts.ts';
import type { RpcMethod } from '../method.ts';
import { blocksToMine, mineBlocks } from '../mine-blocks.ts';

/** Mines blocks for the node's own key, or for the first one of the wallet; a wallet without keys gets one. */
export const generate: RpcMethod = {
  name: 'generate',
  usage: 'numblocks',
  summary: 'Mines blocks immediately; returns their hashes.',
  arity: [1, 1],
  async run(params, { chain, wallet }) {
    blocksToMine(params);
    const [first] = wallet.ring.keys.values();
    const { publicKey } = wallet.ownKey() ?? first ?? (await wallet.create());
    return mineBlocks(chain, { params, script: payToKeyScript(publicKey) });
  },
};
