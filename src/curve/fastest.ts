import type { Curve } from './curve.ts';
import { javascriptCurve } from './javascript.ts';
import { type Libsecp256k1, libsecp256k1Curve } from './libsecp256k1.ts';
import { type TinySecp256k1, webassemblyCurve } from './webassembly.ts';

type Require = (name: string) => unknown;

/** Loads a Node package; undefined in a browser, whose bundler must not search for these packages either. */
function nodeRequire(): Require | undefined {
  return globalThis.process?.getBuiltinModule?.('node:module')?.createRequire(import.meta.url);
}

function loaded(load: () => Curve): Curve | undefined {
  try {
    const curve = load();
    return isSound(curve) ? curve : undefined;
  } catch {
    // Not installed, or not for this platform.
    return undefined;
  }
}

/** Only the binding: the fallback that the package itself loads is slower than all others, and decides differently. */
export function nativeCurve(require: Require | undefined = nodeRequire()): Curve | undefined {
  if (require === undefined) return undefined;
  return loaded(() => libsecp256k1Curve(require('secp256k1/bindings.js') as Libsecp256k1, javascriptCurve));
}

/** In WebAssembly, the same on every platform. */
export function compiledCurve(require: Require | undefined = nodeRequire()): Curve | undefined {
  if (require === undefined) return undefined;
  return loaded(() => webassemblyCurve(require('tiny-secp256k1') as TinySecp256k1, javascriptCurve));
}

const HASH = new Uint8Array(32).fill(7);
const SECRET_KEY = new Uint8Array(32).fill(1);

/** Whether a loaded library works here; one for another platform may not. */
function isSound(curve: Curve): boolean {
  const publicKey = curve.publicKeyOf(SECRET_KEY, true);
  const { signature } = curve.sign({ hash: HASH, secretKey: SECRET_KEY });
  const expected = javascriptCurve.sign({ hash: HASH, secretKey: SECRET_KEY }).signature;
  return (
    signature.every((byte, index) => byte === expected[index]) && curve.verify({ hash: HASH, signature, publicKey })
  );
}

/** The fastest library that loads here: libsecp256k1, else WebAssembly, else JavaScript. */
export const curve: Curve = nativeCurve() ?? compiledCurve() ?? javascriptCurve;
