import { secp256k1 } from '@noble/curves/secp256k1.js';
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
  throw new SmartChainError('SMARTCHAIN_KEY_INVALID', 'The bytes are no private key of secp256k1.', {
    facts: { length: `${secretKey.length} bytes` },
    next: 'Give 32 bytes that stand for a number from 1 up to the order of the curve less 1.',
  });
}

/** The public key, 33 bytes, or 65 when not compressed. @throws SmartChainError SMARTCHAIN_KEY_INVALID. */
export function publicKeyOf(secretKey: Uint8Array, compressed = true): Uint8Array {
  requireSecretKey(secretKey);
  return secp256k1.getPublicKey(secretKey, compressed);
}

/** What is signed, and with what. */
export type SignRequest = {
  /** 32 bytes, hashed already. */
  readonly hash: Uint8Array;
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
};

/**
 * The signature in DER, without a hash type behind it. Low S; the nonce is that of RFC 6979 without extra entropy, so equal
 * requests give equal signatures.
 *
 * @throws SmartChainError SMARTCHAIN_KEY_INVALID. @throws RangeError when the hash has not 32 bytes.
 */
export function signDer(request: SignRequest): Uint8Array {
  return sign(request, 'der');
}

/** The signature as r and s of 32 bytes each, otherwise as {@link signDer}; the form of crypto-conditions. */
export function signCompact(request: SignRequest): Uint8Array {
  return sign(request, 'compact');
}

/** A signature from which the public key can be found. */
export type RecoverableSignature = {
  /** r and s of 32 bytes each. */
  readonly signature: Uint8Array;
  /** Which of the possible keys it is, 0 to 3. */
  readonly recovery: number;
};

/** The signature of {@link signCompact} with what is needed to find the public key from it. */
export function signRecoverable(request: SignRequest): RecoverableSignature {
  const bytes = sign(request, 'recovered');
  return { signature: bytes.slice(1), recovery: bytes[0] as number };
}

function sign({ hash, secretKey }: SignRequest, format: 'der' | 'compact' | 'recovered'): Uint8Array {
  requireSecretKey(secretKey);
  requireHash(hash);
  return secp256k1.sign(hash, secretKey, { prehash: false, lowS: true, extraEntropy: false, format });
}

/** A signature by the holder of a public key, to be checked. */
export type VerifyRequest = {
  /** 32 bytes, hashed already. */
  readonly hash: Uint8Array;
  readonly signature: Uint8Array;
  /** In any form that {@link isValidPublicKey} accepts. */
  readonly publicKey: Uint8Array;
};

/**
 * Whether a signature in DER, without a hash type behind it, is the key's. The DER is read as Bitcoin's lax reader does
 * ({@link compactOfDer}), and S may be high. False for bytes that are no key or signature.
 *
 * @throws RangeError when the hash has not 32 bytes.
 */
export function verifyDer({ hash, signature, publicKey }: VerifyRequest): boolean {
  const compact = compactOfDer(signature);
  return compact !== undefined && verify({ hash, signature: compact, publicKey }, false);
}

/**
 * Whether a signature of 64 bytes, r and s, is the key's. A high S is refused, as crypto-conditions in the smart-chain node
 * refuse it. False for bytes that are no key or signature.
 *
 * @throws RangeError when the hash has not 32 bytes.
 */
export function verifyCompact(request: VerifyRequest): boolean {
  return request.signature.length === COMPACT_BYTES && verify(request, true);
}

function verify({ hash, signature, publicKey }: VerifyRequest, lowS: boolean): boolean {
  requireHash(hash);
  const key = plainPublicKey(publicKey);
  return key !== undefined && secp256k1.verify(signature, hash, key, { prehash: false, lowS, format: 'compact' });
}

/**
 * Whether the bytes are a public key as libsecp256k1 reads one: 33 bytes that start with 02 or 03, or 65 that start with 04, or
 * with 06 or 07 where that says rightly whether Y is odd; and a point of the curve.
 */
export function isValidPublicKey(bytes: Uint8Array): boolean {
  const key = plainPublicKey(bytes);
  return key !== undefined && secp256k1.utils.isValidPublicKey(key);
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

/** A signature of an unknown key. */
export type RecoverRequest = RecoverableSignature & {
  /** 32 bytes, hashed already. */
  readonly hash: Uint8Array;
  /** Whether the key is wanted in 33 bytes, not in 65. */
  readonly compressed: boolean;
};

/**
 * The public key that made the signature; S may be high. Undefined when there is none.
 *
 * @throws RangeError when the hash has not 32 bytes.
 */
export function recoverPublicKey({ hash, signature, recovery, compressed }: RecoverRequest): Uint8Array | undefined {
  requireHash(hash);
  try {
    const parsed = secp256k1.Signature.fromBytes(signature, 'compact').addRecoveryBit(recovery);
    return parsed.recoverPublicKey(hash).toBytes(compressed);
  } catch {
    return undefined;
  }
}

function requireHash(hash: Uint8Array): void {
  if (hash.length !== HASH_BYTES) throw new RangeError(`a hash to sign has ${HASH_BYTES} bytes, not ${hash.length}`);
}
