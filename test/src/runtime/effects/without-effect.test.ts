import { describe, expect, it } from 'vitest';
import type { PreparedRecord } from '../../../../machines/journal/context.ts';
import { mayBeIncluded, nextClaim, nextRefund, refundUrgency } from '../../../../src/runtime/effects/without-effect.ts';
import { after, NOW, preparedOf, type TurnChanges, turnOf } from '../../../support/turns.ts';

const FUNDING = 'f0'.repeat(32);

const turn = (changes: TurnChanges = {}) =>
  turnOf({ policy: { fees: { pause: 60 }, backoff: { first: 5 } }, ...changes });

/** What a block took without effect, the last of them this many seconds ago; each has a nonce of its own unless it is named. */
const tried = (...ago: readonly number[]): PreparedRecord[] =>
  ago.map((seconds, nonce) => dead({ acceptedAt: after(-seconds), tx: { spends: [`account:${nonce}`] } }));
const dead = (changes: Parameters<typeof preparedOf>[0]) => preparedOf({ target: FUNDING, dead: true, ...changes });

/** In how many seconds the next one may be signed; null for now. */
const pauseOf = (next: typeof nextRefund, changes: TurnChanges) => {
  const at = next(turn(changes));
  return at === null ? null : (at - NOW) / 1000;
};
const refundIn = (refund: PreparedRecord[], changes: TurnChanges = {}) =>
  pauseOf(nextRefund, { ...changes, journal: { ...changes.journal, prepared: { refund } } });
const claimIn = (claim: PreparedRecord[], changes: TurnChanges = {}) =>
  pauseOf(nextClaim, { ...changes, journal: { ...changes.journal, prepared: { claim } } });

const locks = (own: number, other: number, role: 'maker' | 'taker' = 'taker') => {
  const { ownTerms, otherTerms } = turnOf({ swap: { role } }).swap;
  return {
    role,
    ownTerms: { ...ownTerms, lock: NOW / 1000 + own } as never,
    otherTerms: { ...otherTerms, lock: NOW / 1000 + other } as never,
  };
};

describe('a refund after such as had no effect', () => {
  it('has no pause where there is none', () => {
    expect(refundIn([])).toBeNull();
    expect(refundIn([preparedOf({ target: FUNDING, acceptedAt: after(0) })])).toBeNull();
  });

  it('has a pause that doubles, from the last of them on', () => {
    const pauses = [1, 2, 3, 4, 5, 6].map((count) => refundIn(tried(...Array<number>(count).fill(10))));
    expect(pauses).toEqual([50, 110, 230, 470, 950, 1910]);
    expect(refundIn(tried(900, 120))).toBeNull();
    expect(refundIn(tried(900, 119))).toBe(1);
  });

  it('counts variants of one nonce once, and such as name none each', () => {
    const one = tried(400, 300, 10).map((record) => ({ ...record, tx: { ...record.tx, spends: ['account:7'] } }));
    expect(refundIn(one)).toBe(50);
    const nameless = tried(400, 10).map(({ tx: { tx_hex }, ...record }, index) => ({
      ...record,
      tx: { tx_hex, tx_hash: `e${index}` },
    }));
    expect(refundIn(nameless)).toBe(110);
  });

  it('counts those of every payment that a node has shown', () => {
    const [first, second] = tried(400, 10);
    expect(refundIn([{ ...(first as PreparedRecord), target: 'another' }, second as PreparedRecord])).toBe(110);
  });

  it('counts from the first try where no node was heard to take one', () => {
    expect(refundIn([dead({ acceptedAt: null, attemptedAt: after(-20), preparedAt: after(-900) })])).toBe(40);
    expect(refundIn([dead({ acceptedAt: null, attemptedAt: null, preparedAt: after(-30) })])).toBe(30);
  });

  it('is due when the lock passes by the clock of the host, and from then on counts anew', () => {
    const many = tried(900, 800, 700, 600, 500, 400, 300);
    expect(refundIn(many, { swap: locks(20, 9000) })).toBe(20.001);
    expect(refundIn(many, { swap: locks(-1, 9000) })).toBeNull();
    expect(refundIn([...many, ...tried(5)], { swap: locks(-10, 9000) })).toBe(55);
  });

  it('of a maker waits a day at the most; that of a taker a third of what is left to the lock of the other payment', () => {
    const many = tried(...Array<number>(14).fill(0));
    expect(refundIn(many, { swap: locks(-50, -9000, 'maker') })).toBe(86_400);
    expect(refundIn(many, { swap: locks(-50, 3000) })).toBe(1000);
  });

  it('is tried at once on the order of an operator', () => {
    expect(refundIn(tried(30, 10), { journal: { retryAt: after(-9) } })).toBeNull();
    expect(refundIn(tried(30, 10), { journal: { retryAt: after(-10) } })).toBe(110);
  });

  it('has a pause also where the policy has none between two fees', () => {
    expect(refundIn(tried(0), { policy: { fees: { pause: 0 }, backoff: { first: 5 } } })).toBe(5);
  });
});

