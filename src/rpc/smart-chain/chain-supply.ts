import { isCoinbase } from '../../smartchain/chain/check-transaction.ts';
import { isSpendable } from '../../smartchain/chain/ledger.ts';
import type { BlockNode } from '../../smartchain/chain/tree.ts';
import type { SmartChain } from '../../smartchain/node.ts';
import { coins, whole } from './amount.ts';

type Members = Readonly<Record<string, unknown>>;

/** Satoshis. */
type Sums = {
  /** The supply: everything minted, less the fees that no miner took. */
  readonly supply: bigint;
  /** What can be spent. */
  readonly transparent: bigint;
  /** Coins in unspendable outputs. */
  readonly burned: bigint;
};

type BlockSums = { readonly total: Sums; readonly delta: Sums };

const NOTHING: Sums = { supply: 0n, transparent: 0n, burned: 0n };

/** A block never changes, so each one is added up once. */
const known = new WeakMap<BlockNode, BlockSums>();

/**
 * What a chain holds up to a block, and what the block changed. Undefined for one beside the active chain that spends coins which
 * this chain does not know, as on a node that never joined it.
 */
function sumsUpTo(chain: SmartChain, node: BlockNode): BlockSums | undefined {
  const open: BlockNode[] = [];
  let each: BlockNode | undefined = node;
  for (; each !== undefined && !known.has(each); each = each.parent) open.push(each);
  let total = (each === undefined ? undefined : known.get(each)?.total) ?? NOTHING;
  for (const next of open.reverse()) {
    const delta = sumsOf(chain, next);
    if (delta === undefined) return undefined;
    total = {
      supply: total.supply + delta.supply,
      transparent: total.transparent + delta.transparent,
      burned: total.burned + delta.burned,
    };
    known.set(next, { total, delta });
  }
  return known.get(node);
}

function sumsOf({ tree }: SmartChain, { block }: BlockNode): Sums | undefined {
  const { transactions } = tree.ledger;
  let [supply, transparent, burned] = [0n, 0n, 0n];
  for (const { transaction } of block.transactions) {
    for (const { value, script } of transaction.outputs) {
      supply += value;
      if (isSpendable({ value, script })) transparent += value;
      else burned += value;
    }
    if (isCoinbase(transaction)) continue;
    for (const { txid, vout } of transaction.inputs) {
      const spent = transactions.get(txid)?.transaction.outputs[vout]?.value;
      if (spent === undefined) return undefined;
      supply -= spent;
      transparent -= spent;
    }
  }
  return { supply, transparent, burned };
}

/** What there is, and where: in the pool that everybody sees, in the shielded ones, which nothing can enter here, and out of reach. */
export function supplyMembers(
  chain: SmartChain,
  node: BlockNode,
  { withDelta }: { readonly withDelta: boolean },
): { readonly chainSupply: Members; readonly valuePools: readonly Members[] } {
  const sums = sumsUpTo(chain, node);
  const pool = (name: keyof Sums | undefined): Members => {
    if (sums === undefined) return { monitored: false };
    const { total, delta } = sums;
    const value = name === undefined ? 0n : total[name];
    const change = name === undefined ? 0n : delta[name];
    const changed = withDelta ? { valueDelta: coins(change), valueDeltaZat: whole(change) } : {};
    return { monitored: true, chainValue: coins(value), chainValueZat: whole(value), ...changed };
  };
  return {
    chainSupply: pool('supply'),
    valuePools: [
      { id: 'transparent', ...pool('transparent') },
      { id: 'sprout', ...pool(undefined) },
      { id: 'sapling', ...pool(undefined) },
      { id: 'burned', ...pool('burned') },
    ],
  };
}
