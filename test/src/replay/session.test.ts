import { describe, expect, it } from 'vitest';
import type { MachineEvent } from '../../../machines/definition.ts';
import { startReplay } from '../../../src/replay/session.ts';
import { swapMachines } from '../../../src/replay/swaps.ts';
import { syntheticEvent, syntheticEvents } from '../../support/synthetic-events.ts';

function replay(role: 'taker' | 'maker', events: readonly MachineEvent[]) {
  const session = startReplay(swapMachines[role]);
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

  it('a doubled event is told from a misplaced one', () => {
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
