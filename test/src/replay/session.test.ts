import { describe, expect, it } from 'vitest';
import type { MachineEvent } from '../../../machines/definition.ts';
import { type ReplayOptions, startReplay } from '../../../src/replay/session.ts';
import { swapMachines } from '../../../src/replay/swaps.ts';
import { syntheticEvent, syntheticEvents } from '../../support/synthetic-events.ts';

function replay(role: 'taker' | 'maker', events: readonly MachineEvent[], options: ReplayOptions = {}) {
  const session = startReplay(swapMachines[role], options);
  for (const event of events) session.push(event);
  return { ...session.position(), anomalies: session.anomalies };
}

const SUCCESS = [
  'Started',
  'Negotiated',
  'TakerFeeSent',
  'TakerPaymentInstructionsReceived',
  'MakerPaymentReceived',
  'MakerPaymentWaitConfirmStarted',
  'MakerPaymentValidatedAndConfirmed',
  'TakerPaymentSent',
  'TakerPaymentSpent',
  'MakerPaymentSpent',
  'MakerPaymentSpendConfirmed',
  'Finished',
];

describe('a log that was changed', () => {
  it('a missing event is named as the repair, and the rest is still read', () => {
    const { state, anomalies } = replay('taker', syntheticEvents(SUCCESS.filter((type) => type !== 'Negotiated')));
    expect(state).toBe('finished');
    expect(anomalies).toEqual([
      {
        seq: 1,
        code: 'ILLEGAL_EVENT',
        severity: 'fault',
        message: 'TakerFeeSent cannot follow Started; Negotiated or NegotiateFailed may.',
        expected: ['Negotiated', 'NegotiateFailed'],
        found: 'TakerFeeSent',
        repair: 'restore the missing Negotiated before TakerFeeSent at 1',
      },
    ]);
  });

  it('every single dropped event inside of a log is noticed, and the repair names a legal way', () => {
    for (const [index, dropped] of SUCCESS.entries()) {
      if (index === SUCCESS.length - 1) continue;
      const { anomalies } = replay('taker', syntheticEvents(SUCCESS.filter((type) => type !== dropped)));
      const legalWithout =
        dropped === 'TakerPaymentInstructionsReceived' ||
        dropped === 'MakerPaymentWaitConfirmStarted' ||
        dropped === 'MakerPaymentSpendConfirmed';
      expect(
        anomalies.map(({ code }) => code),
        `without ${dropped}`,
      ).toEqual(legalWithout ? [] : ['ILLEGAL_EVENT']);
    }
  });

  it('a doubled event is distinguished from a misplaced one', () => {
    const events = syntheticEvents(['Started', 'Started', 'Negotiated', 'Negotiated']);
    expect(replay('taker', events).anomalies.map(({ seq, code, repair }) => ({ seq, code, repair }))).toEqual([
      { seq: 1, code: 'DUPLICATE_EVENT', repair: 'remove the Started at 1' },
      { seq: 3, code: 'DUPLICATE_EVENT', repair: 'remove the Negotiated at 3' },
    ]);
  });

  it('nothing may follow the end', () => {
    const { state, anomalies } = replay('taker', syntheticEvents([...SUCCESS, 'TakerPaymentRefunded']));
    expect(state).toBe('finished');
    expect(anomalies.map(({ seq, code }) => ({ seq, code }))).toEqual([{ seq: 12, code: 'EVENT_AFTER_FINISHED' }]);
  });

  it('an event of unknown type changes nothing and is reported', () => {
    const { state, anomalies } = replay('maker', syntheticEvents(['Started', 'BrandNew', 'Negotiated']));
    expect(state).toBe('waitingForTakerFee');
    expect(anomalies.map(({ seq, code, severity }) => ({ seq, code, severity }))).toEqual([
      { seq: 1, code: 'UNKNOWN_EVENT', severity: 'notice' },
    ]);
  });

  it('a timestamp before an earlier one is reported', () => {
    const events = [
      syntheticEvent('Started', 2000),
      syntheticEvent('Negotiated', 1000),
      syntheticEvent('TakerFeeSent', 1500),
    ];
    expect(replay('taker', events).anomalies.map(({ seq, code }) => ({ seq, code }))).toEqual([
      { seq: 1, code: 'TIME_BACKWARDS' },
      { seq: 2, code: 'TIME_BACKWARDS' },
    ]);
  });
});

