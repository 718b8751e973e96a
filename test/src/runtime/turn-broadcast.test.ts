import { describe, expect, it } from 'vitest';
import type { PreparedRecord } from '../../../machines/journal/context.ts';
import type { Purpose } from '../../../src/events/journal.ts';
import type { ChainFault, TransactionView } from '../../../src/ports/chain.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import { type Leg, NEVER } from '../../../src/runtime/command.ts';
import {
  attempted,
  broadcast,
  broadcastOwn,
  judgeMissing,
  nudge,
  nudgePayment,
  prepared,
  sign,
  type Turn,
} from '../../../src/runtime/swap/turn.ts';
import { after, NOW, preparedOf, type TurnChanges, turnOf } from '../../support/turns.ts';

const HASH = 'ab'.repeat(32);
const TX = { tx_hex: '0300', tx_hash: HASH, spends: ['account:7'], fee: '0.0002' as DecimalText };

/** A record of the transaction with this name for an id, which takes an input of the same name. */
const named = (name: string, changes: Partial<PreparedRecord> = {}, spends: readonly string[] = [name]) =>
  preparedOf({ ...changes, tx: { tx_hash: name, spends } });

const asks = (leg: Leg, { tx }: PreparedRecord) => {
  const key = `broadcast:${tx.tx_hash}`;
  return { kind: 'ask', leg, key: `${leg}:${key}`, question: { op: 'broadcast', transaction: tx, key } };
};

const appends = (type: string, data: object) => ({ kind: 'append', events: [{ type, data }] });

const fault = (kind: ChainFault['kind'], message = 'no') => ({ ok: false, fault: { kind, message } }) as const;

describe('a signed transaction', () => {
  const request = { purpose: 'fee', feeSat: 5n, burnSat: 0n, urgency: 2, replaces: null } as const;
  const signing = { leg: 'taker', purpose: 'fee', request, target: 'ef', urgency: 2 } as const;

  it('is asked for once, by its purpose', () => {
    expect(sign(turnOf(), signing)).toStrictEqual({
      kind: 'ask',
      leg: 'taker',
      key: 'taker:prepare:fee',
      question: { op: 'prepare', request, key: 'prepare:fee' },
    });
    const failed = { count: 1, next: after(5), kind: 'unavailable', message: '' };
    const turn = turnOf({ facts: { tries: new Map([['taker:prepare:fee', failed]]) } });
    expect(sign(turn, signing)).toBeNull();
    expect(turn.wakeAt).toBe(after(5));
  });

  it('goes into the log together with the intent to broadcast it', () => {
    const made = turnOf({ facts: { prepared: new Map([['fee', TX]]) } });
    expect(sign(made, signing)).toStrictEqual({
      kind: 'append',
      events: [
        { type: 'TransactionPrepared', data: { purpose: 'fee', tx: TX, target: 'ef', urgency: 2 } },
        { type: 'BroadcastAttempted', data: { purpose: 'fee', tx_hash: HASH } },
      ],
    });
    const other = turnOf({ facts: { prepared: new Map([['payment', TX]]) } });
    expect(sign(other, signing)).toMatchObject({ kind: 'ask', key: 'taker:prepare:fee' });
  });

  it('is kept without anything else that an adapter said about it', () => {
    const told = { ...TX, size: 250 };
    expect(prepared('claim', told, { target: null, urgency: 0 })).toStrictEqual({
      type: 'TransactionPrepared',
      data: { purpose: 'claim', tx: TX, target: null, urgency: 0 },
    });
    expect(attempted('claim', HASH)).toStrictEqual({
      type: 'BroadcastAttempted',
      data: { purpose: 'claim', tx_hash: HASH },
    });
  });
});

describe('a broadcast', () => {
  const record = preparedOf({ tx: TX });
  const sent = { purpose: 'payment', record } as const;
  const answered = (answer: NonNullable<ReturnType<Turn['facts']['broadcasts']['get']>>) =>
    turnOf({ facts: { broadcasts: new Map([[HASH, answer]]) } });

  it('is requested by the id of the transaction, with nothing but what the log holds', () => {
    expect(broadcast(turnOf(), 'taker', sent)).toStrictEqual({ pending: asks('taker', record) });
    const marked = { ...sent, record: { ...record, tx: { ...TX, note: 'odd' } } };
    expect(broadcast(turnOf(), 'maker', marked)).toStrictEqual({ pending: asks('maker', record) });
  });

  it('that was accepted is reported with how it was accepted', () => {
    for (const how of ['sent', 'known', 'confirmed'] as const) {
      expect(broadcast(answered({ ok: true, value: how }), 'taker', sent)).toStrictEqual({
        accepted: [{ type: 'BroadcastAccepted', data: { purpose: 'payment', tx_hash: HASH, how } }],
      });
    }
  });

  it('that was refused is recorded with the text of the node, as far as 500 characters', () => {
    for (const length of [0, 499, 500, 501, 10_000]) {
      const text = `${'a'.repeat(length)}`;
      const data = { purpose: 'payment', tx_hash: HASH, kind: 'feeTooLow', message: text.slice(0, 500) };
      expect(broadcast(answered(fault('feeTooLow', text)), 'taker', sent)).toStrictEqual({
        pending: appends('BroadcastRefused', data),
      });
    }
  });
});

