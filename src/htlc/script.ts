import { hash160, sha256 } from '../primitives/hash.ts';
import { sameBytes } from '../primitives/hex.ts';
import { type UnixSeconds, unixSecondsOf } from '../primitives/time.ts';
import { byteReader, readBytes, readUint, remainingBytes } from './byte-reader.ts';
import { concatBytes } from './byte-writer.ts';
import { HtlcTermsError } from './error.ts';
import { SECRET_BYTES, scriptHash160 } from './secret-hash.ts';

export const OP_0 = 0x00;
export const OP_PUSHDATA1 = 0x4c;
export const OP_PUSHDATA2 = 0x4d;
export const OP_PUSHDATA4 = 0x4e;
export const OP_1 = 0x51;
export const OP_16 = 0x60;
export const OP_IF = 0x63;
export const OP_ELSE = 0x67;
export const OP_ENDIF = 0x68;
export const OP_RETURN = 0x6a;
export const OP_DROP = 0x75;
export const OP_DUP = 0x76;
export const OP_SIZE = 0x82;
export const OP_EQUAL = 0x87;
export const OP_EQUALVERIFY = 0x88;
export const OP_HASH160 = 0xa9;
export const OP_CHECKSIG = 0xac;
export const OP_CHECKLOCKTIMEVERIFY = 0xb1;

/** Longest script that is parsed, in bytes: a longer one cannot be spent (Bitcoin's consensus limit). */
export const MAX_SCRIPT_BYTES = 10_000;

export type ScriptOp = {
  readonly opcode: number;
  /** Where the operation starts, in bytes from the start of the script. */
  readonly offset: number;
  /** The pushed bytes, as a view of the script. Absent when the operation pushes none, as OP_0 and OP_1. */
  readonly data?: Uint8Array;
};

/**
 * Operations of a script. Undefined when a push runs past the end, or above {@link MAX_SCRIPT_BYTES}. Opcodes are not judged.
 *
 * @example
 * ```ts
 * import { hexToBytes, parseScript } from 'swapfold/htlc';
 *
 * const push = { opcode: 2, offset: 1, data: Uint8Array.of(0xc0, 0xde) };
 * parseScript(hexToBytes('6a02c0de')); // → [{ opcode: 0x6a, offset: 0 }, push]
 * parseScript(hexToBytes('6a03c0de')); // → undefined
 * ```
 */
export function parseScript(script: Uint8Array): readonly ScriptOp[] | undefined {
  if (script.length > MAX_SCRIPT_BYTES) return undefined;
  const reader = byteReader(script);
  const ops: ScriptOp[] = [];
  while (remainingBytes(reader) > 0) {
    const offset = reader.offset;
    const opcode = readUint(reader, 1);
    if (opcode === OP_0 || opcode > OP_PUSHDATA4) {
      ops.push({ opcode, offset });
      continue;
    }
    const length = opcode < OP_PUSHDATA1 ? opcode : readUint(reader, 1 << (opcode - OP_PUSHDATA1));
    const data = readBytes(reader, length);
    if (reader.problem !== undefined) return undefined;
    ops.push({ opcode, offset, data });
  }
  return ops;
}

/**
 * The shortest push of `data`; an empty one is OP_0. @throws RangeError above {@link MAX_SCRIPT_BYTES}.
 *
 * @example
 * ```ts
 * import { bytesToHex, pushData } from 'swapfold/htlc';
 *
 * bytesToHex(pushData(Uint8Array.of(0xc0, 0xde))); // → '02c0de'
 * bytesToHex(pushData(new Uint8Array(107))).slice(0, 4); // → '4c6b'
 * ```
 */
export function pushData(data: Uint8Array): Uint8Array {
  const { length } = data;
  if (length > MAX_SCRIPT_BYTES) throw new RangeError(`a script cannot push ${length} bytes`);
  if (length < OP_PUSHDATA1) return concatBytes([Uint8Array.of(length), data]);
  const head = length < 256 ? [OP_PUSHDATA1, length] : [OP_PUSHDATA2, length & 0xff, length >> 8];
  return concatBytes([Uint8Array.from(head), data]);
}

