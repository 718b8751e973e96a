import { describe, expect, it } from 'vitest';
import type { SwapRequest } from '../../../src/events/journal.ts';
import type { FaultKind, FeeCheck, PaymentView } from '../../../src/ports/chain.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import type { Millis, UnixSeconds } from '../../../src/primitives/time.ts';
import type { AskResult, Leg, Question } from '../../../src/runtime/command.ts';
import type { Ask } from '../../../src/runtime/loop/drivable.ts';
import { absorb } from '../../../src/runtime/swap/runner.ts';
import { requestOf } from '../../support/swap-pair.ts';
import { after, NOW, paymentOf, preparedOf, quoteOf, turnOf } from '../../support/turns.ts';

type Observer = Parameters<typeof absorb>[0];

const { tx } = preparedOf();

/** What a runner knows, with a log whose last record is a minute old. */
function observerOf(given: Parameters<typeof turnOf>[0] = {}): Observer {
  const { facts, policy, journal, swap } = turnOf(given);
  return { facts, policy, journal, lastAt: swap.lastEventAt };
}

const askOf = (leg: Leg, question: Question, key = `${leg}:${question.op}`): Ask => ({
  kind: 'ask',
  leg,
  key,
  question,
});
const good = (value: unknown): AskResult => ({ ok: true, value: value as never });
const fault = (kind: FaultKind, message = 'no node answers', more: object = {}): AskResult => ({
  ok: false,
  fault: { kind, message, ...more },
});
const PAYMENT: Question = { op: 'payment', query: { terms: null as never } };
const BROADCAST: Question = { op: 'broadcast', transaction: tx };

describe('a question without a useful answer', () => {
  it('is counted, with its fault, and has a pause that doubles from 5 s', () => {
    const observer = observerOf();
    const question = askOf('maker', PAYMENT);
    absorb(observer, question, { result: fault('unavailable'), now: NOW });
    expect(observer.facts.tries.get('maker:payment')).toStrictEqual({
      count: 1,
      next: after(5),
      kind: 'unavailable',
      message: 'no node answers',
    });
    absorb(observer, question, { result: fault('disagreement', 'two heights'), now: after(5) });
    expect(observer.facts.tries.get('maker:payment')).toStrictEqual({
      count: 2,
      next: after(15),
      kind: 'disagreement',
      message: 'two heights',
    });
  });

  it('keeps which part of a quote it was', () => {
    const observer = observerOf();
    const result = fault('unavailable', 'no fees', { part: 'paymentFee' });
    absorb(observer, askOf('taker', { op: 'quote' }), { result, now: NOW });
    expect(observer.facts.tries.get('taker:quote')).toMatchObject({ part: 'paymentFee' });
  });

  it('leaves earlier observations as they were', () => {
    const questions: readonly Question[] = [
      { op: 'quote' },
      PAYMENT,
      { op: 'transaction', hash: 'aa' },
      { op: 'checkFee', check: null as never },
      { op: 'prepare', request: null as never },
    ];
    const payment = { value: paymentOf(), at: after(-9) };
    const before = () =>
      observerOf({
        facts: {
          payments: { maker: payment, taker: payment },
          quotes: { maker: { value: quoteOf(), at: after(-9), since: null } },
          transactions: new Map([['aa', { value: { status: 'mempool', confirmations: 0 }, at: after(-9) }]]),
          feeCheck: { value: 'wrong', at: after(-9) },
          feeChecks: 2,
        },
      });
    for (const question of questions) {
      const observer = before();
      absorb(observer, askOf('maker', question), { result: fault('unavailable'), now: NOW });
      const { tries, ...facts } = observer.facts;
      const { tries: _, ...expected } = before().facts;
      expect(facts, question.op).toEqual(expected);
      expect([...tries.keys()]).toEqual([`maker:${question.op}`]);
    }
  });
});

const checkOf = (change: Partial<FeeCheck>): FeeCheck => ({
  ...{ tx: '01', hash: 'fe', payer: '02', feeSat: 5n, burnSat: 0n, minHeight: 7 },
  ...change,
});

