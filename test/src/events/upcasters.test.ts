import { describe, expect, it } from 'vitest';
import { catalog } from '../../../src/events/catalog.ts';
import { upcast, upcasters } from '../../../src/events/upcasters.ts';

describe('the list of upcasters', () => {
  it('numbers the steps of each event from 1 without gaps, for events of the vocabulary', () => {
    const groups = new Map<string, number[]>();
    for (const { id, role, type } of upcasters) {
      expect(id).toMatch(new RegExp(`^${role}\\.${type}/\\d+$`));
      expect(catalog[role].has(type)).toBe(true);
      groups.set(`${role}.${type}`, [...(groups.get(`${role}.${type}`) ?? []), Number(id.split('/')[1])]);
    }
    for (const numbers of groups.values()) expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  it('a step leaves its input unchanged and no longer applies to its output', () => {
    const inputs: Readonly<Record<string, unknown>> = {
      'taker.Started/1': { maker_pubkey: 'aa', taker_coin: 'T' },
      'maker.Started/1': { taker_pubkey: 'aa', taker_coin: 'T' },
      'taker.Started/2': { maker: 'aa', maker_amount: '1', taker_amount: '2' },
      'maker.Started/2': { taker: 'aa', maker_amount: '1', taker_amount: '2' },
      'taker.Started/3': { maker: 'aa' },
      'taker.Negotiated/1': { maker_pubkey: 'aa' },
      'taker.TakerPaymentWaitRefundStarted/1': { coin: '' },
      'maker.MakerPaymentWaitRefundStarted/1': {},
      'taker.WatcherMessageSent/1': [1, 2, 3],
      'taker.Started/4': { uuid: 'ab'.repeat(32) },
      'maker.Started/3': { uuid: 'ab'.repeat(32) },
      'taker.Started/5': { maker_amount: 150000000, taker_amount: 1, started_at: 1_556_000_000 },
      'maker.Started/4': { maker_amount: 150000000, taker_amount: 1, started_at: 1_556_000_000 },
      'taker.Negotiated/2': [1_556_000_000, 'aa', 'bb'],
      'maker.TakerPaymentSpent/1': { transaction: { tx_hex: '', tx_hash: '' }, secret: 's' },
    };
    for (const step of upcasters) {
      const given = step.summary === 'the error was plain text' ? 'timeout' : inputs[step.id];
      const before = structuredClone(given);
      expect(step.applies(given), step.id).toBe(true);
      const raised = step.upcast(given);
      expect(given).toEqual(before);
      expect(step.applies(raised), step.id).toBe(false);
    }
  });

  it('a payload in the current shape passes untouched', () => {
    const data = {
      maker: 'aa',
      my_persistent_pub: 'bb',
      maker_payment_wait: 3,
      maker_coin_start_block: 1,
      taker_coin_start_block: 2,
    };
    expect(upcast('taker', 'Started', data)).toEqual({ data, steps: [] });
  });

  it('a renamed member keeps its place', () => {
    const { data } = upcast('taker', 'Started', {
      taker_coin: 'T',
      maker_pubkey: 'aa',
      my_persistent_pub: 'bb',
      maker_payment_wait: 1,
    });
    expect(Object.keys(data as object)).toEqual(['taker_coin', 'maker', 'my_persistent_pub', 'maker_payment_wait']);
  });
});

it('whole amounts in a log without start blocks, which were satoshi, are not read as coins', () => {
  expect(
    upcast('taker', 'Started', { maker: 'aa', maker_amount: 240000000, taker_amount: 1 }).steps.map(({ id }) => id),
  ).not.toContain('taker.Started/2');
});
