import { describe, expect, it } from 'vitest';
import type { Role } from '../../../src/events/catalog.ts';
import { finishedAt, type KdfFlags, kdfFlags, myInfo } from '../../../src/events/kdf-flags.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import { describeShared, readShared } from '../../support/shared.ts';

type Sequence = { role: 'Taker' | 'Maker'; name: string; events: string[]; success: boolean; recoverable: boolean };

describeShared('event sequences that the real node asserts', () => {
  const { sequences } = JSON.parse(readShared('swaps/expected-sequences.json')) as { sequences: Sequence[] };
  for (const { role, name, events, success, recoverable } of sequences) {
    it(`${role}: ${name}`, () => {
      const flags: KdfFlags = { finished: true, success, recoverable };
      expect(kdfFlags(role.toLowerCase() as Role, events)).toEqual(flags);
    });
  }
});

describe('flags of the real node', () => {
  it('success is unknown while unfinished', () => {
    expect(kdfFlags('taker', ['Started'])).toEqual({ finished: false, success: null, recoverable: false });
    expect(kdfFlags('taker', [])).toEqual({ finished: false, success: null, recoverable: false });
  });

  it('one failure anywhere denies success, even if the coins arrived', () => {
    expect(
      kdfFlags('taker', ['Started', 'TakerPaymentWaitConfirmFailed', 'MakerPaymentSpendConfirmed', 'Finished']).success,
    ).toBe(false);
  });

  it('a failed sending leaves the swap recoverable, because the payment may be on the chain', () => {
    expect(kdfFlags('taker', ['Started', 'TakerPaymentTransactionFailed', 'Finished']).recoverable).toBe(true);
  });

  it('a settled event wins over a claim that was not confirmed', () => {
    const unconfirmed = ['Started', 'MakerPaymentSpent', 'MakerPaymentSpendConfirmFailed', 'Finished'];
    expect(kdfFlags('taker', unconfirmed).recoverable).toBe(true);
    expect(kdfFlags('taker', ['TakerPaymentRefunded', ...unconfirmed]).recoverable).toBe(false);
  });

  it('an old successful maker log counts as recoverable', () => {
    expect(kdfFlags('maker', ['Started', 'TakerPaymentSpent', 'Finished'])).toEqual({
      finished: true,
      success: true,
      recoverable: true,
    });
  });
});

it('the time of the end is the second of the last event, and known only at the end', () => {
  expect(finishedAt([{ type: 'Finished', at: 1_582_092_657_999 as Millis }])).toBe(1_582_092_657);
  expect(() => finishedAt([])).toThrow("Can't get finished_at, events are empty");
  expect(() => finishedAt([{ type: 'Started', at: 1 as Millis }])).toThrow('Last swap event must be Finished');
});

it('my_info takes the own side by the role, and is null if the log does not start', () => {
  const data = { taker_coin: 'T', maker_coin: 'M', taker_amount: '1', maker_amount: '2', started_at: 3 };
  expect(myInfo('taker', [{ type: 'Started', data }])).toEqual({
    my_coin: 'T',
    other_coin: 'M',
    my_amount: '1',
    other_amount: '2',
    started_at: 3,
  });
  expect(myInfo('maker', [{ type: 'Started', data }])).toEqual({
    my_coin: 'M',
    other_coin: 'T',
    my_amount: '2',
    other_amount: '1',
    started_at: 3,
  });
  expect(myInfo('maker', [{ type: 'StartFailed', data: {} }])).toBeNull();
  expect(myInfo('maker', [])).toBeNull();
});
