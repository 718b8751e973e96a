import { describe, expect, it } from 'vitest';
import type { PaymentView } from '../../../../src/ports/chain.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { heightOf } from '../../../../src/primitives/time.ts';
import {
  confirmTakerPaymentRefund,
  refundTakerPayment,
  waitForTakerPaymentSpend,
} from '../../../../src/runtime/watcher/taker-payment.ts';
import type { WatcherTurn } from '../../../../src/runtime/watcher/turn.ts';
import { sample } from '../../../machines/watcher/support.ts';
import {
  appended,
  asked,
  event,
  failed,
  fundedBy,
  inMillis,
  looked,
  PAID,
  spentWith,
  TAKEN,
  wantOf,
} from '../../../support/effect-turns.ts';
import { after, NOW, preparedOf } from '../../../support/turns.ts';
import { type WatcherTurnChanges, watcherTurnOf } from '../../../support/watcher-turns.ts';

const { watch, txs, terms } = sample;
const plainOf = ({ tx_hex, tx_hash }: { tx_hex: string; tx_hash: string }) => ({ tx_hex, tx_hash });
const SECRET = bytesToHex(terms.secret);
const REFUND = plainOf(txs.takerPaymentRefund());
const POLICY = { refundPoll: 70, confirmationPoll: 40, freshness: 7 };
const decided = (effect: (turn: WatcherTurn) => unknown, changes: WatcherTurnChanges) => {
  const turn = watcherTurnOf({ policy: POLICY, ...changes });
  const proposal = effect(turn);
  return [proposal, turn.wakeAt - NOW];
};
const sees = (view: Partial<PaymentView>, ago = 0) => ({ facts: { payments: { taker: looked(view, ago) } } });
const LOOK = asked('taker', {
  op: 'payment',
  query: { terms: watcherTurnOf().swap.ownTerms as never, from: heightOf(1000 - 144) },
});

describe('a watcher that searches for the maker’s spend', () => {
  const waits = (changes: WatcherTurnChanges = {}) =>
    decided(waitForTakerPaymentSpend, { timing: { search_interval: 300 }, ...changes });
  const spend = (changes: object = {}) =>
    spentWith('secret', { tx: plainOf(txs.takerPaymentSpend()), secret: SECRET, ...changes });
  const found = appended(
    event('TakerPaymentSpendFound', { transaction: plainOf(txs.takerPaymentSpend()), secret: SECRET }),
  );

  it('looks every five minutes', () => {
    expect(waits()[0]).toStrictEqual(LOOK);
    expect(waits(sees({ funding: fundedBy() }, 300_001))[0]).toStrictEqual(LOOK);
    expect(waits(sees({ funding: fundedBy() }, 300_000))).toEqual([null, 1]);
  });

  it('finds the secret, as the node tells it or in the bytes of the spend', () => {
    expect(waits(sees({ spend: spend() }))[0]).toStrictEqual(found);
    for (const secret of [null, 'zz', 'ab'.repeat(32)]) {
      expect(waits(sees({ spend: spend({ secret }) }))[0]).toStrictEqual(found);
    }
    const opaque = { tx_hex: 'c001', tx_hash: 'e0' };
    expect(waits(sees({ spend: spend({ tx: opaque }) }))[0]).toStrictEqual(
      appended(event('TakerPaymentSpendFound', { transaction: opaque, secret: SECRET })),
    );
    const marked = { ...plainOf(txs.takerPaymentSpend()), size: 3 };
    expect(waits(sees({ spend: spend({ tx: marked }) }))[0]).toStrictEqual(found);
  });

  it.each([
    ['is not told', null],
    ['has no bytes that can be read', { tx_hex: 'zz', tx_hash: 'e0' }],
    ['shows another secret', { tx_hex: 'c001', tx_hash: 'e0' }],
  ])('gives up once a spend that %s is final', (_, tx) => {
    const stopped = {
      reason: 'UnableToExtractSecret',
      error: `Couldn't extract secret from transaction ${tx?.tx_hash ?? 'without bytes'}`,
    };
    const without = { tx, secret: null };
    expect(waits(sees({ spend: spend({ ...without, confirmations: 3 }) }))[0]).toStrictEqual(
      appended(event('Stopped', stopped)),
    );
    expect(waits(sees({ spend: spend({ ...without, confirmations: 2 }) }))).toEqual([null, 40_001]);
  });

  it('also gives up if the secret comes without any transaction', () => {
    expect(waits(sees({ spend: spend({ tx: null, confirmations: 3 }) }))[0]).toMatchObject({
      events: [{ data: { reason: 'UnableToExtractSecret' } }],
    });
  });

  it('polls often what is not settled', () => {
    expect(waits(sees({ spend: spentWith('refund') }, 40_001))[0]).toStrictEqual(LOOK);
    expect(waits(sees({ spend: spentWith('refund') }, 39_000))).toEqual([null, 1001]);
  });
});