/** The payment of an account that cannot be included before an earlier transaction of the account. */
const WAITING = named('waiting', { refused: 'nonceGap' });

const gap = (given: Readonly<Partial<Record<Purpose, PreparedRecord[]>>>, facts: TurnChanges['facts'] = {}) =>
  turnOf({ journal: { prepared: given }, facts });

const gapOnOwn = (fee: PreparedRecord, facts: TurnChanges['facts'] = {}) =>
  broadcastOwn(gap({ fee: [fee], payment: [WAITING] }, facts), 'taker', { purpose: 'payment', record: WAITING });

const SENT_ITSELF = { pending: asks('taker', WAITING) };

/** Names of the transactions that go out one after another while none of the answers is good. */
function orderOf(turn: Turn, leg: Leg, sent: { readonly purpose: Purpose; readonly record: PreparedRecord }): string[] {
  const order: string[] = [];
  for (;;) {
    const state = broadcastOwn(turn, leg, sent);
    if (!('pending' in state) || state.pending === null) return order;
    if (state.pending.kind !== 'ask' || state.pending.question.op !== 'broadcast') return [...order, '?'];
    order.push(state.pending.question.transaction.tx_hash);
    turn.facts.tries.set(state.pending.key, { count: 1, next: after(9 - order.length), kind: 'none', message: '' });
  }
}

describe('a transaction that waits for a nonce', () => {
  it('lets the earlier ones of its chain go out first, the oldest of each purpose before the later ones', () => {
    const journal = {
      fee: [named('fee 1'), named('fee 2')],
      payment: [named('payment 1'), WAITING],
      refund: [named('refund 1')],
      void: [named('void 1')],
      claim: [named('claim 1')],
    };
    const turn = gap(journal);
    const order = orderOf(turn, 'taker', { purpose: 'payment', record: WAITING });
    expect(order).toEqual(['fee 1', 'fee 2', 'payment 1', 'refund 1', 'void 1', 'waiting']);
    expect(turn.wakeAt).toBe(after(3));
  });

  it('on the chain of the other payment waits for the claims alone', () => {
    const waiting = named('claim 2', { refused: 'nonceGap' });
    const journal = { fee: [named('fee 1')], claim: [named('claim 1'), waiting] };
    expect(orderOf(gap(journal), 'maker', { purpose: 'claim', record: waiting })).toEqual(['claim 1', 'claim 2']);
  });

  it('broadcasts them as the log holds them', () => {
    const fee = named('fee 1');
    expect(gapOnOwn(fee)).toStrictEqual({ pending: asks('taker', fee) });
  });

  it('goes out itself when it was not refused for a nonce', () => {
    for (const refused of [null, 'nonceUsed', 'feeTooLow']) {
      const record = named('waiting', { refused });
      const turn = gap({ fee: [named('fee 1')], payment: [record] });
      expect(broadcastOwn(turn, 'taker', { purpose: 'payment', record })).toStrictEqual(SENT_ITSELF);
    }
  });

  it('waits for its lost parents: the earlier ones of the swap go out first, except for a claim or a refund', () => {
    const orphan = named('waiting', { refused: 'parentsUnknown' });
    const journal = { fee: [named('fee 1')], payment: [named('payment 1')], refund: [orphan] };
    expect(orderOf(gap({ ...journal, payment: [orphan] }), 'taker', { purpose: 'payment', record: orphan })).toEqual([
      'fee 1',
      'waiting',
    ]);
    const behind = (payment: PreparedRecord) =>
      orderOf(gap({ ...journal, payment: [payment], void: [orphan] }), 'taker', { purpose: 'void', record: orphan });
    expect(behind(named('payment 1', { acceptedAt: after(-9) }))).toEqual(['fee 1', 'payment 1', 'waiting']);
    // Which no node has taken: to bring it along would be to pay.
    expect(behind(named('payment 1'))).toEqual(['fee 1', 'waiting']);
    for (const purpose of ['claim', 'refund'] as const)
      expect(orderOf(gap(journal), 'taker', { purpose, record: orphan })).toEqual(['waiting']);
  });

  it('reports its own answer before anything else', () => {
    const broadcasts = new Map([['waiting', { ok: true, value: 'sent' } as const]]);
    expect(gapOnOwn(named('fee 1'), { broadcasts })).toStrictEqual({
      accepted: [{ type: 'BroadcastAccepted', data: { purpose: 'payment', tx_hash: 'waiting', how: 'sent' } }],
    });
  });
});

