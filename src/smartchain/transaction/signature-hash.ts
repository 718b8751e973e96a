import { compactSize, concatBytes, uint64Bytes, uintBytes } from '../../htlc/byte-writer.ts';
import { parseScript } from '../../htlc/script.ts';
import { blake2b256, hash256 } from '../../primitives/hash.ts';
import { headerBytes, inputBytes, int64Bytes, outPointBytes, outputBytes } from './encode.ts';
import { SIGHASH_ANYONECANPAY, SIGHASH_NONE, SIGHASH_SINGLE, type Transaction, type TxInput } from './transaction.ts';

/** Consensus branch that a signature hash of version 3 commits to (Overwinter). */
export const OVERWINTER_BRANCH_ID = 0x5ba8_1b19;
/** Consensus branch that a signature hash of version 4 commits to (Sapling). */
export const SAPLING_BRANCH_ID = 0x76b8_09bb;

const OP_CODESEPARATOR = 0xab;
const NO_HASH = new Uint8Array(32);
const EMPTY = new Uint8Array(0);
const PERSONALIZATION = new TextEncoder().encode('ZcashSigHash');
const PREVOUTS = new TextEncoder().encode('ZcashPrevoutHash');
const SEQUENCES = new TextEncoder().encode('ZcashSequencHash');
const OUTPUTS = new TextEncoder().encode('ZcashOutputsHash');
const JOIN_SPLITS = new TextEncoder().encode('ZcashJSplitsHash');
const SPENDS = new TextEncoder().encode('ZcashSSpendsHash');
const SHIELDED_OUTPUTS = new TextEncoder().encode('ZcashSOutputHash');
const SPEND_SIGNATURE_BYTES = 64;

/** What one signature commits to beside the transaction. */
export type SignedPart = {
  /** Index of the input; undefined where a shielded signature is meant, which commits to none. */
  readonly input: number | undefined;
  /** Script of the spent output, or the redeem script where that is spent. */
  readonly scriptCode: Uint8Array;
  /** Value of the spent output in satoshis; version 3 and 4 commit to it. */
  readonly amount: bigint;
  /** The byte behind the signature, as it stands there. */
  readonly hashType: number;
  /** @defaultValue the branch of the transaction's version */
  readonly branchId?: number;
};

/** Gives the 32 bytes that a signature signs; undefined where nothing can be signed, which makes every signature wrong. */
export type SignatureHasher = (part: SignedPart) => Uint8Array | undefined;

/**
 * The signature hashes of a transaction: Bitcoin's for versions 1 and 2, ZIP 143 for version 3, ZIP 243 for version 4. The
 * parts that all inputs share are hashed once.
 */
export function signatureHasher(transaction: Transaction): SignatureHasher {
  if (!transaction.overwintered) return (part) => legacyHash(transaction, part);
  const shared = sharedHashes(transaction);
  return (part) => zipHash(shared, part);
}

/**
 * Bitcoin's first signature hash. SINGLE without an output at the input's index gives no hash, as in the node, and not the
 * number one that Bitcoin signs.
 */
function legacyHash(transaction: Transaction, part: SignedPart): Uint8Array | undefined {
  const { inputs, outputs, shielded } = transaction;
  const { input, hashType } = part;
  const kind = hashType & 0x1f;
  if (input !== undefined && input >= inputs.length) return undefined;
  if (kind === SIGHASH_SINGLE && (input === undefined || input >= outputs.length)) return undefined;
  const scriptCode = withoutSeparators(part.scriptCode);
  const anyoneCanPay = (hashType & SIGHASH_ANYONECANPAY) !== 0 && input !== undefined;
  const signed = anyoneCanPay ? [inputs[input] as TxInput] : inputs;
  const parts: Uint8Array[] = [headerBytes(transaction), compactSize(signed.length)];
  for (const [index, each] of signed.entries()) {
    const own = anyoneCanPay || index === input;
    const sequence = !own && (kind === SIGHASH_NONE || kind === SIGHASH_SINGLE) ? 0 : each.sequence;
    parts.push(inputBytes({ ...each, sequence }, own ? scriptCode : EMPTY));
  }
  parts.push(legacyOutputs(transaction, { kind, input }), uintBytes(transaction.lockTime, 4));
  if (transaction.version >= 2) {
    const seal = shielded.joinSplits.length > 0 ? [shielded.joinSplitSeal.subarray(0, 32), new Uint8Array(64)] : [];
    parts.push(compactSize(shielded.joinSplits.length), ...shielded.joinSplits, ...seal);
  }
  parts.push(uintBytes(hashType >>> 0, 4));
  return hash256(concatBytes(parts));
}

