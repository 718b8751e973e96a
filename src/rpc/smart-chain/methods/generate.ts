import { payToKeyScript } from '../../../smartchain/tokens/scripts.ts';
import type { RpcMethod } from '../method.ts';
import { mineBlocks } from '../mine-blocks.ts';
import { integerAt } from '../params.ts';

/** Mines blocks for the node's own key, or for the first one of the wallet; a wallet without keys gets one. */
export const generate: RpcMethod = {
  name: 'generate',
  usage: 'numblocks',
  summary: 'Mines blocks at once; returns their hashes.',
  arity: [1, 1],
  async run(params, { chain, wallet }) {
    integerAt(params, 0);
    const [first] = wallet.ring.keys.values();
    const { publicKey } = wallet.ownKey() ?? first ?? (await wallet.create());
    return mineBlocks(chain, { params, script: payToKeyScript(publicKey) });
  },
};
