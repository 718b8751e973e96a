import { blake2b } from '@noble/hashes/blake2.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compiledBlake2b } from '../../../src/primitives/blake2b.ts';
import { blake2b256, portableBlake2b } from '../../../src/primitives/hash.ts';

const compiled = compiledBlake2b();
if (compiled === undefined) throw new Error('this platform has no WebAssembly');

const personal = fc.uint8Array({ minLength: 16, maxLength: 16 });

describe('BLAKE2b in WebAssembly', () => {
  it('is the one in use here', () => {
    expect(blake2b256).not.toBe(portableBlake2b);
  });

  it('gives what the library gives, for every length around its blocks', () => {
    const given = new Uint8Array(400).map((_, at) => at * 7);
    const personalization = new Uint8Array(16).fill(3);
    for (let length = 0; length <= given.length; length++) {
      const bytes = given.subarray(0, length);
      expect(compiled(bytes, personalization)).toStrictEqual(blake2b(bytes, { dkLen: 32, personalization }));
    }
  });

  it('gives what the library gives, for any bytes under any personalization', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), personal, (bytes, personalization) => {
        const before = bytes.slice();
        const hash = compiled(bytes, personalization);
        expect(hash).toStrictEqual(blake2b(bytes, { dkLen: 32, personalization }));
        expect(hash.buffer.byteLength).toBe(32);
        expect(bytes).toStrictEqual(before);
      }),
    );
  });

  it.each([0, 15, 17])('refuses a personalization of %i bytes, as the library does', (length) => {
    for (const hash of [compiled, portableBlake2b]) {
      expect(() => hash(new Uint8Array(3), new Uint8Array(length))).toThrow();
    }
  });

  it('is absent if WebAssembly is', () => {
    const { WebAssembly } = globalThis as { WebAssembly?: unknown };
    Reflect.set(globalThis, 'WebAssembly', undefined);
    try {
      expect(compiledBlake2b()).toBeUndefined();
      const refusing = { Module: Error.bind(null, 'not allowed here'), Instance: Error };
      Reflect.set(globalThis, 'WebAssembly', refusing);
      expect(compiledBlake2b()).toBeUndefined();
    } finally {
      Reflect.set(globalThis, 'WebAssembly', WebAssembly);
    }
  });
});
