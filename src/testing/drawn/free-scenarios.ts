import { fromBaseUnits } from '../../primitives/decimal.ts';
import type { Seconds } from '../../primitives/time.ts';
import { type Check, called, listOf, numberOf, objectOf, oneOf, optionsOf, refuse } from '../../sim/shape-check.ts';
import { awayDuring, changed, type ScenarioChange, type Stretch, scenario } from '../../sim/world/build.ts';
import type { ChainName, Scenario } from '../../sim/world/scenario.ts';
import { type Arbitrary, fc } from './fast-check.ts';

// What `arbitraryScenario` draws comes from a seed, in the ranges in which a simulation finds most. Here every number is fast-check's own, in
// ranges of one's choice, and shrinks by itself.

/** A whole number from the one to the other, both included. */
export type Range = { readonly min: number; readonly max: number };

type Party = 'maker' | 'taker';
type OfBoth<T> = Readonly<Record<ChainName, T>>;

/** What both sides of a swap agree on; members of a scenario. */
export type FreeTerms = Pick<Scenario, 'makerAmount' | 'takerAmount' | 'lockDuration' | 'confirmations' | 'horizon'>;

export type FreeTermsOptions = {
  /** Digits after the point that amounts may have, as many as the chains have at most. @defaultValue 8 on both chains */
  readonly decimals?: OfBoth<number>;
  /** In coin units. Wallets of a scenario hold 100 coins unless its `funds` say otherwise. @defaultValue 1 to 50 */
  readonly amount?: Range;
  /** In seconds. @defaultValue 3600 to 31,200 */
  readonly lockDuration?: Range;
  /** @defaultValue 0 to 4 */
  readonly confirmations?: Range;
};

/**
 * Terms of any swap within the ranges: amounts with all their digits, lock durations to the second, confirmations of each payment. The horizon
 * goes with the lock duration. They shrink to the least of each range.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { freeTerms } from 'swapfold/testing';
 *
 * const terms = freeTerms({ decimals: { maker: 2, taker: 18 }, amount: { min: 3, max: 4 } });
 * const within = fc.property(terms, ({ makerAmount, lockDuration }) => {
 *   return /^[34](\.\d\d?)?$/.test(makerAmount) && lockDuration >= 3600 && lockDuration <= 31_200;
 * });
 * fc.check(within, { numRuns: 50 }).failed; // → false
 * freeTerms({ amount: { min: 4, max: 3 } }); // throws MemberValueError
 * ```
 */
export function freeTerms(options: FreeTermsOptions = {}): Arbitrary<FreeTerms> {
  termsCheck(options, 'options');
  const { decimals = { maker: 8, taker: 8 }, amount = { min: 1, max: 50 } } = options;
  const { lockDuration = { min: 3600, max: 31_200 }, confirmations = { min: 0, max: 4 } } = options;
  const amountOf = (digits: number) => {
    const one = 10n ** BigInt(digits);
    const units = fc.bigInt({ min: BigInt(amount.min) * one, max: BigInt(amount.max) * one });
    return units.map((value) => fromBaseUnits(value, digits));
  };
  return fc
    .record({
      makerAmount: amountOf(decimals.maker),
      takerAmount: amountOf(decimals.taker),
      lockDuration: fc.integer(lockDuration),
      confirmations: ofBoth(fc.integer(confirmations)),
    })
    .map((terms) => ({ ...terms, horizon: terms.lockDuration * 4 + 40_000 }));
}

/** What clocks, blocks and messages take; {@link withTimes} puts them into a scenario. */
export type FreeTimes = {
  /** Whose engine acts first where both can. */
  readonly first: Party;
  /** How much each party's clock is ahead, in seconds. */
  readonly skew: OfBoth<Seconds>;
  /** Of a message, in seconds. */
  readonly latency: readonly [least: Seconds, most: Seconds];
  /** Mean time between two blocks, in seconds. */
  readonly blockTime: OfBoth<Seconds>;
  /** How long a block really takes, in thousandths of its nominal time. */
  readonly pace: OfBoth<number>;
};

