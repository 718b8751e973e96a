import { OVERWINTER_BRANCH_ID, SAPLING_BRANCH_ID } from '../../../htlc/signature-hash.ts';
import type { BlockTree } from '../../../smartchain/chain/tree.ts';
import type { SmartChain } from '../../../smartchain/node.ts';
import { supplyMembers } from '../chain-supply.ts';
import { difficultyOf, networkName, tipNode, workText } from '../chain-view.ts';
import type { RpcMethod } from '../method.ts';

type Members = Readonly<Record<string, unknown>>;

/** State of the chain. */
export const getblockchaininfo: RpcMethod = {
  name: 'getblockchaininfo',
  usage: '',
  summary: 'Returns the state of the active chain and its active upgrades.',
  arity: [0, 0],
  run(_params, { chain }) {
    const tip = tipNode(chain);
    const { height, block } = tip;
    return {
      chain: networkName(chain),
      blocks: height,
      synced: true,
      headers: highestBlock(chain),
      bestblockhash: block.hash,
      difficulty: difficultyOf(block.header.bits),
      verificationprogress: 1,
      chainwork: workText(tip),
      pruned: false,
      commitments: 0,
      ...supplyMembers(chain, tip, { withDelta: false }),
      softforks: softForks(height),
      upgrades: upgrades(chain, height),
      consensus: { chaintip: branchAt(chain, height), nextblock: branchAt(chain, height + 1) },
    };
  },
};

/** Blocks that are looked at for a soft fork, and how many of its version enforce it and refuse others. Source: smart-chain node. */
const FORK_WINDOW = 4000;
const FORK_ENFORCED = 750;
const FORK_REJECTING = 950;
const SOFT_FORKS = [
  ['bip34', 2],
  ['bip66', 3],
  ['bip65', 4],
] as const;

/** Every block of this chain has the version of the last of them. */
function softForks(height: number): readonly Members[] {
  const found = Math.min(height + 1, FORK_WINDOW);
  const majority = (required: number) => ({ status: found >= required, found, required, window: FORK_WINDOW });
  return SOFT_FORKS.map(([id, version]) => {
    return { id, version, enforce: majority(FORK_ENFORCED), reject: majority(FORK_REJECTING) };
  });
}

function upgrades({ params }: SmartChain, height: number): Members {
  const activationheight = params.saplingHeight;
  if (activationheight === undefined) return {};
  const status = height >= activationheight ? 'active' : 'pending';
  const upgrade = (name: string, info: string) => ({ name, activationheight, status, info });
  return {
    [branchText(OVERWINTER_BRANCH_ID)]: upgrade(
      'Overwinter',
      'See https://z.cash/upgrade/overwinter.html for details.',
    ),
    [branchText(SAPLING_BRANCH_ID)]: upgrade('Sapling', 'See https://z.cash/upgrade/sapling.html for details.'),
  };
}

function branchAt({ params }: SmartChain, height: number): string {
  const sapling = params.saplingHeight !== undefined && height >= params.saplingHeight;
  return branchText(sapling ? SAPLING_BRANCH_ID : 0);
}

function branchText(id: number): string {
  return id.toString(16).padStart(8, '0');
}

/** Blocks are only added, so the highest one of as many is the same one. */
const known = new WeakMap<BlockTree, { readonly count: number; readonly highest: number }>();

function highestBlock({ tree }: SmartChain): number {
  const count = tree.nodes.size;
  const last = known.get(tree);
  if (last?.count === count) return last.highest;
  let highest = 0;
  for (const { height } of tree.nodes.values()) highest = Math.max(highest, height);
  known.set(tree, { count, highest });
  return highest;
}
