import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBigNumber } from '../../../../src/primitives/decimal.ts';
import type { Millis, UnixSeconds } from '../../../../src/primitives/time.ts';
import { type Leg, NEVER } from '../../../../src/runtime/command.ts';
import type { HeldSince } from '../../../../src/runtime/held.ts';
import {
  append,
  ask,
  lastFault,
  latestClock,
  lookFresh,
  lookPayment,
  lookQuote,
  lookTransaction,
  resend,
  sentLately,
  wakeAt,
  wakeIn,
} from '../../../../src/runtime/swap/turn.ts';
import { after, NOW, paymentOf, quoteOf, turnOf } from '../../../support/turns.ts';

const LEGS = ['maker', 'taker'] as const;
const HASH = 'ab'.repeat(32);

const failedUntil = (next: Millis) => ({ count: 2, next, kind: 'unavailable', message: 'no answer' });

const moments = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 1, maxLength: 8 });

describe('the moment at which a turn wakes', () => {
  it('is the earliest of all named moments, in whatever order', () => {
    fc.assert(
      fc.property(moments, (offsets) => {
        const turn = turnOf();
        for (const offset of offsets) expect(wakeAt(turn, NOW + offset)).toBeNull();
        expect(turn.wakeAt).toBe(NOW + Math.min(...offsets));
      }),
    );
  });

  it('may be named in seconds from now', () => {
    const turn = turnOf();
    expect(wakeIn(turn, 2.5)).toBeNull();
    expect(turn.wakeAt).toBe(NOW + 2500);
    wakeIn(turn, 3);
    expect(turn.wakeAt).toBe(NOW + 2500);
  });

  it('is a whole millisecond at which the named moment has come, whatever fraction was named', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (offset) => {
        const turn = turnOf();
        wakeAt(turn, NOW + offset);
        expect(Number.isInteger(turn.wakeAt)).toBe(true);
        expect(turn.wakeAt - (NOW + offset)).toBeGreaterThanOrEqual(0);
        expect(turn.wakeAt - (NOW + offset)).toBeLessThan(1);
      }),
    );
    const turn = turnOf();
    wakeIn(turn, 1 / 3);
    expect(turn.wakeAt).toBe(NOW + 334);
  });
});

it('an append holds its events in order', () => {
  const events = [
    { type: 'One', data: 1 },
    { type: 'Two', data: null },
  ];
  expect(append(...events)).toStrictEqual({ kind: 'append', events });
});

describe('a question to a chain', () => {
  const quote = { op: 'quote' } as const;
  const keyed = { op: 'transaction', hash: HASH, key: `transaction:${HASH}` } as const;

  it('is identified by its leg and its own key, or by what it asks for', () => {
    expect(ask(turnOf(), 'maker', quote)).toStrictEqual({
      kind: 'ask',
      leg: 'maker',
      key: 'maker:quote',
      question: quote,
    });
    expect(ask(turnOf(), 'taker', keyed)).toStrictEqual({
      kind: 'ask',
      leg: 'taker',
      key: `taker:transaction:${HASH}`,
      question: keyed,
    });
  });

  it('that failed waits until its next try is due, and not a millisecond longer', () => {
    const early = turnOf({ facts: { tries: new Map([['maker:quote', failedUntil((NOW + 1) as Millis)]]) } });
    expect(ask(early, 'maker', quote)).toBeNull();
    expect(early.wakeAt).toBe(NOW + 1);
    const due = turnOf({ facts: { tries: new Map([['maker:quote', failedUntil(NOW)]]) } });
    expect(ask(due, 'maker', quote)).toMatchObject({ kind: 'ask', key: 'maker:quote' });
    expect(due.wakeAt).toBe(NEVER);
  });

  it('does not wait for another one that failed', () => {
    const tries = new Map([
      ['maker:quote', failedUntil(after(60))],
      ['taker:transaction:other', failedUntil(after(60))],
    ]);
    const turn = turnOf({ facts: { tries } });
    expect(ask(turn, 'taker', quote)).toMatchObject({ key: 'taker:quote' });
    expect(ask(turn, 'taker', keyed)).toMatchObject({ key: `taker:transaction:${HASH}` });
    expect(turn.wakeAt).toBe(NEVER);
  });

  it('reports its last fault, whether or not it may be asked again', () => {
    const fault = failedUntil(after(-60));
    const turn = turnOf({ facts: { tries: new Map([['maker:quote', fault]]) } });
    expect(lastFault(turn, 'maker', 'quote')).toBe(fault);
    expect(lastFault(turn, 'taker', 'quote')).toBeNull();
    expect(lastFault(turn, 'maker', 'payment')).toBeNull();
  });
});

const MAX_AGE = 10;

/** Ages around the oldest that counts, in milliseconds. */
const ages = fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.constantFrom(9999, 10_000, 10_001));