describe('of the earlier transactions', () => {
  it('those that no other party can have seen stay where they are', () => {
    expect(gapOnOwn(named('fee 1', { attemptedAt: null }))).toStrictEqual(SENT_ITSELF);
  });

  it('a claim or a refund goes out again although it was included without effect, no other does', () => {
    const dead = (name: string) => [named(name, { dead: true })];
    const turn = gap({
      fee: dead('fee'),
      payment: [...dead('payment'), WAITING],
      refund: dead('refund'),
      void: dead('void'),
    });
    expect(orderOf(turn, 'taker', { purpose: 'payment', record: WAITING })).toEqual(['refund', 'waiting']);
    const waiting = named('waiting', { refused: 'nonceGap' });
    const other = gap({ claim: [...dead('claim'), waiting] });
    expect(orderOf(other, 'maker', { purpose: 'claim', record: waiting })).toEqual(['claim', 'waiting']);
  });

  it('none was recently refused for its fee if a dearer one in its place goes out', () => {
    const cheap = (secondsAgo: number) =>
      named('cheap', { refused: 'feeTooLow', refusedAt: after(-secondsAgo) }, ['n7']);
    const order = (...fee: PreparedRecord[]) =>
      orderOf(gap({ fee, payment: [WAITING] }), 'taker', { purpose: 'payment', record: WAITING });
    expect(order(cheap(600), named('dear', {}, ['n7']))).toEqual(['dear', 'waiting']);
    expect(order(cheap(601), named('dear', {}, ['n7']))).toEqual(['cheap', 'dear', 'waiting']);
    // One that nobody was given, is gone, or takes another place fills no gap of it.
    expect(order(cheap(9), named('dear', { attemptedAt: null }, ['n7']))).toEqual(['cheap', 'waiting']);
    expect(order(cheap(9), named('dear', { dead: true }, ['n7']))).toEqual(['cheap', 'waiting']);
    expect(order(cheap(9), named('dear', {}, ['n8']))).toEqual(['cheap', 'dear', 'waiting']);
    expect(order(named('dear', {}, ['n7']), cheap(9))).toEqual(['dear', 'cheap', 'waiting']);
  });

  it('none was signed later', () => {
    const signedAt = (at: number) => named('fee 1', { preparedAt: at as Millis });
    expect(gapOnOwn(signedAt(WAITING.preparedAt + 1))).toStrictEqual(SENT_ITSELF);
    for (const at of [WAITING.preparedAt, WAITING.preparedAt - 1]) {
      expect(gapOnOwn(signedAt(at))).toMatchObject({ pending: { key: 'taker:broadcast:fee 1' } });
    }
  });

  it('none spends what the waiting one spends, even one of many things', () => {
    const takes = (...spends: string[]) => named('fee 1', {}, spends);
    expect(gapOnOwn(takes('other', 'waiting'))).toStrictEqual(SENT_ITSELF);
    expect(gapOnOwn(takes('waiting'))).toStrictEqual(SENT_ITSELF);
    expect(gapOnOwn(takes('other'))).toMatchObject({ pending: { key: 'taker:broadcast:fee 1' } });
  });

  it('one with an answer is recorded first', () => {
    const fee = named('fee 1', { preparedAt: after(-90) });
    const taken = new Map([['fee 1', { ok: true, value: 'known' } as const]]);
    const data = { purpose: 'fee', tx_hash: 'fee 1' };
    expect(gapOnOwn(fee, { broadcasts: taken })).toStrictEqual({
      pending: appends('BroadcastAccepted', { ...data, how: 'known' }),
    });
    const refused = new Map([['fee 1', fault('nonceUsed', 'low nonce')]]);
    expect(gapOnOwn(fee, { broadcasts: refused })).toStrictEqual({
      pending: appends('BroadcastRefused', { ...data, kind: 'nonceUsed', message: 'low nonce' }),
    });
  });
});

