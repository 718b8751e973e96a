import { OVERWINTER_BRANCH_ID, SAPLING_BRANCH_ID } from '../../../htlc/signature-hash.ts';
import type { SmartChain } from '../../../smartchain/node.ts';
import { emptyPools } from '../block-json.ts';
import { difficultyOf, networkName, tipNode, workText } from '../chain-view.ts';
import type { RpcMethod } from '../method.ts';

type Members = Readonly<Record<string, unknown>>;

/** How the chain stands. The node also lists the soft forks of Bitcoin; none of them is voted on here. */
export const getblockchaininfo: RpcMethod = {
  name: 'getblockchaininfo',
  usage: '',
  summary: 'Returns how the active chain stands and which upgrades are active.',
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
      valuePools: emptyPools({ withDelta: false }),
      softforks: [],
      upgrades: upgrades(chain, height),
      consensus: { chaintip: branchAt(chain, height), nextblock: branchAt(chain, height + 1) },
    };
  },
};

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

function highestBlock({ tree }: SmartChain): number {
  let highest = 0;
  for (const { height } of tree.nodes.values()) highest = Math.max(highest, height);
  return highest;
}
