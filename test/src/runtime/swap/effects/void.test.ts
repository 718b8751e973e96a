import { describe, expect, it } from 'vitest';
import type { PreparedRecord } from '../../../../../machines/journal/context.ts';
import type { TransactionView } from '../../../../../src/ports/chain.ts';
import type { Seconds } from '../../../../../src/primitives/time.ts';
import { MOST_URGENT } from '../../../../../src/runtime/policy.ts';
import { pushVoid } from '../../../../../src/runtime/swap/effects/void.ts';
import {
  appended,
  asked,
  broadcastOf,
  decided,
  event,
  failed,
  found,
  inMillis,
  PAID,
} from '../../../../support/effect-turns.ts';
import { after, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const POLICY = { spendPoll: 25, bumpAfter: 600, dropAfter: 300 };
const PAYMENT = preparedOf({ tx: PAID, urgency: 2 });
const VOID = 'f0';
const LATER = [null, 40_000];

const voidOf = (changes: Parameters<typeof preparedOf>[0] = {}) =>
  preparedOf({ acceptedAt: after(-5), urgency: 3, ...changes, tx: { tx_hash: VOID } });

/** What is done where the chain shows this of the payment, and that of what is to take its place. */
const pushed = (
  made: PreparedRecord[],
  { status = 'mempool', shown = 'mempool', fee = [], facts, ...rest }: Shown & TurnChanges = {},
) => {
  const journal = { prepared: { fee, payment: [PAYMENT], void: made } };
  const transactions = found(VOID, { status: shown });
  return decided(
    (turn) => pushVoid(turn, PAYMENT, { status, poll: 40 as Seconds }),
    turnOf({ policy: POLICY, journal, ...rest, facts: { transactions, ...facts } }),
  );
};
type Shown = {
  readonly status?: TransactionView['status'];
  readonly shown?: TransactionView['status'];
  readonly fee?: PreparedRecord[];
};

const signing = (target: PreparedRecord, urgency: number) => {
  const request = { purpose: 'void', target: target.tx, urgency } as const;
  return asked('taker', { op: 'prepare', request, key: 'prepare:void' });
};
const sends = (record: PreparedRecord) =>
  broadcastOf('taker', record.tx, { spends: record.tx.spends, fee: record.tx.fee });

describe('what takes the place of an own payment', () => {
  it('is signed at a higher price than the payment; the first try names the payment', () => {
    expect(pushed([])[0]).toStrictEqual(signing(PAYMENT, 3));
  });

  it('is broadcast until a node accepts it, and the answer goes into the log', () => {
    const open = voidOf({ acceptedAt: null });
    expect(pushed([open])[0]).toStrictEqual(sends(open));
    const broadcasts = new Map([[VOID, { ok: true, value: 'known' } as const]]);
    expect(pushed([open], { facts: { broadcasts } })[0]).toStrictEqual(
      appended(event('BroadcastAccepted', { purpose: 'void', tx_hash: VOID, how: 'known' })),
    );
  });

  it('is watched once a node has it', () => {
    const look = asked('taker', { op: 'transaction', hash: VOID, key: `transaction:${VOID}` });
    expect(pushed([voidOf()], { facts: { transactions: new Map() } })[0]).toStrictEqual(look);
    expect(pushed([voidOf()])).toEqual([null, 25_000]);
    expect(pushed([voidOf()], { status: 'conflicted', shown: 'confirmed' })).toEqual(LATER);
    expect(pushed([voidOf()], { status: 'reverted', shown: 'confirmed' })).toEqual(LATER);
  });

  it('goes out again when every node has forgotten it', () => {
    const long = voidOf({ acceptedAt: after(-300) });
    expect(pushed([voidOf({ acceptedAt: inMillis(-299_999) })], { shown: 'unknown' })).toEqual([null, 1]);
    expect(pushed([long], { shown: 'unknown' })[0]).toStrictEqual(
      appended(event('TransactionDropped', { purpose: 'void', tx_hash: VOID })),
    );
    const dropped = voidOf({ acceptedAt: after(-300), dropped: true });
    expect(pushed([dropped], { shown: 'unknown' })[0]).toStrictEqual(sends(dropped));
    const dearest = voidOf({ acceptedAt: after(-900), dropped: true, urgency: MOST_URGENT });
    expect(pushed([dearest], { shown: 'unknown' })[0]).toStrictEqual(sends(dearest));
  });
});

describe('one that waits in the mempool past its time, and for which nothing dearer can be signed', () => {
  const fee = [
    preparedOf({ tx: { tx_hash: 'fee', spends: ['account:6'] }, acceptedAt: after(-9000), preparedAt: after(-9000) }),
  ];
  const dearest = voidOf({ acceptedAt: after(-1200), urgency: MOST_URGENT });

  it('makes the fee before it, whose nonce it waits for, go out again, and not the payment', () => {
    expect(pushed([dearest], { fee })[0]).toStrictEqual(sends(fee[0] as PreparedRecord));
    const raised = voidOf({ acceptedAt: after(-1200) });
    const tries = failed('taker:prepare:void', { kind: 'feeTooLow', next: after(90) });
    expect(pushed([raised], { fee, facts: { tries } })[0]).toStrictEqual(sends(fee[0] as PreparedRecord));
    expect(pushed([dearest])).toEqual([null, 25_000]);
  });

  it('waits for that time, and for nothing once the payment is impossible', () => {
    expect(pushed([{ ...dearest, acceptedAt: after(-1190) }], { fee })).toEqual([null, 10_000]);
    expect(pushed([dearest], { fee, status: 'conflicted' })).toEqual(LATER);
  });
});

describe('another one after others without effect', () => {
  const gone = (seconds: number) => voidOf({ dead: true, acceptedAt: after(-seconds) });
  const policy = { ...POLICY, fees: { pause: 60 }, backoff: { first: 5 } };

  it('waits for a pause that doubles, also if the wallet signs the same again', () => {
    expect(pushed([gone(10)], { policy, shown: 'unknown' })).toEqual([null, 50_000]);
    expect(pushed([gone(300), gone(10)], { policy, shown: 'unknown' })).toEqual([null, 110_000]);
    expect(pushed([gone(900), gone(300), gone(10)], { policy, shown: 'unknown' })).toEqual([null, 230_000]);
    expect(pushed([gone(300), gone(120)], { policy, shown: 'unknown' })[0]).toStrictEqual(signing(PAYMENT, 3));
  });

  it('is not signed while the chain says that the coins of the last one are spent; the chain is asked first', () => {
    for (const shown of ['conflicted', 'reverted'] as const) {
      expect(pushed([gone(9000)], { policy, shown })).toEqual(LATER);
    }
    for (const shown of ['unknown', 'mempool', 'confirmed'] as const) {
      expect(pushed([gone(9000)], { policy, shown })[0]).toStrictEqual(signing(PAYMENT, 3));
    }
    const look = asked('taker', { op: 'transaction', hash: VOID, key: `transaction:${VOID}` });
    expect(pushed([gone(9000)], { policy, facts: { transactions: new Map() } })[0]).toStrictEqual(look);
  });
});

describe('a dearer variant', () => {
  it('is signed if a node wants more, whatever the chain shows', () => {
    const cheap = voidOf({ refused: 'feeTooLow', acceptedAt: null });
    expect(pushed([cheap])[0]).toStrictEqual(signing(cheap, 4));
    expect(pushed([cheap], { status: 'conflicted' })[0]).toStrictEqual(signing(cheap, 4));
  });

  it('is signed if ten minutes brought no block with the one that was accepted', () => {
    const stuck = voidOf({ acceptedAt: inMillis(-600_001) });
    expect(pushed([stuck])[0]).toStrictEqual(signing(stuck, 4));
    expect(pushed([voidOf({ acceptedAt: after(-600) })])).toEqual([null, 25_000]);
    expect(pushed([stuck], { status: 'conflicted' })).toEqual(LATER);
  });

  it('is not signed while no node answers, at the highest price, or if nodes replace nothing', () => {
    const silent = voidOf({ acceptedAt: null, refused: 'unavailable', preparedAt: after(-9000) });
    expect(pushed([silent])[0]).toStrictEqual(sends(silent));
    const old = { acceptedAt: inMillis(-600_001) };
    expect(pushed([voidOf({ ...old, urgency: MOST_URGENT - 1 })])[0]).toMatchObject({ question: { op: 'prepare' } });
    expect(pushed([voidOf({ ...old, urgency: MOST_URGENT })])).toEqual([null, 25_000]);
    expect(pushed([voidOf({ ...old, refused: 'noReplacement' })])).toEqual([null, 25_000]);
  });

  it('that the wallet does not sign keeps back nothing that is already signed', () => {
    const tries = failed('taker:prepare:void', { kind: 'feeTooLow', next: after(90) });
    const cheap = voidOf({ refused: 'feeTooLow', acceptedAt: null });
    expect(pushed([cheap], { facts: { tries } })[0]).toStrictEqual(sends(cheap));
    const lost = voidOf({ acceptedAt: inMillis(-600_001), dropped: true });
    expect(pushed([lost], { shown: 'unknown', facts: { tries } })[0]).toStrictEqual(sends(lost));
  });

  it('goes out as the cheapest that no node refused recently, or the dearest if no node replaces', () => {
    const refusedFor = (tx_hash: string, seconds: number, refused = 'feeTooLow') =>
      preparedOf({ tx: { tx_hash }, refused, refusedAt: after(-seconds), urgency: MOST_URGENT });
    const [old, recent, last] = [refusedFor('a', 601), refusedFor('b', 600), refusedFor('c', 5)];
    expect(pushed([old, recent, last])[0]).toStrictEqual(sends(old));
    // A dearer one than the last is signed only when the last had its turn.
    expect(pushed([old, { ...last, urgency: 3 }])[0]).toStrictEqual(sends(old));
    expect(pushed([recent, last])[0]).toStrictEqual(sends(last));
    const strict = refusedFor('c', 5, 'noReplacement');
    expect(pushed([old, recent, strict])[0]).toStrictEqual(sends(strict));
  });
});