/**
 * The output script that pays to a redeem script (BIP 16).
 *
 * @example
 * ```ts
 * import { bytesToHex, p2shScript } from 'swapfold/htlc';
 *
 * const script = bytesToHex(p2shScript(Uint8Array.of(0x51)));
 * script; // → 'a914da1745e9b549bd0bfa1a569971c77eba30cd5a4b87'
 * ```
 */
export function p2shScript(redeemScript: Uint8Array): Uint8Array {
  return concatBytes([Uint8Array.of(OP_HASH160, 20), hash160(redeemScript), Uint8Array.of(OP_EQUAL)]);
}

/**
 * The output script that pays to a redeem script by its SHA-256, which an input shows in its witness (BIP 141).
 *
 * @example
 * ```ts
 * import { bytesToHex, p2wshScript } from 'swapfold/htlc';
 *
 * const script = bytesToHex(p2wshScript(Uint8Array.of(0x51)));
 * script; // → '00204ae81572f06e1b88fd5ced7a1a000945432e83e1551e6f721ee9c00b8cc33260'
 * ```
 */
export function p2wshScript(redeemScript: Uint8Array): Uint8Array {
  return concatBytes([Uint8Array.of(OP_0, 32), sha256(redeemScript)]);
}

/**
 * How a payment commits to its redeem script: by HASH160, where the input shows it in its script (BIP 16), or by SHA-256,
 * where the input shows it in its witness (BIP 141).
 */
export type ScriptScheme = 'p2sh' | 'p2wsh';

/**
 * The output script that pays to a redeem script under a scheme.
 *
 * @example
 * ```ts
 * import { payToScript } from 'swapfold/htlc';
 *
 * const redeemScript = new Uint8Array(107);
 * payToScript(redeemScript, 'p2sh').length; // → 23
 * payToScript(redeemScript, 'p2wsh').length; // → 34
 * ```
 */
export function payToScript(redeemScript: Uint8Array, scheme: ScriptScheme): Uint8Array {
  return scheme === 'p2sh' ? p2shScript(redeemScript) : p2wshScript(redeemScript);
}

/**
 * The scheme and the hash of an output that pays to a redeem script; undefined for any other output.
 *
 * @example
 * ```ts
 * import { hexToBytes, p2pkhScript, paidScript } from 'swapfold/htlc';
 *
 * const hash = hexToBytes('f2fa08ae416b576779ae5da975e5442663215fce');
 * const paid = paidScript(hexToBytes('a914f2fa08ae416b576779ae5da975e5442663215fce87'));
 * paid; // → { scheme: 'p2sh', hash }
 * paidScript(p2pkhScript(hash)); // → undefined
 * ```
 */
export function paidScript(
  output: Uint8Array,
): { readonly scheme: ScriptScheme; readonly hash: Uint8Array } | undefined {
  if (output.length === 23 && output[0] === OP_HASH160 && output[1] === 20 && output[22] === OP_EQUAL) {
    return { scheme: 'p2sh', hash: output.subarray(2, 22) };
  }
  if (output.length === 34 && output[0] === OP_0 && output[1] === 32) {
    return { scheme: 'p2wsh', hash: output.subarray(2) };
  }
  return undefined;
}

/**
 * The output script that pays to the HASH160 of a compressed key by a witness program (BIP 141).
 *
 * @example
 * ```ts
 * import { bytesToHex, hash160, hexToBytes, p2wpkhScript } from 'swapfold/htlc';
 *
 * const key = hexToBytes('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
 * const script = bytesToHex(p2wpkhScript(hash160(key)));
 * script; // → '0014751e76e8199196d454941c45d1b3a323f1433bd6'
 * ```
 */
export function p2wpkhScript(keyHash: Uint8Array): Uint8Array {
  return concatBytes([Uint8Array.of(OP_0, keyHash.length), keyHash]);
}

/**
 * The output script that carries bytes and can never be spent; without bytes the bare one that KDF burns with.
 *
 * @example
 * ```ts
 * import { bytesToHex, opReturnScript } from 'swapfold/htlc';
 *
 * bytesToHex(opReturnScript(Uint8Array.of(0xc0, 0xde))); // → '6a02c0de'
 * bytesToHex(opReturnScript()); // → '6a'
 * ```
 */
