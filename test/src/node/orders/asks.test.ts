import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offerAsk, setPriceAsk, takerAsk } from '../../../../src/node/orders/asks.ts';
import { readAs } from '../../../../src/node/serde.ts';
import { fractionOf } from '../../../../src/primitives/fraction.ts';
import { parseJson } from '../../../../src/primitives/json.ts';

const SELL = { base: 'DOC', rel: 'MARTY', price: '1.5', volume: 2 };

describe('what callers ask of orders', () => {
  it.each([
    ['1.50', 3n, 2n],
    [0.1, 1n, 10n],
    ['1e-3', 1n, 1000n],
    [{ numer: '2', denom: '6' }, 1n, 3n],
    [
      [
        [1, [0, 1]],
        [1, [3]],
      ],
      4294967296n,
      3n,
    ],
    [
      [
        [0, []],
        [1, [1]],
      ],
      0n,
      1n,
    ],
  ])('reads the number %j', (price, numer, denom) => {
    const read = readAs(setPriceAsk, parseJson(JSON.stringify({ ...SELL, price })));
    expect(read).toMatchObject({ ok: true, value: { price: { numer, denom } } });
  });

  it.each([
    [{ numer: '2', denom: '0' }],
    ['x'],
    [null],
    [
      [
        [1, [2 ** 32]],
        [1, [1]],
      ],
    ],
    ['1e4096'],
    ['1'.repeat(101)],
  ])('refuses the number %j', (price) => {
    expect(readAs(setPriceAsk, { ...SELL, price })).toMatchObject({
      ok: false,
      problem: expect.stringContaining('Could not deserialize any variant of MmNumber from'),
    });
  });

  it('says which number is missing', () => {
    expect(readAs(setPriceAsk, { base: 'DOC', rel: 'MARTY' })).toMatchObject({
      ok: false,
      problem: 'missing field `price`',
    });
    expect(readAs(takerAsk, { base: 'DOC', rel: 'MARTY', price: 1 })).toMatchObject({
      ok: false,
      problem: 'missing field `volume`',
    });
    expect(readAs(offerAsk, { base: 'DOC', rel: 'MARTY', base_amount: 1 })).toMatchObject({
      ok: false,
      problem: 'missing field `rel_amount`',
    });
  });

  it('has the defaults of the real node', () => {
    expect(readAs(setPriceAsk, { base: 'DOC', rel: 'MARTY', price: 3 })).toEqual({
      ok: true,
      value: {
        base: 'DOC',
        rel: 'MARTY',
        price: fractionOf(3n),
        max: false,
        volume: fractionOf(0n),
        min_volume: null,
        cancel_previous: true,
        base_confs: null,
        base_nota: null,
        rel_confs: null,
        rel_nota: null,
        save_in_history: true,
      },
    });
    expect(readAs(takerAsk, SELL)).toMatchObject({
      ok: true,
      value: { match_by: { type: 'Any' }, order_type: 'GoodTillCancelled', timeout: null },
    });
  });

  it('reads whose orders a taker accepts', () => {
    const uuid = '11111111-1111-4111-8111-111111111111';
    const read = (match_by: unknown) => readAs(takerAsk, { ...SELL, match_by });
    expect(read({ type: 'Orders', data: [uuid.toUpperCase(), uuid] })).toMatchObject({
      value: { match_by: { type: 'Orders', data: [uuid] } },
    });
    expect(read({ type: 'Pubkeys', data: ['AB'.repeat(32)] })).toMatchObject({
      value: { match_by: { type: 'Pubkeys', data: ['ab'.repeat(32)] } },
    });
    expect(read({ type: 'Nobody' })).toMatchObject({ problem: expect.stringContaining('unknown variant `Nobody`') });
    expect(read({ type: 'Orders', data: ['x'] })).toMatchObject({ problem: expect.stringContaining('UUID') });
    expect(read(null)).toMatchObject({ ok: false });
  });

  it('answers anything with a value or a problem', () => {
    fc.assert(
      fc.property(fc.record({ base: fc.anything(), price: fc.anything(), match_by: fc.anything() }), (request) => {
        const read = readAs(takerAsk, request);
        expect(read.ok || read.problem.length > 0).toBe(true);
      }),
    );
  });
});
