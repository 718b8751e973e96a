import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCompactTable } from '../../../src/primitives/compact-table.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import type { Uuid } from '../../../src/primitives/ids.ts';
import { uuidBytes, uuidOfBytes } from '../../../src/primitives/uuid-bytes.ts';
import { draws } from '../../support/draws.ts';

/** Keys that often come again, or differ in one byte. */
const keys = fc
  .tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 0, max: 3 }))
  .map(([at, value]) => Uint8Array.from({ length: 16 }, (_, index) => (index === at ? value : 0xa5)));

it('a compact table holds what a map holds, in the same order', () => {
  const steps = fc.array(fc.record({ key: keys, column: fc.nat({ max: 2 }), value: fc.nat({ max: 2 ** 32 - 1 }) }));
  fc.assert(
    fc.property(steps, (taken) => {
      const [table, map] = [createCompactTable(3), new Map<string, number[]>()];
      for (const { key, column, value } of taken) {
        const text = bytesToHex(key);
        expect(table.find(key)).toBe([...map.keys()].indexOf(text));
        const place = table.take(key);
        table.set(place, column, value);
        const numbers = map.get(text) ?? [0, 0, 0];
        numbers[column] = value;
        map.set(text, numbers);
      }
      expect(table.size()).toBe(map.size);
      for (const [place, [text, numbers]] of [...map].entries()) {
        expect(bytesToHex(table.keyAt(place))).toBe(text);
        expect([0, 1, 2].map((column) => table.get(place, column))).toEqual(numbers);
      }
    }),
    { numRuns: draws({ sample: 100, change: 1000 }) },
  );
});

it('a compact table finds each of many keys again, which differ in few bits', () => {
  const table = createCompactTable(1);
  const keyOf = (index: number) => {
    const key = new Uint8Array(16);
    new DataView(key.buffer).setUint32(index % 13, index * 8);
    return key;
  };
  const places = Array.from({ length: 20_000 }, (_, index) => table.take(keyOf(index + 1)));
  for (const [index, place] of places.entries()) table.set(place, 0, index);
  expect(new Set(places).size).toBe(table.size());
  for (const [index, place] of places.entries()) expect(table.find(keyOf(index + 1))).toBe(place);
  expect(table.find(new Uint8Array(16).fill(7))).toBe(-1);
});

it('a uuid is its sixteen bytes', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(uuidBytes(uuid as Uuid)).toHaveLength(16);
      expect(uuidOfBytes(uuidBytes(uuid as Uuid))).toBe(uuid);
    }),
  );
});
