import { bytesToHex } from '../../../primitives/hex.ts';
import { encodeHeader } from '../../../smartchain/chain/block.ts';
import { blockHeaderJson } from '../block-json.ts';
import { blockNodeAt } from '../block-params.ts';
import type { RpcMethod } from '../method.ts';
import { optionalBooleanAt } from '../params.ts';

/** The header of a block of any branch. */
export const getblockheader: RpcMethod = {
  name: 'getblockheader',
  usage: '"hash" ( verbose )',
  summary: 'Returns the header of a block: its parts or, with verbose false, its bytes in hex.',
  arity: [1, 2],
  run(params, { chain }) {
    const verbose = optionalBooleanAt(params, 1) ?? true;
    const node = blockNodeAt(chain, params);
    return verbose ? blockHeaderJson(chain, node) : bytesToHex(encodeHeader(node.block.header));
  },
};
