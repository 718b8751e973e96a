import { describe, expect, it } from 'vitest';
import { encodeBatch, MAX_RECORD_CHARACTERS } from '../../../../src/log/sqlite/encode.ts';
import { record } from '../../../../src/testing/contracts/log/expect.ts';

const encode = (data: unknown) =>
  encodeBatch({ stream: 'taker-swap/a', expected: 0, records: [record('Started', data)] }).records[0]?.data;

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

describe('payloads', () => {
  it('are canonical JSON', () => {
    expect(encode({ b: [1, undefined, 'ü'], a: { z: null, y: undefined } })).toBe('{"a":{"z":null},"b":[1,null,"ü"]}');
  });

  it('become text at once, whatever the caller does to the value afterwards', () => {
    const data = { amount: '1' };
    const { records } = encodeBatch({ stream: 'taker-swap/a', expected: 0, records: [record('Started', data)] });
    data.amount = '2';
    expect(records[0]?.data).toBe('{"amount":"1"}');
  });

  it.each([
    ['a bigint', 1n],
    ['a cycle', Object.assign([], { 0: undefined })],
    ['65 levels', nested(65)],
    ['a million levels', JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
    ['a member that stands for the prototype', JSON.parse('{"__proto__": 1}')],
    ['more characters than a record may have', 'x'.repeat(MAX_RECORD_CHARACTERS)],
  ])('are refused when they could not be read back: %s', (name, data) => {
    if (name === 'a cycle') (data as unknown[])[0] = data;
    expect(() => encode(data)).toThrow('LOG_RECORD_INVALID');
  });

  it('may mention the prototype, and nest as deep as can be read', () => {
    expect(encode('"__proto__"')).toBe(String.raw`"\"__proto__\""`);
    expect(encode(nested(64))).toBe(JSON.stringify(nested(64)));
    expect(encode({ '{[': Array(100).fill({}) })).toBe(`{"{[":${JSON.stringify(Array(100).fill({}))}}`);
  });
});
