/** What is signed, and with what. */
export type SignRequest = {
  /** 32 bytes, hashed already. */
  readonly hash: Uint8Array;
  /** 32 bytes that stand for a number from 1 up to the order of the curve less 1. */
  readonly secretKey: Uint8Array;
};

/** A signature from which the public key can be found. */
export type RecoverableSignature = {
  /** r and s of 32 bytes each. */
  readonly signature: Uint8Array;
  /** Which of the possible keys it is, 0 to 3. */
  readonly recovery: number;
};

/** A signature by the holder of a public key, to be checked. */
export type VerifyRequest = {
  /** 32 bytes, hashed already. */
  readonly hash: Uint8Array;
  /** r and s of 32 bytes each. */
  readonly signature: Uint8Array;
  /** 33 bytes that begin with 02 or 03, or 65 that begin with 04. */
  readonly publicKey: Uint8Array;
};

/** A signature of an unknown key. */
export type RecoverRequest = RecoverableSignature & {
  /** 32 bytes, hashed already. */
  readonly hash: Uint8Array;
  /** Whether the key is wanted in 33 bytes, not in 65. */
  readonly compressed: boolean;
};

/**
 * What costs time on the curve secp256k1 (SEC 2, §2.4.1), as a library does it. Every library gives the same answers; which encodings and signatures a
 * rule refuses beyond these is for its caller to judge.
 */
export type Curve = {
  /** The library, for people. */
  readonly name: string;
  /** 33 bytes, or 65 that begin with 04. @throws Error when the bytes are no private key. */
  readonly publicKeyOf: (secretKey: Uint8Array, compressed: boolean) => Uint8Array;
  /**
   * With a low S, and the nonce of RFC 6979 without extra entropy, so that equal requests give equal signatures.
   *
   * @throws Error when the bytes are no private key.
   */
  readonly sign: (request: SignRequest) => RecoverableSignature;
  /** S may be high. False for bytes that are no signature, or no key. */
  readonly verify: (request: VerifyRequest) => boolean;
  /** The public key that made the signature; S may be high. Undefined when there is none. */
  readonly recover: (request: RecoverRequest) => Uint8Array | undefined;
  /** A key of 33 bytes that begin with 02 or 03, or of 65 that begin with 04, in the form that is wanted. Undefined when it is no point of the curve. */
  readonly convert: (publicKey: Uint8Array, compressed: boolean) => Uint8Array | undefined;
};

const SIGNATURE_BYTES = 64;
const SHORT_KEY_BYTES = 33;
const LONG_KEY_BYTES = 65;

/** Whether length and first byte are those of a key; libraries differ in which others they read. */
export function looksLikeKey(bytes: Uint8Array): boolean {
  const [head] = bytes;
  return bytes.length === SHORT_KEY_BYTES ? head === 2 || head === 3 : bytes.length === LONG_KEY_BYTES && head === 4;
}

/** Whether all parts of a check have the lengths that libraries insist on. */
export function looksLikeCheck({ signature, publicKey }: VerifyRequest): boolean {
  return signature.length === SIGNATURE_BYTES && looksLikeKey(publicKey);
}

/** Whether a signature to recover from has the form that libraries insist on. */
export function looksRecoverable({ signature, recovery }: RecoverableSignature): boolean {
  return signature.length === SIGNATURE_BYTES && Number.isInteger(recovery) && recovery >= 0 && recovery <= 3;
}