describe('a refund that a watcher sees', () => {
  const waits = (spend: ReturnType<typeof spentWith>, changes: WatcherTurnChanges = {}) =>
    decided(waitForTakerPaymentSpend, { ...sees({ spend }), ...changes })[0];
  const own = (changes: object = {}) => ({ prepared: { refund: [preparedOf({ tx: REFUND, ...changes })] } });
  const back = (changes: object = {}) => spentWith('refund', { tx: REFUND, confirmations: 3, ...changes });
  const settled = (by: string, tx_hash: string | null = REFUND.tx_hash) =>
    event('PaymentSettled', { payment: 'taker', how: 'refunded', by, tx_hash, confirmations: 3 });
  const byTaker = (tx: typeof TAKEN | null) =>
    appended(settled('counterparty', tx?.tx_hash ?? null), event('TakerPaymentRefundedByTaker', tx));

  it('is its own by its bytes, and recorded at once', () => {
    const told = event('TakerPaymentRefunded', REFUND);
    const known = event('BroadcastAccepted', { purpose: 'refund', tx_hash: REFUND.tx_hash, how: 'known' });
    expect(waits(back({ confirmations: 0 }), { journal: own() })).toStrictEqual(appended(known, told));
    expect(waits(back(), { journal: own({ acceptedAt: after(-5) }) })).toStrictEqual(appended(told));
  });

  it('ends the watch once it is final', () => {
    const sent = { state: 'refundSent', journal: own({ acceptedAt: after(-5) }) };
    expect(waits(back(), sent)).toStrictEqual(
      appended(settled('self'), event('Stopped', { reason: 'TakerPaymentRefunded', error: null })),
    );
    expect(waits(back({ confirmations: 2 }), sent)).toBeNull();
  });

  it('is the taker’s if this watcher did not send it, or if it has other bytes or none', () => {
    expect(waits(back())).toStrictEqual(byTaker(REFUND));
    expect(waits(back(), { journal: own({ attemptedAt: null }) })).toStrictEqual(byTaker(REFUND));
    const other = { ...REFUND, tx_hex: TAKEN.tx_hex };
    expect(waits(back({ tx: other }), { journal: own() })).toStrictEqual(byTaker(other));
    expect(waits(back({ tx: null }), { journal: own() })).toStrictEqual(byTaker(null));
    expect(waits(back({ confirmations: 2 }))).toBeNull();
  });
});

const WANT = wantOf('refundTakerPayment', { notBefore: after(-100) });
const refunds = (changes: WatcherTurnChanges, want = WANT) =>
  decided((turn) => refundTakerPayment(turn, want), changes);
const ready = { funding: fundedBy(), refundable: true };
const firstAfter = (deadline: number) =>
  appended(
    event('DeadlineReached', { kind: 'watcherRefund', deadline, clock: 'host' }),
    event('TransactionPrepared', {
      purpose: 'refund',
      tx: { ...REFUND, spends: [`${watch.taker_payment_hash}:0`], fee: '0.00001' },
      target: watch.taker_payment_hash,
      urgency: 0,
    }),
    event('BroadcastAttempted', { purpose: 'refund', tx_hash: REFUND.tx_hash }),
  );
const first = firstAfter(after(-100));

