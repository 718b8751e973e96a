import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type Curve, looksLikeCheck, looksLikeKey, looksRecoverable } from './curve.ts';

/** Runs everywhere; tests compare every other library with it. */
export const javascriptCurve: Curve = {
  name: '@noble/curves',
  publicKeyOf: (secretKey, compressed) => secp256k1.getPublicKey(secretKey, compressed),
  sign({ hash, secretKey }) {
    const options = { prehash: false, lowS: true, extraEntropy: false, format: 'recovered' } as const;
    const bytes = secp256k1.sign(hash, secretKey, options);
    return { signature: bytes.slice(1), recovery: bytes[0] as number };
  },
  verify(request) {
    if (!looksLikeCheck(request)) return false;
    const { hash, signature, publicKey } = request;
    return secp256k1.verify(signature, hash, publicKey, { prehash: false, lowS: false, format: 'compact' });
  },
  recover(request) {
    if (!looksRecoverable(request)) return undefined;
    try {
      const signature = secp256k1.Signature.fromBytes(request.signature, 'compact').addRecoveryBit(request.recovery);
      return signature.recoverPublicKey(request.hash).toBytes(request.compressed);
    } catch {
      return undefined;
    }
  },
  convert(publicKey, compressed) {
    if (!looksLikeKey(publicKey)) return undefined;
    try {
      return secp256k1.Point.fromBytes(publicKey).toBytes(compressed);
    } catch {
      return undefined;
    }
  },
};
