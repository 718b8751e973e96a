import { type ByteReader, byteReader, readBytes, readCount, readUint, readVarBytes } from '../../htlc/byte-reader.ts';
import { compactSize, concatBytes, uintBytes } from '../../htlc/byte-writer.ts';
import { type DecodedTransaction, displayHash } from '../../htlc/transaction.ts';
import { hash256 } from '../../primitives/hash.ts';
import { hexToBytes, sameBytes } from '../../primitives/hex.ts';
import { readChainTransaction, transactionIdOf } from '../transaction.ts';

/** Header of a block in the layout of Zcash. Its proof of work here is the header's own hash and not a solution. */
export type BlockHeader = {
  readonly version: number;
  /** Hash of the parent, in display order; 64 zeros for the first block. */
  readonly previous: string;
  readonly merkleRoot: string;
  /** Root of the Sapling notes, in display order; all zeros, because this chain creates none. */
  readonly saplingRoot: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** The target in compact form, 4 bytes. */
  readonly bits: number;
  /** 32 bytes. */
  readonly nonce: Uint8Array;
  /** Empty. */
  readonly solution: Uint8Array;
};

/** A transaction with its id and its encoded bytes. */
export type IdentifiedTransaction = {
  readonly txid: string;
  readonly transaction: DecodedTransaction;
  readonly bytes: Uint8Array;
};

export type Block = {
  readonly hash: string;
  readonly header: BlockHeader;
  /** The first one creates new coins. */
  readonly transactions: readonly IdentifiedTransaction[];
  /** Size on the wire, in bytes. */
  readonly size: number;
};

export const NO_BLOCK = '0'.repeat(64);

/** Version of new blocks, as the node's. */
export const BLOCK_VERSION = 4;

const SMALLEST_TRANSACTION = 10;

/** Bytes of a header, 141 without a solution. */
export function encodeHeader(header: BlockHeader): Uint8Array {
  return concatBytes([
    uintBytes(header.version, 4),
    hexToBytes(header.previous).reverse(),
    hexToBytes(header.merkleRoot).reverse(),
    hexToBytes(header.saplingRoot).reverse(),
    uintBytes(header.time, 4),
    uintBytes(header.bits, 4),
    header.nonce,
    compactSize(header.solution.length),
    header.solution,
  ]);
}

/** Hash of a block, in display order: the double SHA-256 of its header. */
export function headerHash(header: BlockHeader): string {
  return displayHash(hash256(encodeHeader(header)));
}

/**
 * The encoded block: the header, then the transactions.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { DEAD_KEY, encodeBlock, openSmartChain, payToKeyScript } from 'swapfold/smartchain';
 *
 * const now = () => millisOf(1_764_000_000_000);
 * const chain = await openSmartChain({ log: createMemoryLog(), now });
 * const block = await chain.mine({ script: payToKeyScript(DEAD_KEY) });
 * encodeBlock(block).length; // → block.size
 * encodeBlock({ ...block, transactions: [] }).length; // → 142
 * ```
 */
export function encodeBlock({ header, transactions }: Pick<Block, 'header' | 'transactions'>): Uint8Array {
  const body = transactions.map(({ bytes }) => bytes);
  return concatBytes([encodeHeader(header), compactSize(transactions.length), ...body]);
}

/**
 * Reads a block that takes up all bytes; undefined for anything else. Never throws.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { DEAD_KEY, decodeBlock, encodeBlock } from 'swapfold/smartchain';
 * import { openSmartChain, payToKeyScript } from 'swapfold/smartchain';
 *
 * const now = () => millisOf(1_764_000_000_000);
 * const chain = await openSmartChain({ log: createMemoryLog(), now });
 * const bytes = encodeBlock(await chain.mine({ script: payToKeyScript(DEAD_KEY) }));
 * decodeBlock(bytes)?.transactions[0]?.transaction.outputs[0]?.value; // → 100_000_000_010_000n
 * decodeBlock(bytes.subarray(1)); // → undefined
 * ```
 */
export function decodeBlock(raw: Uint8Array): Block | undefined {
  const reader = byteReader(raw);
  const header = readHeader(reader);
  const headerBytes = raw.subarray(0, reader.offset);
  const transactions: IdentifiedTransaction[] = [];
  for (let left = readCount(reader, SMALLEST_TRANSACTION); left > 0 && reader.problem === undefined; left--) {
    const start = reader.offset;
    const transaction = readChainTransaction(reader);
    const bytes = raw.subarray(start, reader.offset);
    transactions.push({ txid: transactionIdOf(bytes), transaction, bytes });
  }
  if (reader.problem !== undefined || reader.offset !== raw.length) return undefined;
  return { hash: displayHash(hash256(headerBytes)), header, transactions, size: raw.length };
}

function readHeader(reader: ByteReader): BlockHeader {
  return {
    version: readUint(reader, 4),
    previous: displayHash(readBytes(reader, 32)),
    merkleRoot: displayHash(readBytes(reader, 32)),
    saplingRoot: displayHash(readBytes(reader, 32)),
    time: readUint(reader, 4),
    bits: readUint(reader, 4),
    nonce: readBytes(reader, 32),
    solution: readVarBytes(reader),
  };
}

/** Merkle root of the transaction ids, in display order. A level of odd length pairs its last entry with itself. */
export function merkleRoot(txids: readonly string[]): string {
  return merkleTree(txids).root;
}

/**
 * The root, and whether two equal neighbours in some level let another list of transactions have the same root (CVE-2012-2459): such a block is
 * refused without marking its hash.
 */
export function merkleTree(txids: readonly string[]): { readonly root: string; readonly repeated: boolean } {
  let level = txids.map((txid) => hexToBytes(txid).reverse());
  let repeated = false;
  while (level.length > 1) {
    const next: Uint8Array[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const left = level[index] as Uint8Array;
      const right = level[index + 1];
      repeated ||= right !== undefined && sameBytes(left, right);
      next.push(hash256(concatBytes([left, right ?? left])));
    }
    level = next;
  }
  const [root] = level;
  return { root: root === undefined ? NO_BLOCK : displayHash(root), repeated };
}