describe('a useful answer', () => {
  it('ends only the pause of its own question', () => {
    const tries = { count: 3, next: after(60), kind: 'unavailable', message: '' };
    const observer = observerOf({
      facts: {
        tries: new Map([
          ['maker:quote', tries],
          ['taker:quote', tries],
        ]),
      },
    });
    absorb(observer, askOf('maker', { op: 'quote' }), { result: good(quoteOf()), now: NOW });
    expect([...observer.facts.tries.keys()]).toEqual(['taker:quote']);
  });

  it('about the wallet is kept with its moment and with what others held when it was asked', () => {
    const observer = observerOf();
    const since = { at: 7 } as never;
    absorb(observer, askOf('maker', { op: 'quote' }), { result: good(quoteOf()), now: NOW });
    absorb(observer, askOf('taker', { op: 'quote', since }), { result: good(quoteOf({ height: 9 })), now: after(1) });
    expect(observer.facts.quotes).toEqual({
      maker: { value: quoteOf(), at: NOW, since: null },
      taker: { value: quoteOf({ height: 9 }), at: after(1), since },
    });
  });

  it('about a transaction is kept under its id', () => {
    const observer = observerOf();
    const view = { status: 'confirmed', confirmations: 2 };
    absorb(observer, askOf('maker', { op: 'transaction', hash: 'aa' }), { result: good(view), now: NOW });
    expect([...observer.facts.transactions]).toEqual([['aa', { value: view, at: NOW }]]);
  });

  it('about a fee is kept, and the checks are counted', () => {
    const observer = observerOf();
    const question = askOf('taker', { op: 'checkFee', check: checkOf({}) });
    absorb(observer, question, { result: good('too small'), now: NOW });
    expect(observer.facts).toMatchObject({ feeCheck: { value: 'too small', at: NOW }, feeChecks: 1 });
    absorb(observer, question, { result: good(null), now: after(1) });
    expect(observer.facts).toMatchObject({ feeCheck: { value: null, at: after(1) }, feeChecks: 2 });
  });

  it.each([
    ['the fee that is named', {}, true],
    ['a fee of a watch, by its id alone', { tx: null }, true],
    ['a fee with another id', { hash: 'fd' }, false],
    ['other bytes under the id of the fee that is named', { tx: '02' }, false],
  ])('about %s', (_, change, isKept) => {
    const observer = observerOf();
    observer.facts.inbox.set('takerFee', { kind: 'takerFee', tx: { tx_hex: '01', tx_hash: 'fe' } });
    const question = askOf('taker', { op: 'checkFee', check: checkOf(change) });
    absorb(observer, question, { result: good(null), now: NOW });
    const kept = { feeCheck: { value: null, at: NOW }, feeChecks: 1 };
    expect(observer.facts).toMatchObject(isKept ? kept : { feeCheck: null, feeChecks: 0 });
  });

  it('with a signed transaction is kept under its purpose', () => {
    const observer = observerOf();
    const question: Question = { op: 'prepare', request: { purpose: 'payment', urgency: 0, replaces: null } as never };
    absorb(observer, askOf('taker', question, 'taker:prepare:payment'), { result: good(tx), now: NOW });
    absorb(observer, askOf('taker', question, 'taker:prepare:refundPreimage'), { result: good(tx), now: NOW });
    expect([...observer.facts.prepared]).toEqual([
      ['payment', tx],
      ['refundPreimage', tx],
    ]);
  });

  it('with a second transaction for the same request leaves the first; for another request it replaces it', () => {
    const observer = observerOf();
    const asked = (urgency: number, tx_hash: string) => {
      const request = { purpose: 'fee', feeSat: 1n, burnSat: 0n, urgency, replaces: null } as const;
      const result = good({ ...tx, tx_hash });
      absorb(observer, askOf('taker', { op: 'prepare', request }, 'taker:prepare:fee'), { result, now: NOW });
      return [observer.facts.prepared.get('fee')?.tx_hash, observer.facts.unused.map((one) => one.tx.tx_hash)];
    };
    expect(asked(0, 'first')).toEqual(['first', []]);
    expect(asked(0, 'first')).toEqual(['first', []]);
    expect(asked(0, 'second')).toEqual(['first', ['second']]);
    expect(asked(1, 'dearer')).toEqual(['dearer', ['second', 'first']]);
  });

  it('with a fee above its bound does not count, while a fee at the bound does', () => {
    for (const [maxFee, kept] of [
      ['0.0001', true],
      ['0.00009999', false],
    ] as const) {
      const observer = observerOf();
      const request = { purpose: 'void', target: tx, urgency: 1, maxFee: maxFee as DecimalText } as const;
      absorb(observer, askOf('taker', { op: 'prepare', request }, 'taker:prepare:void'), {
        result: good(tx),
        now: NOW,
      });
      expect(observer.facts.prepared.has('void')).toBe(kept);
      expect(observer.facts.unused).toHaveLength(kept ? 0 : 1);
      expect(observer.facts.tries.get('taker:prepare:void')?.kind).toBe(kept ? undefined : 'feeTooLow');
    }
  });

  it.each([
    ['payment', ['b:1', 'c:0'], false],
    ['payment', ['b:1', 'a:0'], true],
    ['fee', ['c:0'], false],
    ['fee', ['a:0'], true],
    // What takes one thing can do so only once.
    ['refund', ['c:0'], true],
    ['claim', ['c:0'], true],
  ] as const)(
    'with a %s that takes %j where one of a:0 and a:1 was to be replaced counts: %s',
    (purpose, spends, kept) => {
      const observer = observerOf();
      const replaces = { ...tx, tx_hash: 'first', spends: ['a:0', 'a:1'] };
      const request = { purpose, urgency: 1, replaces } as never;
      const key = `taker:prepare:${purpose}`;
      absorb(observer, askOf('taker', { op: 'prepare', request }, key), { result: good({ ...tx, spends }), now: NOW });
      expect(observer.facts.prepared.has(purpose)).toBe(kept);
      expect(observer.facts.unused).toHaveLength(kept ? 0 : 1);
      expect(observer.facts.tries.get(key)?.kind).toBe(kept ? undefined : 'inputsSpent');
    },
  );

  it('with a payment whose costs are unknown, or without any, is kept', () => {
    for (const replaces of [null, { tx_hex: '00', tx_hash: 'first' }]) {
      const observer = observerOf();
      const request = { purpose: 'payment', urgency: 1, replaces } as never;
      absorb(observer, askOf('taker', { op: 'prepare', request }, 'taker:prepare:payment'), {
        result: good(tx),
        now: NOW,
      });
      expect(observer.facts.prepared.get('payment')).toBe(tx);
    }
  });
});

