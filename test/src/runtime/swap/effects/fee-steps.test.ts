import { describe, expect, it } from 'vitest';
import type { DexFee } from '../../../../../src/htlc/dex-fee.ts';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import type { UnixSeconds } from '../../../../../src/primitives/time.ts';
import { NEVER, type NewEvent } from '../../../../../src/runtime/command.ts';
import { sendTakerFee, waitForTakerFee } from '../../../../../src/runtime/swap/effects/fee.ts';
import {
  appended,
  asked,
  awaiting,
  broadcastOf,
  decided,
  event,
  failed,
  found,
  inMillis,
  looked,
  SAID,
  seen,
  TAKEN,
  TOPIC,
  wantOf,
} from '../../../../support/effect-turns.ts';
import { after, NOW, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const FEE: DexFee = { kind: 'standard', feeSat: 5n, burnSat: 2n };
const NO_FEE: DexFee = { kind: 'none', feeSat: 0n, burnSat: 0n };
const NOTHING = { tx_hex: '', tx_hash: '' };
const HASH = TAKEN.tx_hash;

const SEND = wantOf('sendTakerFee', { until: after(100) });
const sends = ({ events, ...rest }: TurnChanges = {}, want = SEND) =>
  decided((turn) => sendTakerFee(turn, want), turnOf({ ...rest, events: { ...SAID, fee: () => FEE, ...events } }));
const withFee = (changes: Parameters<typeof preparedOf>[0] = {}) => ({
  prepared: { fee: [preparedOf({ ...changes, tx: TAKEN })] },
});
const failing = (error: string, ...before: readonly NewEvent[]) =>
  appended(...before, event('TakerFeeSendFailed', { error }));
const signing = (urgency: number, replaces: unknown) =>
  asked('taker', {
    op: 'prepare',
    request: { purpose: 'fee', feeSat: 5n, burnSat: 2n, urgency, replaces: replaces as never },
    key: 'prepare:fee',
  });

describe('a taker that sends its fee', () => {
  it('has nothing to send if it pays none', () => {
    const sent = appended(event('TakerFeeSent', NOTHING));
    expect(sends({ events: { fee: () => NO_FEE } })[0]).toStrictEqual(sent);
    expect(sends({ events: { fee: () => NO_FEE } }, { ...SEND, until: after(-9) })[0]).toStrictEqual(sent);
  });

  it('signs it once, with the intent to broadcast it', () => {
    expect(sends()).toEqual([signing(0, null), 100_001]);
    const made = { ...TAKEN, spends: ['x'], fee: '0.1' as DecimalText };
    expect(sends({ facts: { prepared: new Map([['fee', made]]) } })[0]).toStrictEqual(
      appended(
        event('TransactionPrepared', { purpose: 'fee', tx: made, target: null, urgency: 0 }),
        event('BroadcastAttempted', { purpose: 'fee', tx_hash: HASH }),
      ),
    );
  });

  it('broadcasts the one that the log holds, and records it once a node has accepted it', () => {
    expect(sends({ journal: withFee() })[0]).toStrictEqual(
      broadcastOf('taker', TAKEN, { spends: ['input:0'], fee: '0.0001' }),
    );
    const broadcasts = new Map([[HASH, { ok: true, value: 'sent' } as const]]);
    expect(sends({ journal: withFee(), facts: { broadcasts } })[0]).toStrictEqual(
      appended(
        event('BroadcastAccepted', { purpose: 'fee', tx_hash: HASH, how: 'sent' }),
        event('TakerFeeSent', TAKEN),
      ),
    );
  });

  it('records that a node has accepted it, although nobody knows what became of earlier ones, and although its time is over', () => {
    const cheap = preparedOf({ tx: { tx_hash: 'cheap', tx_hex: 'c0' }, refused: 'feeTooLow', refusedAt: after(-9) });
    const dear = preparedOf({ tx: { tx_hash: 'dear', tx_hex: 'd0' }, urgency: 1 });
    const journal = { prepared: { fee: [cheap, dear] } };
    const facts = {
      broadcasts: new Map([['dear', { ok: true, value: 'known' } as const]]),
      tries: failed('taker:transaction:cheap', { kind: 'disagreement' }),
    };
    const told = appended(
      event('BroadcastAccepted', { purpose: 'fee', tx_hash: 'dear', how: 'known' }),
      event('TakerFeeSent', { tx_hash: 'dear', tx_hex: 'd0' }),
    );
    expect(sends({ journal, facts })[0]).toStrictEqual(told);
    expect(sends({ journal, facts }, { ...SEND, until: after(-9) })[0]).toStrictEqual(told);
    const refused = { ok: false, fault: { kind: 'unavailable', message: '' } } as const;
    const unheard = { ...facts, broadcasts: new Map([['dear', refused]]) };
    expect(sends({ journal, facts: unheard })[0]).toBeNull();
    expect(sends({ journal, facts: unheard }, { ...SEND, until: after(-9) })[0]).toMatchObject({
      events: [{ type: 'DeadlineReached' }, { type: 'TakerFeeSendFailed' }],
    });
  });

  it('raises it if it pays too little', () => {
    const journal = withFee({ refused: 'feeTooLow', urgency: 3 });
    const look = asked('taker', { op: 'transaction', hash: HASH, key: `transaction:${HASH}` });
    expect(sends({ journal })[0]).toStrictEqual(look);
    const facts = { transactions: found(HASH, {}) };
    expect(sends({ journal, facts })[0]).toStrictEqual(signing(4, journal.prepared.fee[0]?.tx));
  });

  it('sends the signed one again while the wallet signs nothing dearer', () => {
    const journal = withFee({ refused: 'feeTooLow', urgency: 3 });
    const facts = { transactions: found(HASH, {}), tries: failed('taker:prepare:fee', { kind: 'feeTooLow' }) };
    expect(sends({ journal, facts })[0]).toMatchObject({ key: `taker:broadcast:${HASH}` });
  });

  it('treats the variant that the network has as its fee, whatever a node said of it, and signs none beside it', () => {
    const cheap = preparedOf({ tx: { tx_hash: 'cheap', tx_hex: 'c0' }, refused: 'feeTooLow', refusedAt: after(-9) });
    for (const refused of ['feeTooLow', 'noReplacement', 'inputsSpent'] as const) {
      const dear = preparedOf({ tx: { tx_hash: 'dear', tx_hex: 'd0' }, refused, refusedAt: after(-5), urgency: 1 });
      const journal = { prepared: { fee: [cheap, dear] } };
      for (const [status, how] of [
        ['mempool', 'known'],
        ['confirmed', 'confirmed'],
      ] as const) {
        const confirmations = status === 'confirmed' ? 2 : 0;
        const transactions = new Map([...found('cheap', { status, confirmations }), ...found('dear', {})]);
        expect(sends({ journal, facts: { transactions } })[0]).toStrictEqual(
          appended(
            event('BroadcastAccepted', { purpose: 'fee', tx_hash: 'cheap', how }),
            event('TakerFeeSent', { tx_hash: 'cheap', tx_hex: 'c0' }),
          ),
        );
      }
    }
  });

  it('pays a price that has fallen again: the cheapest that no node has refused recently', () => {
    const refusedFor = (tx_hash: string, seconds: number, urgency: number) =>
      preparedOf({ tx: { tx_hash }, refused: 'feeTooLow', refusedAt: after(-seconds), urgency });
    const sent = (...fee: ReturnType<typeof preparedOf>[]) => {
      const transactions = new Map(fee.flatMap(({ tx }) => [...found(tx.tx_hash, {})]));
      return sends({ journal: { prepared: { fee } }, facts: { transactions } })[0];
    };
    const [old, recent, last] = [refusedFor('a', 601, 0), refusedFor('b', 600, 1), refusedFor('c', 700, 2)];
    expect(sent(old, recent, last)).toMatchObject({ key: 'taker:broadcast:a' });
    expect(sent(recent, last)).toMatchObject({ key: 'taker:prepare:fee' });
    expect(sent({ ...old, dead: true }, recent, last)).toMatchObject({ key: 'taker:prepare:fee' });
    const answered = new Map([['b', { ok: true, value: 'sent' } as const]]);
    const journal = { prepared: { fee: [old, recent, last] } };
    const transactions = new Map(['a', 'b', 'c'].flatMap((hash) => [...found(hash, {})]));
    expect(sends({ journal, facts: { transactions, broadcasts: answered } })[0]).toMatchObject({
      events: [{ data: { tx_hash: 'b' } }, { type: 'TakerFeeSent', data: { tx_hash: 'b' } }],
    });
  });
});

describe('a taker that cannot send its fee', () => {
  it('gives up after its deadline, by the latest clock', () => {
    const text = `Timeout ${NOW / 1000 + 101} > ${NOW / 1000 + 100}`;
    const late = (error = text) =>
      failing(error, event('DeadlineReached', { kind: 'sendTakerFee', deadline: after(100), clock: 'host' }));
    expect(sends({ now: after(100) })).toEqual([signing(0, null), 100_001]);
    expect(sends({ now: inMillis(100_001) })[0]).toStrictEqual(late());
    expect(sends({ now: inMillis(100_001), journal: withFee() })[0]).toStrictEqual(late());
    const clock = (NOW / 1000 + 101) as UnixSeconds;
    expect(sends({ facts: { payments: { maker: looked({ clock }) } } })[0]).toMatchObject({ kind: 'append' });
    expect(sends({ now: inMillis(100_001) }, wantOf('sendTakerFee'))).toEqual([signing(0, null), NEVER - NOW]);
  });

  it.each(['insufficientFunds', 'unsupported'])('gives up if its wallet says %s', (kind) => {
    const tries = failed('taker:prepare:fee', { kind, message: 'no coins' });
    expect(sends({ facts: { tries } })[0]).toStrictEqual(failing('no coins'));
    expect(sends({ facts: { tries }, journal: withFee() })[0]).toMatchObject({ question: { op: 'broadcast' } });
    const other = failed('maker:prepare:fee', { kind, message: 'no coins' });
    expect(sends({ facts: { tries: other } })[0]).toMatchObject({ question: { op: 'prepare' } });
  });

  it('tries again after any other fault', () => {
    expect(sends({ facts: { tries: failed('taker:prepare:fee') } })).toEqual([null, 60_000]);
  });
});

const WAIT = awaiting('waitForTakerFee', NOW, 690);
const check = { tx: TAKEN.tx_hex, hash: HASH, payer: '02', feeSat: 5n, burnSat: 2n, minHeight: 7 };
const message = new Map([['takerFee', { kind: 'takerFee', tx: TAKEN }] as const]);
const waits = ({ events, swap, ...rest }: TurnChanges = {}, want = WAIT) =>
  decided(
    (turn) => waitForTakerFee(turn, want),
    turnOf({
      policy: { resend: { fee: 100 }, feeCheck: { retries: 2, pause: 10 } },
      ...rest,
      events: { ...SAID, fee: () => FEE, feeCheck: () => check, ...events },
      swap: { role: 'maker', own: 'maker', other: 'taker', state: 'negotiated', lastEventAt: NOW, ...swap },
    }),
  );
const first = event('MakerPaymentInstructionsReceived');
const validated = event('TakerFeeValidated', TAKEN);
const checked = (value: string | null, ago = 0, feeChecks = 1) => ({
  inbox: message,
  feeCheck: seen(value, ago),
  feeChecks,
});

describe('a maker that waits for the fee', () => {
  it('says meanwhile that it has agreed', () => {
    const said = { kind: 'send', topic: TOPIC, message: { kind: 'negotiated', accepted: true } };
    expect(waits()).toEqual([said, 691_000]);
    const sentAt = (at: number) => ({ facts: { sentAt: new Map([['negotiated', inMillis(at)]]) } });
    expect(waits(sentAt(-100_000))[0]).toStrictEqual(said);
    expect(waits(sentAt(-99_999))).toEqual([null, 1]);
  });

  it('asks the chain about it', () => {
    expect(waits({ facts: { inbox: message } })).toEqual([asked('taker', { op: 'checkFee', check }), NEVER - NOW]);
  });

  it('continues with a good one', () => {
    expect(waits({ facts: checked(null) })[0]).toStrictEqual(appended(first, validated));
    expect(waits({ facts: checked(null), swap: { state: 'instructionsReceived' } })[0]).toStrictEqual(
      appended(validated),
    );
  });

  it('continues without one if the taker pays none, as soon as the taker says so', () => {
    const events = { fee: () => NO_FEE };
    const none = appended(first, event('TakerFeeValidated', NOTHING));
    expect(waits({ events, facts: { inbox: message } })[0]).toStrictEqual(none);
    expect(waits({ events })[0]).toMatchObject({ kind: 'send' });
  });

  it('asks again after a pause if it is not valid, and then refuses it', () => {
    expect(waits({ facts: checked('none', 9999) })).toEqual([null, 10_000]);
    expect(waits({ facts: checked('none', 10_000) })[0]).toMatchObject({ kind: 'ask' });
    expect(waits({ facts: checked('none', 10_000, 2) })[0]).toMatchObject({ kind: 'ask' });
    expect(waits({ facts: checked('none', 0, 3) })[0]).toStrictEqual(
      appended(event('TakerFeeValidateFailed', { error: 'none' })),
    );
    expect(waits({ facts: checked(null, 0, 3) })[0]).toStrictEqual(appended(first, validated));
  });

  it('gives up after 690 s, reported in whole seconds', () => {
    const late = appended(
      event('DeadlineReached', { kind: 'waitForTakerFee', deadline: after(690), clock: 'host' }),
      event('TakerFeeValidateFailed', { error: 'Timeout (691 > 690)' }),
    );
    const at = (millis: number) => inMillis(millis);
    const told = { sentAt: new Map([['negotiated', at(690_999)]]) };
    expect(waits({ now: at(690_999), facts: told })).toEqual([null, 691_000]);
    expect(waits({ now: at(691_000) })[0]).toStrictEqual(late);
    const silent = { inbox: message, tries: failed('taker:checkFee', { next: after(900) }) };
    expect(waits({ now: at(691_000), facts: silent })[0]).toStrictEqual(late);
    const bad = { ...checked('none'), feeCheck: { value: 'none', at: at(691_000) } };
    expect(waits({ now: at(691_000), facts: bad })[0]).toStrictEqual(late);
    expect(waits({ now: at(9_000_000) }, wantOf('waitForTakerFee'))[0]).toMatchObject({ kind: 'send' });
  });
});