export type FreeTimesOptions = {
  /** In seconds. @defaultValue -29 to 29: clocks of both sides differ by less than a minute */
  readonly skew?: Range;
  /** In seconds. @defaultValue 0 to 10 */
  readonly latency?: Range;
  /** In seconds. @defaultValue 30 to 90 */
  readonly blockTime?: Range;
  /** @defaultValue 900 to 1150 thousandths */
  readonly pace?: Range;
};

/**
 * Times within the ranges, each drawn for itself. They shrink to the least of each range, clocks to the true time.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { freeTimes } from 'swapfold/testing';
 *
 * const within = fc.property(freeTimes({ latency: { min: 1, max: 5 } }), ({ latency, skew }) => {
 *   const [least, most] = latency;
 *   return least >= 1 && least <= most && most <= 5 && Math.abs(skew.maker - skew.taker) < 60;
 * });
 * fc.check(within, { numRuns: 50 }).failed; // → false
 * ```
 */
export function freeTimes(options: FreeTimesOptions = {}): Arbitrary<FreeTimes> {
  timesCheck(options, 'options');
  const { skew = { min: -29, max: 29 }, latency = { min: 0, max: 10 } } = options;
  const { blockTime = { min: 30, max: 90 }, pace = { min: 900, max: 1150 } } = options;
  return fc.record({
    first: fc.constantFrom('maker', 'taker'),
    skew: ofBoth(fc.integer(skew)),
    latency: fc
      .tuple(fc.integer(latency), fc.integer(latency))
      .map(([one, other]): FreeTimes['latency'] => [Math.min(one, other), Math.max(one, other)]),
    blockTime: ofBoth(fc.integer(blockTime)),
    pace: ofBoth(fc.integer(pace)),
  });
}

/** A stretch in which a party is away: its nodes answer nothing, and no message reaches it. */
export type FreeAbsence = { readonly party: Party } & Stretch;

export type FreeAbsencesOptions = {
  /** Who may be away. @defaultValue both */
  readonly parties?: readonly Party[];
  /** How many there are at most. @defaultValue 3 */
  readonly most?: number;
  /** When one begins, in seconds from the start of the world. @defaultValue 0 to 20,000 */
  readonly from?: Range;
  /** How long one is, in seconds. @defaultValue 1 to 10,000 */
  readonly length?: Range;
};

/**
 * Absences within the ranges, from none to the most. They shrink to fewer, earlier and shorter ones.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { freeAbsences } from 'swapfold/testing';
 *
 * const absences = freeAbsences({ parties: ['taker'], most: 2, length: { min: 60, max: 600 } });
 * const within = fc.property(absences, (all) => {
 *   const lengths = all.map(({ from, until }) => until - from);
 *   return all.length <= 2 && lengths.every((length) => length >= 60 && length <= 600);
 * });
 * fc.check(within, { numRuns: 50 }).failed; // → false
 * ```
 */
export function freeAbsences(options: FreeAbsencesOptions = {}): Arbitrary<readonly FreeAbsence[]> {
  absencesCheck(options, 'options');
  const { parties = ['maker', 'taker'], most = 3 } = options;
  const { from = { min: 0, max: 20_000 }, length = { min: 1, max: 10_000 } } = options;
  const one = fc
    .record({ party: fc.constantFrom(...parties), from: fc.integer(from), length: fc.integer(length) })
    .map((drawn): FreeAbsence => ({ party: drawn.party, from: drawn.from, until: drawn.from + drawn.length }));
  return fc.array(one, { maxLength: most, size: 'max' });
}

export type FreeScenarioOptions = {
  readonly terms?: FreeTermsOptions;
  readonly times?: FreeTimesOptions;
  readonly absences?: FreeAbsencesOptions;
  /** What every scenario has besides, such as `conductOf('maker', { kind: 'greedy' })`. */
  readonly changes?: readonly (ScenarioChange | Partial<Scenario>)[];
};

/**
 * Scenarios in which terms, times and absences are drawn freely, and nothing else goes wrong but for `changes`. A counterexample shrinks to
 * few and short absences, plain terms and the least times that still show it.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { conductOf, freeScenario, runScenario } from 'swapfold/testing';
 *
 * const scenarios = freeScenario({ changes: [conductOf('maker', { kind: 'greedy' })] });
 * const keepsRules = fc.property(scenarios, (each) => runScenario(each).violations.length === 0);
 * fc.check(keepsRules, { numRuns: 5 }).failed; // → false
 * ```
 */
