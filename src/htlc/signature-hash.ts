import { blake2b256, hash256 } from '../primitives/hash.ts';
import { remembering } from '../primitives/remember.ts';
import { compactSize, concatBytes, uintBytes } from './byte-writer.ts';
import { ScratchWriter } from './scratch-writer.ts';
import { parseScript } from './script.ts';
import { NOTHING_SHIELDED, type ShieldedPart } from './shielded.ts';
import type { DecodedTransaction, TransactionInput } from './transaction.ts';
import {
  hasShieldedPart,
  headerBytes,
  inputBytes,
  int64Bytes,
  listBytes,
  outPointBytes,
  outputBytes,
  varBytes,
  writeOutPoint,
  writeOutput,
} from './transaction-encoding.ts';

/** The signature commits to all inputs and outputs. Everything in a swap is signed so. */
export const SIGHASH_ALL = 1;
export const SIGHASH_NONE = 2;
export const SIGHASH_SINGLE = 3;
export const SIGHASH_ANYONECANPAY = 0x80;
/** Added to the hash type on Bitcoin Cash and its kin, which then hash as BIP 143 does. */
export const SIGHASH_FORKID = 0x40;

/** Consensus branch that a signature hash of version 3 commits to (Overwinter). */
export const OVERWINTER_BRANCH_ID = 0x5ba8_1b19;
/** Consensus branch that a signature hash of version 4 commits to (Sapling). Chains with later upgrades have others. */
export const SAPLING_BRANCH_ID = 0x76b8_09bb;

/** What one signature commits to beside the transaction. */
export type SignedPart = {
  /** Index of the input; undefined where a shielded signature is meant, which commits to none. */
  readonly input: number | undefined;
  /** Script of the spent output, or the redeem script where that is spent. */
  readonly scriptCode: Uint8Array;
  /** Value of the spent output in base units; all but Bitcoin's first signature hash commit to it. */
  readonly amount: bigint;
  /** The byte behind the signature, as it stands there. */
  readonly hashType: number;
  /** Consensus branch, for the overwintered forms. @defaultValue the branch of the transaction's version */
  readonly branchId?: number;
};

/** Gives the 32 bytes that a signature signs; undefined where nothing can be signed, which makes every signature wrong. */
export type SignatureHasher = (part: SignedPart) => Uint8Array | undefined;

/** A transaction whose inputs are hashed; what their scripts and witnesses hold does not matter. */
export type SignableTransaction = Omit<DecodedTransaction, 'inputs'> & {
  readonly inputs: readonly Pick<TransactionInput, 'txid' | 'vout' | 'sequence'>[];
};

/**
 * The signature hashes of a transaction for inputs without a witness: Bitcoin's first one, ZIP 143 for the overwinter form and
 * ZIP 243 for the sapling form. The parts that all inputs share are hashed once.
 *
 * @example
 * ```ts
 * import {
 *   BITCOIN_FORM, bytesToHex, FINAL_SEQUENCE, p2pkhScript, SIGHASH_ALL, signatureHasher,
 * } from 'swapfold/htlc';
 *
 * const scriptCode = p2pkhScript(new Uint8Array(20).fill(1));
 * const inputs = [{ txid: 'ab'.repeat(32), vout: 0, sequence: FINAL_SEQUENCE }];
 * const outputs = [{ value: 239_999_000n, script: p2pkhScript(new Uint8Array(20).fill(2)) }];
 * const hashOf = signatureHasher({ ...BITCOIN_FORM, inputs, outputs, lockTime: 0 });
 * const part = { input: 0, scriptCode, amount: 240_000_000n, hashType: SIGHASH_ALL };
 * const hash = bytesToHex(hashOf(part) ?? new Uint8Array(0));
 * hash; // → 'a29383f5c9fb0aa3a3f2fb8d78c86b583ae1c77131af3d2e5b811a4b74f49998'
 * hashOf({ ...part, input: 1 }); // → undefined
 * ```
 */
export function signatureHasher(transaction: SignableTransaction): SignatureHasher {
  const { format } = transaction;
  if (format !== 'overwinter' && format !== 'sapling') return (part) => legacyHash(transaction, part);
  const shared = sharedHashes(transaction);
  return (part) => zipHash(shared, part);
}

/**
 * The signature hash of BIP 143: for inputs with a witness program of version 0, and with {@link SIGHASH_FORKID} in the hash type
 * for every input on Bitcoin Cash and its kin. `scriptCode` is the witness script for P2WSH, and for P2WPKH the P2PKH script of the
 * same hash; separators in it are not looked at, which no script of a swap has. Undefined for an index without input.
 *
 * @example
 * ```ts
 * import {
 *   BITCOIN_FORM, bytesToHex, FINAL_SEQUENCE, p2pkhScript, SIGHASH_ALL, witnessSignatureHash,
 * } from 'swapfold/htlc';
 *
 * const scriptCode = p2pkhScript(new Uint8Array(20).fill(1));
 * const inputs = [{ txid: 'ab'.repeat(32), vout: 0, sequence: FINAL_SEQUENCE }];
 * const outputs = [{ value: 239_999_000n, script: p2pkhScript(new Uint8Array(20).fill(2)) }];
 * const transaction = { ...BITCOIN_FORM, inputs, outputs, lockTime: 0 };
 * const part = { input: 0, scriptCode, amount: 240_000_000n, hashType: SIGHASH_ALL };
 * const hash = bytesToHex(witnessSignatureHash(transaction, part) ?? new Uint8Array(0));
 * hash; // → 'f93883a8da423fc14e1fd855bca6fe8c159174299f775f7494bc43c0d030f6b9'
 * ```
 */
