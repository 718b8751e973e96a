import { bytesToHex } from '../../primitives/hex.ts';
import { type IdentifiedTransaction, NO_BLOCK } from '../../smartchain/chain/block.ts';
import type { BlockNode } from '../../smartchain/chain/tree.ts';
import type { SmartChain } from '../../smartchain/node.ts';
import { supplyMembers } from './chain-supply.ts';
import { confirmationsOf, difficultyOf, workText } from './chain-view.ts';
import { decodedTransaction } from './decoded-transaction.ts';

type Members = Readonly<Record<string, unknown>>;

/** Roots of the trees of Sprout and Sapling notes when there are none. Source: Zcash. */
const EMPTY_SPROUT_ROOT = '59d2cde5e65c1414c32ba54f0fe4bdb3d67618125286e6a191317917c812c6d7';
const EMPTY_SAPLING_ROOT = '3e49b5f954aa9d3545bc6c37744661eea48d7c34e3000d82b7f0010c30f4c2fb';
/** The node's value for a block without stake. */
const NOT_STAKED = -1;

/** A block in the layout of getblock: ids of its transactions, or these in full. */
export function blockJson(
  chain: SmartChain,
  node: BlockNode,
  { transactions }: { readonly transactions: boolean },
): Members {
  const { block } = node;
  const shown = ({ txid, transaction }: IdentifiedTransaction) =>
    decodedTransaction(transaction, { txid, prefixes: chain.params.prefixes, satoshis: 'valueZat' });
  return {
    ...placeMembers(chain, node),
    size: block.size,
    height: node.height,
    version: block.header.version,
    merkleroot: block.header.merkleRoot,
    segid: NOT_STAKED,
    finalsaplingroot: saplingRoot(node),
    tx: block.transactions.map((each) => (transactions ? shown(each) : each.txid)),
    ...workMembers(node),
    anchor: EMPTY_SPROUT_ROOT,
    ...supplyMembers(chain, node, { withDelta: true }),
    ...neighbours(chain, node),
  };
}

/** A header in the layout of getblockheader. */
export function blockHeaderJson(chain: SmartChain, node: BlockNode): Members {
  const { header } = node.block;
  return {
    ...placeMembers(chain, node),
    height: node.height,
    version: header.version,
    merkleroot: header.merkleRoot,
    finalsaplingroot: saplingRoot(node),
    ...workMembers(node),
    segid: NOT_STAKED,
    ...neighbours(chain, node),
  };
}

function placeMembers(chain: SmartChain, { block, height }: BlockNode): Members {
  const active = chain.tree.ledger.heights.has(block.hash);
  return {
    last_notarized_height: chain.notarizedHeight(),
    hash: block.hash,
    // -1 marks a block off the active chain.
    ...(active ? confirmationsOf(chain, height) : { confirmations: -1, rawconfirmations: -1 }),
  };
}

/** The headers of this chain hold no root, since there are no notes; the node prints the one of no notes. */
function saplingRoot({ block: { header } }: BlockNode): string {
  return header.saplingRoot === NO_BLOCK ? EMPTY_SAPLING_ROOT : header.saplingRoot;
}

function workMembers(node: BlockNode): Members {
  const { header } = node.block;
  return {
    time: header.time,
    nonce: bytesToHex(header.nonce.slice().reverse()),
    solution: bytesToHex(header.solution),
    bits: header.bits.toString(16).padStart(8, '0'),
    difficulty: difficultyOf(header.bits),
    chainwork: workText(node),
  };
}

function neighbours({ tree }: SmartChain, { block, height, parent }: BlockNode): Members {
  const { ledger } = tree;
  const next = ledger.heights.has(block.hash) ? ledger.blocks[height + 1]?.hash : undefined;
  return {
    ...(parent === undefined ? {} : { previousblockhash: parent.block.hash }),
    ...(next === undefined ? {} : { nextblockhash: next }),
  };
}
