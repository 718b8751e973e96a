// biome-ignore lint/suspicious/noTsIgnore: an error is expected only where the peer is absent, and never here.
/** @ts-ignore: where fast-check, an optional peer, is not installed, its types are any. */
import type * as FastCheck from 'fast-check';
import { isMissing, PackageMissingError } from '../../primitives/optional-package.ts';

// biome-ignore lint/suspicious/noTsIgnore: an error is expected only where the peer is absent, and never here.
/** @ts-ignore: as above. */
export type { Arbitrary, Random, Stream, Value } from 'fast-check';

let loaded: typeof FastCheck | undefined;
try {
  loaded = await import('fast-check');
} catch (error) {
  if (!isMissing(error, 'fast-check')) throw error;
}

/** fast-check where it is installed; else every use of it says what to install. The rest of this entry works without it. */
export const fc: typeof FastCheck = loaded ?? absent();

/** A value that is made with fast-check when this module is loaded; where it is absent, any use of the value says so. */
export function withFastCheck<Value extends object>(make: () => Value): Value {
  return loaded === undefined ? absent() : make();
}

function absent<Value extends object>(): Value {
  const get = (_: object, member: string | symbol): never | undefined => {
    // What looks at a value without using it: printing, and the question whether it is a promise.
    if (typeof member === 'symbol' || member === 'then') return undefined;
    throw new PackageMissingError('fast-check');
  };
  return new Proxy({}, { get }) as Value;
}