const seenBefore = <T>(value: T, age: number) => ({ value, at: (NOW - age) as Millis });

const lookedAt = (leg: Leg, age: number) => turnOf({ facts: { payments: { [leg]: seenBefore(paymentOf(), age) } } });

const asksPayment = (leg: Leg, query: object) => ({
  kind: 'ask',
  leg,
  key: `${leg}:payment`,
  question: { op: 'payment', query },
});

describe('a look at a payment', () => {
  it('counts up to and including its greatest age', () => {
    fc.assert(
      fc.property(ages, fc.constantFrom(...LEGS), (age, leg) => {
        for (const look of [lookPayment, lookFresh]) {
          const turn = lookedAt(leg, age);
          const query = leg === 'taker' ? { terms: turn.swap.ownTerms, own: true } : { terms: turn.swap.otherTerms };
          const expected =
            age <= MAX_AGE * 1000 ? { value: turn.facts.payments[leg]?.value } : { pending: asksPayment(leg, query) };
          expect(look(turn, leg, MAX_AGE)).toStrictEqual(expected);
        }
      }),
      { examples: [9999, 10_000, 10_001].flatMap((age) => LEGS.map((leg): [number, Leg] => [age, leg])) },
    );
  });

  it('is repeated automatically in the first millisecond in which it is too old', () => {
    for (const age of [0, 4000, 10_000]) {
      const turn = lookedAt('maker', age);
      lookPayment(turn, 'maker', MAX_AGE);
      expect(turn.wakeAt).toBe(NOW - age + 10_001);
    }
  });

  it('that only an act needs is not made again by itself', () => {
    const turn = lookedAt('maker', 4000);
    lookFresh(turn, 'maker', MAX_AGE);
    expect(turn.wakeAt).toBe(NEVER);
  });

  it('that is too old, or was never made, names no moment', () => {
    for (const turn of [lookedAt('maker', 10_001), turnOf()]) {
      lookPayment(turn, 'maker', MAX_AGE);
      expect(turn.wakeAt).toBe(NEVER);
    }
  });
});

describe('the question that a look at a payment puts', () => {
  it('at the other payment says which transaction the other side named, at the own one none', () => {
    const otherPayment = { tx_hex: '0200', tx_hash: HASH };
    for (const role of LEGS) {
      const turn = turnOf({ swap: { role, otherPayment } });
      const { own, other, ownTerms, otherTerms } = turn.swap;
      expect(lookFresh(turn, other, MAX_AGE)).toStrictEqual({
        pending: asksPayment(other, { terms: otherTerms, claimed: '0200' }),
      });
      expect(lookFresh(turn, own, MAX_AGE)).toStrictEqual({
        pending: asksPayment(own, { terms: ownTerms, own: true }),
      });
    }
  });

  it('is impossible while its terms are not known', () => {
    const turn = turnOf({ swap: { ownTerms: null, otherTerms: null } });
    for (const leg of LEGS) {
      expect(lookPayment(turn, leg, MAX_AGE)).toStrictEqual({ pending: null });
      expect(lookFresh(turn, leg, MAX_AGE)).toStrictEqual({ pending: null });
    }
    expect(turn.wakeAt).toBe(NEVER);
  });

  it('that failed waits for its next try', () => {
    const turn = turnOf({ facts: { tries: new Map([['maker:payment', failedUntil(after(7))]]) } });
    expect(lookPayment(turn, 'maker', MAX_AGE)).toStrictEqual({ pending: null });
    expect(turn.wakeAt).toBe(after(7));
  });
});

describe('a quote', () => {
  const quoted = (age: number) =>
    turnOf({ facts: { quotes: { taker: { ...seenBefore(quoteOf(), age), since: null } } } });
  const pending = { kind: 'ask', leg: 'taker', key: 'taker:quote', question: { op: 'quote' } };

  it('counts at any age unless a greatest age is named', () => {
    const old = quoted(1_000_000_000);
    expect(lookQuote(old, 'taker')).toStrictEqual({ value: old.facts.quotes.taker });
    const limit = quoted(10_000);
    expect(lookQuote(limit, 'taker', MAX_AGE)).toStrictEqual({ value: limit.facts.quotes.taker });
    expect(lookQuote(quoted(10_001), 'taker', MAX_AGE)).toStrictEqual({ pending });
    expect(limit.wakeAt).toBe(NEVER);
  });

  it('of one leg is not that of the other', () => {
    expect(lookQuote(quoted(0), 'maker')).toStrictEqual({ pending: { ...pending, leg: 'maker', key: 'maker:quote' } });
  });

  it('is asked for with what the wallet holds for others at that moment, if it holds anything for others', () => {
    const since: HeldSince = new Map([['MARTY', toBigNumber('2' as never)]]);
    const held = () => toBigNumber('0' as never);
    const shared = turnOf({ others: { since: () => since, held } });
    expect(lookQuote(shared, 'taker')).toStrictEqual({ pending: { ...pending, question: { op: 'quote', since } } });
    const alone = turnOf({ others: { since: () => null, held } });
    expect(lookQuote(alone, 'taker')).toStrictEqual({ pending });
  });
});

