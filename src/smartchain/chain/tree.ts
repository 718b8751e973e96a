import type { ChainParams } from '../params.ts';
import { type Block, NO_BLOCK } from './block.ts';
import { checkBlock, checkPlace, connectBlock, disconnectBlock } from './connect-block.ts';
import { emptyLedger, type Ledger } from './ledger.ts';
import { MEDIAN_SPAN, medianTimePast } from './median-time.ts';
import { workOf } from './proof-of-work.ts';
import { invalid, REJECT_DUPLICATE, type Refusal } from './refusal.ts';

/** A block with its place among all accepted blocks, on the active chain or beside it. */
export type BlockNode = {
  readonly block: Block;
  readonly parent: BlockNode | undefined;
  readonly height: number;
  /** Expected number of hashes for the chain up to this block. */
  readonly work: bigint;
  /** Place in the order of arrival. */
  readonly arrival: number;
  readonly children: BlockNode[];
  /** Marked as invalid, by a rule or by an operator; this excludes its descendants too. */
  failed: boolean;
};

/** All blocks, and the ledger of the best chain among them. */
export type BlockTree = {
  readonly params: ChainParams;
  readonly nodes: Map<string, BlockNode>;
  readonly ledger: Ledger;
  /** Last block of the active chain; undefined before the first block. */
  tip: BlockNode | undefined;
  /** Last notarized block; undefined if none. No branch without it is ever active. */
  final: BlockNode | undefined;
  /** Ids of transactions whose scripts passed; they do not run twice. */
  readonly verified: Verified;
};

/** How the active chain changed. */
export type ChainChange = {
  /** Disconnected blocks, the highest first. */
  readonly disconnected: readonly Block[];
  /** Connected blocks, the lowest first. */
  readonly connected: readonly Block[];
};

/** Two generations of ids: when the young one is full, it replaces the old one. */
type Verified = { young: Set<string>; old: ReadonlySet<string> };

const VERIFIED_GENERATION = 100_000;

const NO_CHANGE: ChainChange = { disconnected: [], connected: [] };

export function blockTree(params: ChainParams): BlockTree {
  return {
    params,
    nodes: new Map(),
    ledger: emptyLedger(params),
    tip: undefined,
    final: undefined,
    verified: { young: new Set(), old: new Set() },
  };
}

/** Remembers that the scripts of a transaction passed: at least for the last {@link VERIFIED_GENERATION} ones. */
export function rememberVerified({ verified }: BlockTree, txid: string): void {
  if (verified.young.size >= VERIFIED_GENERATION) {
    verified.old = verified.young;
    verified.young = new Set();
  }
  verified.young.add(txid);
}

/** Whether the scripts of a transaction are known to pass. Its id covers them, and what it spends. */
export function isVerified({ verified }: BlockTree, txid: string): boolean {
  return verified.young.has(txid) || verified.old.has(txid);
}

/** Times of the last blocks up to a node, the oldest first, for the median time past. */
export function recentTimes(node: BlockNode | undefined): number[] {
  const times: number[] = [];
  for (let each = node; each !== undefined && times.length < MEDIAN_SPAN; each = each.parent) {
    times.push(each.block.header.time);
  }
  return times.reverse();
}

/** Median time past of the active chain, seconds since 1970 (BIP 113). */
export function tipMedianTime({ tip }: BlockTree): number {
  return medianTimePast(recentTimes(tip));
}

/**
 * Why a block cannot be accepted; undefined if it can. A child of the tip is tried on the ledger, which is unchanged afterwards; a block of another
 * branch is fully validated when its branch becomes the best.
 */
export function blockFault(tree: BlockTree, block: Block): Refusal | undefined {
  const { nodes, params, ledger } = tree;
  if (nodes.has(block.hash)) return { kind: 'invalid', code: REJECT_DUPLICATE, reason: 'duplicate' };
  const { previous } = block.header;
  const parent = nodes.get(previous);
  if (parent === undefined && (previous !== NO_BLOCK || nodes.size > 0)) return invalid('bad-prevblk');
  if (parent !== undefined && isGivenUp(tree, parent)) return invalid('bad-prevblk');
  if (parent !== undefined && !buildsOnFinal(tree, parent)) return { kind: 'policy', reason: 'past-notarized-height' };
  const height = parent === undefined ? 0 : parent.height + 1;
  const refusal = checkBlock(block, params) ?? checkPlace(block, { height, times: recentTimes(parent), params });
  if (refusal !== undefined || parent !== tree.tip) return refusal;
  const fault = connectBlock(ledger, block, { isVerified: (txid) => isVerified(tree, txid) });
  if (fault !== undefined) return fault;
  disconnectBlock(ledger);
  for (const { txid } of block.transactions) rememberVerified(tree, txid);
  return undefined;
}

/** Accepts a block that {@link blockFault} found valid, and activates the best chain. */
export function addBlock(tree: BlockTree, block: Block): ChainChange {
  const parent = tree.nodes.get(block.header.previous);
  const node: BlockNode = {
    block,
    parent,
    height: parent === undefined ? 0 : parent.height + 1,
    work: (parent?.work ?? 0n) + workOf(block.header.bits),
    arrival: tree.nodes.size,
    children: [],
    failed: false,
  };
  tree.nodes.set(block.hash, node);
  parent?.children.push(node);
  return isBetter(node, tree.tip) && buildsOnFinal(tree, node) ? moveTo(tree, node) : NO_CHANGE;
}

/** Marks a block as invalid and activates the best chain without it. The first block cannot be invalidated. */
export function invalidateBlock(tree: BlockTree, node: BlockNode): ChainChange {
  node.failed = true;
  return moveTo(tree, bestNode(tree));
}

