import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../../src/primitives/hash.ts';
import { remembering, rememberingBytes } from '../../../src/primitives/remember.ts';

describe('a function that remembers', () => {
  it('answers as the function does, whatever it was asked before and however little it keeps', () => {
    const questions = fc.array(fc.integer({ min: 0, max: 9 }));
    fc.assert(
      fc.property(questions, fc.integer({ min: 1, max: 5 }), (asked, most) => {
        const square = remembering((value: number) => `${value * value}`, most);
        for (const question of asked) expect(square(question)).toBe(`${question * question}`);
      }),
    );
  });

  it('computes what it keeps once, and starts over when it is full', () => {
    const asked: string[] = [];
    const length = remembering((text: string) => {
      asked.push(text);
      return text.length;
    }, 2);
    for (const text of ['a', 'bb', 'a', 'bb', 'ccc', 'a']) length(text);
    expect(asked).toEqual(['a', 'bb', 'ccc', 'a']);
  });

  it('keeps nothing of a key whose answer is undefined', () => {
    const known = remembering((text: string) => (text === 'secret' ? undefined : text.length), 1);
    known('a');
    const set = vi.spyOn(Map.prototype, 'set');
    expect(known('secret')).toBeUndefined();
    expect(set).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});

describe('a function that remembers by bytes', () => {
  const text = (bytes: Uint8Array) => bytes.join();

  it('answers as the function does, whatever it was asked before and however little it keeps', () => {
    // Few different bytes, so that keys come again, and so do beginnings of others.
    const keys = fc.array(fc.uint8Array({ maxLength: 3, max: 2 }));
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 5 }), (asked, most) => {
        const known = rememberingBytes(text, most);
        for (const key of asked) expect(known(key)).toBe(text(key));
      }),
    );
  });

  it('tells two keys with one digest apart, and keeps the later one', () => {
    const [left, right] = twoOfOneDigest();
    const asked: string[] = [];
    const known = rememberingBytes((key) => {
      asked.push(text(key));
      return text(key);
    });
    for (const key of [left, right, right, left]) expect(known(key)).toBe(text(key));
    expect(asked).toEqual([left, right, left].map(text));
  });

  it('computes what it keeps once, and starts over when it is full', () => {
    const asked: number[] = [];
    const known = rememberingBytes((bytes) => {
      asked.push(bytes[0] as number);
      return bytes.length;
    }, 2);
    for (const byte of [1, 2, 1, 2, 3, 1]) known(Uint8Array.of(byte));
    expect(asked).toEqual([1, 2, 3, 1]);
  });

  it('keeps nothing of a key whose answer is undefined', () => {
    let asked = 0;
    const known = rememberingBytes(() => {
      asked++;
      return undefined;
    });
    expect([known(Uint8Array.of(1)), known(Uint8Array.of(1)), asked]).toEqual([undefined, undefined, 2]);
  });

  it('does not notice when its caller uses the bytes for something else', () => {
    const known = rememberingBytes(text);
    const key = Uint8Array.of(1, 2);
    known(key);
    key[0] = 7;
    expect([known(Uint8Array.of(1, 2)), known(key)]).toEqual(['1,2', '7,2']);
  });
});

/** Found by the digest that is meant: what is asked anew shows whether they have one place. */
function twoOfOneDigest(): readonly [Uint8Array, Uint8Array] {
  const places = new Map<number, Uint8Array>();
  for (let number = 0; ; number++) {
    const key = sha256(Uint8Array.from([24, 16, 8, 0], (shift) => number >>> shift));
    const hash = key.reduce((sum, byte) => Math.imul(sum ^ byte, 0x01000193), 0x811c9dc5);
    const place = (hash ^ (hash >>> 30)) & 0x3fff_ffff;
    const other = places.get(place);
    if (other !== undefined) return [other, key];
    places.set(place, key);
  }
}
