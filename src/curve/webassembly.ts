import { type Curve, looksLikeCheck, looksLikeKey, looksRecoverable } from './curve.ts';
import { isBelowOrder } from './order.ts';

/** The functions used from libsecp256k1 in WebAssembly (npm: tiny-secp256k1). They throw for unreadable input. */
export type TinySecp256k1 = {
  pointFromScalar(secretKey: Uint8Array, compressed: boolean): Uint8Array | null;
  pointCompress(publicKey: Uint8Array, compressed: boolean): Uint8Array;
  signRecoverable(
    hash: Uint8Array,
    secretKey: Uint8Array,
  ): { readonly signature: Uint8Array; readonly recoveryId: number };
  verify(hash: Uint8Array, publicKey: Uint8Array, signature: Uint8Array): boolean;
  recover(hash: Uint8Array, signature: Uint8Array, recovery: number, compressed: boolean): Uint8Array | null;
};

/** About seven times as fast as {@link javascriptCurve}, which signs the inputs that the two would sign differently. */
export function webassemblyCurve(library: TinySecp256k1, javascript: Curve): Curve {
  return {
    name: 'tiny-secp256k1',
    publicKeyOf(secretKey, compressed) {
      const key = library.pointFromScalar(secretKey, compressed);
      if (key === null) throw new Error('the bytes are no private key');
      return key;
    },
    sign(request) {
      const { hash, secretKey } = request;
      // As in libsecp256k1.ts.
      if (!isBelowOrder(hash)) return javascript.sign(request);
      const { signature, recoveryId } = library.signRecoverable(hash, secretKey);
      return { signature, recovery: recoveryId };
    },
    verify(request) {
      if (!looksLikeCheck(request)) return false;
      const { hash, signature, publicKey } = request;
      return tried(() => library.verify(hash, publicKey, signature)) ?? false;
    },
    recover(request) {
      if (!looksRecoverable(request)) return undefined;
      const { hash, signature, recovery, compressed } = request;
      return tried(() => library.recover(hash, signature, recovery, compressed));
    },
    convert: (publicKey, compressed) =>
      looksLikeKey(publicKey) ? tried(() => library.pointCompress(publicKey, compressed)) : undefined,
  };
}

function tried<Value>(act: () => Value | null): Value | undefined {
  try {
    return act() ?? undefined;
  } catch {
    return undefined;
  }
}
