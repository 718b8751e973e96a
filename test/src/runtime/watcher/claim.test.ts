import { describe, expect, it } from 'vitest';
import type { PaymentView } from '../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { heightOf } from '../../../../src/primitives/time.ts';
import { confirmMakerPaymentSpend, spendMakerPayment } from '../../../../src/runtime/watcher/claim.ts';
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
  SECRET,
  spentWith,
  TAKEN,
  wantOf,
} from '../../../support/effect-turns.ts';
import { after, NOW, preparedOf } from '../../../support/turns.ts';
import { makerTerms, type WatcherTurnChanges, watcherTurnOf } from '../../../support/watcher-turns.ts';

const { watch } = sample;
const POLICY = { confirmationPoll: 40, freshness: 7 };
const TIMING = { search_interval: 300 };
const decided = (effect: (turn: WatcherTurn) => unknown, changes: WatcherTurnChanges) => {
  const turn = watcherTurnOf({
    state: 'claiming',
    policy: POLICY,
    timing: TIMING,
    context: { secret: SECRET },
    ...changes,
  });
  const proposal = effect(turn);
  return [proposal, turn.wakeAt - NOW];
};
const sees = (view: Partial<PaymentView>, ago = 0) => ({ payments: { maker: looked(view, ago) } });
const OPEN = { funding: fundedBy() };
const LOOK = asked('maker', {
  op: 'payment',
  query: { terms: makerTerms(), from: heightOf(2000 - 144) },
});
const MADE = { ...TAKEN, spends: ['x'], fee: '0.1' as DecimalText };
const made = { prepared: new Map([['claimPreimage', MADE] as const]) };
const COMPLETES = asked('maker', {
  op: 'prepare',
  request: { purpose: 'completePreimage', preimage: watch.maker_payment_spend_preimage, secret: SECRET },
  key: 'prepare:claimPreimage',
});
const own = (changes: object = {}) => ({ prepared: { claim: [preparedOf({ tx: TAKEN, ...changes })] } });

describe('a watcher that knows the secret', () => {
  const WANT = wantOf('spendMakerPayment', { notBefore: after(0) });
  const claims = (changes: WatcherTurnChanges = {}, want = WANT) =>
    decided((turn) => spendMakerPayment(turn, want), changes);
  const early = { ...WANT, notBefore: inMillis(1) };
  const first = appended(
    event('TransactionPrepared', { purpose: 'claim', tx: MADE, target: watch.maker_payment_hash, urgency: 0 }),
    event('BroadcastAttempted', { purpose: 'claim', tx_hash: TAKEN.tx_hash }),
  );

  it('leaves the claim to the taker until its moment, and looks now and then', () => {
    expect(claims({ facts: { ...sees(OPEN), ...made } }, early)).toEqual([null, 1]);
    expect(claims({ facts: { ...sees(OPEN), ...made } })[0]).toStrictEqual(first);
    expect(claims({ facts: { ...sees(OPEN), ...made } }, wantOf('spendMakerPayment'))[0]).toStrictEqual(first);
    const later = { ...WANT, notBefore: after(9000) };
    expect(claims({ facts: sees(OPEN, 300_000) }, later)).toEqual([null, 1]);
    expect(claims({ facts: sees(OPEN, 300_001) }, later)[0]).toStrictEqual(LOOK);
    expect(claims({ facts: sees(OPEN, 40_001) })[0]).toStrictEqual(LOOK);
  });

  it('completes what the taker has signed, and claims on a look of this moment', () => {
    expect(claims()[0]).toStrictEqual(LOOK);
    expect(claims({ facts: sees(OPEN, 40_000) })[0]).toStrictEqual(COMPLETES);
    expect(claims({ facts: { ...sees(OPEN, 7001), ...made } })[0]).toStrictEqual(LOOK);
    expect(claims({ facts: { ...sees(OPEN, 7000), ...made } })[0]).toStrictEqual(first);
    expect(claims({ facts: sees({}) })).toEqual([null, 40_001]);
  });

  it('sends again what the log holds, on a look of this moment', () => {
    const sends = { key: `maker:broadcast:${TAKEN.tx_hash}` };
    expect(claims({ journal: own(), facts: sees(OPEN, 7001) })[0]).toStrictEqual(LOOK);
    expect(claims({ journal: own(), facts: sees(OPEN, 7000) })[0]).toMatchObject(sends);
    const tries = failed(`maker:broadcast:${TAKEN.tx_hash}`);
    expect(claims({ journal: own(), facts: { ...sees(OPEN), tries } })).toEqual([null, 40_001]);
  });

  it('records the answer to its broadcast, however old the look is', () => {
    const broadcasts = new Map([[TAKEN.tx_hash, { ok: true, value: 'sent' } as const]]);
    const accepted = event('BroadcastAccepted', { purpose: 'claim', tx_hash: TAKEN.tx_hash, how: 'sent' });
    const facts = { ...sees(OPEN, 30_000), broadcasts };
    expect(claims({ journal: own(), facts })[0]).toStrictEqual(appended(accepted, event('MakerPaymentSpent', TAKEN)));
    expect(claims({ journal: own(), facts, state: 'claimSent' })[0]).toStrictEqual(appended(accepted));
  });
});