describe('a wallet that signs what the log already holds', () => {
  const refund = (funding: string) =>
    ({
      purpose: 'refund',
      urgency: 5,
      maxFee: '0.2',
      replaces: tx,
      funding: { tx_hex: '00', tx_hash: funding },
    }) as never;
  const signs = (request: never, held: Parameters<typeof preparedOf>[0], purpose = 'refund') => {
    const observer = observerOf({ journal: { prepared: { [purpose]: [preparedOf(held)] } } });
    absorb(observer, askOf('taker', { op: 'prepare', request }, `taker:prepare:${purpose}`), {
      result: good(tx),
      now: NOW,
    });
    const { facts } = observer;
    return [facts.prepared.size, facts.unused.length, facts.tries.get(`taker:prepare:${purpose}`)] as const;
  };

  it('has no dearer one: it is asked again after a pause, and what is in use does not go back to it', () => {
    const fault = {
      count: 1,
      next: after(5),
      kind: 'feeTooLow',
      message: `the wallet has signed ${tx.tx_hash} before, and nothing that pays more`,
    };
    const fee = { most: '0.2', least: null };
    expect(signs(refund('f0'), { target: 'f0', urgency: 4 })).toEqual([0, 0, { ...fault, fee }]);
    const dexFee = { purpose: 'fee', urgency: 1, replaces: tx } as never;
    expect(signs(dexFee, {}, 'fee')).toEqual([0, 0, fault]);
  });

  it('has made what was asked for if that had no effect, or was for another funding', () => {
    expect(signs(refund('f0'), { target: 'f0', dead: true })).toEqual([1, 0, undefined]);
    expect(signs(refund('f0'), { target: 'e0' })).toEqual([1, 0, undefined]);
  });

  it('for watchers repeats nothing', () => {
    const request = { purpose: 'refundPreimage', terms: null, funding: { tx_hex: '00', tx_hash: 'f0' } } as never;
    const observer = observerOf({ journal: { prepared: { refund: [preparedOf({ target: 'f0' })] } } });
    const question = askOf('taker', { op: 'prepare', request }, 'taker:prepare:refundPreimage');
    absorb(observer, question, { result: good(tx), now: NOW });
    expect([...observer.facts.prepared.keys()]).toEqual(['refundPreimage']);
  });
});

const view = (changes: Partial<PaymentView> = {}) => good(paymentOf(changes));
const funded = (confirmations: number) => ({ funding: { tx, confirmations } });
const look = (observer: Observer, result: AskResult, { leg = 'maker', now = NOW }: { leg?: Leg; now?: Millis } = {}) =>
  absorb(observer, askOf(leg, PAYMENT), { result, now });

