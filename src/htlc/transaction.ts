import { bytesToHex } from '../primitives/hex.ts';
import {
  type ByteReader,
  byteReader,
  failReading,
  readBytes,
  readCount,
  readUint,
  readUint64,
  readVarBytes,
  remainingBytes,
} from './byte-reader.ts';
import { isShielded, readShielded, type ShieldedPart } from './shielded.ts';

/**
 * How a transaction is laid out.
 *
 * `legacy` is Bitcoin's first form, `segwit` that of BIP 144, `proofOfStake` has a time after the version (Peercoin and its
 * descendants, and NAV with a text at the end), `sprout` is Zcash version 2, `overwinter` version 3 (ZIP 202) and `sapling` version 4 (ZIP 243).
 */
export type TransactionFormat = 'legacy' | 'segwit' | 'proofOfStake' | 'sprout' | 'overwinter' | 'sapling';

export type TransactionInput = {
  /** Id of the spent transaction as explorers show it: 64 lower-case hex digits, most significant byte first. */
  readonly txid: string;
  readonly vout: number;
  readonly scriptSig: Uint8Array;
  readonly sequence: number;
  /** Present in the segwit form only, and then on every input. */
  readonly witness?: readonly Uint8Array[];
};

export type TransactionOutput = {
  /** In base units of the coin (satoshi). */
  readonly value: bigint;
  readonly script: Uint8Array;
};

export type DecodedTransaction = {
  readonly format: TransactionFormat;
  /** Without the top bit, which marks the Overwinter and Sapling forms. */
  readonly version: number;
  readonly versionGroupId?: number;
  /** Seconds since 1970, in the proof-of-stake form only. */
  readonly nTime?: number;
  /** NAV puts a text of its owner behind the lock time (`strDZeel`), mostly an empty one; in the proof-of-stake form only. */
  readonly comment?: Uint8Array;
  readonly inputs: readonly TransactionInput[];
  readonly outputs: readonly TransactionOutput[];
  /** A block height below 500 000 000, else seconds since 1970. */
  readonly lockTime: number;
  readonly expiryHeight?: number;
  /** In base units, negative when value enters the shielded pool; in the Sapling form only. */
  readonly valueBalance?: bigint;
  /** Not decoded further. Absent when nothing is shielded. */
  readonly shielded?: ShieldedPart;
};

/** Why bytes are not a readable transaction: malformed, or of a known but unsupported form. */
export type TransactionProblem = {
  readonly kind: 'malformed' | 'unsupported';
  readonly problem: string;
};

/** Largest transaction that is read, in bytes. Bitcoin relays 100 000; the bound keeps hostile input cheap. */
export const MAX_TRANSACTION_BYTES = 1_000_000;

export const OVERWINTER_GROUP_ID = 0x03c4_8270;
export const SAPLING_GROUP_ID = 0x892f_2085;

/** The sequence of a spend. */
export const FINAL_SEQUENCE = 0xffff_ffff;

/** The sequence of a refund: below final, so that the chain enforces the lock time. */
export const LOCKED_SEQUENCE = 0xffff_fffe;

/** A sequence that keeps the lock time in force and signals that a transaction with a higher fee can replace this one (BIP 125). */
export const REPLACEABLE_SEQUENCE = 0xffff_fffd;

/** Lock times below it are heights, those from it on seconds since 1970 (BIP 65). */
export const LOCK_TIME_THRESHOLD = 500_000_000;

/** The top bit of the version, which marks the Overwinter and Sapling forms. */
export const OVERWINTERED = 0x8000_0000;

/** Bit of the flag behind an empty list of inputs that announces parts of Litecoin's extension block (as Litecoin Core writes them). */
export const EXTENSION_FLAG = 0x08;
const MAX_WITNESS_ITEMS = 100_000;

// No proof-of-stake chain is older than 2012. The bound tells a time from the start of an input list.
const EARLIEST_STAKE_TIME = 1_325_376_000;

const INPUT_BYTES = 41;
const OUTPUT_BYTES = 9;

/**
 * Reads a raw transaction of a UTXO chain. A form is accepted only when it accounts for every byte; where several would fit,
 * Bitcoin's forms come first, then proof of stake, then Sprout. Never throws. The byte arrays of the answer are views of
 * `raw`.
 *
 * Not supported, with a problem of that kind: Zcash version 5 and later (ZIP 225), whose id is another kind of hash, and
 * Litecoin's extension blocks. At most {@link MAX_TRANSACTION_BYTES} bytes are read.
 *
 * @example
 * ```ts
 * import { decodeTransaction, hexToBytes, isTransactionProblem } from 'swapfold/htlc';
 *
 * const raw = hexToBytes(
 *   `0100000001${'ab'.repeat(32)}0200000000ffffffff0118184e0e000000001976a91406afd46bcdfd22ef` +
 *     '94ac122aa11f241244a37ecc88ac90956367',
 * );
 * const decoded = decodeTransaction(raw);
 * if (isTransactionProblem(decoded)) throw new Error(decoded.problem);
 * decoded.inputs.map(({ txid, vout }) => [txid, vout]); // → [['ab'.repeat(32), 2]]
 * decoded.outputs[0]?.value; // → 239_999_000n
 * decoded.lockTime; // → 1_734_579_600
 * ```
 */
