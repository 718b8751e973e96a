import { describe, expect, it } from 'vitest';
import type { PreparedRecord } from '../../../../../machines/journal/context.ts';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import { MOST_URGENT } from '../../../../../src/runtime/policy.ts';
import { bumpRefund, paymentMissing, pushRefund } from '../../../../../src/runtime/swap/effects/refund.ts';
import {
  appended,
  asked,
  broadcastOf,
  decided,
  event,
  failed,
  found,
  fundedBy,
  inMillis,
  looked,
  PAID,
  SAID,
  spentWith,
  TAKEN,
} from '../../../../support/effect-turns.ts';
import { after, NOW, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const POLICY = { spendPoll: 20, refundPoll: 40, bumpAfter: 600, dropAfter: 60 };

const turn = (changes: TurnChanges = {}) =>
  turnOf({ policy: POLICY, events: SAID, ...changes, swap: { state: 'refunding', ...changes.swap } });

/** A refund of the payment that is on the chain, which no node has answered yet. */
const refundOf = ({ tx, ...changes }: Parameters<typeof preparedOf>[0] = {}) =>
  preparedOf({ target: PAID.tx_hash, ...changes, tx: { ...TAKEN, ...tx } });

const withRefunds = (...refund: PreparedRecord[]) => ({ prepared: { refund } });
const pushed = (changes: TurnChanges = {}) => decided((given) => pushRefund(given, PAID), turn(changes));

const signing = (urgency: number, replaces: PreparedRecord | null) => {
  const terms = turn().swap.ownTerms as never;
  const request = { purpose: 'refund', terms, funding: PAID, urgency, replaces: replaces?.tx ?? null } as const;
  return asked('taker', { op: 'prepare', request, key: 'prepare:refund' });
};
const sends = ({ tx }: PreparedRecord) => broadcastOf('taker', tx, { spends: tx.spends, fee: tx.fee });
const accepts = (purpose: string, hash: string) =>
  appended(event('BroadcastAccepted', { purpose, tx_hash: hash, how: 'sent' }));
const answered = (hash: string) => new Map([[hash, { ok: true, value: 'sent' } as const]]);

describe('a refund that is due', () => {
  it('is signed at the least price, with the intent to broadcast it', () => {
    expect(pushed()[0]).toStrictEqual(signing(0, null));
    expect(pushed({ swap: { ownTerms: null } })[0]).toBeNull();
    const made = { ...TAKEN, spends: ['x'], fee: '0.1' as DecimalText };
    expect(pushed({ facts: { prepared: new Map([['refund', made]]) } })[0]).toStrictEqual(
      appended(
        event('TransactionPrepared', { purpose: 'refund', tx: made, target: PAID.tx_hash, urgency: 0 }),
        event('BroadcastAttempted', { purpose: 'refund', tx_hash: TAKEN.tx_hash }),
      ),
    );
  });

  it('pays more than those that blocks included without effect, and replaces one for another funding', () => {
    const elsewhere = refundOf({ target: 'elsewhere', tx: { tx_hash: 'e0' } });
    const dead = refundOf({ dead: true, urgency: 2 });
    const ownTerms = { ...turn().swap.ownTerms, lock: NOW / 1000 - 300 } as never;
    expect(pushed({ swap: { ownTerms }, journal: withRefunds(elsewhere, dead) })[0]).toMatchObject({
      question: { request: { purpose: 'refund', urgency: 3, replaces: elsewhere.tx } },
    });
  });

  it('that was signed beside the payment is noted before it is broadcast', () => {
    const kept = refundOf({ attemptedAt: null, preparedAt: after(-9000) });
    expect(pushed({ journal: withRefunds(kept) })[0]).toStrictEqual(
      appended(event('BroadcastAttempted', { purpose: 'refund', tx_hash: TAKEN.tx_hash })),
    );
  });

  it('is broadcast, and its answer goes into the log', () => {
    const journal = withRefunds(refundOf({ tx: { tx_hash: 'e0' } }), refundOf());
    expect(pushed({ journal })[0]).toStrictEqual(sends(refundOf()));
    expect(pushed({ journal, facts: { broadcasts: answered(TAKEN.tx_hash) } })[0]).toStrictEqual(
      accepts('refund', TAKEN.tx_hash),
    );
  });

  it.each([
    ['was taken', { acceptedAt: after(-5) }],
    ['spends a nonce that is spent', { refused: 'nonceUsed' }],
    ['a node calls invalid', { refused: 'invalid' }],
  ])('that %s is looked for before it is broadcast again', (_, changes) => {
    const hash = TAKEN.tx_hash;
    const looks = asked('taker', { op: 'transaction', hash, key: `transaction:${hash}` });
    expect(pushed({ journal: withRefunds(refundOf(changes)) })[0]).toStrictEqual(looks);
    const reverted = { transactions: found(hash, { status: 'reverted' }) };
    expect(pushed({ journal: withRefunds(refundOf(changes)), facts: reverted })[0]).toStrictEqual(
      appended(event('TransactionReverted', { purpose: 'refund', tx_hash: hash })),
    );
    const journal = withRefunds(refundOf({ ...changes, dropped: true }));
    expect(pushed({ journal, facts: { transactions: found(hash, {}) } })[0]).toStrictEqual(sends(refundOf()));
  });

  it('waits after those that blocks included without effect, and costs no more than those before the lock', () => {
    const dead = refundOf({ dead: true, urgency: 2, acceptedAt: after(-59) });
    const policy = { ...POLICY, fees: { pause: 60 } };
    expect(pushed({ policy, journal: withRefunds(dead) })).toEqual([null, 1000]);
    const over = refundOf({ dead: true, urgency: 2, acceptedAt: after(-60) });
    expect(pushed({ policy, journal: withRefunds(over) })[0]).toStrictEqual(signing(2, null));
  });

  it('that was refused for another reason is broadcast again without a look', () => {
    expect(pushed({ journal: withRefunds(refundOf({ refused: 'notFinal' })) })[0]).toStrictEqual(sends(refundOf()));
  });
});

describe('a dearer refund', () => {
  it('replaces one that pays too little, up to the highest price', () => {
    const cheap = refundOf({ refused: 'feeTooLow', urgency: MOST_URGENT - 1 });
    expect(pushed({ journal: withRefunds(cheap) })[0]).toStrictEqual(signing(MOST_URGENT, cheap));
    const dearest = refundOf({ refused: 'feeTooLow', urgency: MOST_URGENT });
    expect(pushed({ journal: withRefunds(dearest) })[0]).toStrictEqual(sends(dearest));
  });

  it('replaces one that can never confirm and was tried more than ten minutes ago, however long it lay ready before', () => {
    const ready = { preparedAt: after(-9000), refused: 'nonceUsed' };
    const gone = { transactions: found(TAKEN.tx_hash, {}) };
    const tried = refundOf({ ...ready, attemptedAt: after(-600) });
    expect(pushed({ journal: withRefunds(tried), facts: gone })[0]).toStrictEqual(sends(tried));
    const stuck = refundOf({ ...ready, attemptedAt: inMillis(-600_001), urgency: 4 });
    expect(pushed({ journal: withRefunds(stuck) })[0]).toMatchObject({ question: { op: 'transaction' } });
    expect(pushed({ journal: withRefunds(stuck), facts: gone })[0]).toStrictEqual(signing(5, stuck));
  });

  it.each([null, 'unavailable', 'disagreement', 'insufficientFunds', 'tooManyAncestors'])(
    'does not replace one about which nodes only said %s: nothing was shown to be too cheap',
    (refused) => {
      const unheard = refundOf({ attemptedAt: after(-9000), refused });
      const gone = { transactions: found(TAKEN.tx_hash, {}) };
      expect(pushed({ journal: withRefunds(unheard) })[0]).toMatchObject({ question: { op: 'transaction' } });
      expect(pushed({ journal: withRefunds(unheard), facts: gone })[0]).toStrictEqual(sends(unheard));
      const heard = { ...unheard, acceptedAt: after(-9000), dropped: true };
      expect(pushed({ journal: withRefunds(heard), facts: gone })[0]).toStrictEqual(signing(1, heard));
    },
  );

  it('goes out again at the highest price', () => {
    const dearest = refundOf({ attemptedAt: after(-900), urgency: MOST_URGENT });
    expect(pushed({ journal: withRefunds(dearest) })[0]).toStrictEqual(sends(dearest));
  });

  it('is counted from when the last one was taken, or an operator asked for a new try', () => {
    const look = { question: { op: 'transaction' } };
    const taken = { attemptedAt: after(-9000), acceptedAt: after(-600) };
    expect(pushed({ journal: withRefunds(refundOf(taken)) })[0]).toMatchObject(look);
    const before = refundOf({ ...taken, acceptedAt: inMillis(-600_001) });
    const gone = { facts: { transactions: found(TAKEN.tx_hash, {}) } };
    const dropped = { ...before, dropped: true };
    expect(pushed({ ...gone, journal: withRefunds(dropped) })[0]).toStrictEqual(signing(1, dropped));
    const ordered = { ...withRefunds(dropped), retryAt: after(-600) };
    expect(pushed({ ...gone, journal: ordered })[0]).toStrictEqual(sends(dropped));
  });

  it('does not replace one that may have been included, without effect or with it', () => {
    const taken = refundOf({ attemptedAt: after(-9000), acceptedAt: after(-900) });
    const journal = withRefunds(taken);
    const hash = TAKEN.tx_hash;
    expect(pushed({ journal })[0]).toMatchObject({ question: { op: 'transaction', hash } });
    const reverted = { transactions: found(hash, { status: 'reverted', confirmations: 1 }) };
    expect(pushed({ journal, facts: reverted })[0]).toStrictEqual(
      appended(event('TransactionReverted', { purpose: 'refund', tx_hash: hash })),
    );
    const included = { transactions: found(hash, { status: 'confirmed', confirmations: 1 }) };
    expect(pushed({ journal, facts: included })[0]).toBeNull();
  });

  it('does not replace one whose lock has not passed for the node, since no fee changes that', () => {
    const early = refundOf({ attemptedAt: after(-9000), refused: 'notFinal' });
    expect(pushed({ journal: withRefunds(early) })[0]).toStrictEqual(sends(early));
  });

  it('takes a free nonce if the previous one waited long for a nonce that nobody uses', () => {
    const first = refundOf({ tx: { tx_hash: 'e0' }, preparedAt: after(-900) });
    const blocked = refundOf({ refused: 'nonceGap', urgency: 1 });
    expect(pushed({ journal: withRefunds(first, blocked) })[0]).toStrictEqual(signing(2, null));
  });

  it('is not signed in the pause after one that had no effect', () => {
    const dead = refundOf({ tx: { tx_hash: 'e0', spends: ['account:0'] }, dead: true, acceptedAt: after(-30) });
    const stuck = refundOf({ attemptedAt: after(-900), acceptedAt: after(-900), dropped: true });
    const facts = { transactions: found(TAKEN.tx_hash, {}) };
    const policy = { ...POLICY, fees: { pause: 60 } };
    expect(pushed({ policy, journal: withRefunds(stuck, dead), facts })[0]).toStrictEqual(sends(stuck));
    expect(pushed({ policy, journal: withRefunds(stuck), facts })[0]).toStrictEqual(signing(1, stuck));
  });

  it('is not signed when three of twenty variants are left, nor a new refund when none is, except by order', () => {
    const variants = (count: number, changes: Parameters<typeof refundOf>[0]) =>
      Array.from({ length: count }, (_, index) =>
        refundOf({ ...changes, acceptedAt: after(-90_000), tx: { tx_hash: `e${index}` } }),
      );
    const facts = (count: number) => ({ transactions: found(`e${count - 1}`, {}) });
    const over = { lock: NOW / 1000 - 95_000 } as const;
    const { ownTerms, otherTerms } = turn().swap;
    const swap = { ownTerms: { ...ownTerms, ...over }, otherTerms: { ...otherTerms, ...over } } as never;
    const given = (count: number, changes: Parameters<typeof refundOf>[0], journal = {}) =>
      pushed({ swap, facts: facts(count), journal: { ...withRefunds(...variants(count, changes)), ...journal } });
    expect(given(16, { dropped: true })[0]).toMatchObject({ question: { op: 'prepare' } });
    expect(given(17, { dropped: true })[0]).toMatchObject({ question: { op: 'broadcast' } });
    expect(given(19, { dead: true })[0]).toMatchObject({ question: { op: 'prepare' } });
    expect(given(20, { dead: true })).toEqual([null, POLICY.refundPoll * 1000]);
    expect(given(20, { dead: true }, { retryAt: after(-5) })[0]).toMatchObject({ question: { op: 'prepare' } });
  });

  it('that cannot be signed now does not keep back what is signed', () => {
    const stuck = refundOf({ attemptedAt: after(-900), acceptedAt: after(-900), dropped: true });
    const facts = { tries: failed('taker:prepare:refund'), transactions: found(TAKEN.tx_hash, {}) };
    // It wakes for the next look at it.
    expect(pushed({ journal: withRefunds(stuck), facts })).toEqual([sends(stuck), 20_001]);
  });
});

describe('a refund in the mempool', () => {
  const view = { funding: fundedBy(), spend: spentWith('refund', { confirmations: 0 }), refundable: true };
  const bumped = ({ facts, ...changes }: TurnChanges, spend = view.spend) =>
    decided(
      (given) => bumpRefund(given, spend),
      turn({ ...changes, facts: { payments: { taker: looked(view) }, ...facts } }),
    );
  const WAITS = [null, 20_000];

  it('is left alone while it is fresh, or nothing is known of it', () => {
    expect(bumped({})).toEqual(WAITS);
    const stuck = refundOf({ attemptedAt: after(-900) });
    for (const taker of [null, looked({ spend: view.spend })]) {
      expect(bumped({ journal: withRefunds(stuck), facts: { payments: { taker } } })).toEqual(WAITS);
    }
  });

  it.each([
    ['was taken', { tx: { tx_hash: 'e1' }, acceptedAt: after(-5) }],
    ['was kept back until now', { tx: { tx_hash: 'e1' }, attemptedAt: null, preparedAt: after(-9000) }],
    ['is the one that the chain shows', {}],
  ])('is left alone if the last one %s', (_, changes) => {
    expect(bumped({ journal: withRefunds(refundOf(changes)) })).toEqual(WAITS);
  });

  it.each([
    ['is stuck', refundOf({ attemptedAt: inMillis(-600_001) })],
    ['pays too little', refundOf({ refused: 'feeTooLow' })],
  ])('is replaced if it %s', (_, record) => {
    expect(bumped({ journal: withRefunds(record) })[0]).toStrictEqual(signing(1, record));
  });

  it('makes what it may wait for go out again if nothing dearer is signed', () => {
    const fee = preparedOf({
      tx: { tx_hash: 'fee', spends: ['account:6'] },
      acceptedAt: after(-9000),
      preparedAt: after(-9000),
    });
    const waiting = (seconds: number) => {
      const refund = refundOf({ attemptedAt: after(-seconds), acceptedAt: after(-seconds), urgency: MOST_URGENT });
      return bumped({ journal: { prepared: { fee: [fee], refund: [refund] } } });
    };
    expect(waiting(1200)[0]).toStrictEqual(sends(fee));
    expect(waiting(1190)).toEqual([null, 10_000]);
  });

  it('is replaced on a look of this moment', () => {
    const stuck = refundOf({ attemptedAt: after(-900) });
    const facts = { payments: { taker: looked(view, 10_001) } };
    expect(bumped({ journal: withRefunds(stuck), facts })[0]).toMatchObject({
      leg: 'taker',
      question: { op: 'payment' },
    });
  });

  it('is left alone if the clock of the chain has not passed the lock', () => {
    const early = { payments: { taker: looked({ ...view, refundable: false }) } };
    for (const record of [refundOf({ attemptedAt: after(-900) }), refundOf({ refused: 'feeTooLow' })]) {
      expect(bumped({ journal: withRefunds(record), facts: early })).toEqual(WAITS);
    }
  });

  it('is replaced without its nonce if that nonce is blocked', () => {
    const first = refundOf({ tx: { tx_hash: 'e0' }, preparedAt: after(-900) });
    const blocked = refundOf({ refused: 'nonceGap' });
    expect(bumped({ journal: withRefunds(first, blocked) })[0]).toStrictEqual(signing(1, null));
  });

  it('whose dearer variant is signed has that variant broadcast', () => {
    const dearer = refundOf({ tx: { tx_hash: 'e1' }, urgency: 1 });
    expect(bumped({ journal: withRefunds(refundOf(), dearer) })[0]).toStrictEqual(sends(dearer));
    const nameless = spentWith('refund', { tx: null, confirmations: 0 });
    expect(bumped({ journal: withRefunds(dearer) }, nameless)[0]).toStrictEqual(sends(dearer));
  });

  it('whose dearer variant has an answer first records that answer', () => {
    const dearer = refundOf({ tx: { tx_hash: 'e1' }, acceptedAt: after(-700), attemptedAt: after(-900) });
    const facts = { payments: { taker: looked(view) }, broadcasts: answered('e1') };
    expect(bumped({ journal: withRefunds(dearer), facts })[0]).toStrictEqual(accepts('refund', 'e1'));
  });
});

const PAYMENT = preparedOf({ tx: PAID, urgency: 2 });
const voidOf = (changes: Parameters<typeof preparedOf>[0] = {}) =>
  preparedOf({ acceptedAt: after(-5), urgency: 3, ...changes, tx: { tx_hash: 'f0' } });
const voiding = (target: PreparedRecord, urgency: number) => {
  const request = { purpose: 'void', target: target.tx, urgency } as const;
  return asked('taker', { op: 'prepare', request, key: 'prepare:void' });
};

describe('an own payment that is missing', () => {
  const missing = (made: PreparedRecord[] = [], { facts, ...changes }: TurnChanges = {}) => {
    const transactions = found(PAID.tx_hash, {});
    const journal = { prepared: { payment: [PAYMENT], void: made } };
    return decided(paymentMissing, turn({ journal, ...changes, facts: { transactions, ...facts } }));
  };
  const status = (view: Parameters<typeof found>[1]) => ({ facts: { transactions: found(PAID.tx_hash, view) } });
  const LATER = [null, 40_000];

  it('is waited for if the log does not hold it, or it is in a block', () => {
    expect(missing([], { journal: {} })).toEqual(LATER);
    expect(missing([], status({ status: 'confirmed' }))).toEqual(LATER);
  });

  it('is looked for as often as a refund is', () => {
    const looks = asked('taker', { op: 'transaction', hash: PAID.tx_hash, key: `transaction:${PAID.tx_hash}` });
    expect(missing([], { facts: { transactions: found(PAID.tx_hash, {}, 40_001) } })[0]).toStrictEqual(looks);
    const soon = found(PAID.tx_hash, { status: 'conflicted' }, 40_000);
    expect(missing([voidOf()], { facts: { transactions: soon } })).toEqual([null, 1]);
  });

  it.each(['conflicted', 'reverted'] as const)('has ended when it is %s for good', (how) => {
    const final = status({ status: how, confirmations: 3 });
    const settled = { payment: 'taker', how: 'voided', by: 'self', tx_hash: null, confirmations: 3 };
    expect(missing([voidOf()], final)[0]).toStrictEqual(appended(event('PaymentSettled', settled), event('refunded')));
    const waits = { ...final, swap: { state: 'waitingForRefund' } };
    expect(missing([voidOf()], waits)[0]).toStrictEqual(appended(event('refundStarted')));
    expect(missing([voidOf()], status({ status: how, confirmations: 2 }))).toEqual(LATER);
  });

  it('is made impossible at a higher price than its own', () => {
    for (const how of ['unknown', 'mempool'] as const) {
      expect(missing([], status({ status: how }))[0]).toStrictEqual(voiding(PAYMENT, 3));
    }
    const made = { tx_hex: 'f0', tx_hash: 'f0', spends: ['x'], fee: '0.1' as DecimalText };
    const transactions = found(PAID.tx_hash, {});
    expect(missing([], { facts: { transactions, prepared: new Map([['void', made]]) } })[0]).toMatchObject({
      events: [{ data: { purpose: 'void', target: PAID.tx_hash, urgency: 3 } }, { data: { purpose: 'void' } }],
    });
  });

  it('has its replacement broadcast', () => {
    const open = voidOf({ acceptedAt: null });
    expect(missing([open])[0]).toStrictEqual(sends(open));
    expect(missing([voidOf()], status({ status: 'conflicted' }))).toEqual(LATER);
  });
});
