import type { IdentifiedTransaction } from '../../smartchain/chain/block.ts';
import { tipHeight } from '../../smartchain/chain/ledger.ts';
import type { MempoolEntry } from '../../smartchain/chain/mempool.ts';
import { EASIEST_BITS, targetOf } from '../../smartchain/chain/proof-of-work.ts';
import type { TxRecord } from '../../smartchain/chain/records.ts';
import type { BlockNode } from '../../smartchain/chain/tree.ts';
import type { SmartChain } from '../../smartchain/node.ts';
import { PREFIXES } from '../../smartchain/params.ts';

/** A known transaction: confirmed, or in the mempool. */
export type KnownTransaction = {
  readonly identified: IdentifiedTransaction;
  readonly record: TxRecord | undefined;
  readonly entry: MempoolEntry | undefined;
};

/** Searches the mempool first, as the node does. */
export function findTransaction(chain: SmartChain, txid: string): KnownTransaction | undefined {
  const entry = chain.mempool().entries.get(txid);
  const record = entry === undefined ? chain.tree.ledger.transactions.get(txid) : undefined;
  const identified = entry ?? record;
  return identified === undefined ? undefined : { identified, record, entry };
}

/** Confirmations of a block of the active chain, by its height. */
export function depthOf({ tree }: SmartChain, height: number): number {
  return tipHeight(tree.ledger) - height + 1;
}

/**
 * Confirmations as the node counts them where blocks are notarized: what is not below the last notarized block counts one, for
 * it could still be taken back. Both counts are printed, this one as `confirmations`, the plain one as `rawconfirmations`.
 */
export function confirmationsOf(
  chain: SmartChain,
  height: number,
): { confirmations: number; rawconfirmations: number } {
  const depth = depthOf(chain, height);
  const notarized = chain.notarizedHeight();
  const safe = notarized === 0 || height < notarized || depth <= 0;
  return { confirmations: safe ? depth : Math.min(depth, 1), rawconfirmations: depth };
}

/** The node of the last block. A running chain has one. */
export function tipNode({ tree }: SmartChain): BlockNode {
  return tree.tip as BlockNode;
}

/** The difficulty of a target, relative to the easiest one. */
export function difficultyOf(bits: number): number {
  const target = targetOf(bits);
  return target === undefined ? 0 : Number(targetOf(EASIEST_BITS) ?? 0n) / Number(target);
}

/** Work of the chain up to a block, as the node prints it. */
export function workText({ work }: BlockNode): string {
  return work.toString(16).padStart(64, '0');
}

/** Name of the network whose encodings the chain uses. */
export function networkName({ params }: SmartChain): string {
  const found = Object.entries(PREFIXES).find(([, { sapling }]) => sapling === params.prefixes.sapling);
  return found?.[0] ?? 'main';
}
