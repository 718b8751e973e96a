import { SIGHASH_ALL, SIGHASH_ANYONECANPAY, SIGHASH_SINGLE } from '../../htlc/signature-hash.ts';
import type { ScriptError } from './errors.ts';
import type { ScriptFlags } from './flags.ts';

const CURVE_ORDER = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;

/**
 * Whether a signature with its hash type at the end is in strict DER (BIP 66): 9 to 73 bytes, both numbers positive and
 * without padding. Whether they fit the curve is not looked at.
 */
export function isStrictDer(signature: Uint8Array): boolean {
  const { length } = signature;
  if (length < 9 || length > 73 || signature[0] !== 0x30 || signature[1] !== length - 3) return false;
  const lengthR = signature[3] as number;
  if (5 + lengthR >= length) return false;
  const lengthS = signature[5 + lengthR] as number;
  if (lengthR + lengthS + 7 !== length) return false;
  return (
    isPositiveInteger(signature.subarray(2, 4 + lengthR)) && isPositiveInteger(signature.subarray(4 + lengthR, -1))
  );
}

function isPositiveInteger(der: Uint8Array): boolean {
  const [tag, length, first = 0, second = 0] = der;
  if (tag !== 0x02 || length === 0 || first & 0x80) return false;
  return length === 1 || first !== 0 || (second & 0x80) !== 0;
}

/**
 * Whether S of a signature in strict DER is at most half the order of the curve. One above the order counts as low, since
 * the node's library reads it as zero; no such signature is valid.
 */
export function hasLowS(signature: Uint8Array): boolean {
  const start = 6 + (signature[3] as number);
  let s = 0n;
  for (const byte of signature.subarray(start, -1)) s = (s << 8n) | BigInt(byte);
  return s * 2n < CURVE_ORDER || s >= CURVE_ORDER;
}

/** Whether the last byte of a signature is one of the six hash types. */
export function hasDefinedHashType(signature: Uint8Array): boolean {
  const type = (signature.at(-1) ?? 0) & ~SIGHASH_ANYONECANPAY;
  return type >= SIGHASH_ALL && type <= SIGHASH_SINGLE;
}

/** What is wrong with the form of a signature that ends in its hash type. An empty one is allowed: it is not valid. */
export function signatureEncodingProblem(signature: Uint8Array, flags: ScriptFlags): ScriptError | undefined {
  if (signature.length === 0) return undefined;
  const { strictDer, lowS, strictEncoding } = flags;
  if ((strictDer || lowS || strictEncoding) && !isStrictDer(signature)) return 'SIG_DER';
  if (lowS && !hasLowS(signature)) return 'SIG_HIGH_S';
  return strictEncoding && !hasDefinedHashType(signature) ? 'SIG_HASHTYPE' : undefined;
}

/** Whether a key is 33 bytes that start with 2 or 3, or 65 that start with 4. The point is not looked at. */
export function isPlainKeyEncoding(key: Uint8Array): boolean {
  const [head] = key;
  return head === 4 ? key.length === 65 : (head === 2 || head === 3) && key.length === 33;
}

/** What is wrong with the form of a public key. */
export function keyEncodingProblem(key: Uint8Array, flags: ScriptFlags): ScriptError | undefined {
  return flags.strictEncoding && !isPlainKeyEncoding(key) ? 'PUBKEYTYPE' : undefined;
}