const sent = { state: 'claimSent', inputs: { helpers: false } };
const confirms = (changes: WatcherTurnChanges) =>
  decided((turn) => confirmMakerPaymentSpend(turn, wantOf('confirmMakerPaymentSpend')), { ...sent, ...changes });
const spends = (changes: WatcherTurnChanges) =>
  decided((turn) => spendMakerPayment(turn, wantOf('spendMakerPayment')), changes);
const shows = (confirmations: number, changes: object = {}) =>
  sees({ spend: spentWith('secret', { confirmations, ...changes }) });
const settled = (by: string, tx_hash: string | null = TAKEN.tx_hash, how = 'claimed') =>
  event('PaymentSettled', { payment: 'maker', how, by, tx_hash, confirmations: 2 });

describe('a claim that a watcher sees', () => {
  it('is its own, and recorded at once', () => {
    const known = event('BroadcastAccepted', { purpose: 'claim', tx_hash: TAKEN.tx_hash, how: 'known' });
    const told = event('MakerPaymentSpent', TAKEN);
    expect(spends({ journal: own(), facts: shows(0) })[0]).toStrictEqual(appended(known, told));
    expect(spends({ journal: own({ acceptedAt: after(-5) }), facts: shows(2) })[0]).toStrictEqual(appended(told));
  });

  it('ends the watch once it is final', () => {
    const journal = own({ acceptedAt: after(-5) });
    const done = appended(settled('self'), event('Stopped', { reason: 'MakerPaymentSpent', error: null }));
    expect(confirms({ journal, facts: shows(2) })[0]).toStrictEqual(done);
    expect(confirms({ journal, facts: shows(1) })).toEqual([null, 40_001]);
  });

  it('is the taker’s if this watcher did not send it', () => {
    const byTaker = (tx: typeof TAKEN | null) =>
      appended(settled('counterparty', tx?.tx_hash ?? null), event('MakerPaymentSpentByTaker', tx));
    expect(spends({ facts: shows(2) })[0]).toStrictEqual(byTaker(TAKEN));
    expect(spends({ journal: own({ attemptedAt: null }), facts: shows(2) })[0]).toStrictEqual(byTaker(TAKEN));
    expect(spends({ journal: own(), facts: shows(2, { tx: null }) })[0]).toStrictEqual(byTaker(null));
    expect(spends({ facts: shows(1) })).toEqual([null, 40_001]);
  });

  it('is lost when the payment went back for good', () => {
    const lost = (confirmations: number, tx: typeof TAKEN | null = TAKEN) =>
      confirms({ journal: own(), facts: sees({ spend: spentWith('refund', { confirmations, tx }) }) });
    const stopped = (by: string) =>
      event('Stopped', { reason: 'MakerPaymentSpendFailed', error: `the maker payment was taken back by ${by}` });
    expect(lost(1)).toEqual([null, 40_001]);
    expect(lost(2)[0]).toStrictEqual(
      appended(settled('counterparty', TAKEN.tx_hash, 'refunded'), stopped(`transaction ${TAKEN.tx_hash}`)),
    );
    expect(lost(2, null)[0]).toStrictEqual(
      appended(settled('counterparty', null, 'refunded'), stopped('another transaction')),
    );
  });

  it('is sent again while the payment is unspent', () => {
    const again = { key: `maker:broadcast:${TAKEN.tx_hash}` };
    expect(confirms({ journal: own(), facts: sees(OPEN) })[0]).toMatchObject(again);
  });

  it('is followed closely while it is not settled', () => {
    const later = wantOf('spendMakerPayment', { notBefore: after(9000) });
    const early = (ago: number) =>
      decided((turn) => spendMakerPayment(turn, later), { facts: sees({ spend: spentWith('secret') }, ago) });
    expect(early(40_001)[0]).toStrictEqual(LOOK);
    expect(early(40_000)).toEqual([null, 1]);
  });

  it('is handed to other nodes first, once', () => {
    const tx = { kind: 'send', topic: `txhlp/${watch.maker_coin}`, message: { kind: 'transaction', tx: TAKEN } };
    expect(confirms({ inputs: {}, journal: own() })[0]).toStrictEqual(tx);
    expect(
      confirms({ inputs: {}, journal: own(), facts: { sentAt: new Map([['transaction', NOW]]) } })[0],
    ).toStrictEqual(LOOK);
  });
});