export function decodeTransaction(raw: Uint8Array): DecodedTransaction | TransactionProblem {
  if (raw.length > MAX_TRANSACTION_BYTES) {
    return malformed(`the transaction has ${raw.length} bytes, more than ${MAX_TRANSACTION_BYTES}`);
  }
  const header = readUint(byteReader(raw), 4);
  if (header >= OVERWINTERED) return decodeOverwintered(raw, header - OVERWINTERED);
  const witnessFlag = raw[4] === 0 ? (raw[5] ?? 0) : 0;
  const format = witnessFlag === 0 ? 'legacy' : 'segwit';
  const first = attempt(raw, format);
  if (!isTransactionProblem(first)) return first;
  const stake = attempt(raw, 'proofOfStake');
  if (!isTransactionProblem(stake)) return stake;
  const sprout = header === 2 ? attempt(raw, 'sprout') : first;
  if (!isTransactionProblem(sprout)) return sprout;
  const isExtended = (witnessFlag & EXTENSION_FLAG) !== 0;
  return isExtended ? { kind: 'unsupported', problem: 'extension blocks (MWEB) are not supported' } : first;
}

/**
 * Narrows the answer of {@link decodeTransaction}.
 *
 * @example
 * ```ts
 * import { decodeTransaction, hexToBytes, isTransactionProblem } from 'swapfold/htlc';
 *
 * const decoded = decodeTransaction(hexToBytes('050000800a27a726b4d0d6c2'));
 * isTransactionProblem(decoded) && decoded.kind; // → 'unsupported'
 * const problem = isTransactionProblem(decoded) ? decoded.problem : null;
 * problem; // → 'Zcash transaction version 5 (ZIP 225) is not supported'
 * ```
 */
export function isTransactionProblem(
  decoded: DecodedTransaction | TransactionProblem | Uint8Array,
): decoded is TransactionProblem {
  return 'problem' in decoded;
}

/**
 * Hex of a hash in the order in which explorers and KDF show it: last byte first.
 *
 * @example
 * ```ts
 * import { displayHash } from 'swapfold/htlc';
 *
 * displayHash(Uint8Array.of(0x01, 0x02, 0xff)); // → 'ff0201'
 * ```
 */
export function displayHash(hash: Uint8Array): string {
  return bytesToHex(Uint8Array.from(hash).reverse());
}

function malformed(problem: string): TransactionProblem {
  return { kind: 'malformed', problem };
}

function decodeOverwintered(raw: Uint8Array, version: number): DecodedTransaction | TransactionProblem {
  const groupId = readUint(byteReader(raw, 4), 4);
  if (version === 3 && groupId === OVERWINTER_GROUP_ID) return attempt(raw, 'overwinter');
  if (version === 4 && groupId === SAPLING_GROUP_ID) return attempt(raw, 'sapling');
  if (version === 5 || version === 6) {
    return { kind: 'unsupported', problem: `Zcash transaction version ${version} (ZIP 225) is not supported` };
  }
  return malformed(`version ${version} with group id 0x${groupId.toString(16).padStart(8, '0')} is unknown`);
}

function attempt(raw: Uint8Array, format: TransactionFormat): DecodedTransaction | TransactionProblem {
  const reader = byteReader(raw);
  const transaction = readTransaction(reader, format);
  const fault = reader.problem ?? faultOf(transaction);
  if (fault !== undefined) failReading(reader, fault);
  const left = remainingBytes(reader);
  if (left > 0) failReading(reader, `has ${left} bytes after its end`);
  return reader.problem === undefined ? transaction : malformed(`read as ${format}, the transaction ${reader.problem}`);
}

/** What no chain takes, and what therefore tells that the bytes are of another form. */
function faultOf({ format, inputs, outputs }: DecodedTransaction): string | undefined {
  const isTransfer = format === 'legacy' || format === 'segwit' || format === 'proofOfStake';
  if (isTransfer && inputs.length === 0) return 'has no input';
  if (isTransfer && outputs.length === 0) return 'has no output';
  return outputs.some(({ value }) => value < 0n) ? 'has an output of negative value' : undefined;
}

/**
 * Reads one transaction of a form from where the reader stands and leaves it behind the last byte. On a fault `reader.problem` says
 * which, and the answer holds no meaning. Only the layout is read: values are signed, as chains read them, and lists may be empty.
 */
