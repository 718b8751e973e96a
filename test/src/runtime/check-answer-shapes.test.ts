import { describe, expect, it } from 'vitest';
import { checkedAnswer } from '../../../src/runtime/check-answer.ts';
import type { Question } from '../../../src/runtime/command.ts';
import { paymentOf, preparedOf, quoteOf } from '../../support/turns.ts';

type Op = Question['op'];
const questionOf = (op: Op) => ({ op, query: { terms: { secretHash: 'cc'.repeat(20) } } }) as unknown as Question;
const answerTo = (op: Op, value: unknown) => checkedAnswer(questionOf(op), { ok: true, value });
const malformed = (what: string) => ({
  ok: false,
  fault: { kind: 'unavailable', message: `the adapter answered with ${what}` },
});

const TX = { tx_hex: '0100', tx_hash: 'ab'.repeat(32) };
const SPEND = { how: 'refund', tx: TX, confirmations: 1, secret: null };
const PAYMENT = paymentOf({ funding: { tx: TX, confirmations: 2, notarised: true }, problem: 'too small' });
const GOOD: Readonly<Record<Op, Readonly<Record<string, unknown>> | null>> = {
  quote: { ...quoteOf(), spendFeeFrom: 'wallet', feeCoin: { coin: 'ETH', spendable: '1' } },
  payment: { ...PAYMENT, spend: SPEND },
  transaction: { status: 'mempool', confirmations: 0, tx_hex: '01' },
  checkFee: null,
  prepare: { ...preparedOf().tx },
  broadcast: null,
};

/** The value with one member changed, by its path. */
function changed(value: unknown, path: string, to: unknown): unknown {
  const [first = '', ...rest] = path.split('/');
  const record = value as Readonly<Record<string, unknown>>;
  return { ...record, [first]: rest.length === 0 ? to : changed(record[first], rest.join('/'), to) };
}

describe('an answer in the form of the port', () => {
  it('is accepted as it is, with members beside those of the port', () => {
    for (const [op, value] of Object.entries(GOOD) as [Op, object | null][]) {
      if (value === null) continue;
      expect(answerTo(op, { ...value, beside: 1 })).toEqual({ ok: true, value: { ...value, beside: 1 } });
    }
    expect(answerTo('quote', quoteOf())).toEqual({ ok: true, value: quoteOf() });
    for (const status of ['unknown', 'mempool', 'confirmed', 'conflicted', 'reverted']) {
      expect(answerTo('transaction', { status, confirmations: 7 })).toMatchObject({ ok: true });
    }
    for (const value of ['sent', 'known', 'confirmed'])
      expect(answerTo('broadcast', value)).toEqual({ ok: true, value });
    for (const value of [null, 'too small']) expect(answerTo('checkFee', value)).toEqual({ ok: true, value });
  });

  it('may leave out what a chain cannot say', () => {
    for (const [path, to] of [
      ['funding', null],
      ['problem', null],
      ['spend', null],
      ['spend/tx', null],
    ] as const) {
      expect(answerTo('payment', changed(GOOD.payment, path, to))).toMatchObject({ ok: true });
    }
  });
});

const wrong: readonly (readonly [Op, path: string, values: readonly unknown[]])[] = [
  ['quote', 'height', [-1, 1.5, '1', null, undefined]],
  ['quote', 'clock', [-1, Number.NaN]],
  ['quote', 'spendable', ['x', 1, null, '-1', '-0.00000001', '-1e-8']],
  ['quote', 'paymentFee', ['x', undefined]],
  ['quote', 'spendFee', ['-']],
  ['quote', 'spendFeeFrom', ['sky']],
  ['quote', 'dexFeeFee', [undefined]],
  ['quote', 'feeCoin', [null, 'ETH']],
  ['quote', 'feeCoin/coin', ['', 1]],
  ['quote', 'feeCoin/spendable', [1]],
  ['payment', 'funding', [undefined, 1]],
  ['payment', 'funding/tx', [null]],
  ['payment', 'funding/tx/tx_hex', [null, 1]],
  ['payment', 'funding/tx/tx_hash', ['', 'x'.repeat(257), 1]],
  ['payment', 'funding/confirmations', [-1, 0.5]],
  ['payment', 'funding/notarised', ['yes']],
  ['payment', 'problem', [undefined, 1]],
  ['payment', 'spend', [undefined]],
  ['payment', 'spend/how', ['magic']],
  ['payment', 'spend/tx', [undefined]],
  ['payment', 'spend/confirmations', [-1]],
  ['payment', 'spend/secret', [undefined, 1]],
  ['payment', 'refundable', ['yes', undefined]],
  ['payment', 'clock', [-1]],
  ['payment', 'height', [null]],
  ['transaction', 'status', ['lost']],
  ['transaction', 'confirmations', [-1]],
  ['transaction', 'tx_hex', [1]],
  ['prepare', 'tx_hex', ['', 'x'.repeat(2_000_001)]],
  ['prepare', 'tx_hash', ['', 'x'.repeat(257)]],
  ['prepare', 'spends', ['x', [1], undefined, Array(25_001).fill('ab:0'), ['x'.repeat(257)]]],
  ['prepare', 'fee', ['x', 1, '-5']],
];

