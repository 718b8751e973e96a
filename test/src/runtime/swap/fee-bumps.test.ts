import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PreparedRecord } from '../../../../machines/journal/context.ts';
import { feeAt, feeWithin, rateAt } from '../../../../src/chains/utxo/coin.ts';
import { PURPOSES } from '../../../../src/events/journal.ts';
import { MOST_URGENT, MOST_VARIANTS } from '../../../../src/runtime/policy.ts';
import { isDue } from '../../../../src/runtime/swap/effects/variants.ts';
import {
  callUrgency,
  childAfter,
  childUrgency,
  type Dearer,
  dearerCallFrom,
  dearerForPrice,
  dearerSpend,
  dearerVoid,
  hasWaited,
  isBlocked,
  isJudged,
  nextVariant,
  tooCheapFrom,
  urgencyAfter,
} from '../../../../src/runtime/swap/fee-bumps.ts';
import { after, NOW, preparedOf, type TurnChanges, turnOf } from '../../../support/turns.ts';

const PAUSE = 60;
const BUMP_AFTER = 600;
const turn = (changes: TurnChanges = {}) =>
  turnOf({ policy: { bumpAfter: BUMP_AFTER, fees: { pause: PAUSE, retryCheaper: 900 } }, ...changes });

const REFUSALS = ['feeTooLow', 'noReplacement', 'inputsSpent', 'nonceUsed', 'nonceGap', 'invalid', 'notFinal', null];
const ago = fc.integer({ min: 0, max: 2 * BUMP_AFTER * 1000 }).map((millis) => after(-millis / 1000));

/** What a journal can hold of one variant: it is attempted once signed, and taken once attempted. */
const variant: fc.Arbitrary<PreparedRecord> = fc
  .record({
    times: fc.tuple(ago, ago, ago).map((all) => all.sort((left, right) => left - right)),
    known: fc.integer({ min: 1, max: 3 }),
    urgency: fc.integer({ min: 0, max: MOST_URGENT }),
    refused: fc.constantFrom(...REFUSALS),
    dead: fc.boolean(),
    hash: fc.constantFrom('aa', 'bb', 'cc'),
    spends: fc.constantFrom('account:7', 'account:8'),
  })
  .map(({ times: [prepared = NOW, attempted = NOW, accepted = NOW], known, urgency, refused, dead, hash, spends }) =>
    preparedOf({
      tx: { tx_hash: hash, spends: [spends] },
      ...{ urgency, refused, dead, preparedAt: prepared },
      attemptedAt: known > 1 ? attempted : null,
      acceptedAt: known > 2 ? accepted : null,
    }),
  );

const SPENDS = ['claim', 'refund'] as const;
const variants = fc.array(variant, { minLength: 1, maxLength: 6 });

/** Whether a dearer one is due by any rule, for any purpose. */
function dues(all: readonly PreparedRecord[]): readonly (Dearer & { readonly purpose: string })[] {
  const record = all.at(-1) as PreparedRecord;
  const given = turn({ journal: { prepared: { claim: [...all], refund: [...all], void: [...all] } } });
  return [
    { purpose: 'payment', ...dearerForPrice(given, record) },
    { purpose: 'void', ...dearerVoid(given, record, { onItsWay: false }) },
    ...SPENDS.map((purpose) => ({ purpose, ...dearerSpend(given, { purpose, record, shown: record.tx.tx_hash }) })),
  ];
}

