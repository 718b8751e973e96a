import { secp256k1 } from '@noble/curves/secp256k1.js';
import {
  curve,
  hasLowS,
  type RecoverableSignature,
  type RecoverRequest,
  type SignRequest,
  type VerifyRequest,
} from '../../curve/index.ts';
import { SmartChainError } from '../error.ts';
import { compactOfDer } from './lax-der.ts';

const HASH_BYTES = 32;
const COMPACT_BYTES = 64;
const LONG_KEY_BYTES = 65;

/** Whether the bytes are a private key: 32 bytes that stand for 1 up to the order of the curve less 1. */
export function isValidSecretKey(secretKey: Uint8Array): boolean {
  return secp256k1.utils.isValidSecretKey(secretKey);
}

/** @throws SmartChainError SMARTCHAIN_KEY_INVALID when the bytes are no private key; its text does not hold them. */
export function requireSecretKey(secretKey: Uint8Array): void {
  if (isValidSecretKey(secretKey)) return;
  throw new SmartChainError('SMARTCHAIN_KEY_INVALID', 'The bytes are not a private key of secp256k1.', {
    facts: { length: `${secretKey.length} bytes` },
    next: 'Use 32 bytes that encode a number from 1 to the order of the curve minus 1.',
  });
}

/** The public key, 33 bytes, or 65 when not compressed. @throws SmartChainError SMARTCHAIN_KEY_INVALID. */
export function publicKeyOf(secretKey: Uint8Array, compressed = true): Uint8Array {
  requireSecretKey(secretKey);
  return curve.publicKeyOf(secretKey, compressed);
}

export type { RecoverableSignature, RecoverRequest, SignRequest, VerifyRequest };

/**
 * The signature in DER, without a hash type behind it. Low S; the nonce is that of RFC 6979 without extra entropy, so equal
 * requests give equal signatures.
 *
 * @throws SmartChainError SMARTCHAIN_KEY_INVALID. @throws RangeError when the hash has not 32 bytes.
 */
export function signDer(request: SignRequest): Uint8Array {
  return secp256k1.Signature.fromBytes(signCompact(request), 'compact').toBytes('der');
}

/** The signature as r and s of 32 bytes each, otherwise as {@link signDer}; the form of crypto-conditions. */
export function signCompact(request: SignRequest): Uint8Array {
  return signRecoverable(request).signature;
}

/** The signature of {@link signCompact} with what is needed to find the public key from it. */
export function signRecoverable(request: SignRequest): RecoverableSignature {
  requireSecretKey(request.secretKey);
  requireHash(request.hash);
  return curve.sign(request);
}

/**
 * Whether a signature in DER, without a hash type behind it, is the key's. The DER is read as Bitcoin's lax reader does
 * ({@link compactOfDer}), and S may be high. False for bytes that are no key or signature.
 *
 * @throws RangeError when the hash has not 32 bytes.
 */
export function verifyDer({ hash, signature, publicKey }: VerifyRequest): boolean {
  const compact = compactOfDer(signature);
  return compact !== undefined && verify({ hash, signature: compact, publicKey });
}

/**
 * Whether a signature of 64 bytes, r and s, is the key's. A high S is refused, as crypto-conditions in the smart-chain node
 * refuse it. False for bytes that are no key or signature.
 *
 * @throws RangeError when the hash has not 32 bytes.
 */
export function verifyCompact(request: VerifyRequest): boolean {
  return request.signature.length === COMPACT_BYTES && hasLowS(request.signature) && verify(request);
}

/** Of a key in any form that {@link isValidPublicKey} accepts. */
function verify({ hash, signature, publicKey }: VerifyRequest): boolean {
  requireHash(hash);
  const key = plainPublicKey(publicKey);
  return key !== undefined && curve.verify({ hash, signature, publicKey: key });
}

/**
 * Whether the bytes are a public key as libsecp256k1 reads one: 33 bytes that start with 02 or 03, or 65 that start with 04, or
 * with 06 or 07 where that says rightly whether Y is odd; and a point of the curve.
 */
export function isValidPublicKey(bytes: Uint8Array): boolean {
  const key = plainPublicKey(bytes);
  return key !== undefined && curve.convert(key, true) !== undefined;
}

/** The key with a hybrid form turned into 04; undefined when length and first byte do not fit. The point is not judged. */
function plainPublicKey(bytes: Uint8Array): Uint8Array | undefined {
  const [head] = bytes;
  if (bytes.length !== LONG_KEY_BYTES) return bytes.length === 33 && (head === 2 || head === 3) ? bytes : undefined;
  if (head === 4) return bytes;
  if (head !== 6 + ((bytes[LONG_KEY_BYTES - 1] as number) & 1)) return undefined;
  const plain = bytes.slice();
  plain[0] = 4;
  return plain;
}

/**
 * The public key that made the signature; S may be high. Undefined when there is none.
 *
 * @throws RangeError when the hash has not 32 bytes.
 */
export function recoverPublicKey(request: RecoverRequest): Uint8Array | undefined {
  requireHash(request.hash);
  return curve.recover(request);
}

function requireHash(hash: Uint8Array): void {
  if (hash.length !== HASH_BYTES) throw new RangeError(`a hash to sign has ${HASH_BYTES} bytes, not ${hash.length}`);
}
