import { describe, expect, it } from 'vitest';
import type { PreparedRecord } from '../../../../../machines/journal/context.ts';
import { mayBeIncluded, nextClaim, nextRefund } from '../../../../../src/runtime/swap/effects/without-effect.ts';
import { mayRaise, nextVariant, refundUrgency } from '../../../../../src/runtime/swap/fee-bumps.ts';
import { after, NOW, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const FUNDING = 'f0'.repeat(32);

const turn = (changes: TurnChanges = {}) =>
  turnOf({ policy: { fees: { pause: 60 }, backoff: { first: 5 } }, ...changes });

/** What a block took without effect, the last of them this many seconds ago; each has a nonce of its own unless it is named. */
const tried = (...ago: readonly number[]): PreparedRecord[] =>
  ago.map((seconds, nonce) =>
    dead({ acceptedAt: after(-seconds), tx: { tx_hash: `d${nonce}`, spends: [`account:${nonce}`] } }),
  );
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

const clockAt = (seconds: number) => ({ value: { clock: NOW / 1000 + seconds } }) as never;

const locks = (own: number, other: number, role: 'maker' | 'taker' = 'taker') => {
  const { ownTerms, otherTerms } = turnOf({ swap: { role } }).swap;
  return {
    role,
    ownTerms: { ...ownTerms, lock: NOW / 1000 + own } as never,
    otherTerms: { ...otherTerms, lock: NOW / 1000 + other } as never,
  };
};

describe('a refund after others without effect', () => {
  it('has no pause if there is none', () => {
    expect(refundIn([])).toBeNull();
    expect(refundIn([preparedOf({ target: FUNDING, acceptedAt: after(0) })])).toBeNull();
  });

  it('has a pause that doubles, from the last of them on', () => {
    const pauses = [1, 2, 3, 4, 5, 6].map((count) => refundIn(tried(...Array<number>(count).fill(10))));
    expect(pauses).toEqual([50, 110, 230, 470, 950, 1910]);
    expect(refundIn(tried(900, 120))).toBeNull();
    expect(refundIn(tried(900, 119))).toBe(1);
  });

  it('counts variants of one nonce once, and each variant that names none', () => {
    const one = tried(400, 300, 10).map((record) => ({ ...record, tx: { ...record.tx, spends: ['account:7'] } }));
    expect(refundIn(one)).toBe(50);
    const nameless = tried(400, 10).map(({ tx: { tx_hex }, ...record }, index) => ({
      ...record,
      tx: { tx_hex, tx_hash: `e${index}` },
    }));
    expect(refundIn(nameless)).toBe(110);
  });

  it('counts each time that the same was signed again', () => {
    const same = (...ago: readonly number[]) =>
      tried(...ago).map((record) => ({ ...record, tx: { ...record.tx, tx_hash: 'ee', spends: ['output:0'] } }));
    expect(refundIn(same(400, 10))).toBe(110);
    expect(refundIn(same(900, 400, 10))).toBe(230);
    expect(claimIn(same(900, 400, 10))).toBe(230);
    expect(refundIn([...same(900, 400), ...tried(10)])).toBe(230);
  });

  it('counts those of every payment that a node has shown', () => {
    const [first, second] = tried(400, 10);
    expect(refundIn([{ ...(first as PreparedRecord), target: 'another' }, second as PreparedRecord])).toBe(110);
  });

  it('counts those that the wallet no longer replaces: a block has them, whatever looks say', () => {
    const hidden = (...ago: readonly number[]) =>
      tried(...ago).map((record, nonce) => ({
        ...record,
        dead: false,
        tx: { ...record.tx, tx_hash: `c${nonce}`, spends: [`account:${100 + nonce}`] },
      }));
    // The last one may still wait for its block.
    expect(refundIn(hidden(10))).toBeNull();
    expect(refundIn(hidden(80, 10))).toBeNull();
    expect(refundIn(hidden(50, 10))).toBe(10);
    expect(refundIn(hidden(300, 200, 100, 10))).toBe(140);
    expect(refundIn([...tried(500, 400), ...hidden(300, 200, 100)])).toBe(280);
    const oneNonce = hidden(400, 300, 10).map((record) => ({ ...record, tx: { ...record.tx, spends: ['account:7'] } }));
    expect(refundIn(oneNonce)).toBeNull();
    const nameless = hidden(30, 10).map(({ tx: { tx_hex, tx_hash }, ...record }) => ({
      ...record,
      tx: { tx_hex, tx_hash },
    }));
    expect(refundIn(nameless)).toBeNull();
    // What was signed beside the payment went to nobody.
    const [first, last] = hidden(30, 10).map((record, index) =>
      index > 0 ? record : { ...record, acceptedAt: null, attemptedAt: null },
    );
    expect(refundIn([first, last] as PreparedRecord[])).toBeNull();
  });

  it('counts from the first try if no node is known to have accepted one', () => {
    expect(refundIn([dead({ acceptedAt: null, attemptedAt: after(-20), preparedAt: after(-900) })])).toBe(40);
    expect(refundIn([dead({ acceptedAt: null, attemptedAt: null, preparedAt: after(-30) })])).toBe(30);
  });

  it('is due when the host’s clock passes the lock, and counts anew from then on', () => {
    const many = tried(900, 800, 700, 600, 500, 400, 300);
    expect(refundIn(many, { swap: locks(20, 9000) })).toBe(20.001);
    expect(refundIn(many, { swap: locks(-1, 9000) })).toBeNull();
    expect(refundIn([...many, ...tried(5)], { swap: locks(-10, 9000) })).toBe(55);
  });

  it('of a maker has no longest pause; that of a taker waits a third of what is left until the lock of the other payment', () => {
    const many = tried(...Array<number>(9).fill(0));
    expect(refundIn(many, { swap: locks(-50, -9000, 'maker') })).toBe(15_360);
    expect(refundIn(tried(...Array<number>(14).fill(0)), { swap: locks(-50, -9000, 'maker') })).toBe(491_520);
    expect(refundIn(many, { swap: locks(-50, 3000) })).toBe(1000);
  });

  it('leaves half of all variants for the time from the lock on, by two of three clocks', () => {
    const ten = tried(...Array<number>(10).fill(90_000));
    expect(refundIn(ten.slice(1), { swap: locks(20, 9000) })).toBeNull();
    expect(refundIn(ten, { swap: locks(20, 9000) })).toBe(20.001);
    expect(refundIn(ten, { swap: locks(-1, 9000) })).toBeNull();
    // A host that is behind both chains, and one chain alone that is ahead.
    const clocks = (maker: number, taker: number) => ({
      facts: { payments: { maker: clockAt(maker), taker: clockAt(taker) } },
    });
    expect(refundIn(ten, { swap: locks(3000, 9000), ...clocks(3001, 3002) })).toBeNull();
    expect(refundIn(ten, { swap: locks(3000, 9000), ...clocks(-30, 9000) })).toBe(3000.001);
  });

  it('takes as long again as it has already taken once few variants are left', () => {
    const many = (count: number) =>
      tried(...Array<number>(count - 1).fill(90), 5000).map((record, index) => {
        return { ...record, tx: { ...record.tx, spends: ['account:3'], tx_hash: `e${index}` } };
      });
    const swap = locks(-50_000, -9000, 'maker');
    expect(refundIn(many(14), { swap })).toBeNull();
    expect(refundIn(many(15), { swap })).toBe(4820);
  });

  it('is tried at once on the order of an operator', () => {
    expect(refundIn(tried(30, 10), { journal: { retryAt: after(-9) } })).toBeNull();
    expect(refundIn(tried(30, 10), { journal: { retryAt: after(-10) } })).toBe(110);
  });

  it('ends its pause in a whole millisecond, rounded up, if a third of the remaining time is less than one', () => {
    expect(refundIn(tried(...Array<number>(9).fill(0)), { swap: locks(-50, 3001) })).toBe(1000.334);
    expect(refundIn(tried(0), { policy: { fees: { pause: 0.0003 }, backoff: { first: 0.0001 } } })).toBe(0.001);
  });

  it('pauses also if the policy has no pause between two fees', () => {
    expect(refundIn(tried(0), { policy: { fees: { pause: 0 }, backoff: { first: 5 } } })).toBe(5);
  });
});

describe('the urgency of a refund', () => {
  const urgencyIn = (refund: PreparedRecord[], swap: TurnChanges['swap'] = {}) =>
    refundUrgency(turn({ swap, journal: { prepared: { refund } } }), FUNDING);

  it('rises over those that were included in time, and not over those that were too early by the clock of the host', () => {
    const high = { urgency: 3 };
    expect(urgencyIn([dead({ ...high, acceptedAt: after(-5) })], locks(-10, 9000))).toBe(4);
    expect(urgencyIn([dead({ ...high, acceptedAt: after(-10) })], locks(-10, 9000))).toBe(3);
    expect(urgencyIn([dead({ ...high, acceptedAt: after(-5) })], { ownTerms: null })).toBe(4);
  });

  it('begins at the least that a node took of the last try, and a step below it once a cheaper one is worth a try', () => {
    const refusedOnes = [0, 1, 2].map((urgency) => dead({ urgency, refused: 'nonceUsed' }));
    const taken = (seconds: number) => [...refusedOnes, dead({ urgency: 3, acceptedAt: after(-seconds) })];
    expect([600, 601].map((seconds) => urgencyIn(taken(seconds), locks(-10, 9000)))).toEqual([3, 2]);
    expect(urgencyIn([dead({ urgency: 0, acceptedAt: after(-900) })], locks(-10, 9000))).toBe(0);
    expect(urgencyIn(refusedOnes, locks(-10, 9000))).toBe(0);
    expect(urgencyIn([...taken(20), dead({ urgency: 1, acceptedAt: after(-15) })], locks(-10, 9000))).toBe(1);
    const nextNonce = dead({ urgency: 5, acceptedAt: after(-15), tx: { spends: ['account:1'] } });
    expect(urgencyIn([...taken(20), nextNonce], locks(-10, 9000))).toBe(5);
  });
});

describe('a claim after others without effect', () => {
  it('has a pause that doubles up to a third of the remaining time, by two of three clocks', () => {
    expect([1, 2, 3].map((count) => claimIn(tried(...Array<number>(count).fill(0))))).toEqual([60, 120, 240]);
    const many = tried(...Array<number>(9).fill(0));
    expect(claimIn(many, { swap: locks(100, 6000) })).toBe(2000);
    const told = (...clocks: readonly [number, number]) => {
      const payments = { maker: clockAt(clocks[0]), taker: clockAt(clocks[1]) };
      return claimIn(many, { swap: locks(100, 6000), facts: { payments } });
    };
    expect([told(3300, 3000), told(-60, 3000), told(3000, 5999)]).toEqual([1000, 2000, 1000]);
  });

  it('spreads the last variants over the remaining time, except for three that it keeps', () => {
    const of = (count: number) => {
      const oneTry = tried(...Array<number>(count).fill(0));
      return oneTry.map(({ tx, ...record }, index) => ({
        ...record,
        tx: { ...tx, tx_hash: `e${index}`, spends: ['account:3'] },
      }));
    };
    const swap = { ...locks(100, 62_400), lockDuration: 31_200 };
    expect(claimIn(of(9), { swap })).toBe(60);
    // A thirty-second of the time is left at the end: with so many tries each takes as large a part of what is left.
    expect([10, 14, 16, 17].map((count) => Math.round(claimIn(of(count), { swap }) ?? 0))).toEqual([
      24_367, 42_745, 60_450, 62_400,
    ]);
    // The part is that of the time which was left at the last try.
    const earlier = of(16).map((record) => ({ ...record, acceptedAt: after(-31_200) }));
    expect(claimIn(earlier, { swap: { ...locks(100, 31_200), lockDuration: 31_200 } })).toBeCloseTo(
      62_400 - 1950 - 31_200,
    );
    expect(claimIn(of(12), { swap: { ...locks(100, 1000), lockDuration: 31_200 } })).toBe(60);
  });

  it('has no shorter one than a sixteenth of the lock near that moment, and then grows again', () => {
    const many = tried(500, 400, 300, 200, 100, 0);
    expect(claimIn(many, { swap: { ...locks(100, 300), lockDuration: 7800 } })).toBe(487.5);
    expect(claimIn(many, { swap: { ...locks(-9000, -10), lockDuration: 7800 } })).toBe(500);
    expect(claimIn(many, { swap: { otherTerms: null, lockDuration: 15_600 } })).toBe(975);
  });
});

describe('what a block may have included', () => {
  const isOpen = (changes: Parameters<typeof preparedOf>[0], hasWaited = false) =>
    mayBeIncluded({ record: preparedOf(changes), hasWaited });

  it('is what a node accepted, or refused for a state that this very inclusion may explain', () => {
    const open = [
      { acceptedAt: after(-5) },
      { refused: 'nonceUsed' },
      { refused: 'invalid' },
      { refused: 'feeTooLow' },
    ];
    expect(open.map((changes) => isOpen(changes))).toEqual([true, true, true, false]);
  });

  it('is what has waited for long although no node said that it accepted it', () => {
    expect([isOpen({}, true), isOpen({})]).toEqual([true, false]);
  });
});

describe('a dearer variant of what waits', () => {
  it('is one step more urgent, unless nodes hide what blocks include', () => {
    const taken = (nonce: string, changes: Parameters<typeof preparedOf>[0] = {}) =>
      preparedOf({ urgency: 4, acceptedAt: after(-900), tx: { tx_hash: `e${nonce}`, spends: [nonce] }, ...changes });
    const urgency = (...refund: PreparedRecord[]) =>
      nextVariant(turn({ journal: { prepared: { refund } } }), 'refund', refund.at(-1) as PreparedRecord).urgency;
    expect(urgency(taken('a'))).toBe(5);
    expect(urgency(taken('a'), taken('a'))).toBe(5);
    expect(urgency(taken('a', { dead: true }), taken('b'))).toBe(5);
    expect(urgency(taken('a', { acceptedAt: null, attemptedAt: null }), taken('b'))).toBe(5);
    expect(urgency(taken('a'), taken('b'))).toBe(4);
    expect(urgency(taken('a'), taken('b', { refused: 'feeTooLow' }))).toBe(5);
  });

  it('is none of the last three of twenty, and for a refund none of the half that is kept for the time after its lock', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => preparedOf({ tx: { tx_hash: `e${index}` } }));
    const may = (count: number, own: number) => {
      const prepared = { refund: many(count), claim: many(count) };
      const given = turn({ swap: locks(own, 9000), journal: { prepared } });
      return [mayRaise(given, 'claim'), mayRaise(given, 'refund')];
    };
    expect([may(16, -9), may(17, -9), may(9, 20), may(10, 20)]).toEqual([
      [true, true],
      [false, false],
      [true, true],
      [true, false],
    ]);
    // What was signed beside the payment, and what is equal, count once at the most.
    const kept = many(17).map((record) => ({ ...record, attemptedAt: null }));
    const equal = many(17).map((record) => ({ ...record, tx: { ...record.tx, tx_hash: 'e0' } }));
    for (const refund of [kept, equal])
      expect(mayRaise(turn({ swap: locks(-9, 9000), journal: { prepared: { refund } } }), 'refund')).toBe(true);
  });
});