describe('a look at a transaction', () => {
  const view = { status: 'mempool', confirmations: 0 } as const;
  const looked = (age: number) => turnOf({ facts: { transactions: new Map([[HASH, seenBefore(view, age)]]) } });
  const pending = {
    kind: 'ask',
    leg: 'taker',
    key: `taker:transaction:${HASH}`,
    question: { op: 'transaction', hash: HASH, key: `transaction:${HASH}` },
  };

  it('counts up to and including its greatest age, and wakes the turn right after', () => {
    fc.assert(
      fc.property(ages, (age) => {
        const turn = looked(age);
        const look = lookTransaction(turn, 'taker', { hash: HASH, maxAge: MAX_AGE });
        const counts = age <= 10_000;
        expect(look).toStrictEqual(counts ? { value: view } : { pending });
        expect(turn.wakeAt).toBe(counts ? NOW - age + 10_001 : NEVER);
      }),
      { examples: [[9999], [10_000], [10_001]] },
    );
  });

  it('is not that at another one', () => {
    const hash = 'cd'.repeat(32);
    const key = `transaction:${hash}`;
    expect(lookTransaction(looked(0), 'taker', { hash, maxAge: MAX_AGE })).toStrictEqual({
      pending: { ...pending, key: `taker:${key}`, question: { op: 'transaction', hash, key } },
    });
  });
});

/** Chain clocks in seconds around the host's; undefined where the chain was not asked. */
const offset = fc.option(fc.integer({ min: -100_000, max: 100_000 }), { nil: undefined });

const clockAt = (seconds: number) => (NOW / 1000 + seconds) as UnixSeconds;

describe('the latest clock', () => {
  it('is the host’s or a chain’s, by the last look at a payment or, without one, by a quote', () => {
    const both = fc.record({ maker: offset, taker: offset });
    fc.assert(
      fc.property(both, both, (payments, quotes) => {
        const turn = turnOf();
        for (const leg of LEGS) {
          const [payment, quote] = [payments[leg], quotes[leg]];
          if (payment !== undefined) turn.facts.payments[leg] = seenBefore(paymentOf({ clock: clockAt(payment) }), 0);
          if (quote === undefined) continue;
          turn.facts.quotes[leg] = { ...seenBefore(quoteOf({ clock: clockAt(quote) }), 0), since: null };
        }
        const known = LEGS.map((leg) => payments[leg] ?? quotes[leg] ?? 0);
        expect(latestClock(turn)).toBe(after(Math.max(0, ...known)));
      }),
      {
        examples: [
          [
            { maker: undefined, taker: 5 },
            { maker: undefined, taker: 90 },
          ],
        ],
      },
    );
  });

  it('is the host’s while no chain was asked', () => {
    expect(latestClock(turnOf())).toBe(NOW);
  });
});

describe('a message', () => {
  const message = { kind: 'negotiated', accepted: true } as const;
  const to = { topic: 'swap/1', message, every: 30 };
  const sentBefore = (age: number, kind: string = message.kind) =>
    turnOf({ facts: { sentAt: new Map([[kind, (NOW - age) as Millis]]) } });

  it('is sent once in so many seconds', () => {
    expect(resend(turnOf(), to)).toStrictEqual({ kind: 'send', topic: 'swap/1', message });
    const early = sentBefore(29_999);
    expect(resend(early, to)).toBeNull();
    expect(early.wakeAt).toBe(NOW + 1);
    const due = sentBefore(30_000);
    expect(resend(due, to)).toStrictEqual({ kind: 'send', topic: 'swap/1', message });
    expect(due.wakeAt).toBe(NEVER);
  });

  it('was sent lately until the same moment, at which the turn wakes', () => {
    const early = sentBefore(29_999);
    expect([sentLately(early, 'negotiated', 30), early.wakeAt]).toEqual([true, NOW + 1]);
    for (const turn of [sentBefore(30_000), sentBefore(0, 'takerFee'), turnOf()]) {
      expect([sentLately(turn, 'negotiated', 30), turn.wakeAt]).toEqual([false, NEVER]);
    }
  });

  it('does not wait for one of another kind', () => {
    expect(resend(sentBefore(0, 'takerFee'), to)).toMatchObject({ kind: 'send' });
  });

  it('names the key that signs it, if it is not the node’s own', () => {
    const signer = `02${'a1'.repeat(32)}`;
    expect(resend(turnOf(), { ...to, signer })).toStrictEqual({ kind: 'send', topic: 'swap/1', signer, message });
  });
});
