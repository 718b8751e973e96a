import { concatBytes } from '../../htlc/byte-writer.ts';
import type { DecodedTransaction } from '../../htlc/transaction.ts';
import type { ChainParams } from '../params.ts';
import { encodeChainTransaction, formAt, transactionIdOf } from '../transaction.ts';
import {
  BLOCK_VERSION,
  type Block,
  type BlockHeader,
  encodeBlock,
  headerHash,
  type IdentifiedTransaction,
  merkleRoot,
  NO_BLOCK,
} from './block.ts';
import { isExpired, isFinal, NO_OUTPUT } from './check-transaction.ts';
import { blockSubsidy, heightScript } from './connect-block.ts';
import { medianTimePast } from './median-time.ts';
import { emptyMempool, type Mempool, type MempoolEntry } from './mempool.ts';
import { chooseByPackage, type Room } from './packages.ts';
import { searchNonce } from './proof-of-work.ts';
import { mostChecks, signatureChecks } from './signature-checks.ts';
import { type BlockNode, type BlockTree, recentTimes } from './tree.ts';

export type MiningTerms = {
  /** Output script of the new coins. */
  readonly script: Uint8Array;
  /** Seconds since 1970; the block is later than the median of its ancestors in any case. */
  readonly time: number;
  /** Bytes that distinguish the block from a sibling, at most 32. @defaultValue none, or how many siblings it has */
  readonly extra?: Uint8Array;
};

const HEADER_AND_COINBASE_BYTES = 1000;
const MOST_NONCES = 1_000_000;

/**
 * Builds the next block of the active chain from the mempool, and searches its proof of work. Undefined if no nonce up to {@link MOST_NONCES} meets
 * the target.
 */
export function mineBlock(tree: BlockTree, mempool: Mempool, terms: MiningTerms): Block | undefined {
  const { params, tip } = tree;
  const height = tip === undefined ? 0 : tip.height + 1;
  const medianTime = medianTimePast(recentTimes(tip));
  const time = tip === undefined ? params.genesisTime : Math.max(terms.time, medianTime + 1);
  const room = params.maxBlockSize - HEADER_AND_COINBASE_BYTES - terms.script.length;
  const checks = mostChecks(params.maxBlockSize) - signatureChecks(terms.script, { exact: false });
  const chosen = chooseTransactions(mempool, { room, checks, height, medianTime });
  const fees = chosen.reduce((total, { fee }) => total + fee, 0n);
  const value = blockSubsidy(params, height) + fees;
  const coinbase = coinbaseTransaction(params, { height, value, extra: siblingMark(tip), ...terms });
  const transactions = [coinbase, ...chosen.map(({ txid, transaction, bytes }) => ({ txid, transaction, bytes }))];
  const header: BlockHeader = {
    version: BLOCK_VERSION,
    previous: tip?.block.hash ?? NO_BLOCK,
    merkleRoot: merkleRoot(transactions.map(({ txid }) => txid)),
    saplingRoot: NO_BLOCK,
    time,
    bits: params.bits,
    nonce: new Uint8Array(32),
    solution: new Uint8Array(0),
  };
  const found = searchNonce(header, MOST_NONCES);
  if (found === undefined) return undefined;
  return {
    hash: headerHash(found),
    header: found,
    transactions,
    size: encodeBlock({ header: found, transactions }).length,
  };
}

/** Without it, a block that replaces an invalidated one within the same second would be identical to it. */
function siblingMark(tip: BlockNode | undefined): Uint8Array {
  const siblings = tip?.children.length ?? 0;
  return siblings === 0 ? new Uint8Array(0) : new Uint8Array(new Uint32Array([siblings]).buffer);
}

/** The first block of a chain, identical for everyone with the same parameters. */
export function genesisBlock(tree: BlockTree): Block | undefined {
  const name = new TextEncoder().encode(tree.params.name).subarray(0, 64);
  return mineBlock(tree, emptyMempool(), { script: Uint8Array.of(0x6a), time: 0, extra: name });
}

type Coinbase = {
  readonly height: number;
  readonly value: bigint;
  readonly script: Uint8Array;
  readonly extra?: Uint8Array;
};

function coinbaseTransaction(params: ChainParams, { height, value, script, extra }: Coinbase): IdentifiedTransaction {
  // A first byte of its own keeps the script at two bytes or more at the lowest heights.
  const scriptSig = concatBytes([heightScript(height), Uint8Array.of(0), extra ?? new Uint8Array(0)]);
  const transaction: DecodedTransaction = {
    ...formAt(params, height),
    inputs: [{ txid: NO_BLOCK, vout: NO_OUTPUT, scriptSig, sequence: 0xffff_ffff }],
    outputs: [{ value, script }],
    lockTime: 0,
  };
  const bytes = encodeChainTransaction(transaction);
  return { txid: transactionIdOf(bytes), transaction, bytes };
}

type Choice = Room & { readonly height: number; readonly medianTime: number };

/** What fits: everything in order of arrival, or otherwise what pays most per byte together with its unconfirmed ancestors. */
function chooseTransactions({ entries }: Mempool, { room, checks, height, medianTime }: Choice): MempoolEntry[] {
  const out = new Set<string>();
  const open: MempoolEntry[] = [];
  for (const entry of entries.values()) {
    const { transaction, parents, txid } = entry;
    const expired = isExpired(transaction, height);
    const usable = !expired && isFinal(transaction, { height, medianTime }) && ![...parents].some((id) => out.has(id));
    if (usable) open.push(entry);
    else out.add(txid);
  }
  const weighed = open.map(({ txid, fee, bytes, checks: own, parents }) => {
    return { txid, fee, size: bytes.length, checks: own, parents };
  });
  const total = weighed.reduce((sum, { size }) => sum + size, 0);
  const asked = weighed.reduce((sum, each) => sum + each.checks, 0);
  if (total <= room && asked <= checks) return open;
  const chosen = chooseByPackage(weighed, { room, checks });
  return open.filter(({ txid }) => chosen.has(txid));
}
