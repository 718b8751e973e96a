import { describe, expect, it } from 'vitest';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';
import { firstEvent, legsOf, timingText, whenText } from '../../../../src/replay/explain/facts.ts';
import { explainFacts, LOCK } from '../../../support/explain-facts.ts';

const at = (seconds: number) => unixSecondsOf(LOCK + seconds);

describe('the two payments', () => {
  it('name their owner and who gets them, the own one first', () => {
    const parties = (role: 'taker' | 'maker') =>
      legsOf(explainFacts({ role })).map(({ owner, claimant, text }) => [owner, claimant, text]);
    const [maker, taker] = [
      ['maker', 'taker', '2.4 DOC'],
      ['taker', 'maker', '3 MARTY'],
    ];
    expect(parties('taker')).toEqual([taker, maker]);
    expect(parties('maker')).toEqual([maker, taker]);
  });

  it('take what no event says from the head of the saved swap', () => {
    const none = { coin: null, amount: null };
    const texts = (head: Readonly<Record<string, unknown>>) =>
      legsOf(explainFacts({ makerPayment: none, takerPayment: none, head })).map(({ text }) => text);
    const coins = { maker_coin: 'KMD', taker_coin: 'LTC' };
    expect(texts({ ...coins, maker_amount: '7', taker_amount: '8' })).toEqual(['8 LTC', '7 KMD']);
    const unsaid = { maker_amount: null, taker_amount: null };
    expect(texts({ ...coins, ...unsaid })).toEqual(['an unknown amount of LTC', 'an unknown amount of KMD']);
    const unnamed = { maker_coin: null, taker_coin: null, maker_amount: '7', taker_amount: '8' };
    expect(texts(unnamed)).toEqual(['an unknown amount', 'an unknown amount']);
    const [own, other] = legsOf(explainFacts({ head: { ...coins, maker_amount: '7', taker_amount: '8' } }));
    expect([own.coin, own.amount, other.coin, other.amount]).toEqual(['MARTY', '3', 'DOC', '2.4']);
  });
});

describe('a moment', () => {
  it('is shown alone without a clock, else with how far away it is', () => {
    expect(whenText(LOCK, undefined)).toBe('2023-11-14 22:13:20 UTC');
    expect(whenText(LOCK, at(-7200))).toBe('2023-11-14 22:13:20 UTC (in 2 h)');
    expect(whenText(LOCK, at(12_000))).toBe('2023-11-14 22:13:20 UTC (3 h 20 min ago)');
    expect(whenText(LOCK, LOCK)).toBe('2023-11-14 22:13:20 UTC (0 s ago)');
  });
});

describe('the time of a step', () => {
  it('is not shown without a clock or without bounds', () => {
    expect(timingText({ notBefore: LOCK, until: LOCK }, undefined)).toBe('');
    expect(timingText({ notBefore: null, until: null }, LOCK)).toBe('');
  });

  it('says since when or from when on it is possible', () => {
    const from = (now: number) => timingText({ notBefore: LOCK, until: null }, at(now));
    expect(from(120)).toBe(' It has been possible for 2 min.');
    expect(from(-120)).toBe(' It becomes possible in 2 min.');
    expect(from(0)).toBe(' It becomes possible in 0 s.');
  });

  it('says how much is left or how long it is overdue', () => {
    const until = (now: number) => timingText({ notBefore: null, until: LOCK }, at(now));
    expect(until(-60)).toBe(' There are 1 min left.');
    expect(until(0)).toBe(' There are 0 s left.');
    expect(until(60)).toBe(' It is overdue by 1 min.');
  });

  it('says both where both are known', () => {
    expect(timingText({ notBefore: LOCK, until: at(600) }, at(60))).toBe(
      ' It has been possible for 1 min. There are 9 min left.',
    );
  });
});

describe('the first event of some types', () => {
  it('is the earliest in the log, whichever type comes first in the question', () => {
    const { log } = explainFacts({ events: ['Started', ['TakerFeeSent', 1], ['TakerFeeSent', 2], 'Finished'] });
    expect(firstEvent(log, 'Finished', 'TakerFeeSent')?.data).toBe(1);
    expect(firstEvent(log, 'Negotiated')).toBeUndefined();
  });
});
