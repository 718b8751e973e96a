/** What to sign, and with which key. */
export type SignRequest = {
  /** A 32-byte hash. */
  readonly hash: Uint8Array;
  /** 32 bytes that encode a number from 1 to the order of the curve minus 1. */
  readonly secretKey: Uint8Array;
};

/** A signature with its recovery id. */
export type RecoverableSignature = {
  /** r and s of 32 bytes each. */
  readonly signature: Uint8Array;
  /** The recovery id, 0 to 3. */
  readonly recovery: number;
};

/** A signature to verify against a public key. */
export type VerifyRequest = {
  /** A 32-byte hash. */
  readonly hash: Uint8Array;
  /** r and s of 32 bytes each. */
  readonly signature: Uint8Array;
  /** 33 bytes that start with 02 or 03, or 65 that start with 04. */
  readonly publicKey: Uint8Array;
};

/** A signature of an unknown key. */
export type RecoverRequest = RecoverableSignature & {
  /** A 32-byte hash. */
  readonly hash: Uint8Array;
  /** Whether to return the key in 33 bytes instead of 65. */
  readonly compressed: boolean;
};

/**
 * The expensive operations on the curve secp256k1 (SEC 2, §2.4.1), as a library implements them. Every library returns
 * the same results; callers decide which encodings and signatures a rule refuses beyond these.
 */
export type Curve = {
  /** The name of the library. */
  readonly name: string;
  /** 33 bytes, or 65 that start with 04. @throws Error if the bytes are not a private key. */
  readonly publicKeyOf: (secretKey: Uint8Array, compressed: boolean) => Uint8Array;
  /**
   * With a low S, and the nonce of RFC 6979 without extra entropy, so that equal requests return equal signatures.
   *
   * @throws Error if the bytes are not a private key.
   */
  readonly sign: (request: SignRequest) => RecoverableSignature;
  /** S may be high. False for invalid signatures and keys. */
  readonly verify: (request: VerifyRequest) => boolean;
  /** The public key that made the signature; S may be high. Undefined when there is none. */
  readonly recover: (request: RecoverRequest) => Uint8Array | undefined;
  /**
   * Converts a key of 33 bytes that start with 02 or 03, or of 65 that start with 04, to the requested form. Undefined
   * if it is not a point of the curve.
   */
  readonly convert: (publicKey: Uint8Array, compressed: boolean) => Uint8Array | undefined;
};

const SIGNATURE_BYTES = 64;
const SHORT_KEY_BYTES = 33;
const LONG_KEY_BYTES = 65;

/** Whether length and first byte are those of a key; libraries differ in what else they accept. */
export function looksLikeKey(bytes: Uint8Array): boolean {
  const [head] = bytes;
  return bytes.length === SHORT_KEY_BYTES ? head === 2 || head === 3 : bytes.length === LONG_KEY_BYTES && head === 4;
}

/** Whether all parts of a check have the lengths that libraries require. */
export function looksLikeCheck({ signature, publicKey }: VerifyRequest): boolean {
  return signature.length === SIGNATURE_BYTES && looksLikeKey(publicKey);
}

/** Whether a signature to recover from has the form that libraries require. */
export function looksRecoverable({ signature, recovery }: RecoverableSignature): boolean {
  return signature.length === SIGNATURE_BYTES && Number.isInteger(recovery) && recovery >= 0 && recovery <= 3;
}