describe('an own payment that no block includes', () => {
  const PAYMENT = named('payment', { preparedAt: after(-600) });
  const FEE = named('fee', { preparedAt: after(-700) });
  const waits = (payment: PreparedRecord, fee = FEE) => gap({ fee: [fee], payment: [payment] });

  it('has the earlier transactions go out again once it is due, and not a millisecond before', () => {
    const early = waits({ ...PAYMENT, preparedAt: (after(-600) + 1) as Millis });
    expect(nudgePayment(early, 0)).toBeNull();
    expect(early.wakeAt).toBe(NOW + 1);
    const due = waits(PAYMENT);
    expect(nudgePayment(due, 0)).toStrictEqual(asks('taker', FEE));
    expect(due.wakeAt).toBe(NEVER);
  });

  it('is due by the policy', () => {
    const turn = turnOf({ journal: { prepared: { payment: [PAYMENT] } }, policy: { bumpAfter: 601.5 } });
    expect(nudgePayment(turn, 0)).toBeNull();
    expect(turn.wakeAt).toBe(NOW + 1500);
  });

  it('is left alone if there is nothing to repeat, itself included', () => {
    const spendsNothing = named('payment', { preparedAt: after(-600) }, []);
    expect(nudgePayment(gap({ payment: [spendsNothing] }), 0)).toBeNull();
  });

  it('is left alone with a confirmation, before it is signed and once it is dead', () => {
    for (const turn of [gap({ fee: [FEE] }), waits({ ...PAYMENT, dead: true })]) {
      expect(nudgePayment(turn, 0)).toBeNull();
      expect(turn.wakeAt).toBe(NEVER);
    }
    for (const payment of [PAYMENT, { ...PAYMENT, preparedAt: after(-1) }]) {
      const turn = waits(payment);
      expect(nudgePayment(turn, 1)).toBeNull();
      expect(turn.wakeAt).toBe(NEVER);
    }
  });
});

describe('what a node has and no block includes', () => {
  const FEE = named('fee', { preparedAt: after(-9000) });
  const waits = (seconds: number, changes: Partial<PreparedRecord> = {}) => {
    const record = named('void', { acceptedAt: after(-seconds), urgency: 12, ...changes });
    const turn = gap({ fee: [FEE], void: [record] });
    return [nudge(turn, 'taker', record), turn.wakeAt];
  };

  it('has the earlier transactions go out again after its time, however much it offers itself', () => {
    expect(waits(1200)[0]).toStrictEqual(asks('taker', FEE));
    expect(waits(1199)).toEqual([null, NOW + 1000]);
    expect(waits(5)).toEqual([null, NOW + 1_195_000]);
  });

  it('is left alone before a node has it', () => {
    expect(waits(0, { acceptedAt: null })).toEqual([null, NEVER]);
  });
});

describe('a transaction that was accepted and whose effect is not seen', () => {
  const judged = (status: TransactionView['status'], changes: Partial<PreparedRecord> = {}, age = 0) => {
    const view = { value: { status, confirmations: 0 }, at: (NOW - age) as Millis };
    const turn = turnOf({ facts: { transactions: new Map([[HASH, view]]) } });
    const record = preparedOf({ tx: TX, ...changes });
    return { verdict: judgeMissing(turn, 'maker', { purpose: 'claim', record }), wakeAt: turn.wakeAt };
  };
  const data = { purpose: 'claim', tx_hash: HASH };

  it('is looked for, and again after a while', () => {
    const key = `transaction:${HASH}`;
    const pending = {
      kind: 'ask',
      leg: 'maker',
      key: `maker:${key}`,
      question: { op: 'transaction', hash: HASH, key },
    };
    const record = preparedOf({ tx: TX });
    expect(judgeMissing(turnOf(), 'maker', { purpose: 'claim', record })).toStrictEqual({ pending });
    expect(judged('reverted', {}, 10_001).verdict).toStrictEqual({ pending });
  });

  it('is dead when another one took its place, or when it had no effect', () => {
    for (const status of ['reverted', 'conflicted'] as const) {
      expect(judged(status).verdict).toStrictEqual({ pending: appends('TransactionReverted', data) });
    }
  });

  it('is waited for while a chain or its mempool holds it', () => {
    for (const status of ['mempool', 'confirmed'] as const) {
      expect(judged(status, { acceptedAt: after(-3600) })).toStrictEqual({
        verdict: { pending: null },
        wakeAt: after(10),
      });
    }
  });

  it('is dropped when it has been gone for the full time, and not a millisecond earlier', () => {
    expect(judged('unknown', { acceptedAt: (after(-60) + 1) as Millis })).toStrictEqual({
      verdict: { pending: null },
      wakeAt: NOW + 1,
    });
    expect(judged('unknown', { acceptedAt: after(-60) }).verdict).toStrictEqual({
      pending: appends('TransactionDropped', data),
    });
  });

  it('goes out again without a record if no node accepted it, or after its loss was noted', () => {
    expect(judged('unknown', { acceptedAt: null }).verdict).toBe('again');
    for (const acceptedAt of [after(-3600), after(-1)]) {
      expect(judged('unknown', { acceptedAt, dropped: true }).verdict).toBe('again');
    }
  });
});