describe('F4: urgency', () => {
  it('never falls from a variant to the next, and rises by a step at most', () => {
    fc.assert(
      fc.property(variants, fc.constantFrom(...PURPOSES), (all, purpose) => {
        const record = all.at(-1) as PreparedRecord;
        const { urgency } = nextVariant(turn({ journal: { prepared: { [purpose]: all } } }), purpose, record);
        expect(urgency - record.urgency).toBeGreaterThanOrEqual(purpose === 'claim' || purpose === 'refund' ? 0 : 1);
        expect(urgency - record.urgency).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('stays where nodes hide what blocks take, unless the fee was refused', () => {
    const settled = preparedOf({ tx: { tx_hash: 'bb', spends: ['account:7'] } });
    const urgencies = [null, 'feeTooLow'].map((refused) => {
      const record = preparedOf({ refused, urgency: 4, tx: { tx_hash: 'cc', spends: ['account:8'] } });
      return nextVariant(turn({ journal: { prepared: { claim: [settled, record] } } }), 'claim', record).urgency;
    });
    expect(urgencies).toEqual([4, 5]);
  });

  it('of a child is above that of every child before it, and at least what was wanted', () => {
    const children = [0, 3, 1].map((urgency) => preparedOf({ urgency }));
    expect([childUrgency([], 2), childUrgency(children, 2), childUrgency(children, 7)]).toEqual([2, 4, 7]);
  });

  it('of a new try is above that of all that a block took for the same payment', () => {
    const tried = (target: string, urgency: number, dead: boolean) => preparedOf({ target, urgency, dead });
    expect(urgencyAfter([], 'a')).toBe(0);
    expect(urgencyAfter([tried('a', 0, true), tried('a', 3, true), tried('a', 1, true)], 'a')).toBe(4);
    expect(urgencyAfter([tried('a', 5, false), tried('b', 7, true)], 'a')).toBe(0);
    // No block judged the price of one that lost its nonce to another transaction.
    const robbed = (urgency: number) => preparedOf({ target: 'a', urgency, dead: true, refused: 'nonceUsed' });
    expect([urgencyAfter([robbed(0), robbed(0)], 'a'), urgencyAfter([robbed(3)], 'a')]).toEqual([0, 3]);
    expect(urgencyAfter([tried('a', 1, true), robbed(2)], 'a')).toBe(2);
    expect(
      [0, 1, MOST_VARIANTS].map((count) => callUrgency(Array.from({ length: count }, () => preparedOf()))),
    ).toEqual([0, 1, MOST_URGENT]);
  });
});

describe('F5: the highest urgency', () => {
  it('is never exceeded by what is due', () => {
    fc.assert(
      fc.property(variants, (all) => {
        const record = all.at(-1) as PreparedRecord;
        for (const { due, purpose } of dues(all)) {
          if (!due) continue;
          const given = turn({ journal: { prepared: { claim: all, refund: all, void: all } } });
          const { urgency } = nextVariant(given, purpose as (typeof PURPOSES)[number], record);
          expect(urgency, purpose).toBeLessThanOrEqual(MOST_URGENT);
        }
      }),
    );
  });

  it('has nothing dearer behind it, whatever was said of it', () => {
    for (const refused of REFUSALS) {
      const long = { preparedAt: after(-9000), attemptedAt: after(-9000), acceptedAt: after(-9000), refused };
      const before = preparedOf({ preparedAt: after(-20_000) });
      const at = (urgency: number) => dues([before, preparedOf({ ...long, urgency })]).filter(({ due }) => due);
      expect(at(MOST_URGENT), `${refused}`).toEqual([]);
    }
    expect(dearerCallFrom(preparedOf({ urgency: MOST_URGENT }), { variants: [], pause: 0 })).toBeNull();
    expect([MOST_URGENT - 1, MOST_URGENT].map((urgency) => childUrgency([preparedOf({ urgency })], 0))).toEqual([
      MOST_URGENT,
      null,
    ]);
    expect([MOST_URGENT, MOST_URGENT + 1].map((wanted) => childUrgency([], wanted))).toEqual([MOST_URGENT, null]);
    expect(urgencyAfter([preparedOf({ target: 'a', urgency: MOST_URGENT, dead: true })], 'a')).toBe(MOST_URGENT);
  });
});

/** Whether it is so this many milliseconds before and after a moment. */
const around = (moment: number, holds: (now: number) => boolean) => [-1, 0, 1].map((off) => holds(moment + off));

describe('F6: nothing gets dearer at once', () => {
  const cheap = preparedOf({ refused: 'feeTooLow', preparedAt: after(-500), attemptedAt: after(-100) });

  it('a variant that was refused for its fee is too cheap once it has been out for the pause', () => {
    expect(tooCheapFrom(turn(), cheap)).toBe(after(-100 + PAUSE));
    expect(tooCheapFrom(turn(), { ...cheap, attemptedAt: null })).toBe(after(-500 + PAUSE));
    const due = (now: number) => dearerForPrice(turn({ now: now as typeof NOW }), cheap).due;
    expect(around(after(-100 + PAUSE), due)).toEqual([false, true, true]);
    for (const refused of REFUSALS.slice(1)) expect(tooCheapFrom(turn(), { ...cheap, refused })).toBeNull();
  });

  it('the turn wakes when that moment comes, and not once it has', () => {
    const early = turn({ now: after(-100) });
    expect([isDue(early, dearerForPrice(early, cheap)), early.wakeAt]).toEqual([false, after(-100 + PAUSE)]);
    const late = turn();
    const { wakeAt } = late;
    expect([isDue(late, dearerForPrice(late, cheap)), late.wakeAt]).toEqual([true, wakeAt]);
  });

  it.each([
    ['claim', { attemptedAt: null }, -700],
    ['claim', { acceptedAt: after(-650) }, -650],
    ['refund', {}, -680],
    ['refund', { acceptedAt: after(-650) }, -650],
    ['void', { acceptedAt: after(-650) }, -650],
  ] as const)('a %s with %j has waited after the pause from its own moment', (purpose, changes, since) => {
    const record = preparedOf({ preparedAt: after(-700), attemptedAt: after(-680), ...changes });
    const waited = (now: number) => hasWaited(turn({ now: now as typeof NOW }), purpose, record);
    expect(around(after(since + BUMP_AFTER), waited)).toEqual([false, false, true]);
  });

  it('an order to try again begins the wait of a claim and of a refund anew, and not of what makes a payment impossible', () => {
    const record = preparedOf({ acceptedAt: after(-900) });
    const waited = (retryAt: number) =>
      (['claim', 'refund', 'void'] as const).map((purpose) =>
        hasWaited(turn({ journal: { retryAt: after(retryAt) } }), purpose, record),
      );
    expect([waited(-601), waited(-600)]).toEqual([
      [true, true, true],
      [false, false, true],
    ]);
  });

  it('a refund that nobody was given, and what no node took in place of a payment, do not wait', () => {
    const given = turn({ now: after(90_000) });
    expect(hasWaited(given, 'refund', preparedOf({ attemptedAt: null }))).toBe(false);
    expect(hasWaited(given, 'void', preparedOf())).toBe(false);
  });

  it('a child comes after the long pause, one in the place of another after the short one', () => {
    const since = after(-30);
    const at = (replaces: PreparedRecord | null, retryAt: number | null = null) =>
      childAfter(turn({ journal: { retryAt: retryAt === null ? null : after(retryAt) } }), { since, replaces });
    expect([at(null), at(preparedOf()), at(null, -10)]).toEqual([
      after(-30 + BUMP_AFTER),
      after(-30 + PAUSE),
      after(-10 + BUMP_AFTER),
    ]);
  });

  it('a watcher’s call counts from the last that was heard of it', () => {
    const from = (changes: Parameters<typeof preparedOf>[0]) =>
      dearerCallFrom(preparedOf(changes), { variants: [], pause: PAUSE });
    expect(from({ preparedAt: after(-90) })).toBe(after(-30));
    expect(from({ preparedAt: after(-90), acceptedAt: after(-50) })).toBe(after(10));
    expect(from({ preparedAt: after(-90), refusedAt: after(-40) })).toBe(after(20));
    const many = Array.from({ length: MOST_VARIANTS }, () => preparedOf());
    expect(
      [many.slice(1), many].map((all) => dearerCallFrom(preparedOf(), { variants: all, pause: 0 }) === null),
    ).toEqual([false, true]);
  });
});

describe('F7: while nodes merely do not answer', () => {
  it('what waits gets no dearer', () => {
    fc.assert(
      fc.property(variants, fc.constantFrom(...SPENDS), (all, purpose) => {
        const record = { ...(all.at(-1) as PreparedRecord), acceptedAt: null, refused: null };
        const silent = [...all.slice(0, -1).map((one) => ({ ...one, acceptedAt: null })), record];
        const given = turn({ now: after(90_000), journal: { prepared: { [purpose]: silent } } });
        expect(dearerSpend(given, { purpose, record }).due).toBe(false);
      }),
    );
  });

  it('a variant is judged by a look, by a node that took an equal one, and by what makes it impossible', () => {
    const record = preparedOf({ tx: { tx_hash: 'aa' } });
    const judged = (refused: string | null, shown?: string, other?: PreparedRecord) =>
      isJudged({ ...record, refused }, { variants: other === undefined ? [] : [other], shown });
    expect([judged(null), judged(null, 'bb'), judged(null, 'aa')]).toEqual([false, false, true]);
    const taken = (tx_hash: string) => preparedOf({ acceptedAt: NOW, tx: { tx_hash } });
    expect([judged(null, undefined, taken('bb')), judged(null, undefined, taken('aa'))]).toEqual([false, true]);
    const final = REFUSALS.filter((refused) => judged(refused));
    expect(final).toEqual(['inputsSpent', 'nonceUsed', 'invalid']);
  });
});

it('F8: what a node does not replace is not signed again', () => {
  fc.assert(
    fc.property(variants, (all) => {
      const record = { ...(all.at(-1) as PreparedRecord), refused: 'noReplacement' };
      expect(dues([...all.slice(0, -1), record]).filter(({ due }) => due)).toEqual([]);
    }),
  );
});

it('F9: the last three variants of a claim or a refund are kept for new tries', () => {
  const given = (count: number): PreparedRecord[] =>
    Array.from({ length: count }, (_, index) =>
      preparedOf({ tx: { tx_hash: `a${index}` }, refused: 'feeTooLow', acceptedAt: after(-9000) }),
    );
  for (const purpose of SPENDS) {
    const due = [16, 17].map((count) => {
      const variants = given(count);
      const record = variants.at(-1) as PreparedRecord;
      return dearerSpend(turn({ now: after(90_000), journal: { prepared: { [purpose]: variants } } }), {
        ...{ purpose, record },
      }).due;
    });
    expect(due, purpose).toEqual([true, false]);
  }
});

it('what is on its way makes a payment impossible at its own fee', () => {
  const waiting = preparedOf({ acceptedAt: after(-9000) });
  const due = (onItsWay: boolean) => dearerVoid(turn(), waiting, { onItsWay }).due;
  expect([due(false), due(true)]).toEqual([true, false]);
  const cheap = { ...waiting, refused: 'feeTooLow' };
  expect(dearerVoid(turn(), cheap, { onItsWay: true }).due).toBe(true);
});

describe('a variant that waits for a nonce', () => {
  const record = preparedOf({ refused: 'nonceGap' });
  const before = (seconds: number, tried = record) =>
    isBlocked(turn(), [preparedOf(), preparedOf({ preparedAt: after(-60 - seconds) }), tried, preparedOf()], tried);

  it('is blocked where the one before did so for longer than the pause, and stands beside it then', () => {
    expect([BUMP_AFTER, BUMP_AFTER + 0.001].map((seconds) => before(seconds))).toEqual([false, true]);
    expect(before(900, preparedOf({ refused: 'feeTooLow' }))).toBe(false);
    const replaced = (seconds: number) => {
      const claim = [preparedOf({ preparedAt: after(-60 - seconds) }), record];
      return nextVariant(turn({ journal: { prepared: { claim } } }), 'claim', record).replaces;
    };
    expect([replaced(BUMP_AFTER), replaced(BUMP_AFTER + 1)]).toEqual([record, null]);
  });

  it('is not blocked as the first, nor behind one that a block took', () => {
    const dead = preparedOf({ preparedAt: after(-9000), dead: true });
    expect(isBlocked(turn(), [dead, record], record)).toBe(false);
    expect(isBlocked(turn(), [record, preparedOf({ preparedAt: after(-9000) })], record)).toBe(false);
  });
});

describe('what a wallet of outputs makes of it', () => {
  const rule = fc
    .record({
      floor: fc.bigInt({ min: 1n, max: 20_000n }),
      room: fc.bigInt({ min: 0n, max: 5_000_000n }),
      rate: fc.bigInt({ min: 1n, max: 100_000n }),
      size: fc.integer({ min: 200, max: 5000 }),
    })
    .map(({ floor, room, rate, size }) => ({ fees: { rate, floor, ceiling: floor + room }, rate, size }));

  it('never offers less for more urgency, and never more than the ceiling', () => {
    fc.assert(
      fc.property(rule, ({ fees, rate }) => {
        const rates = Array.from({ length: MOST_URGENT + 2 }, (_, urgency) => rateAt(fees, { rate, urgency }));
        expect(rates).toEqual(rates.toSorted((left, right) => Number(left - right)));
        for (const offered of rates) expect(offered >= fees.floor && offered <= fees.ceiling).toBe(true);
      }),
    );
  });

  it('pays for its own relay in each place that it takes, and never above the bound of the swap', () => {
    fc.assert(
      fc.property(rule, fc.bigInt({ min: 0n, max: 10_000_000n }), ({ fees, rate, size }, maxFee) => {
        let paid = 0n;
        for (let urgency = 0; urgency <= MOST_URGENT; urgency += 1) {
          const least = paid + feeAt(fees.floor, size);
          const fee = feeWithin(feeAt(rateAt(fees, { rate, urgency }), size), { least, maxFee });
          // Nothing that nodes relay keeps to the bound: nothing is signed.
          if (fee === null) expect(least > maxFee).toBe(true);
          if (fee === null) return;
          expect(fee >= least && fee <= maxFee).toBe(true);
          paid = fee;
        }
      }),
    );
  });
});
