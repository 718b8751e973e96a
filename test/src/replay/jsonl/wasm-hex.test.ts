import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portableMemory, type ScanMemory, wasmMemory } from '../../../../src/replay/jsonl/wasm-hex.ts';

const wasm = wasmMemory();
if (wasm === undefined) throw new Error('this platform has no WebAssembly with SIMD');
const portable = portableMemory();

/** Mostly hex, with the bytes just outside of its ranges and any others now and then. */
const bytes = fc.array(
  fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...[...'0123456789abcdef'].map((digit) => digit.charCodeAt(0))) },
    { weight: 1, arbitrary: fc.constantFrom(0x2f, 0x3a, 0x60, 0x67, 0x41, 0x46, 0x0a, 0x22, 0xb0, 0xe1) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) },
  ),
  { maxLength: 200 },
);

function load(memory: ScanMemory, content: readonly number[]): void {
  memory.reserve(content.length);
  memory.bytes.fill(0x30, memory.base, memory.base + content.length + 64);
  memory.bytes.set(content, memory.base);
}

describe('the loops over the bytes of a log', () => {
  it('end a run of hex digits at the first other byte', () => {
    fc.assert(
      fc.property(bytes, fc.nat(40), (content, skip) => {
        const text = String.fromCharCode(...content).slice(skip);
        const length = /^[0-9a-f]*/.exec(text)?.[0].length ?? 0;
        const until = Math.max(content.length, skip);
        for (const memory of [wasm, portable]) {
          load(memory, content);
          const end = memory.hexRun(memory.base + skip, memory.base + until);
          expect(end - memory.base).toBe(skip + length);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('judge every single byte as the regular expression does', () => {
    for (let byte = 0; byte < 256; byte++) {
      const expected = /[0-9a-f]/.test(String.fromCharCode(byte)) ? 1 : 0;
      for (const memory of [wasm, portable]) {
        load(memory, [byte]);
        expect(memory.hexRun(memory.base, memory.base + 1) - memory.base).toBe(expected);
      }
    }
  });

  it('compare runs of any length at any distance', () => {
    fc.assert(
      fc.property(bytes, fc.nat(63), fc.nat(70), (content, distance, length) => {
        const doubled = [...content, ...Array<number>(64 + 70).fill(0x61)];
        const left = doubled.slice(0, length);
        const right = doubled.slice(distance, distance + length);
        const expected = left.every((byte, index) => byte === right[index]) ? 1 : 0;
        for (const memory of [wasm, portable]) {
          load(memory, doubled);
          expect(memory.same(memory.base, memory.base + distance, length)).toBe(expected);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('find a difference in each position of equal runs', () => {
    for (const memory of [wasm, portable]) {
      for (const length of [1, 15, 16, 17, 32, 40]) {
        for (let at = 0; at < length; at++) {
          load(memory, Array<number>(128).fill(7));
          memory.bytes[memory.base + 64 + at] = 8;
          expect(memory.same(memory.base, memory.base + 64, length)).toBe(0);
          expect(memory.same(memory.base, memory.base + 64, at)).toBe(1);
        }
      }
    }
  });

  it('keep their contents when the memory grows', () => {
    for (const memory of [wasmMemory() ?? portable, portableMemory()]) {
      const literal = memory.literal('"seq":');
      expect(memory.literal('"seq":')).toBe(literal);
      load(memory, [1, 2, 3]);
      memory.reserve(10_000_000);
      expect([...memory.bytes.subarray(memory.base, memory.base + 3)]).toEqual([1, 2, 3]);
      expect(memory.text(literal, literal + 6)).toBe('"seq":');
    }
  });
});
