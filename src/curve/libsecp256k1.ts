import { rememberingBytes } from '../primitives/remember.ts';
import { type Curve, looksLikeCheck, looksLikeKey, looksRecoverable, type SignRequest } from './curve.ts';
import { hasLowS, isBelowOrder } from './order.ts';

/** The functions used from the binding of libsecp256k1 (npm: secp256k1). They throw for unreadable input. */
export type Libsecp256k1 = {
  publicKeyCreate(secretKey: Uint8Array, compressed: boolean): Uint8Array;
  publicKeyConvert(publicKey: Uint8Array, compressed: boolean): Uint8Array;
  /** Modifies the bytes. */
  signatureNormalize(signature: Uint8Array): Uint8Array;
  ecdsaSign(hash: Uint8Array, secretKey: Uint8Array): { readonly signature: Uint8Array; readonly recid: number };
  ecdsaVerify(signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array): boolean;
  ecdsaRecover(signature: Uint8Array, recovery: number, hash: Uint8Array, compressed: boolean): Uint8Array;
};

const SHORT_KEY = 33;
/** Number of cached keys. */
const REMEMBERED = 4096;

/**
 * Bitcoin's own library, about forty times as fast as {@link javascriptCurve}, which signs the inputs that the two
 * would sign differently.
 */
export function libsecp256k1Curve(library: Libsecp256k1, javascript: Curve): Curve {
  // Computing Y of a key takes a seventh of a verification, and the same few keys sign again and again.
  const longKey = rememberingBytes((key: Uint8Array) => tried(() => library.publicKeyConvert(key, false)), REMEMBERED);
  return {
    name: 'libsecp256k1',
    publicKeyOf: (secretKey, compressed) => library.publicKeyCreate(secretKey, compressed),
    sign(request: SignRequest) {
      const { hash, secretKey } = request;
      // It derives the nonce from a hash above the order as it is, and not reduced by the order, as RFC 6979 (§2.3.4)
      // requires.
      if (!isBelowOrder(hash)) return javascript.sign(request);
      const { signature, recid } = library.ecdsaSign(hash, secretKey);
      return { signature, recovery: recid };
    },
    verify(request) {
      if (!looksLikeCheck(request)) return false;
      const { hash, signature, publicKey } = request;
      const key = publicKey.length === SHORT_KEY ? longKey(publicKey) : publicKey;
      if (key === undefined) return false;
      // It reports false for every high S, and throws for unreadable input.
      const low = hasLowS(signature) ? signature : tried(() => library.signatureNormalize(signature.slice()));
      return low !== undefined && (tried(() => library.ecdsaVerify(low, hash, key)) ?? false);
    },
    recover(request) {
      if (!looksRecoverable(request)) return undefined;
      const { hash, signature, recovery, compressed } = request;
      return tried(() => library.ecdsaRecover(signature, recovery, hash, compressed));
    },
    convert: (publicKey, compressed) =>
      looksLikeKey(publicKey) ? tried(() => library.publicKeyConvert(publicKey, compressed)) : undefined,
  };
}

function tried<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