export function witnessSignatureHash(transaction: SignableTransaction, part: SignedPart): Uint8Array | undefined {
  const { inputs, outputs } = transaction;
  const { input, scriptCode, amount, hashType } = part;
  const own = input === undefined ? undefined : inputs[input];
  if (own === undefined || input === undefined) return undefined;
  const kind = hashType & 0x1f;
  const anyoneCanPay = (hashType & SIGHASH_ANYONECANPAY) !== 0;
  const plain = kind !== SIGHASH_NONE && kind !== SIGHASH_SINGLE;
  const single = kind === SIGHASH_SINGLE ? outputs[input] : undefined;
  const paid = plain ? outputs : single === undefined ? undefined : [single];
  return hash256(
    concatBytes([
      headerBytes(transaction),
      anyoneCanPay ? NO_HASH : hash256(concatBytes(inputs.map(outPointBytes))),
      anyoneCanPay || !plain ? NO_HASH : hash256(concatBytes(inputs.map(({ sequence }) => uintBytes(sequence, 4)))),
      outPointBytes(own),
      varBytes(scriptCode),
      int64Bytes(amount),
      uintBytes(own.sequence, 4),
      paid === undefined ? NO_HASH : hash256(concatBytes(paid.map(outputBytes))),
      uintBytes(transaction.lockTime, 4),
      uintBytes(hashType >>> 0, 4),
    ]),
  );
}

const OP_CODESEPARATOR = 0xab;
const NO_HASH = new Uint8Array(32);
const EMPTY = new Uint8Array(0);
const SPEND_SIGNATURE_BYTES = 64;

/**
 * Bitcoin's first signature hash. SINGLE without an output at the input's index gives no hash, as in the smart-chain node, and
 * not the number one that Bitcoin signs.
 */
function legacyHash(transaction: SignableTransaction, part: SignedPart): Uint8Array | undefined {
  const { inputs, outputs, shielded = NOTHING_SHIELDED } = transaction;
  const { input, hashType } = part;
  const kind = hashType & 0x1f;
  if (input !== undefined && input >= inputs.length) return undefined;
  if (kind === SIGHASH_SINGLE && (input === undefined || input >= outputs.length)) return undefined;
  const scriptCode = withoutSeparators(part.scriptCode);
  const anyoneCanPay = (hashType & SIGHASH_ANYONECANPAY) !== 0 && input !== undefined;
  const signed = anyoneCanPay ? [inputs[input] as SignableTransaction['inputs'][number]] : inputs;
  const parts: Uint8Array[] = [headerBytes(transaction), compactSize(signed.length)];
  for (const [index, each] of signed.entries()) {
    const own = anyoneCanPay || index === input;
    const sequence = !own && (kind === SIGHASH_NONE || kind === SIGHASH_SINGLE) ? 0 : each.sequence;
    parts.push(inputBytes({ ...each, sequence }, own ? scriptCode : EMPTY));
  }
  parts.push(legacyOutputs(transaction, { kind, input }), uintBytes(transaction.lockTime, 4));
  if (transaction.comment !== undefined) parts.push(varBytes(transaction.comment));
  if (hasShieldedPart(transaction)) parts.push(signedJoinSplits(shielded));
  parts.push(uintBytes(hashType >>> 0, 4));
  return hash256(concatBytes(parts));
}

/** The signature of the join splits is omitted from what is signed. */
function signedJoinSplits({ joinSplits, joinSplitSeal }: ShieldedPart): Uint8Array {
  const seal = joinSplits.length > 0 ? [joinSplitSeal.subarray(0, 32), new Uint8Array(64)] : [];
  return concatBytes([compactSize(joinSplits.length), ...joinSplits, ...seal]);
}

type OutputPart = { readonly kind: number; readonly input: number | undefined };

function legacyOutputs({ outputs }: SignableTransaction, { kind, input }: OutputPart): Uint8Array {
  if (kind === SIGHASH_NONE) return compactSize(0);
  if (kind !== SIGHASH_SINGLE || input === undefined) return listBytes(outputs, outputBytes);
  const blank = { value: -1n, script: EMPTY };
  const kept = outputs.slice(0, input + 1).map((output, index) => (index === input ? output : blank));
  return listBytes(kept, outputBytes);
}