export function freeScenario(options: FreeScenarioOptions = {}): Arbitrary<Scenario> {
  scenarioCheck(options, 'options');
  const { terms, times, absences, changes = [] } = options;
  return fc
    .record({ terms: freeTerms(terms), times: freeTimes(times), absences: freeAbsences(absences) })
    .map((drawn) => scenario(drawn.terms, withTimes(drawn.times), withAbsences(drawn.absences), ...changes));
}

/**
 * Puts drawn times into a scenario.
 *
 * @example
 * ```ts
 * import { scenario, withTimes } from 'swapfold/testing';
 *
 * const times = { first: 'taker', latency: [1, 3], skew: { maker: -20, taker: 7 } } as const;
 * const blocks = { blockTime: { maker: 45, taker: 90 }, pace: { maker: 950, taker: 1100 } };
 * const { parties, chains, network } = scenario(withTimes({ ...times, ...blocks }));
 * [parties.taker.skew, chains.maker.blockTime, network.latency]; // → [7, 45, [1, 3]]
 * ```
 */
export function withTimes({ first, skew, latency, blockTime, pace }: FreeTimes): ScenarioChange {
  return (planned) => {
    const { chains, parties, network } = planned;
    const chain = (name: ChainName) => ({ ...chains[name], blockTime: blockTime[name], pace: pace[name] });
    return {
      ...planned,
      first,
      network: { ...network, latency },
      chains: { maker: chain('maker'), taker: chain('taker') },
      parties: {
        maker: { ...parties.maker, skew: skew.maker },
        taker: { ...parties.taker, skew: skew.taker },
      },
    };
  };
}

/**
 * Puts drawn absences into a scenario.
 *
 * @example
 * ```ts
 * import { runScenario, scenario, withAbsences } from 'swapfold/testing';
 *
 * const away = withAbsences([{ party: 'taker', from: 300, until: 900 }]);
 * const planned = scenario(away);
 * planned.network.partitions; // → [{ to: 'taker', from: 300, until: 900 }]
 * runScenario(planned).violations; // → []
 * ```
 */
export function withAbsences(absences: readonly FreeAbsence[]): ScenarioChange {
  return (planned) =>
    changed(
      planned,
      absences.map(({ party, ...during }) => awayDuring(party, during)),
    );
}

function ofBoth<T>(one: Arbitrary<T>): Arbitrary<OfBoth<T>> {
  return fc.record({ maker: one, taker: one });
}

function rangeOf(from: number, to = Number.POSITIVE_INFINITY): Check {
  const end = numberOf({ from, to, whole: true });
  return objectOf({ min: end, max: end }, {}, ({ min, max }, at) => {
    if (Number(max) < Number(min)) refuse(`${at}.max`, max, `a number from ${at}.min, which is ${String(min)}`);
  });
}

const digits = numberOf({ from: 0, to: 18, whole: true });
const termsCheck = optionsOf({
  decimals: objectOf({ maker: digits, taker: digits }),
  amount: rangeOf(1),
  lockDuration: rangeOf(1),
  confirmations: rangeOf(0),
});
const timesCheck = optionsOf({
  skew: rangeOf(Number.MIN_SAFE_INTEGER),
  latency: rangeOf(0),
  blockTime: rangeOf(1),
  pace: rangeOf(1),
});
const somebody = listOf(oneOf('maker', 'taker'));
const absencesCheck = optionsOf({
  parties: (value, at) => {
    somebody(value, at);
    if ((value as readonly unknown[]).length === 0) refuse(at, value, 'at least one party');
  },
  most: numberOf({ from: 0, whole: true }),
  from: rangeOf(0),
  length: rangeOf(1),
});
const change: Check = (value, at) => {
  if (typeof value !== 'object' || value === null) called(value, at);
};
const scenarioCheck = optionsOf({
  terms: termsCheck,
  times: timesCheck,
  absences: absencesCheck,
  changes: listOf(change),
});
