import { describe, expect, it } from 'vitest';
import {
  initialMakerSwapContext,
  type MakerSwapContext,
  makerSwapReducers,
} from '../../../machines/maker-swap/context.ts';
import { type MakerEvent, type MakerEventType, makerEventTypes } from '../../../src/events/maker.ts';
import { addSeconds } from '../../../src/primitives/time.ts';
import { at, MAKER_LOCK, makerContext, makerNegotiated, makerStarted, START, tx } from '../../support/swap-contexts.ts';

type Facts = Partial<MakerSwapContext>;
type Recipe = (draft: MakerSwapContext, event: MakerEvent) => void;

function after(type: MakerEventType, data: unknown, before: Facts = {}): MakerSwapContext {
  const draft = makerContext({ ...before, failures: [...(before.failures ?? [])] });
  (makerSwapReducers[type] as Recipe)(draft, { type, at: at(60), data } as MakerEvent);
  return draft;
}

const touched: Facts = { lastEventAt: at(60) };

/** What an event leaves in the context, beside its moment. */
const kept: readonly (readonly [MakerEventType, unknown, Facts])[] = [
  ['Started', { ...makerStarted, uuid: 'another' }, { started: { ...makerStarted, uuid: 'another' } } as Facts],
  [
    'Negotiated',
    { ...makerNegotiated, taker_pubkey: '02' },
    { negotiated: { ...makerNegotiated, taker_pubkey: '02' } },
  ],
  ['MakerPaymentInstructionsReceived', { Lightning: 'invoice' }, { instructions: { Lightning: 'invoice' } }],
  ['TakerFeeValidated', tx('a'), { takerFee: tx('a') }],
  ['MakerPaymentSent', tx('a'), { makerPayment: tx('a') }],
  ['TakerPaymentReceived', tx('a'), { takerPayment: tx('a') }],
  ['TakerPaymentWaitConfirmStarted', null, {}],
  ['TakerPaymentValidatedAndConfirmed', null, { takerPaymentValidated: true }],
  ['TakerPaymentSpent', tx('a'), { takerPaymentSpend: tx('a') }],
  ['TakerPaymentSpendConfirmStarted', null, {}],
  ['TakerPaymentSpendConfirmed', null, { takerPaymentSpendConfirmed: true }],
  ['MakerPaymentWaitRefundStarted', { wait_until: MAKER_LOCK }, { refundWaitUntil: MAKER_LOCK }],
  ['MakerPaymentRefundStarted', null, {}],
  ['MakerPaymentRefunded', tx('a'), { makerPaymentRefunded: true, makerPaymentRefund: tx('a') }],
  ['MakerPaymentRefunded', null, { makerPaymentRefunded: true }],
  ['MakerPaymentRefundFinished', null, { refundFinished: true }],
  ['Finished', null, { finishedAt: addSeconds(START, 60) }],
];

const FAILURES = makerEventTypes.filter((type) => type.endsWith('Failed'));
const DOUBTS: Facts = { takerPaymentSpendDoubtful: true };

describe('what a maker’s log leaves behind, event by event', () => {
  it('nothing before the first event', () => {
    const members = Object.values(initialMakerSwapContext());
    expect(members.filter((one) => one !== null && one !== false)).toEqual([[]]);
  });

  it.each(kept)('%s with %j', (type, data, facts) => {
    expect(after(type, data)).toEqual(makerContext({ ...touched, ...facts }));
  });

  it.each(FAILURES)('%s is kept with its text, after the failures before it', (type) => {
    const first = { event: 'StartFailed', at: at(0), error: 'first' };
    const { failures, lastEventAt } = after(type, { error: 'down' }, { failures: [first] });
    expect(failures).toEqual([first, { event: type, at: at(60), error: 'down' }]);
    expect(lastEventAt).toBe(at(60));
  });

  it('handles every type of event', () => {
    const types = new Set([...kept.map(([type]) => type), ...FAILURES]);
    expect([...types].sort()).toEqual([...makerEventTypes].sort());
  });
});

describe('what a maker does not know', () => {
  it('whether its payment was sent, once its sending was reported as failed, until the payment is there', () => {
    const failed = (facts: Facts) => after('MakerPaymentTransactionFailed', { error: 'down' }, facts);
    expect(failed({}).makerPaymentUncertain).toBe(true);
    expect(failed({ makerPayment: tx('a') }).makerPaymentUncertain).toBe(false);
    expect(after('MakerPaymentSent', tx('a'), { makerPaymentUncertain: true }).makerPaymentUncertain).toBe(false);
  });

  it('whether its claim counts, once the confirmation failed, until there is another or it is confirmed', () => {
    const failed = (facts: Facts) => after('TakerPaymentSpendConfirmFailed', { error: 'down' }, facts);
    expect(failed({}).takerPaymentSpendDoubtful).toBe(true);
    expect(failed({ takerPaymentSpendConfirmed: true }).takerPaymentSpendDoubtful).toBe(false);
    expect(after('TakerPaymentSpent', tx('a'), DOUBTS).takerPaymentSpendDoubtful).toBe(false);
    expect(after('TakerPaymentSpendConfirmed', null, DOUBTS).takerPaymentSpendDoubtful).toBe(false);
  });
});