function withoutSeparators(script: Uint8Array): Uint8Array {
  if (!script.includes(OP_CODESEPARATOR)) return script;
  const ops = parseScript(script);
  if (ops === undefined) return script;
  const kept: Uint8Array[] = [];
  let start = 0;
  for (const { opcode, offset } of ops) {
    if (opcode !== OP_CODESEPARATOR) continue;
    kept.push(script.subarray(start, offset));
    start = offset + 1;
  }
  return concatBytes([...kept, script.subarray(start)]);
}

const labelled = (label: string) => new TextEncoder().encode(label);
const PERSONALIZATION = labelled('ZcashSigHash');
const PREVOUTS = labelled('ZcashPrevoutHash');
const SEQUENCES = labelled('ZcashSequencHash');
const OUTPUTS = labelled('ZcashOutputsHash');
const JOIN_SPLITS = labelled('ZcashJSplitsHash');
const SPENDS = labelled('ZcashSSpendsHash');
const SHIELDED_OUTPUTS = labelled('ZcashSOutputHash');

type SharedHashes = {
  readonly transaction: SignableTransaction;
  readonly header: Uint8Array;
  readonly prevouts: Uint8Array;
  readonly sequences: Uint8Array;
  readonly outputs: Uint8Array;
  readonly joinSplits: Uint8Array;
  readonly spends: Uint8Array;
  readonly shieldedOutputs: Uint8Array;
};

function sharedHashes(transaction: SignableTransaction): SharedHashes {
  const { inputs, outputs, shielded = NOTHING_SHIELDED } = transaction;
  return {
    transaction,
    header: headerBytes(transaction),
    prevouts: hashOfWritten(PREVOUTS, (to) => {
      for (const input of inputs) writeOutPoint(to, input);
    }),
    sequences: hashOfWritten(SEQUENCES, (to) => {
      for (const { sequence } of inputs) to.uint32(sequence);
    }),
    outputs: hashOfWritten(OUTPUTS, (to) => {
      for (const output of outputs) writeOutput(to, output);
    }),
    joinSplits: hashOfSome([...shielded.joinSplits, shielded.joinSplitSeal.subarray(0, 32)], JOIN_SPLITS),
    spends: hashOfSome(
      shielded.spends.map((spend) => spend.subarray(0, spend.length - SPEND_SIGNATURE_BYTES)),
      SPENDS,
    ),
    shieldedOutputs: hashOfSome(shielded.outputs, SHIELDED_OUTPUTS),
  };
}

function hashOfSome(parts: readonly Uint8Array[], personalization: Uint8Array): Uint8Array {
  const bytes = concatBytes(parts);
  return bytes.length === 0 ? NO_HASH : blake2b256(bytes, personalization);
}

/** ZIP 143 for version 3 and ZIP 243 for version 4, which adds the Sapling parts. */
function zipHash(shared: SharedHashes, part: SignedPart): Uint8Array | undefined {
  const { transaction } = shared;
  const { input, hashType, scriptCode, amount } = part;
  const sapling = transaction.format === 'sapling';
  const kind = hashType & 0x1f;
  const anyoneCanPay = (hashType & SIGHASH_ANYONECANPAY) !== 0;
  const plain = kind !== SIGHASH_NONE && kind !== SIGHASH_SINGLE;
  const own = input === undefined ? undefined : transaction.inputs[input];
  if (input !== undefined && own === undefined) return undefined;
  const outputs = plain ? shared.outputs : singleOutputHash(transaction, kind === SIGHASH_SINGLE ? input : undefined);
  const branchId = part.branchId ?? (sapling ? SAPLING_BRANCH_ID : OVERWINTER_BRANCH_ID);
  return hashOfWritten(personalizationOf(branchId), (to) => {
    to.bytes(shared.header);
    to.bytes(anyoneCanPay ? NO_HASH : shared.prevouts);
    to.bytes(anyoneCanPay || !plain ? NO_HASH : shared.sequences);
    to.bytes(outputs);
    to.bytes(shared.joinSplits);
    if (sapling) to.bytes(shared.spends);
    if (sapling) to.bytes(shared.shieldedOutputs);
    to.uint32(transaction.lockTime);
    to.uint32(transaction.expiryHeight ?? 0);
    if (sapling) to.int64(transaction.valueBalance ?? 0n);
    to.uint32(hashType >>> 0);
    if (own === undefined) return;
    writeOutPoint(to, own);
    to.varBytes(scriptCode);
    to.int64(amount);
    to.uint32(own.sequence);
  });
}

/** A chain has few branches of its rules. */
const personalizationOf = remembering((branchId: number) => concatBytes([PERSONALIZATION, uintBytes(branchId, 4)]));

function singleOutputHash({ outputs }: SignableTransaction, input: number | undefined): Uint8Array {
  const output = input === undefined ? undefined : outputs[input];
  return output === undefined ? NO_HASH : hashOfWritten(OUTPUTS, (to) => writeOutput(to, output));
}

/** One for all: a hash is written and taken before the next one begins. */
const scratch = new ScratchWriter();

function hashOfWritten(personalization: Uint8Array, write: (to: ScratchWriter) => void): Uint8Array {
  scratch.clear();
  write(scratch);
  return blake2b256(scratch.written(), personalization);
}