function legacyOutputs(transaction: Transaction, part: { readonly kind: number; readonly input: number | undefined }) {
  const { outputs } = transaction;
  if (part.kind === SIGHASH_NONE) return compactSize(0);
  if (part.kind !== SIGHASH_SINGLE || part.input === undefined) {
    return concatBytes([compactSize(outputs.length), ...outputs.map(outputBytes)]);
  }
  const blank = outputBytes({ value: -1n, script: EMPTY });
  const kept = outputs.slice(0, part.input + 1);
  return concatBytes([
    compactSize(kept.length),
    ...kept.map((output, index) => (index === part.input ? outputBytes(output) : blank)),
  ]);
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

type SharedHashes = {
  readonly transaction: Transaction;
  readonly prevouts: Uint8Array;
  readonly sequences: Uint8Array;
  readonly outputs: Uint8Array;
  readonly joinSplits: Uint8Array;
  readonly spends: Uint8Array;
  readonly shieldedOutputs: Uint8Array;
};

function sharedHashes(transaction: Transaction): SharedHashes {
  const { inputs, outputs, shielded } = transaction;
  return {
    transaction,
    prevouts: blake2b256(concatBytes(inputs.map(outPointBytes)), PREVOUTS),
    sequences: blake2b256(concatBytes(inputs.map(({ sequence }) => uintBytes(sequence, 4))), SEQUENCES),
    outputs: blake2b256(concatBytes(outputs.map(outputBytes)), OUTPUTS),
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
  const sapling = transaction.version === 4;
  const kind = hashType & 0x1f;
  const anyoneCanPay = (hashType & SIGHASH_ANYONECANPAY) !== 0;
  const plain = kind !== SIGHASH_NONE && kind !== SIGHASH_SINGLE;
  const parts: Uint8Array[] = [
    headerBytes(transaction),
    anyoneCanPay ? NO_HASH : shared.prevouts,
    anyoneCanPay || !plain ? NO_HASH : shared.sequences,
    plain ? shared.outputs : singleOutputHash(transaction, kind === SIGHASH_SINGLE ? input : undefined),
    shared.joinSplits,
  ];
  if (sapling) parts.push(shared.spends, shared.shieldedOutputs);
  parts.push(uintBytes(transaction.lockTime, 4), uintBytes(transaction.expiryHeight, 4));
  if (sapling) parts.push(int64Bytes(transaction.shielded.valueBalance));
  parts.push(uintBytes(hashType >>> 0, 4));
  if (input !== undefined) {
    const own = transaction.inputs[input];
    if (own === undefined) return undefined;
    parts.push(outPointBytes(own), compactSize(scriptCode.length), scriptCode);
    parts.push(uint64Bytes(BigInt.asUintN(64, amount)), uintBytes(own.sequence, 4));
  }
  const branchId = part.branchId ?? (sapling ? SAPLING_BRANCH_ID : OVERWINTER_BRANCH_ID);
  return blake2b256(concatBytes(parts), concatBytes([PERSONALIZATION, uintBytes(branchId, 4)]));
}

function singleOutputHash({ outputs }: Transaction, input: number | undefined): Uint8Array {
  const output = input === undefined ? undefined : outputs[input];
  return output === undefined ? NO_HASH : blake2b256(outputBytes(output), OUTPUTS);
}