export function opReturnScript(data?: Uint8Array): Uint8Array {
  return data === undefined ? Uint8Array.of(OP_RETURN) : concatBytes([Uint8Array.of(OP_RETURN), pushData(data)]);
}

/**
 * The output script that pays to the HASH160 of a key, 20 bytes.
 *
 * @example
 * ```ts
 * import { bytesToHex, hexToBytes, p2pkhScript } from 'swapfold/htlc';
 *
 * const script = p2pkhScript(hexToBytes('ca1e04745e8ca0c60d8c5881531d51bec470743f'));
 * bytesToHex(script); // → '76a914ca1e04745e8ca0c60d8c5881531d51bec470743f88ac'
 * ```
 */
export function p2pkhScript(keyHash: Uint8Array): Uint8Array {
  const { length } = keyHash;
  const script = new Uint8Array(length + 5);
  // By hand: every look at an output makes one, and parts to join would cost four times as much.
  script[0] = OP_DUP;
  script[1] = OP_HASH160;
  script[2] = length;
  script.set(keyHash, 3);
  script[length + 3] = OP_EQUALVERIFY;
  script[length + 4] = OP_CHECKSIG;
  return script;
}

/**
 * Bytes that an OP_RETURN output carries in its one push; no bytes for a bare OP_RETURN, as KDF burns with. Undefined for any
 * other script.
 *
 * @example
 * ```ts
 * import { hexToBytes, opReturnData, p2pkhScript } from 'swapfold/htlc';
 *
 * opReturnData(hexToBytes('6a02c0de')); // → Uint8Array.of(0xc0, 0xde)
 * opReturnData(hexToBytes('6a')); // → new Uint8Array(0)
 * opReturnData(p2pkhScript(new Uint8Array(20))); // → undefined
 * ```
 */
export function opReturnData(script: Uint8Array): Uint8Array | undefined {
  if (script[0] !== OP_RETURN) return undefined;
  const ops = parseScript(script);
  if (ops === undefined || ops.length > 2) return undefined;
  const push = ops[1];
  return push === undefined || push.opcode === OP_0 ? script.subarray(script.length) : push.data;
}

/** The content of a hash time lock on a UTXO chain: who can spend the coins, and when. */
export type HtlcTerms = {
  /** The sender can refund once the median time past of the chain is above this. */
  readonly lockTime: UnixSeconds;
  /** Compressed public key, 33 bytes. */
  readonly senderKey: Uint8Array;
  /** Compressed public key, 33 bytes. */
  readonly receiverKey: Uint8Array;
  /** 20 bytes, or 32 of which the script holds RIPEMD-160. */
  readonly secretHash: Uint8Array;
};

const KEY_BYTES = 33;
const HTLC_SCRIPT_BYTES = 107;

/**
 * What prevents the terms from being written as a script; undefined if nothing does.
 *
 * @example
 * ```ts
 * import { htlcTermsProblem, unixSecondsOf } from 'swapfold/htlc';
 *
 * const keys = { senderKey: new Uint8Array(33).fill(2), receiverKey: new Uint8Array(32).fill(3) };
 * const [lockTime, secretHash] = [unixSecondsOf(1_734_579_600), new Uint8Array(20)];
 * const problem = htlcTermsProblem({ lockTime, secretHash, ...keys });
 * problem; // → "the receiver's key has 32 bytes, not 33"
 * ```
 */
export function htlcTermsProblem(terms: HtlcTerms): string | undefined {
  const { lockTime, senderKey, receiverKey, secretHash } = terms;
  if (!Number.isInteger(lockTime) || lockTime < 0 || lockTime > 0xffff_ffff)
    return `lock time ${lockTime} exceeds 4 bytes`;
  if (senderKey.length !== KEY_BYTES) return `the sender's key has ${senderKey.length} bytes, not ${KEY_BYTES}`;
  if (receiverKey.length !== KEY_BYTES) return `the receiver's key has ${receiverKey.length} bytes, not ${KEY_BYTES}`;
  if (scriptHash160(secretHash) === undefined) return `the secret hash has ${secretHash.length} bytes, not 20 or 32`;
  return undefined;
}

