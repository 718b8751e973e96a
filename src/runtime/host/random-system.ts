import type { Random } from '../../ports/clock.ts';

/** The platform's source of unpredictable bytes. */
export const systemRandom: Random = {
  bytes: (count) => globalThis.crypto.getRandomValues(new Uint8Array(count)),
};