export function readTransaction(reader: ByteReader, format: TransactionFormat): DecodedTransaction {
  // Members of an object are read in the order in which they stand, which is that of the bytes.
  switch (format) {
    case 'legacy':
      return { format, version: readUint(reader, 4), ...readTransfers(reader) };
    case 'segwit':
      return readSegwit(reader);
    case 'proofOfStake':
      return readProofOfStake(reader);
    case 'sprout':
      return withShielded(reader, { format, version: readUint(reader, 4), ...readTransfers(reader) });
    default:
      return readOverwintered(reader, format);
  }
}

function readSegwit(reader: ByteReader): DecodedTransaction {
  const version = readUint(reader, 4);
  if (readUint(reader, 2) !== 0x0100) failReading(reader, 'has an unknown extension flag');
  const { inputs, outputs } = readSegwitParts(reader, { hasWitness: true });
  const hasItems = inputs.some(({ witness = [] }) => witness.length > 0);
  if (!hasItems) failReading(reader, 'has the segwit form without a witness');
  return { format: 'segwit', version, inputs, outputs, lockTime: readUint(reader, 4) };
}

/** Inputs, outputs and witnesses behind the flag (BIP 144). */
export function readSegwitParts(
  reader: ByteReader,
  { hasWitness }: { readonly hasWitness: boolean },
): Pick<DecodedTransaction, 'inputs' | 'outputs'> {
  const plain = readInputs(reader);
  const outputs = readOutputs(reader);
  if (!hasWitness) return { inputs: plain, outputs };
  let items = 0;
  const inputs = plain.map((input) => {
    const witness = readWitness(reader, MAX_WITNESS_ITEMS - items);
    items += witness.length;
    return { ...input, witness };
  });
  return { inputs, outputs };
}

function readProofOfStake(reader: ByteReader): DecodedTransaction {
  const version = readUint(reader, 4);
  const nTime = readUint(reader, 4);
  if (nTime < EARLIEST_STAKE_TIME) failReading(reader, 'has a time before 2012');
  const transaction = { format: 'proofOfStake', version, nTime, ...readTransfers(reader) } as const;
  return remainingBytes(reader) === 0 ? transaction : { ...transaction, comment: readVarBytes(reader) };
}

function readOverwintered(reader: ByteReader, format: 'overwinter' | 'sapling'): DecodedTransaction {
  const version = readUint(reader, 4) - OVERWINTERED;
  const versionGroupId = readUint(reader, 4);
  const inputs = readInputs(reader);
  const outputs = readOutputs(reader);
  const lockTime = readUint(reader, 4);
  const expiryHeight = readUint(reader, 4);
  if (format === 'overwinter') {
    return withShielded(reader, { format, version, versionGroupId, inputs, outputs, lockTime, expiryHeight });
  }
  const valueBalance = BigInt.asIntN(64, readUint64(reader));
  // One literal, and no spread: chains hold nearly nothing else, and objects of one shape are fast to use.
  return withShielded(reader, {
    format,
    version,
    versionGroupId,
    inputs,
    outputs,
    lockTime,
    expiryHeight,
    valueBalance,
  });
}

function withShielded(reader: ByteReader, transaction: DecodedTransaction): DecodedTransaction {
  const shielded = readShielded(reader, { sapling: transaction.format === 'sapling' });
  return isShielded(shielded) ? { ...transaction, shielded } : transaction;
}

function readTransfers(reader: ByteReader): Pick<DecodedTransaction, 'inputs' | 'outputs' | 'lockTime'> {
  return { inputs: readInputs(reader), outputs: readOutputs(reader), lockTime: readUint(reader, 4) };
}

/** On a fault `reader.problem` says which. */
export function readInputs(reader: ByteReader): TransactionInput[] {
  const inputs: TransactionInput[] = [];
  for (let left = readCount(reader, INPUT_BYTES); left > 0 && reader.problem === undefined; left--) {
    const txid = displayHash(readBytes(reader, 32));
    const vout = readUint(reader, 4);
    const scriptSig = readVarBytes(reader);
    inputs.push({ txid, vout, scriptSig, sequence: readUint(reader, 4) });
  }
  return inputs;
}

function readOutputs(reader: ByteReader): TransactionOutput[] {
  const outputs: TransactionOutput[] = [];
  for (let left = readCount(reader, OUTPUT_BYTES); left > 0 && reader.problem === undefined; left--) {
    outputs.push({ value: BigInt.asIntN(64, readUint64(reader)), script: readVarBytes(reader) });
  }
  return outputs;
}

function readWitness(reader: ByteReader, limit: number): Uint8Array[] {
  const witness: Uint8Array[] = [];
  const count = readCount(reader, 1);
  if (count > limit) failReading(reader, `has more than ${MAX_WITNESS_ITEMS} witness items`);
  for (let left = count; left > 0 && reader.problem === undefined; left--) witness.push(readVarBytes(reader));
  return witness;
}