describe('an order that only older releases stored', () => {
  const refundedAtOnce = [
    'Started',
    'Negotiated',
    'TakerFeeValidated',
    'MakerPaymentSent',
    'TakerPaymentValidateFailed',
    'MakerPaymentRefunded',
    'Finished',
  ];
  const at = (iso: string) => refundedAtOnce.map((type, index) => syntheticEvent(type, Date.parse(iso) + index * 1000));

  it('is legal in a log of its time', () => {
    expect(replay('maker', at('2019-08-01T00:00:00Z')).anomalies).toEqual([]);
  });

  it('is noted in a younger log, with the month in which it ended', () => {
    const { anomalies, state } = replay('maker', at('2024-08-01T00:00:00Z'));
    expect(state).toBe('finished');
    expect(anomalies.map(({ seq, code, message }) => ({ seq, code, message }))).toEqual([
      {
        seq: 2,
        code: 'LEGACY_ORDER',
        message:
          'TakerFeeValidated at this place is legal only for a log older than 2022-10, but the event is younger.',
      },
      {
        seq: 5,
        code: 'LEGACY_ORDER',
        message:
          'MakerPaymentRefunded at this place is legal only for a log older than 2020-02, but the event is younger.',
      },
      {
        seq: 6,
        code: 'LEGACY_ORDER',
        message: 'Finished at this place is legal only for a log older than 2023-01, but the event is younger.',
      },
    ]);
  });
});

describe('an order that this engine alone emits', () => {
  const TO_SPENT = SUCCESS.slice(0, SUCCESS.indexOf('TakerPaymentSpent') + 1);
  const CLAIMED_AGAIN = [
    ...TO_SPENT,
    'MakerPaymentSpendFailed',
    'MakerPaymentSpent',
    'MakerPaymentSpendConfirmed',
    'Finished',
  ];
  const TO_REFUND = [
    ...SUCCESS.slice(0, SUCCESS.indexOf('TakerPaymentSpent')),
    'TakerPaymentWaitForSpendFailed',
    'TakerPaymentWaitRefundStarted',
  ];
  const MAKER_TO_REFUND = [
    'Started',
    'Negotiated',
    'MakerPaymentInstructionsReceived',
    'TakerFeeValidated',
    'MakerPaymentSent',
    'TakerPaymentValidateFailed',
    'MakerPaymentWaitRefundStarted',
  ];

  it('is noted in a log from elsewhere, and the swap reads to its end', () => {
    const { state, anomalies } = replay('taker', syntheticEvents(CLAIMED_AGAIN));
    expect(state).toBe('finished');
    expect(anomalies).toEqual([
      {
        seq: 10,
        code: 'ENGINE_ORDER',
        severity: 'notice',
        message:
          'MakerPaymentSpent at this place is legal for this engine; no release of the real node stores this order.',
        found: 'MakerPaymentSpent',
      },
    ]);
  });

  it('is nothing to note in a log of our own', () => {
    expect(replay('taker', syntheticEvents(CLAIMED_AGAIN), { ownLog: true }).anomalies).toEqual([]);
  });

  it('does not cover a claim without any sign that the secret is out, nor one of a payment that was never found valid', () => {
    const taker = replay('taker', syntheticEvents([...TO_REFUND, 'MakerPaymentSpent']), { ownLog: true });
    const maker = replay('maker', syntheticEvents([...MAKER_TO_REFUND, 'TakerPaymentSpent']), { ownLog: true });
    for (const { anomalies } of [taker, maker]) expect(anomalies.map(({ code }) => code)).toEqual(['ILLEGAL_EVENT']);
    expect(taker.anomalies[0]?.expected).not.toContain('MakerPaymentSpent');
    expect(maker.anomalies[0]?.expected).not.toContain('TakerPaymentSpent');
  });

  it('does not cover a second payment, nor a refund of one that was never sent', () => {
    const toSent = ['Started', 'Negotiated', 'MakerPaymentInstructionsReceived', 'TakerFeeValidated'];
    const received = ['MakerPaymentSent', 'TakerPaymentReceived', 'MakerPaymentTransactionFailed'];
    const codes = (types: readonly string[]) =>
      replay('maker', syntheticEvents([...toSent, ...types]), { ownLog: true }).anomalies.map(({ code }) => code);
    expect(codes(['MakerPaymentTransactionFailed', 'MakerPaymentSent'])).toEqual([]);
    expect(codes([...received, 'MakerPaymentSent'])).toEqual(['ILLEGAL_EVENT']);
    expect(codes([...received, 'MakerPaymentWaitRefundStarted'])).toEqual([]);
    expect(codes(['MakerPaymentTransactionFailed', 'MakerPaymentWaitRefundStarted'])).toEqual(['ILLEGAL_EVENT']);
  });

  it('is proposed as a repair only for a log of our own', () => {
    const torn = syntheticEvents([...TO_REFUND, 'TakerPaymentRefundStarted', 'MakerPaymentSpendConfirmed']);
    const repairs = (options: ReplayOptions) => replay('taker', torn, options).anomalies.map(({ repair }) => repair);
    const seq = torn.length - 1;
    expect(repairs({})).toEqual([`remove MakerPaymentSpendConfirmed at ${seq}`]);
    expect(repairs({ ownLog: true })).toEqual([
      `restore the missing MakerPaymentSpentByWatcher before MakerPaymentSpendConfirmed at ${seq}`,
    ]);
  });
});