describe('a watcher that refunds', () => {
  it('begins strictly after its moment', () => {
    expect(refunds(sees(ready), { ...WANT, notBefore: after(0) })).toEqual([null, 1]);
    expect(refunds(sees(ready), { ...WANT, notBefore: inMillis(-1) })[0]).toStrictEqual(firstAfter(inMillis(-1)));
    expect(refunds(sees(ready), wantOf('refundTakerPayment'))[0]).toStrictEqual(firstAfter(0));
  });

  it('looks before it acts, and waits for the payment and the clock of the chain', () => {
    expect(refunds({})[0]).toStrictEqual(LOOK);
    expect(refunds(sees(ready, 70_001))[0]).toStrictEqual(LOOK);
    expect(refunds(sees({ ...ready, refundable: false }, 70_000))).toEqual([null, 1]);
    expect(refunds(sees({ refundable: true }))).toEqual([null, 70_001]);
  });

  it('acts on a look of this moment', () => {
    expect(refunds(sees(ready, 7001))[0]).toStrictEqual(LOOK);
    expect(refunds(sees(ready, 7000))[0]).toStrictEqual(first);
    const journal = { prepared: { refund: [preparedOf({ tx: REFUND })] } };
    expect(refunds({ ...sees(ready, 7001), journal })[0]).toStrictEqual(LOOK);
    expect(refunds({ ...sees(ready, 7000), journal })[0]).toMatchObject({ key: `taker:broadcast:${REFUND.tx_hash}` });
  });

  it('does not look for what it may not send yet', () => {
    const journal = { prepared: { refund: [preparedOf({ tx: REFUND })] } };
    const { payments } = sees(ready, 60_000).facts;
    const tries = failed(`taker:broadcast:${REFUND.tx_hash}`);
    expect(refunds({ journal, facts: { payments, tries } })).toEqual([null, 10_001]);
  });

  it('records the answer to its broadcast, however old the look is', () => {
    const journal = { prepared: { refund: [preparedOf({ tx: REFUND })] } };
    const broadcasts = new Map([[REFUND.tx_hash, { ok: true, value: 'sent' } as const]]);
    const { payments } = sees(ready, 60_000).facts;
    expect(refunds({ journal, facts: { payments, broadcasts } })[0]).toStrictEqual(
      appended(event('BroadcastAccepted', { purpose: 'refund', tx_hash: REFUND.tx_hash, how: 'sent' })),
    );
  });

  it('follows an existing spend', () => {
    expect(refunds(sees({ ...ready, spend: spentWith('refund', { confirmations: 3 }) }))[0]).toMatchObject({
      events: [{ type: 'PaymentSettled' }, { type: 'TakerPaymentRefundedByTaker' }],
    });
  });

  it('gives no fee if the amount of the payment is unknown', () => {
    const swap = { amounts: { maker: null, taker: null } };
    const proposal = refunds({ ...sees(ready), swap })[0] as unknown as { events: { data: { tx: object } }[] };
    expect(proposal.events[1]?.data.tx).toStrictEqual({ tx_hex: REFUND.tx_hex, tx_hash: REFUND.tx_hash });
  });
});

describe('a watcher whose refund is on its way', () => {
  const record = preparedOf({ tx: REFUND, acceptedAt: after(-5) });
  const confirms = (changes: WatcherTurnChanges) =>
    decided((turn) => confirmTakerPaymentRefund(turn, WANT), {
      state: 'refundSent',
      inputs: { helpers: false },
      journal: { prepared: { refund: [record] } },
      ...changes,
    });
  const ready = { funding: fundedBy({ tx: PAID }), refundable: true };

  it('hands it to other nodes first, once', () => {
    const message = { kind: 'transaction', tx: REFUND } as const;
    const sent = { kind: 'send', topic: `txhlp/${watch.taker_coin}`, message };
    expect(confirms({ inputs: {} })[0]).toStrictEqual(sent);
    expect(confirms({ inputs: {}, facts: { sentAt: new Map([['transaction', after(-900)]]) } })[0]).toStrictEqual(LOOK);
    expect(confirms({})[0]).toStrictEqual(LOOK);
    expect(confirms({ inputs: {}, journal: {} })[0]).toStrictEqual(LOOK);
  });

  it('looks as often as confirmations are, and sends it again while it is not there', () => {
    expect(confirms(sees(ready, 40_001))[0]).toStrictEqual(LOOK);
    expect(confirms(sees({ ...ready, refundable: false }, 40_000))).toEqual([null, 1]);
    expect(confirms(sees(ready))[0]).toMatchObject({ key: `taker:broadcast:${REFUND.tx_hash}` });
    expect(confirms(sees({ ...ready, spend: spentWith('refund', { tx: REFUND, confirmations: 3 }) }))[0]).toMatchObject(
      {
        events: [{ type: 'PaymentSettled' }, { data: { reason: 'TakerPaymentRefunded' } }],
      },
    );
  });
});
