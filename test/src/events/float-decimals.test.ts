import { expect, it } from 'vitest';
import { floatDecimals, floatText } from '../../../src/events/float-decimals.ts';
import { parseJson } from '../../../src/primitives/json.ts';

it('a double is written with sixteen significant digits in plain notation, as the real node does', () => {
  expect(floatText(0.1)).toBe('0.1000000000000000');
  expect(floatText(18.5)).toBe('18.50000000000000');
  expect(floatText(-0.00001)).toBe('-0.00001000000000000000');
  expect(floatText(1e20)).toBe('100000000000000000000');
});

it('only amounts that were JSON numbers with a fraction are found, each with its path', () => {
  const value = parseJson(
    '{"maker_amount":0.1,"taker_amount":"0.1","started_at":1.5,"fee":{"amount":2,"x":[{"amount":1.0}]}}',
  );
  expect(floatDecimals(value)).toEqual([
    { path: ['maker_amount'], value: 0.1 },
    { path: ['fee', 'x', 0, 'amount'], value: 1 },
  ]);
});
