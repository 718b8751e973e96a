import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyTree } from '../../../src/primitives/copy-tree.ts';

/** All objects and arrays in a value. */
function partsOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(partsOf)];
}

describe('a copy', () => {
  it('is equal, and shares no object and no array with its source', () => {
    const plain = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, fc.string(), fc.integer(), fc.constant(null), tie('list'), tie('record')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      record: fc.dictionary(
        fc.string().filter((name) => name !== '__proto__'),
        tie('value'),
        { maxKeys: 4 },
      ),
    })).value;
    fc.assert(
      fc.property(plain, (value) => {
        const copy = copyTree(value);
        expect(copy).toEqual(value);
        const parts = new Set(partsOf(value));
        expect(partsOf(copy).some((part) => parts.has(part))).toBe(false);
      }),
    );
  });

  it('keeps arrays arrays, missing members missing, and objects without a prototype', () => {
    const given = { list: [[1], { a: [2] }], none: undefined, bare: Object.assign(Object.create(null), { deep: [3] }) };
    const copy = copyTree(given);
    expect(Array.isArray(copy.list) && Array.isArray(copy.list[0])).toBe(true);
    expect(Object.keys(copy)).toEqual(['list', 'none', 'bare']);
    (copy.bare as { deep: number[] }).deep.push(4);
    expect((given.bare as { deep: number[] }).deep).toEqual([3]);
  });

  it('shares instances of classes', () => {
    const map = new Map([['a', 1]]);
    const given = { map, list: [map], at: new Date(0) };
    const copy = copyTree(given);
    expect(copy.map).toBe(map);
    expect(copy.list[0]).toBe(map);
    expect(copy.at).toBe(given.at);
    expect(copyTree(map)).toBe(map);
  });

  it('of a non-object is that value', () => {
    for (const value of [null, undefined, 7, 'text', true, 3n]) expect(copyTree(value)).toBe(value);
    const action = () => 1;
    expect(copyTree({ action }).action).toBe(action);
  });
});
