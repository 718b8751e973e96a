import { describe, expect, it } from 'vitest';
import { waitForTakerPayment } from '../../../../../src/runtime/swap/effects/validate.ts';
import {
  appended,
  broadcastOf,
  decided,
  event,
  failed,
  fundedBy,
  inMillis,
  looked,
  PAID,
  SAID,
  TOPIC,
  wantOf,
} from '../../../../support/effect-turns.ts';
import { after, NOW, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const POLICY = { confirmationPoll: 40, resend: { payment: 600, fee: 100 }, bumpAfter: 600 };
const MAKER = { role: 'maker', own: 'maker', other: 'taker' } as const;
const OWN = { tx_hex: 'cc00', tx_hash: 'cc'.repeat(32) };
const makerPayment = { kind: 'makerPayment', tx: OWN, instructions: null } as const;
const sent = (kind: string, at = NOW as number) => ({ sentAt: new Map([[kind, at as never]]) });
const deadline = (kind: string, at: number, clock = 'host') => event('DeadlineReached', { kind, deadline: at, clock });

const CONFIRM_BY = after(300);
/** The wait of a swap whose locks last 1000 s. */
const WANT = wantOf('waitForTakerPayment', {
  until: CONFIRM_BY,
  wait: { since: CONFIRM_BY, limit: 690 },
  clock: 'host',
});
const mine = (changes: object = {}, at = NOW as number) => ({
  ...looked({ funding: fundedBy({ tx: OWN, ...changes }) }),
  at: at as never,
});
const waits = ({ events, swap, facts, ...rest }: TurnChanges) =>
  decided(
    (turn) => waitForTakerPayment(turn, WANT),
    turnOf({
      policy: POLICY,
      ...rest,
      events: { ...SAID, ...events },
      swap: { ...MAKER, ownPayment: OWN, lockDuration: 1000, ownConfirmations: 2, ...swap },
      facts: { ...facts, payments: { maker: mine(), taker: looked(), ...facts?.payments } },
    }),
  );
const told = sent('makerPayment');
const at = (millis: number, changes: object = { confirmations: 2 }) => ({
  now: inMillis(millis),
  facts: {
    ...sent('makerPayment', inMillis(millis)),
    payments: { maker: mine(changes, inMillis(millis)), taker: { ...looked(), at: inMillis(millis) } },
  },
});

describe('a maker that waits for the taker payment', () => {
  it('looks at both, its own first', () => {
    expect(waits({ facts: { payments: { maker: null, taker: null } } })[0]).toMatchObject({ key: 'maker:payment' });
    expect(waits({ facts: { payments: { taker: null } } })[0]).toMatchObject({ key: 'taker:payment' });
    expect(waits({ facts: { payments: { taker: looked({}, 40_001) } } })[0]).toMatchObject({ key: 'taker:payment' });
    const silent = { payments: { maker: null, taker: null }, tries: failed('maker:payment') };
    expect(waits({ facts: silent })[0]).toMatchObject({ key: 'taker:payment' });
  });

  it('accepts what the chain shows, also if its own chain is silent or the time is over', () => {
    const received = appended(event('otherReceived', PAID));
    const taker = looked({ funding: fundedBy({ confirmations: 0 }) });
    expect(waits({ facts: { payments: { taker } } })[0]).toStrictEqual(received);
    const silent = { payments: { maker: null, taker }, tries: failed('maker:payment') };
    expect(waits({ facts: silent })[0]).toStrictEqual(received);
    const both = new Map([...failed('maker:payment'), ...failed('taker:payment')]);
    const neither = { ...told, payments: { maker: null, taker: null }, tries: both };
    expect(waits({ facts: neither })).toEqual([null, 60_000]);
    expect(waits({ facts: { ...neither, sentAt: new Map() } })[0]).toMatchObject({ message: makerPayment });
  });

  it('accepts what does not fulfill the terms only if the taker named it', () => {
    const taker = looked({ funding: fundedBy({ confirmations: 3 }), problem: 'too little' });
    const naming = (tx: typeof PAID) => ({ inbox: new Map([['takerPayment', { kind: 'takerPayment', tx }] as const]) });
    const facts = { ...told, payments: { taker } };
    expect(waits({ facts })[0]).toBeNull();
    expect(waits({ facts: { ...facts, ...naming(OWN) } })[0]).toBeNull();
    expect(waits({ facts: { ...facts, ...naming(PAID) } })[0]).toStrictEqual(appended(event('otherReceived', PAID)));
  });

  it('keeps telling the taker about its own payment', () => {
    expect(waits({})[0]).toStrictEqual({ kind: 'send', topic: TOPIC, message: makerPayment });
    const silent = { payments: { maker: null }, tries: failed('maker:payment') };
    expect(waits({ facts: silent })[0]).toStrictEqual({ kind: 'send', topic: TOPIC, message: makerPayment });
    expect(waits({ facts: told })).toEqual([null, 40_000]);
  });

  it('brings its own payment back, and helps it along', () => {
    const payments = { maker: looked() };
    expect(waits({ facts: { ...told, payments } })[0]).toStrictEqual(broadcastOf('maker', OWN));
    const tries = failed(`maker:broadcast:${OWN.tx_hash}`);
    expect(waits({ facts: { ...told, payments, tries } })).toEqual([null, 40_000]);
    const fee = preparedOf({ tx: { tx_hash: 'fe', spends: ['input:9'] }, preparedAt: after(-700) });
    const journal = { prepared: { fee: [fee], payment: [preparedOf({ preparedAt: after(-600) })] } };
    const stuck = { payments: { maker: mine({ confirmations: 0 }) } };
    expect(waits({ journal, facts: stuck })[0]).toMatchObject({ key: 'maker:broadcast:fe' });
  });
});

describe('a maker whose own payment is to confirm', () => {
  it('fails when its own payment lacks a confirmation at the end of its time', () => {
    const lacks = { confirmations: 1 };
    expect(waits(at(300_000, lacks))).toEqual([null, 300_001]);
    const text = `Waited too long until ${CONFIRM_BY / 1000} for transaction ${OWN.tx_hash} to be confirmed 2 times`;
    const error = `!wait for maker payment confirmations: ${text}`;
    const failedThen = (hash = OWN.tx_hash) =>
      appended(
        deadline('waitForTakerPayment', CONFIRM_BY),
        event('MakerPaymentWaitConfirmFailed', { error: error.replace(OWN.tx_hash, hash) }),
        event('refundWaitStarted'),
      );
    expect(waits(at(300_001, lacks))[0]).toStrictEqual(failedThen());
    expect(waits({ ...at(300_001, lacks), swap: { ownPayment: null } })[0]).toStrictEqual(failedThen(''));
    expect(waits(at(300_001))[0]).toBeNull();
    const gone = {
      now: inMillis(300_001),
      facts: {
        payments: { maker: { ...looked(), at: inMillis(300_001) }, taker: { ...looked(), at: inMillis(300_001) } },
      },
    };
    expect(waits(gone)[0]).toStrictEqual(failedThen());
    const silent = {
      now: inMillis(300_001),
      facts: {
        ...told,
        payments: { maker: null, taker: { ...looked(), at: inMillis(300_001) } },
        tries: failed('maker:payment', { next: after(900) }),
      },
    };
    expect(waits(silent)[0]).toBeNull();
  });
});

describe('the end of the wait for the taker payment', () => {
  const waits = (millis: number, changes: TurnChanges = {}) => {
    const now = inMillis(millis);
    const maker = { ...looked({ funding: fundedBy({ tx: OWN, confirmations: 2 }) }), at: now };
    return decided(
      (turn) => waitForTakerPayment(turn, WANT),
      turnOf({
        policy: POLICY,
        now,
        events: SAID,
        swap: { ...MAKER, ownPayment: OWN, lockDuration: 1000 },
        facts: { ...sent('makerPayment', now), payments: { maker, taker: { ...looked(), at: now } }, ...changes.facts },
      }),
    )[0];
  };
  const late = (elapsed: number, at: number) =>
    appended(
      deadline('waitForTakerPayment', at),
      event('TakerPaymentValidateFailed', { error: `Timeout (${elapsed} > 690)` }),
      event('refundWaitStarted'),
    );

  it('counts from when its own payment was confirmed, or had to be', () => {
    const since = (seconds: number) => ({ facts: { confirmedSince: { maker: after(seconds) } } });
    expect(waits(790_999, since(100))).toBeNull();
    expect(waits(791_000, since(100))).toStrictEqual(late(691, after(790)));
    expect(waits(990_999)).toBeNull();
    expect(waits(991_000)).toStrictEqual(late(691, after(990)));
    expect(waits(990_999, since(500))).toBeNull();
    expect(waits(991_000, since(500))).toStrictEqual(late(691, after(990)));
  });
});