describe('an answer in any other form', () => {
  it('says nothing about the chain: it is a fault that names the member', () => {
    for (const [op, path, values] of wrong) {
      for (const value of values) {
        const { ok, ...rest } = answerTo(op, changed(GOOD[op], path, value));
        expect(ok, `${op} ${path}`).toBe(false);
        expect(JSON.stringify(rest)).toContain(`the adapter answered with a wrong ${path}`);
      }
    }
    expect(answerTo('prepare', changed(GOOD.prepare, 'spends', [1]))).toEqual(malformed('a wrong spends/0: 1'));
  });

  it('names the value if there is no member', () => {
    for (const [op, value, told] of [
      ['broadcast', 'lost', 'string'],
      ['checkFee', 7, '7'],
      ['quote', null, 'null'],
      ['quote', undefined, 'undefined'],
    ] as const) {
      expect(answerTo(op, value)).toEqual(malformed(`a wrong value: ${told}`));
    }
  });

  it('shows a number as it is, and of a text no letter', () => {
    expect(answerTo('quote', changed(GOOD.quote, 'clock', Number.NaN))).toEqual(malformed('a wrong clock: NaN'));
    expect(answerTo('quote', changed(GOOD.quote, 'spendable', 'hunter2'))).toEqual(
      malformed('a wrong spendable: string'),
    );
    expect(answerTo('payment', changed(GOOD.payment, 'funding/tx', undefined))).toEqual(
      malformed('a wrong funding/tx: undefined'),
    );
  });

  it('says what it was instead of an answer', () => {
    const quote = questionOf('quote');
    for (const answer of [null, undefined, 5, 'ok'])
      expect(checkedAnswer(quote, answer)).toEqual(malformed('no object'));
    for (const ok of [undefined, null, 1, 'true']) {
      expect(checkedAnswer(quote, { ok })).toEqual(malformed('neither an answer nor a fault'));
    }
    for (const fault of [undefined, null, { kind: 'raw', message: '' }, { kind: 'invalid' }, { message: 'x' }]) {
      expect(checkedAnswer(quote, { ok: false, fault })).toEqual(malformed('a fault without kind and message'));
    }
    const thrower = Object.defineProperty({ ok: true }, 'value', {
      get: () => {
        throw new Error('no');
      },
    });
    expect(checkedAnswer(quote, thrower)).toEqual(malformed('something that cannot be read'));
  });
});

describe('a fault', () => {
  it('of every kind of the port is accepted as it is', () => {
    const kinds =
      'unavailable disagreement insufficientFunds feeTooLow notFinal inputsSpent nonceUsed nonceGap tooManyAncestors invalid unsupported';
    for (const kind of kinds.split(' ')) {
      const answer = { ok: false, fault: { kind, message: 'x', part: 'spendFee' } };
      expect(checkedAnswer(questionOf('quote'), answer)).toEqual(answer);
    }
  });

  it('has a text of at most 10 000 characters, as has every other text', () => {
    const long = 'x'.repeat(10_001);
    const cut = 'x'.repeat(10_000);
    const answer = { ok: false, fault: { kind: 'invalid', message: long } };
    expect(checkedAnswer(questionOf('quote'), answer)).toMatchObject({ fault: { message: cut } });
    expect(answerTo('checkFee', long)).toEqual({ ok: true, value: cut });
    expect(answerTo('payment', { ...PAYMENT, problem: long })).toMatchObject({ value: { problem: cut } });
  });
});

describe('the bytes of a transaction', () => {
  const long = 'x'.repeat(2_000_000);

  it('that others sent are left out if they exceed what a log accepts', () => {
    const hexOf = (tx_hex: string) => {
      const answer = answerTo('payment', { ...PAYMENT, funding: { tx: { ...TX, tx_hex }, confirmations: 1 } });
      return answer.ok ? (answer.value as typeof PAYMENT).funding?.tx.tx_hex : null;
    };
    expect(hexOf(long)).toBe(long);
    expect(hexOf(`${long}x`)).toBe('');
    expect(hexOf('')).toBe('');
  });

  it('that the own wallet signed may be as many', () => {
    expect(answerTo('prepare', { ...GOOD.prepare, tx_hex: long })).toMatchObject({ ok: true });
  });
});

describe('the secret of a refund', () => {
  it('is ignored, like one without a spend', () => {
    const refund = { ...PAYMENT, spend: { ...SPEND, secret: 'no secret' } };
    expect(answerTo('payment', refund)).toEqual({ ok: true, value: refund });
    expect(answerTo('payment', { ...PAYMENT, spend: { ...SPEND, how: 'secret', secret: 'no secret' } })).toEqual(
      malformed('a secret that does not fit the payment'),
    );
  });
});
