import { ripemd160 as nobleRipemd160 } from '@noble/hashes/legacy.js';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ripemd160, sha256 } from '../../../src/primitives/hash.ts';
import { platformHash } from '../../../src/primitives/platform-hash.ts';

const bytes = fc.uint8Array({ maxLength: 300 });

describe('hashes of the platform', () => {
  it('are the same as those of the library, and arrays of their own', () => {
    fc.assert(
      fc.property(bytes, (given) => {
        for (const [hash, known] of [
          [sha256, nobleSha256],
          [ripemd160, nobleRipemd160],
        ] as const) {
          const found = hash(given);
          expect(found).toStrictEqual(known(given));
          expect(found.buffer.byteLength).toBe(found.length);
        }
      }),
    );
  });

  it.each([
    ['there is no platform', undefined],
    ['it has no such call', {}],
    [
      'it does not know the hash',
      {
        hash: () => {
          throw new Error('not supported');
        },
      },
    ],
    ['it gives something else', { hash: () => new Uint8Array(32) }],
    ['it gives less', { hash: (_: string, given: Uint8Array) => nobleSha256(given).subarray(0, 31) }],
    [
      'it is wrong from a second block on',
      { hash: (_: string, given: Uint8Array) => nobleSha256(given.subarray(0, 64)) },
    ],
  ])('make way for the library if %s', (_, platform) => {
    // Nothing is passed for a platform that is not there, where the default would stand.
    const hash = platformHash('sha256', nobleSha256, platform ?? {});
    expect(hash).toBe(nobleSha256);
  });

  it('are those of the platform if they are right', () => {
    let asked = 0;
    const hash = platformHash('sha256', nobleSha256, {
      hash(name, given) {
        asked += 1;
        expect(name).toBe('sha256');
        return nobleSha256(given);
      },
    });
    asked = 0;
    expect(hash(Uint8Array.of(1))).toEqual(nobleSha256(Uint8Array.of(1)));
    expect(asked).toBe(1);
  });
});
