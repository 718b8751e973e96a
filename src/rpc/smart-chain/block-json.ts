import { bytesToHex } from '../../primitives/hex.ts';
import type { BlockNode } from '../../smartchain/chain/tree.ts';
import type { SmartChain } from '../../smartchain/node.ts';
import { coins } from './amount.ts';
import { confirmationsOf, difficultyOf, workText } from './chain-view.ts';
import { detailedTransaction } from './transaction-json.ts';

type Members = Readonly<Record<string, unknown>>;

/** Root of the tree of Sprout notes when there is none. Source: Zcash. */
const EMPTY_SPROUT_ROOT = '59d2cde5e65c1414c32ba54f0fe4bdb3d67618125286e6a191317917c812c6d7';
const NOT_STAKED = -2;

/** A block in the layout of getblock: ids of its transactions, or these in full. */
export function blockJson(
  chain: SmartChain,
  node: BlockNode,
  { transactions }: { readonly transactions: boolean },
): Members {
  const { block, height, parent } = node;
  const { header } = block;
  const { ledger } = chain.tree;
  const active = ledger.heights.has(block.hash);
  const next = active ? ledger.blocks[height + 1]?.hash : undefined;
  return {
    last_notarized_height: chain.notarizedHeight(),
    hash: block.hash,
    // A block beside the active chain is told by -1.
    ...(active ? confirmationsOf(chain, height) : { confirmations: -1, rawconfirmations: -1 }),
    size: block.size,
    height,
    version: header.version,
    merkleroot: header.merkleRoot,
    segid: NOT_STAKED,
    finalsaplingroot: header.saplingRoot,
    tx: block.transactions.map((identified) => {
      const record = active ? ledger.transactions.get(identified.txid) : undefined;
      return transactions ? detailedTransaction(chain, { identified, record }) : identified.txid;
    }),
    time: header.time,
    nonce: bytesToHex(header.nonce.slice().reverse()),
    solution: bytesToHex(header.solution),
    bits: header.bits.toString(16).padStart(8, '0'),
    difficulty: difficultyOf(header.bits),
    chainwork: workText(node),
    anchor: EMPTY_SPROUT_ROOT,
    blocktype: 'mined',
    valuePools: emptyPools({ withDelta: true }),
    ...(parent === undefined ? {} : { previousblockhash: parent.block.hash }),
    ...(next === undefined ? {} : { nextblockhash: next }),
  };
}

/** The same without what is known of the block's body alone, as getblockheader tells it. */
export function blockHeaderJson(chain: SmartChain, node: BlockNode): Members {
  const { size, tx, anchor, blocktype, valuePools, ...header } = blockJson(chain, node, { transactions: false });
  return header;
}

/** The shielded pools, which nothing can enter on this chain. */
export function emptyPools({ withDelta }: { readonly withDelta: boolean }): readonly Members[] {
  return ['sprout', 'sapling'].map((id) => ({
    id,
    monitored: true,
    chainValue: coins(0n),
    chainValueZat: 0,
    ...(withDelta ? { valueDelta: coins(0n), valueDeltaZat: 0 } : {}),
  }));
}
