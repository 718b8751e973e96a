import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LosslessNumber, stringifyJson } from '../../../../src/primitives/json.ts';
import { jsonSteps, LazyList, listOf } from '../../../../src/rpc/smart-chain/json-text.ts';
import { atOnce } from '../../../../src/smartchain/turns.ts';

const scalar = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('0.10', '1e-8', '12345678901234567890').map((text) => new LosslessNumber(text)),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.array(scalar, { minLength: 95, maxLength: 110 }),
    fc.dictionary(fc.string({ unit: 'binary' }), fc.option(tie('tree'), { nil: undefined }), { maxKeys: 4 }),
  ),
}));

/** The same with every list made when it is written. */
function lazy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return value;
  if (Array.isArray(value)) return new LazyList(value.length, (index) => lazy(value[index]));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, lazy(member)]));
}

describe('the text of an answer', () => {
  it('is the one that is written at once', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const whole = stringifyJson(value);
        expect(atOnce(jsonSteps(value))).toBe(whole);
        expect(atOnce(jsonSteps(lazy(value)))).toBe(whole);
      }),
    );
  });

  it('can stop between the elements of long lists, wherever they are', () => {
    const count = (value: unknown): number => [...jsonSteps(value)].length;
    const long = Array.from({ length: 101 }, (_, index) => index);
    expect(count([1, 2, 3])).toBe(0);
    expect(count({ a: long.slice(1) })).toBe(0);
    expect(count(long)).toBe(101);
    expect(count({ a: 1, b: [{ c: long }, { c: long }] })).toBeGreaterThan(2 * 101);
  });

  it('makes the elements of a long list only then', () => {
    const made: number[] = [];
    const list = listOf(
      Array.from({ length: 200 }, (_, index) => index * 3),
      (item, index) => {
        made.push(index);
        return { item };
      },
    );
    expect(list).toBeInstanceOf(LazyList);
    expect(made).toEqual([]);
    expect(atOnce(jsonSteps(list)).startsWith('[{"item":0},{"item":3},')).toBe(true);
    expect(made).toHaveLength(200);
    expect(listOf([5, 7], (item, index) => item + index)).toEqual([5, 8]);
  });
});
