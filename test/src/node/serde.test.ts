import { describe, expect, it } from 'vitest';
import {
  flag,
  listOf,
  option,
  readAs,
  strictStruct,
  struct,
  text,
  u8,
  u32,
  u64,
  variant,
} from '../../../src/node/serde.ts';
import { parseJson } from '../../../src/primitives/json.ts';

const problemOf = (schema: Parameters<typeof readAs>[0], json: string) => {
  const read = readAs(schema, parseJson(json));
  return read.ok ? null : read.problem;
};

describe('what serde says of a value', () => {
  it.each([
    [u64, '1.5', 'invalid type: floating point `1.5`, expected u64'],
    [u64, '-1', 'invalid value: integer `-1`, expected u64'],
    [u64, '"7"', 'invalid type: string "7", expected u64'],
    [u64, 'null', 'invalid type: null, expected u64'],
    [u64, 'true', 'invalid type: boolean `true`, expected u64'],
    [u64, '[]', 'invalid type: sequence, expected u64'],
    [u64, '{}', 'invalid type: map, expected u64'],
    [u8, '256', 'invalid value: integer `256`, expected u8'],
    [u32, '4294967296', 'invalid value: integer `4294967296`, expected u32'],
    [text, '5', 'invalid type: integer `5`, expected a string'],
    [flag, '"yes"', 'invalid type: string "yes", expected a boolean'],
    [listOf(text), '{}', 'invalid type: map, expected a sequence'],
    [variant('a'), '"b"', 'unknown variant `b`, expected `a`'],
    [variant('a', 'b'), '"c"', 'unknown variant `c`, expected `a` or `b`'],
    [variant('a', 'b', 'c'), '"d"', 'unknown variant `d`, expected one of `a`, `b`, `c`'],
    [struct('Foo', { a: text }), 'null', 'invalid type: null, expected struct Foo'],
    [struct('Foo', { a: text, b: u64 }), '{"a":"x"}', 'missing field `b`'],
    [strictStruct('Foo', { a: text, b: option(u64) }), '{"a":"x","c":1}', 'unknown field `c`, expected `a` or `b`'],
  ])('%# %s', (schema, json, problem) => expect(problemOf(schema, json)).toBe(problem));

  it('a member that may be absent may be null too, and is null then', () => {
    const schema = struct('Foo', { a: option(u64) });
    expect(readAs(schema, {})).toEqual({ ok: true, value: { a: null } });
    expect(readAs(schema, { a: null })).toEqual({ ok: true, value: { a: null } });
    expect(problemOf(schema, '{"a":"1"}')).toBe('invalid type: string "1", expected u64');
  });

  it('a number that a double cannot hold is not accepted as one', () => {
    expect(problemOf(u64, '18446744073709551616')).toBe('invalid type: integer `18446744073709551616`, expected u64');
  });

  it('the largest of each size is read', () => {
    expect(
      [readAs(u8, 255), readAs(u32, 4_294_967_295), readAs(u64, Number.MAX_SAFE_INTEGER)].every(({ ok }) => ok),
    ).toBe(true);
  });
});