/**
 * The redeem script of KDF's payments: until the lock time the receiver can claim with the secret, after it the sender can refund. The lock time is
 * always a push of 4 bytes, also if a shorter one would do.
 *
 * @throws HtlcTermsError if {@link htlcTermsProblem} names a problem.
 *
 * @example
 * ```ts
 * import { bytesToHex, hash160, hexToBytes, htlcRedeemScript, unixSecondsOf } from 'swapfold/htlc';
 *
 * const terms = {
 *   lockTime: unixSecondsOf(0x5d39a2a7),
 *   senderKey: hexToBytes('0326846707a52a233cfc49a61ef51b1698bbe6aa78fa8b8d411c02743c09688f0a'),
 *   receiverKey: hexToBytes('031bb83b58ec130e28e0a6d5d2acf2eb01b0d3f1670e021d47d31db8a858219da8'),
 *   secretHash: hexToBytes('3669eb83a007a3c507448d79f45a9f06ec2f36a8'),
 * };
 * const script = htlcRedeemScript(terms);
 * bytesToHex(script.subarray(0, 9)); // → '6304a7a2395db17521'
 * bytesToHex(hash160(script)); // → 'f2fa08ae416b576779ae5da975e5442663215fce'
 * ```
 */
export function htlcRedeemScript(terms: HtlcTerms): Uint8Array {
  const secretHash = scriptHash160(terms.secretHash);
  const problem = htlcTermsProblem(terms);
  if (problem !== undefined || secretHash === undefined) {
    throw new HtlcTermsError('These terms cannot be written as a redeem script.', {
      facts: { problem },
      next: 'Check the keys, the secret hash and the lock time that the swap stored.',
    });
  }
  const lockTime = new Uint8Array(4);
  new DataView(lockTime.buffer).setUint32(0, terms.lockTime, true);
  return concatBytes([
    Uint8Array.of(OP_IF),
    pushData(lockTime),
    Uint8Array.of(OP_CHECKLOCKTIMEVERIFY, OP_DROP),
    pushData(terms.senderKey),
    Uint8Array.of(OP_CHECKSIG, OP_ELSE, OP_SIZE, 1, SECRET_BYTES, OP_EQUALVERIFY, OP_HASH160),
    pushData(secretHash),
    Uint8Array.of(OP_EQUALVERIFY),
    pushData(terms.receiverKey),
    Uint8Array.of(OP_CHECKSIG, OP_ENDIF),
  ]);
}

/**
 * The terms that a redeem script holds, with the secret hash in its 20-byte form: the inverse of {@link htlcRedeemScript}.
 * Undefined unless the script is one of KDF's, byte for byte.
 *
 * @example
 * ```ts
 * import {
 *   htlcRedeemScript, parseHtlcRedeemScript, scriptHash160, unixSecondsOf,
 * } from 'swapfold/htlc';
 *
 * const keys = { senderKey: new Uint8Array(33).fill(2), receiverKey: new Uint8Array(33).fill(3) };
 * const [lockTime, secretHash] = [unixSecondsOf(1_734_579_600), new Uint8Array(32).fill(9)];
 * const script = htlcRedeemScript({ lockTime, secretHash, ...keys });
 * const terms = parseHtlcRedeemScript(script);
 * [terms?.lockTime, terms?.secretHash]; // → [1_734_579_600, scriptHash160(secretHash)]
 * parseHtlcRedeemScript(script.subarray(1)); // → undefined
 * ```
 */
export function parseHtlcRedeemScript(script: Uint8Array): HtlcTerms | undefined {
  if (script.length !== HTLC_SCRIPT_BYTES) return undefined;
  const terms = {
    lockTime: unixSecondsOf(readUint(byteReader(script, 2), 4)),
    senderKey: script.subarray(9, 42),
    receiverKey: script.subarray(72, 105),
    secretHash: script.subarray(50, 70),
  };
  return sameBytes(htlcRedeemScript(terms), script) ? terms : undefined;
}