describe('a look at a payment', () => {
  it('is kept for its own side', () => {
    const observer = observerOf();
    look(observer, view({ height: 7 }), { leg: 'taker' });
    expect(observer.facts.payments).toEqual({ maker: null, taker: { value: paymentOf({ height: 7 }), at: NOW } });
  });

  it('confirms it from the first moment with what the request asks of that side', () => {
    const request = requestOf('taker', { maker_payment_confirmations: 2, taker_payment_confirmations: 1 });
    const observer = observerOf({ journal: { request: request as SwapRequest } });
    look(observer, view(funded(1)));
    expect(observer.facts.confirmedSince).toEqual({ maker: null, taker: null });
    look(observer, view(funded(2)), { now: after(1) });
    look(observer, view(funded(3)), { now: after(2) });
    look(observer, view(funded(1)), { leg: 'taker', now: after(3) });
    expect(observer.facts.confirmedSince).toEqual({ maker: after(1), taker: after(3) });
    look(observer, view(funded(1)), { now: after(4) });
    expect(observer.facts.confirmedSince.maker).toBeNull();
    look(observer, view(), { leg: 'taker', now: after(5) });
    expect(observer.facts.confirmedSince.taker).toBeNull();
  });

  it('needs one confirmation if the log came from elsewhere', () => {
    const observer = observerOf();
    look(observer, view(funded(0)));
    expect(observer.facts.confirmedSince.maker).toBeNull();
    look(observer, view(funded(1)), { now: after(1) });
    expect(observer.facts.confirmedSince.maker).toBe(after(1));
  });

  it('reports it missing from the height at which a node that is not behind the log did not show it', () => {
    const lastAt = after(-60) / 1000;
    const at = (clock: number, height: number) => view({ clock: clock as UnixSeconds, height });
    const observer = observerOf();
    look(observer, at(lastAt - 1, 100));
    expect(observer.facts.missingSince).toEqual({ maker: null, taker: null });
    look(observer, at(lastAt, 101));
    look(observer, at(lastAt + 1, 102));
    expect(observer.facts.missingSince).toEqual({ maker: 101, taker: null });
    look(observer, at(lastAt - 1, 103));
    expect(observer.facts.missingSince.maker).toBeNull();
  });

  it('is not missing if it stands, or if it was spent', () => {
    const spend = { how: 'secret', tx, confirmations: 1, secret: null } as const;
    for (const changes of [funded(0), { spend }]) {
      const observer = observerOf();
      look(observer, view());
      expect(observer.facts.missingSince.maker).toBe(100);
      look(observer, view(changes));
      expect(observer.facts.missingSince.maker).toBeNull();
    }
  });
});

const hash = tx.tx_hash;
const withRecord = (changes: Parameters<typeof preparedOf>[0] = {}, purpose = 'payment') => {
  const seen = { value: paymentOf(), at: NOW };
  return observerOf({
    journal: { prepared: { [purpose]: [preparedOf({ tx: { tx_hash: 'other' } }), preparedOf(changes)] } },
    facts: {
      payments: { maker: seen, taker: seen },
      transactions: new Map(
        ['other', hash].map((id) => [id, { value: { status: 'unknown', confirmations: 0 }, at: NOW }]),
      ),
    },
  });
};
const answer = (observer: Observer, result: AskResult) =>
  absorb(observer, askOf('taker', BROADCAST), { result, now: NOW });

describe('the answer to a broadcast', () => {
  it('ends what was seen of the payment and of the transaction, good or bad', () => {
    for (const result of [good('sent'), fault('invalid')]) {
      const observer = withRecord();
      answer(observer, result);
      expect(observer.facts.payments).toMatchObject({ maker: { at: NOW }, taker: null });
      expect([...observer.facts.transactions.keys()]).toEqual(['other']);
    }
  });

  it('waits for the log if the transaction was not taken before', () => {
    for (const purpose of ['fee', 'payment', 'claim', 'refund', 'void']) {
      const observer = withRecord({}, purpose);
      answer(observer, good('known'));
      expect([...observer.facts.broadcasts]).toEqual([[hash, good('known')]]);
      expect(observer.facts.tries.size).toBe(0);
    }
  });

  it('that was refused is logged once for each kind of refusal', () => {
    const first = withRecord();
    answer(first, fault('feeTooLow'));
    expect([...first.facts.broadcasts]).toEqual([[hash, fault('feeTooLow')]]);
    const again = withRecord({ refused: 'feeTooLow' });
    answer(again, fault('feeTooLow'));
    expect(again.facts.broadcasts.size).toBe(0);
    expect(again.facts.tries.get('taker:broadcast')).toMatchObject({ count: 1, next: after(5), kind: 'feeTooLow' });
    answer(again, fault('invalid'));
    expect([...again.facts.broadcasts]).toEqual([[hash, fault('invalid')]]);
  });

  it('to one that was taken before is no news, and it is not repeated for 40 s', () => {
    const observer = withRecord({ acceptedAt: after(-30) });
    answer(observer, good('sent'));
    expect(observer.facts.broadcasts.size).toBe(0);
    expect(observer.facts.tries.get('taker:broadcast')).toStrictEqual({
      count: 0,
      next: after(40),
      kind: 'none',
      message: '',
    });
    const refused = withRecord({ acceptedAt: after(-30) });
    answer(refused, fault('inputsSpent'));
    expect([...refused.facts.broadcasts]).toEqual([[hash, fault('inputsSpent')]]);
  });

  it('about a foreign transaction is no news either, good or bad', () => {
    for (const result of [good('sent'), fault('invalid')]) {
      const observer = observerOf();
      answer(observer, result);
      expect(observer.facts.broadcasts.size).toBe(0);
      expect(observer.facts.tries.get('taker:broadcast')).toMatchObject({ count: 0, next: after(40), kind: 'none' });
    }
  });
});
