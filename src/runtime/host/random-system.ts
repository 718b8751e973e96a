import type { Random } from '../../ports/clock.ts';

/** The platform's source of bytes that nobody can predict. */
export const systemRandom: Random = {
  bytes: (count) => globalThis.crypto.getRandomValues(new Uint8Array(count)),
};
