import { describe, expect, it } from 'vitest';
import type { PaymentView } from '../../../../../src/ports/chain.ts';
import { refund } from '../../../../../src/runtime/swap/effects/refund.ts';
import {
  appended,
  asked,
  decided,
  event,
  found,
  fundedBy,
  looked,
  PAID,
  requested,
  SAID,
  SECRET,
  spentWith,
  TAKEN,
  wantOf,
} from '../../../../support/effect-turns.ts';
import { after, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const POLICY = { spendPoll: 20, refundPoll: 40 };
const MAKER = { role: 'maker', own: 'maker', other: 'taker' } as const;

/** A taker that takes its payment back, of which its chain shows this. */
const refunding = (view: Partial<PaymentView> | null, { swap, facts, ...rest }: TurnChanges = {}) => {
  const own = swap?.role ?? 'taker';
  const turn = turnOf({
    policy: POLICY,
    events: SAID,
    ...rest,
    swap: { state: 'refunding', ownPayment: PAID, ...swap },
    facts: { payments: view === null ? {} : { [own]: looked(view) }, ...facts },
  });
  return decided((given) => refund(given, wantOf('refundOwnPayment')), turn);
};

const READY = { funding: fundedBy(), refundable: true };
const SIGNS = { kind: 'ask', key: 'taker:prepare:refund' };
const LATER = [null, 40_000];
const SOON = [null, 20_000];

describe('a side on its way to the refund', () => {
  it('looks at its own payment', () => {
    const query = { terms: turnOf().swap.ownTerms as never, funding: PAID.tx_hash, own: true } as const;
    expect(refunding(null)[0]).toStrictEqual(asked('taker', { op: 'payment', query }));
    const old = { payments: { taker: looked(READY, 40_001) } };
    expect(refunding(null, { facts: old })[0]).toMatchObject({ key: 'taker:payment' });
    expect(refunding(null, { facts: { payments: { taker: looked(READY, 40_000) } } })).toMatchObject([SIGNS, 1]);
  });

  it('says once that it waits, and once that it begins', () => {
    for (const refundable of [true, false]) {
      const says = appended(event('refundWaitStarted'));
      expect(refunding({ ...READY, refundable }, { swap: { state: 'waitingForSpend' } })[0]).toStrictEqual(says);
    }
    const swap = { state: 'waitingForRefund' };
    expect(refunding(READY, { swap })[0]).toStrictEqual(appended(event('refundStarted')));
    expect(refunding({ ...READY, refundable: false }, { swap })).toEqual(LATER);
    expect(refunding(READY, { swap: { state: 'refundFailed' } })[0]).toMatchObject(SIGNS);
  });

  it('waits for the clock of the chain', () => {
    expect(refunding({ ...READY, refundable: false })).toEqual(LATER);
    expect(refunding(READY)[0]).toMatchObject(SIGNS);
  });

  it('leaves it to a chain that refunds automatically', () => {
    expect(refunding(READY, { traits: { taker: { refund: 'automatic' } } })).toEqual(LATER);
  });

  it('does not refund if its claim may have gone out', () => {
    const swap = { ...MAKER, claim: TAKEN };
    expect(refunding(READY, { swap })[0]).toMatchObject({ key: 'taker:payment' });
    const payments = { maker: looked(READY), taker: looked({ funding: fundedBy() }) };
    expect(refunding(null, { swap, facts: { payments } })).toEqual(SOON);
  });
});

describe('an own payment that is not confirmed', () => {
  const journal = { prepared: { payment: [preparedOf({ tx: PAID })] } };
  const looksFor = asked('taker', { op: 'transaction', hash: PAID.tx_hash, key: `transaction:${PAID.tx_hash}` });

  it('is searched for when it is gone, also before its lock', () => {
    expect(refunding({}, { journal })[0]).toStrictEqual(looksFor);
    expect(refunding({ refundable: true }, { journal })[0]).toStrictEqual(looksFor);
  });

  it('is voided before it can confirm once its lock has passed, even if the chain would refund automatically', () => {
    const funding = fundedBy({ confirmations: 0 });
    expect(refunding({ funding, refundable: true }, { journal })[0]).toStrictEqual(looksFor);
    const traits = { taker: { refund: 'automatic' } } as const;
    expect(refunding({ funding, refundable: true }, { journal, traits })[0]).toStrictEqual(looksFor);
    expect(refunding({ funding, refundable: false }, { journal })).toEqual(LATER);
  });
});

describe('an own payment that the other side took', () => {
  const spent = (changes = {}) => ({ funding: fundedBy(), spend: spentWith('secret', changes), refundable: true });

  it('gives a taker the secret', () => {
    const data = { transaction: TAKEN, secret: SECRET };
    expect(refunding(spent())[0]).toStrictEqual(appended(event('TakerPaymentSpent', data)));
    for (const missing of [{ tx: null }, { secret: null }]) expect(refunding(spent(missing))).toEqual(SOON);
  });

  it('is lost to a maker once that is final, and recorded once', () => {
    expect(refunding(spent({ confirmations: 1 }), { swap: MAKER })).toEqual(SOON);
    const data = { payment: 'maker', how: 'claimed', by: 'counterparty', tx_hash: TAKEN.tx_hash, confirmations: 2 };
    expect(refunding(spent({ confirmations: 2 }), { swap: MAKER })[0]).toStrictEqual(
      appended(event('PaymentSettled', data)),
    );
    const nameless = refunding(spent({ confirmations: 3, tx: null }), { swap: MAKER })[0];
    expect(nameless).toMatchObject({ events: [{ data: { tx_hash: null } }] });
    const settled = { maker: { how: 'claimed' } as never };
    expect(refunding(spent({ confirmations: 3 }), { swap: MAKER, journal: { settled } })).toEqual(LATER);
  });
});

describe('a refund that the chain shows', () => {
  const back = (changes = {}, view: Partial<PaymentView> = {}) => ({
    funding: fundedBy(),
    refundable: true,
    ...view,
    spend: spentWith('refund', { confirmations: 3, ...changes }),
  });
  const done = (by: string, closing = event('refunded', TAKEN), data: object = {}) => {
    const settled = { payment: 'taker', how: 'refunded', by, tx_hash: TAKEN.tx_hash, confirmations: 3, ...data };
    return appended(event('PaymentSettled', settled), closing);
  };
  const own = { prepared: { refund: [preparedOf({ tx: TAKEN, acceptedAt: after(-5), target: PAID.tx_hash })] } };
  const other = { prepared: { refund: [preparedOf({ acceptedAt: after(-5) })] } };

  it('ends the swap once it is final', () => {
    expect(refunding(back({ confirmations: 2 }), { journal: own })).toEqual([null, 40_001]);
    expect(refunding(back(), { journal: own })[0]).toStrictEqual(done('self'));
    expect(refunding(back({ confirmations: 4 }), { journal: own })[0]).toMatchObject({ kind: 'append' });
  });

  it('in the mempool is watched closely', () => {
    expect(refunding(back({ confirmations: 0 }), { journal: own })).toEqual(SOON);
  });

  it('is a watcher’s if the taker did not make it, and may have been watched', () => {
    const watched = done('watcher', event('refundedByOther', TAKEN));
    expect(refunding(back(), { journal: { ...other, request: requested() } })[0]).toStrictEqual(watched);
    expect(refunding(back(), { swap: { watched: true } })[0]).toStrictEqual(watched);
    expect(refunding(back())[0]).toStrictEqual(done('self'));
    expect(refunding(back(), { journal: { ...own, request: requested() } })[0]).toStrictEqual(done('self'));
  });

  it('is the chain’s own if it has no transaction', () => {
    const journal = { ...other, request: requested() };
    const chain = done('chain', event('refunded'), { tx_hash: null });
    expect(refunding(back({ tx: null }), { journal })[0]).toStrictEqual(chain);
  });

  it('is recorded like any other, by the clock of the chain or of the block that holds it', () => {
    const waits = { swap: { state: 'waitingForRefund' }, journal: own };
    const started = appended(event('refundStarted'));
    expect(refunding(back({ confirmations: 0 }), waits)[0]).toStrictEqual(started);
    expect(refunding(back({ confirmations: 1 }, { refundable: false }), waits)[0]).toStrictEqual(started);
    expect(refunding(back({ confirmations: 0 }, { refundable: false }), waits)).toEqual(SOON);
    const before = { swap: { state: 'waitingForSpend' }, journal: own };
    expect(refunding(back(), before)[0]).toStrictEqual(appended(event('refundWaitStarted')));
  });

  it('helps along the payment beneath it that does not confirm', () => {
    const fee = preparedOf({ tx: { tx_hash: 'fe', spends: ['input:9'] }, preparedAt: after(-700) });
    const journal = { prepared: { fee: [fee], payment: [preparedOf({ preparedAt: after(-600) })] } };
    const unconfirmed = back({ confirmations: 0 }, { funding: fundedBy({ confirmations: 0 }) });
    expect(refunding(unconfirmed, { journal })[0]).toMatchObject({ key: 'taker:broadcast:fe' });
    expect(refunding(back({}), { journal })[0]).toMatchObject({ kind: 'append' });
    expect(refunding(back({}, { funding: null }), { journal })[0]).toMatchObject({ kind: 'append' });
  });
});

it('a payment that another transaction has made impossible is waited for until that is final', () => {
  const journal = { prepared: { payment: [preparedOf({ tx: PAID })] } };
  const view = { status: 'conflicted', confirmations: 3 } as const;
  const facts = { payments: { taker: looked() }, transactions: found(PAID.tx_hash, view) };
  const settled = { payment: 'taker', how: 'voided', by: 'self', tx_hash: null, confirmations: 3 };
  expect(refunding(null, { journal, facts })[0]).toStrictEqual(
    appended(event('PaymentSettled', settled), event('refunded')),
  );
});
