import { addressScript } from '../../../smartchain/encoding/address.ts';
import { requireAddress } from '../address-params.ts';
import type { RpcMethod } from '../method.ts';
import { mineBlocks } from '../mine-blocks.ts';
import { textAt } from '../params.ts';

/** Mines blocks for an address. */
export const generatetoaddress: RpcMethod = {
  name: 'generatetoaddress',
  usage: 'numblocks "address"',
  summary: 'Mines blocks immediately, paid to an address; returns their hashes.',
  arity: [2, 2],
  async run(params, { chain }) {
    const { prefixes } = chain.params;
    const address = requireAddress(textAt(params, 1), { prefixes, text: 'Error: Invalid address' });
    return mineBlocks(chain, { params, script: addressScript(address) });
  },
};
