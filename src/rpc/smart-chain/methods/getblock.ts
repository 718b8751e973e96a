import { bytesToHex } from '../../../primitives/hex.ts';
import { numberText } from '../../../primitives/json.ts';
import { encodeBlock } from '../../../smartchain/chain/block.ts';
import { tipHeight } from '../../../smartchain/chain/ledger.ts';
import type { BlockNode } from '../../../smartchain/chain/tree.ts';
import type { SmartChain } from '../../../smartchain/node.ts';
import { blockJson } from '../block-json.ts';
import { blockNodeAt } from '../block-params.ts';
import type { Params, RpcMethod } from '../method.ts';
import { integerAt, optionalBooleanAt, textAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';

/** A block of any branch by its hash, or of the active chain by its height. */
export const getblock: RpcMethod = {
  name: 'getblock',
  usage: '"hash|height" ( verbosity )',
  summary: 'Returns a block: in hex for verbosity 0, its parts for 1, its parts with all transactions for 2.',
  arity: [1, 2],
  run(params, { chain }) {
    const verbosity = verbosityOf(params);
    const node = nodeAt(chain, params);
    if (verbosity === 0) return bytesToHex(encodeBlock(node.block));
    return blockJson(chain, node, { transactions: verbosity === 2 });
  },
};

const HEIGHT = /^\d{1,9}$/;

/** As on the node, a text that is shorter than a hash is a height. */
function nodeAt(chain: SmartChain, params: Params): BlockNode {
  const number = params[0] === undefined ? undefined : numberText(params[0]);
  const text = number ?? textAt(params, 0);
  if (text.length >= 64) return blockNodeAt(chain, params);
  if (!HEIGHT.test(text)) throw new RpcError(RPC_CODE.parameter, 'Invalid block height parameter');
  const { ledger, nodes } = chain.tree;
  const node = nodes.get(ledger.blocks[Number(text)]?.hash ?? '');
  if (Number(text) <= tipHeight(ledger) && node !== undefined) return node;
  throw new RpcError(RPC_CODE.parameter, 'Block height out of range');
}

function verbosityOf(params: Params): number {
  const value = params[1];
  if (value === undefined || value === null) return 1;
  const verbosity = numberText(value) === undefined ? Number(optionalBooleanAt(params, 1)) : integerAt(params, 1);
  if (verbosity >= 0 && verbosity <= 2) return verbosity;
  throw new RpcError(RPC_CODE.parameter, 'Verbosity must be in range from 0 to 2');
}
