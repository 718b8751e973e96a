import fc from 'fast-check';
import { stringify } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { canonicalJson, LosslessNumber, parseJson, stringifyJson, WrittenJson } from '../../../src/primitives/json.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { draws } from '../../support/draws.ts';

describe('JSON without loss', () => {
  it('gives back every number as it was written', () => {
    const digits = fc.stringMatching(/^(0|[1-9]\d{0,30})$/);
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        digits,
        fc.option(fc.stringMatching(/^\d{1,40}$/)),
        fc.option(fc.integer({ min: -40, max: 40 })),
      )
      .map(
        ([sign, whole, fraction, power]) =>
          `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${power === null ? '' : `e${power}`}`,
      );
    fc.assert(
      fc.property(number, (text) => {
        expect(stringifyJson(parseJson(text))).toBe(text);
        expect(stringifyJson(parseJson(`{"a":[1,${text}],"b":"x ${text}"}`))).toBe(`{"a":[1,${text}],"b":"x ${text}"}`);
      }),
      { numRuns: draws({ sample: 500, change: 2000 }) },
    );
  });

  it('gives back every other value as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        fc.pre(!text.includes('__proto__'));
        expect(JSON.parse(stringifyJson(parseJson(text)))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('does not treat digits inside a text as a number', () => {
    expect(parseJson('{"error":"timeout ( 180.0 > 180.0 ) \\" 1.0"}')).toEqual({
      error: 'timeout ( 180.0 > 180.0 ) " 1.0',
    });
    expect(parseJson('{"a":"\\\\", "b": 1.0}')).toEqual({ a: '\\', b: new LosslessNumber('1.0') });
  });

  it('refuses nesting beyond the bound and a member that names the prototype', () => {
    expect(() => parseJson(`${'['.repeat(65)}${']'.repeat(65)}`)).toThrow('[TOO_DEEP]');
    expect(() => parseJson('{"a":[{"__proto__":1}]}')).toThrow(/\[FORBIDDEN_KEY\][\s\S]*\/a\/0\/__proto__/);
    expect(() => parseJson('{"\\u005f_proto__":1}')).toThrow('[FORBIDDEN_KEY]');
  });
});

it('is written as the library of lossless numbers writes it, only faster', () => {
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 0 }),
      fc.constantFrom(undefined, new LosslessNumber('1.50'), 12n, new Date(0), new Secret('told to nobody')),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.string(), fc.nat(20).map(String)), tie('tree'), { maxKeys: 5 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const held = [value, new LosslessNumber('-0.10')];
      expect(stringifyJson(held)).toBe(stringify(held));
      // The library breaks the line even where all members are absent.
      expect(stringifyJson(held, 2)).toBe(stringify(held, undefined, 2)?.replaceAll(/\{\n\n *\}/g, '{}'));
      expect(stringifyJson({ a: held })).not.toContain('told to nobody');
    }),
  );
});

it('inserts unchanged what is already written', () => {
  const written = (value: unknown) => new WrittenJson(stringifyJson(value));
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (first, second) => {
      expect(stringifyJson(written(first))).toBe(stringifyJson(first));
      const parts = { first: written(first), list: [written(second), second] };
      expect(stringifyJson(parts)).toBe(stringifyJson({ first, list: [second, second] }));
    }),
  );
});

it('canonical JSON does not depend on the order of members', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).toReversed());
      expect(canonicalJson(reversed)).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('canonical JSON is that of a copy with sorted members, on which all seals rest', () => {
  const name = fc.oneof(
    fc.string(),
    fc.nat(20).map(String),
    fc.constantFrom('4294967294', '4294967295', '4294967296', '01', '-1'),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 0 }),
      fc.constantFrom(undefined, new LosslessNumber('1.50'), -0, 1e21),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(name, tie('tree'), { maxKeys: 5 }),
    ),
  }));
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return value;
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    members.sort(([left], [right]) => (left < right ? -1 : 1));
    return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
  };
  fc.assert(
    fc.property(tree, (value) => {
      expect(canonicalJson(value)).toBe(stringifyJson(sorted(value)));
    }),
    { numRuns: 500 },
  );
});

it('takes time in proportion to a text of many quotes, closed or not', () => {
  const hostile = (count: number) => `["${'\\"'.repeat(count)}, 1.5`;
  const started = performance.now();
  expect(() => parseJson(hostile(400_000))).toThrow();
  expect(performance.now() - started).toBeLessThan(2000);
});

it('reads a long text before a delicate number', () => {
  const value = parseJson(`{"b":"${'x'.repeat(draws({ sample: 1_000_000, change: 10_000_000 }))}","a":1.50}`) as {
    a: unknown;
  };
  expect(value.a).toEqual(new LosslessNumber('1.50'));
});
