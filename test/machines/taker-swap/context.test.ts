import { describe, expect, it } from 'vitest';
import {
  initialTakerSwapContext,
  secretIsPublic,
  type TakerSwapContext,
  takerSwapReducers,
} from '../../../machines/taker-swap/context.ts';
import { type TakerEvent, type TakerEventType, takerEventTypes } from '../../../src/events/taker.ts';
import { addSeconds } from '../../../src/primitives/time.ts';
import {
  at,
  SECRET,
  START,
  TAKER_LOCK,
  takerContext,
  takerNegotiated,
  takerStarted,
  tx,
} from '../../support/swap-contexts.ts';

type Facts = Partial<TakerSwapContext>;
type Recipe = (draft: TakerSwapContext, event: TakerEvent) => void;

function after(type: TakerEventType, data: unknown, before: Facts = {}): TakerSwapContext {
  const draft = takerContext({ ...before, failures: [...(before.failures ?? [])] });
  (takerSwapReducers[type] as Recipe)(draft, { type, at: at(60), data } as TakerEvent);
  return draft;
}

const PREIMAGES: TakerSwapContext['watcherPreimages'] = [null, [1, 2]];
const touched: Facts = { lastEventAt: at(60) };

/** What an event leaves in the context, beside its moment. */
const kept: readonly (readonly [TakerEventType, unknown, Facts])[] = [
  ['Started', { ...takerStarted, uuid: 'another' }, { started: { ...takerStarted, uuid: 'another' } } as Facts],
  [
    'Negotiated',
    { ...takerNegotiated, maker_pubkey: '02' },
    { negotiated: { ...takerNegotiated, maker_pubkey: '02' } },
  ],
  ['TakerFeeSent', tx('a'), { takerFee: tx('a') }],
  ['TakerPaymentInstructionsReceived', { Lightning: 'invoice' }, { instructions: { Lightning: 'invoice' } }],
  ['MakerPaymentReceived', tx('a'), { makerPayment: tx('a') }],
  ['MakerPaymentWaitConfirmStarted', null, {}],
  ['MakerPaymentValidatedAndConfirmed', null, { makerPaymentValidated: true }],
  ['TakerPaymentSent', tx('a'), { takerPayment: tx('a') }],
  ['WatcherMessageSent', PREIMAGES, { watcherPreimages: PREIMAGES }],
  ['TakerPaymentSpent', { transaction: tx('a'), secret: SECRET }, { takerPaymentSpend: tx('a'), secret: SECRET }],
  ['MakerPaymentSpent', tx('a'), { makerPaymentSpend: tx('a'), makerPaymentSpentBy: 'self' }],
  ['MakerPaymentSpendConfirmed', null, { makerPaymentSpendConfirmed: true }],
  ['MakerPaymentSpentByWatcher', tx('a'), { makerPaymentSpend: tx('a'), makerPaymentSpentBy: 'watcher' }],
  ['TakerPaymentWaitRefundStarted', { wait_until: TAKER_LOCK }, { refundWaitUntil: TAKER_LOCK }],
  ['TakerPaymentRefundStarted', null, {}],
  [
    'TakerPaymentRefunded',
    tx('a'),
    { takerPaymentRefunded: true, takerPaymentRefund: tx('a'), takerPaymentRefundedBy: 'self' },
  ],
  ['TakerPaymentRefunded', null, { takerPaymentRefunded: true, takerPaymentRefundedBy: 'self' }],
  ['TakerPaymentRefundFinished', null, { refundFinished: true }],
  [
    'TakerPaymentRefundedByWatcher',
    tx('a'),
    { takerPaymentRefunded: true, takerPaymentRefund: tx('a'), takerPaymentRefundedBy: 'watcher' },
  ],
  ['Finished', null, { finishedAt: addSeconds(START, 60) }],
];

const FAILURES = takerEventTypes.filter((type) => type.endsWith('Failed'));
const DOUBTS: Facts = { makerPaymentSpendDoubtful: true };

describe('what a taker’s log leaves behind, event by event', () => {
  it('nothing before the first event', () => {
    const members = Object.values(initialTakerSwapContext());
    expect(members.filter((one) => one !== null && one !== false)).toEqual([[]]);
  });

  it.each(kept)('%s with %j', (type, data, facts) => {
    expect(after(type, data)).toEqual(takerContext({ ...touched, ...facts }));
  });

  it.each(FAILURES)('%s is kept with its text, after the failures before it', (type) => {
    const first = { event: 'StartFailed', at: at(0), error: 'first' };
    const { failures, lastEventAt } = after(type, { error: 'down' }, { failures: [first] });
    expect(failures).toEqual([first, { event: type, at: at(60), error: 'down' }]);
    expect(lastEventAt).toBe(at(60));
  });

  it('handles every type of event', () => {
    const types = new Set([...kept.map(([type]) => type), ...FAILURES]);
    expect([...types].sort()).toEqual([...takerEventTypes].sort());
  });
});

describe('what a taker does not know', () => {
  it('whether its payment was sent, once its sending was reported as failed, until the payment is there', () => {
    const failed = (facts: Facts) => after('TakerPaymentTransactionFailed', { error: 'down' }, facts);
    expect(failed({ makerPaymentValidated: true }).takerPaymentUncertain).toBe(true);
    expect(failed({}).takerPaymentUncertain).toBe(false);
    expect(failed({ takerPaymentUncertain: true }).takerPaymentUncertain).toBe(false);
    expect(after('TakerPaymentSent', tx('a'), { takerPaymentUncertain: true }).takerPaymentUncertain).toBe(false);
  });

  it('whether its claim counts, once the confirmation failed, until there is another or it is confirmed', () => {
    const failed = (facts: Facts) => after('MakerPaymentSpendConfirmFailed', { error: 'down' }, facts);
    expect(failed({}).makerPaymentSpendDoubtful).toBe(true);
    expect(failed({ makerPaymentSpendConfirmed: true }).makerPaymentSpendDoubtful).toBe(false);
    expect(after('MakerPaymentSpent', tx('a'), DOUBTS).makerPaymentSpendDoubtful).toBe(false);
    expect(after('MakerPaymentSpentByWatcher', tx('a'), DOUBTS).makerPaymentSpendDoubtful).toBe(false);
    expect(after('MakerPaymentSpendConfirmed', null, DOUBTS).makerPaymentSpendDoubtful).toBe(false);
  });
});

describe('the secret is public', () => {
  const failure = (event: string) => ({ event, at: at(0), error: 'down' });

  it('once the log holds it, a claim, or a failed claim', () => {
    expect(secretIsPublic(takerContext({ secret: SECRET }))).toBe(true);
    expect(secretIsPublic(takerContext({ makerPaymentSpend: tx('a') }))).toBe(true);
    const failures = [failure('TakerPaymentWaitForSpendFailed'), failure('MakerPaymentSpendFailed')];
    expect(secretIsPublic(takerContext({ failures }))).toBe(true);
  });

  it('for no other reason', () => {
    const failures = [failure('MakerPaymentSpendConfirmFailed'), failure('TakerPaymentWaitForSpendFailed')];
    expect(secretIsPublic(takerContext({ failures, takerPayment: tx('a') }))).toBe(false);
    expect(secretIsPublic(takerContext())).toBe(false);
  });
});