/** Clears the marks of a block, its descendants and its ancestors; then activates the best chain. */
export function reconsiderBlock(tree: BlockTree, node: BlockNode): ChainChange {
  for (let each: BlockNode | undefined = node; each !== undefined; each = each.parent) each.failed = false;
  const open = [node];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    each.failed = false;
    for (const child of each.children) open.push(child);
  }
  return moveTo(tree, bestNode(tree));
}

/** Whether a node or one of its ancestors is marked. */
export function hasFailed(node: BlockNode): boolean {
  for (let each: BlockNode | undefined = node; each !== undefined; each = each.parent) if (each.failed) return true;
  return false;
}

/** {@link hasFailed}, in time of the length of the branch: nothing on the active chain has failed. */
function isGivenUp({ ledger }: BlockTree, node: BlockNode): boolean {
  for (let each: BlockNode | undefined = node; each !== undefined; each = each.parent) {
    if (ledger.heights.has(each.block.hash)) return false;
    if (each.failed) return true;
  }
  return false;
}

/** Whether a node is the final block or a descendant, in time of the length of the branch. */
function buildsOnFinal({ final, ledger }: BlockTree, node: BlockNode): boolean {
  if (final === undefined) return true;
  for (let each: BlockNode | undefined = node; each !== undefined && each.height >= final.height; each = each.parent) {
    if (ledger.heights.has(each.block.hash)) return true;
  }
  return false;
}

/** Whether invalidating a node, or reconsidering it, could disconnect the final block. */
export function endangersFinal(tree: BlockTree, node: BlockNode, as: 'invalid' | 'valid'): boolean {
  const { final, ledger } = tree;
  if (final === undefined) return false;
  if (as === 'valid') return !ledger.heights.has(node.block.hash) && !buildsOnFinal(tree, node);
  return ledger.heights.has(node.block.hash) && node.height <= final.height;
}

/** Makes a block of the active chain final, with its ancestors. A block below the final one changes nothing. */
export function sealChain(tree: BlockTree, node: BlockNode): void {
  if (node.height > (tree.final?.height ?? 0)) tree.final = node;
}

/**
 * Leaves of the tree and the tip, each with its status, the highest first.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { chainTips, DEAD_KEY, openSmartChain, payToKeyScript } from 'swapfold/smartchain';
 *
 * const now = () => millisOf(1_764_000_000_000);
 * const chain = await openSmartChain({ log: createMemoryLog(), now });
 * const script = payToKeyScript(DEAD_KEY);
 * for (let left = 2; left > 0; left -= 1) await chain.mine({ script });
 * if (chain.tree.tip) await chain.mark(chain.tree.tip, 'invalid');
 * const tips = chainTips(chain.tree).map(({ node, status }) => `${node.height} ${status}`);
 * tips; // → ['2 invalid', '1 active']
 * ```
 */
export function chainTips(
  tree: BlockTree,
): { readonly node: BlockNode; readonly status: 'active' | 'valid-fork' | 'invalid' }[] {
  const leaves = [...tree.nodes.values()].filter((node) => node.children.length === 0 || node === tree.tip);
  return leaves
    .sort((left, right) => right.height - left.height || left.arrival - right.arrival)
    .map((node) => ({ node, status: node === tree.tip ? 'active' : isGivenUp(tree, node) ? 'invalid' : 'valid-fork' }));
}

/** More work wins; of equal work, the first to arrive. */
function isBetter(node: BlockNode, than: BlockNode | undefined): boolean {
  if (than === undefined || node.work !== than.work) return than === undefined || node.work > than.work;
  return node.arrival < than.arrival;
}

/** The best node that no mark excludes, of the descendants of the final one. */
function bestNode({ nodes, final }: BlockTree): BlockNode | undefined {
  const [first] = nodes.values();
  const root = final ?? first;
  let best: BlockNode | undefined;
  const open = root === undefined ? [] : [root];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (each.failed) continue;
    if (isBetter(each, best)) best = each;
    for (const child of each.children) open.push(child);
  }
  return best;
}

/** Activates the best node; if a block on the way fails, the best one without it, and so on. */
function moveTo(tree: BlockTree, best: BlockNode | undefined): ChainChange {
  const disconnected: Block[] = [];
  const connected: Block[] = [];
  let target = best;
  while (target !== undefined && target !== tree.tip) {
    const path = branchTo(tree, target);
    while (tree.tip !== path.fork) {
      const left = disconnectBlock(tree.ledger);
      if (connected.at(-1)?.hash === left.hash) connected.pop();
      else disconnected.push(left);
      tree.tip = tree.tip?.parent;
    }
    for (const node of path.nodes) {
      const fault = connectBlock(tree.ledger, node.block, { isVerified: (txid) => isVerified(tree, txid) });
      if (fault !== undefined) {
        node.failed = true;
        target = bestNode(tree);
        break;
      }
      for (const { txid } of node.block.transactions) rememberVerified(tree, txid);
      if (disconnected.at(-1)?.hash === node.block.hash) disconnected.pop();
      else connected.push(node.block);
      tree.tip = node;
    }
  }
  return { disconnected, connected };
}

/** The block of the active chain at which a node branches off, and the nodes from there to it, the lowest first. */
function branchTo(tree: BlockTree, target: BlockNode): { fork: BlockNode | undefined; nodes: BlockNode[] } {
  const nodes: BlockNode[] = [];
  let each: BlockNode | undefined = target;
  while (each !== undefined && tree.ledger.heights.get(each.block.hash) === undefined) {
    nodes.push(each);
    each = each.parent;
  }
  return { fork: each, nodes: nodes.reverse() };
}