describe('the urgency of a refund', () => {
  const urgencyIn = (refund: PreparedRecord[], swap: TurnChanges['swap'] = {}) =>
    refundUrgency(turn({ swap, journal: { prepared: { refund } } }), FUNDING);

  it('rises over those that were included in time, and not over those that were too early by the clock of the host', () => {
    const high = { urgency: 3 };
    expect(urgencyIn([dead({ ...high, acceptedAt: after(-5) })], locks(-10, 9000))).toBe(4);
    expect(urgencyIn([dead({ ...high, acceptedAt: after(-10) })], locks(-10, 9000))).toBe(0);
    expect(urgencyIn([dead({ ...high, acceptedAt: after(-5) })], { ownTerms: null })).toBe(4);
  });
});

describe('a claim after such as had no effect', () => {
  it('has a pause that doubles up to a third of the time that is left, by the latest clock', () => {
    expect([1, 2, 3].map((count) => claimIn(tried(...Array<number>(count).fill(0))))).toEqual([60, 120, 240]);
    const many = tried(...Array<number>(9).fill(0));
    expect(claimIn(many, { swap: locks(100, 6000) })).toBe(2000);
    const clock = { value: { clock: NOW / 1000 + 3000 } } as never;
    expect(claimIn(many, { swap: locks(100, 6000), facts: { payments: { taker: clock } } })).toBe(1000);
  });

  it('has no shorter one than a sixteenth of the lock near that moment, and then grows again', () => {
    const many = tried(500, 400, 300, 200, 100, 0);
    expect(claimIn(many, { swap: { ...locks(100, 300), lockDuration: 7800 } })).toBe(487.5);
    expect(claimIn(many, { swap: { ...locks(-9000, -10), lockDuration: 7800 } })).toBe(500);
    expect(claimIn(many, { swap: { otherTerms: null, lockDuration: 15_600 } })).toBe(975);
  });
});

describe('what a block may have taken', () => {
  const isOpen = (refund: PreparedRecord[], record: PreparedRecord, isStuck = true) =>
    mayBeIncluded(turn({ journal: { prepared: { refund } } }), 'refund', { record, isStuck });

  it('is what a node took, or refused for what may be so because of that', () => {
    const open = [
      { acceptedAt: after(-5) },
      { refused: 'nonceUsed' },
      { refused: 'invalid' },
      { refused: 'feeTooLow' },
    ];
    const records = open.map((changes) => preparedOf(changes));
    expect(records.map((record) => isOpen(records, record, false))).toEqual([true, true, true, false]);
  });

  it('is what has waited for long although no node said that it took it, but for a second one of the same bytes', () => {
    const [first, second] = [preparedOf({ dead: true }), preparedOf()];
    expect(isOpen([second], second)).toBe(true);
    expect(isOpen([second], second, false)).toBe(false);
    expect(isOpen([first, second], second)).toBe(false);
  });
});
