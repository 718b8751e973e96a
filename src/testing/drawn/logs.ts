import type { EdgeOrigin, EventGraph } from '../../../machines/graph.ts';
import { makerSwapGraph } from '../../../machines/maker-swap/graph.ts';
import { takerSwapGraph } from '../../../machines/taker-swap/graph.ts';
import type { Role } from '../../events/catalog.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { replaySwap } from '../../replay/swaps.ts';
import { flag, given, oneOf, optionsOf } from '../../sim/shape-check.ts';
import { buildSwap, isYetToCome } from '../logs/swap-builder.ts';
import type { SwapEra, SwapTermsOptions } from '../logs/swap-terms.ts';
import { type Arbitrary, fc, withFastCheck } from './fast-check.ts';
import { type LegalPathOptions, legalPath, pathShape } from './legal-path.ts';
import { chartEdges, STORED_ORIGINS } from './paths.ts';

const GRAPHS: Readonly<Record<Role, EventGraph>> = { taker: takerSwapGraph, maker: makerSwapGraph };

const COINS = ['DOC', 'MARTY', 'KMD', 'BTC', 'LTC', 'DGB', 'RICK'];

/** When nodes of an era made swaps, in seconds since 1970: from June 2019, from November 2020 and from December 2024 on. */
const YEARS: Readonly<Record<SwapEra, readonly [first: number, last: number]>> = {
  '2019': [1_560_000_000, 1_577_836_799],
  '2021': [1_604_188_800, 1_640_995_199],
  current: [1_733_011_200, 1_900_000_000],
};

const ERAS: readonly SwapEra[] = ['current', '2021', '2019'];

/** An amount from 0.00010000 to 10000 coins with 1 to 12 digits behind the point. */
const amount = withFastCheck(() =>
  fc
    .record({
      whole: fc.nat({ max: 9999 }),
      parts: fc.integer({ min: 10_000, max: 99_999_999 }),
      tail: fc.constantFrom('', '', '0', '1234'),
    })
    .map(({ whole, parts, tail }) => `${whole}.${String(parts).padStart(8, '0')}${tail}`),
);

/** Any values that terms can have, also those that no two nodes have agreed on. */
const anyTerms: Arbitrary<SwapTermsOptions> = withFastCheck(() =>
  fc.record({
    seed: fc.nat({ max: 0x7fff_ffff }),
    makerCoin: fc.constantFrom(...COINS),
    takerCoin: fc.constantFrom(...COINS),
    amounts: fc.record({ maker: amount, taker: amount }),
    startedAt: fc.integer({ min: 1_560_000_000, max: 1_900_000_000 }),
    separateKeys: fc.boolean(),
    era: fc.constantFrom('current', 'current', '2021', '2019'),
  }),
);

function termsOfEra(era: SwapEra): Arbitrary<SwapTermsOptions> {
  const [min, max] = YEARS[era];
  return fc
    .record({
      seed: fc.nat({ max: 0x7fff_ffff }),
      coins: fc.uniqueArray(fc.constantFrom(...COINS), { minLength: 2, maxLength: 2 }),
      amounts: fc.record({ maker: amount, taker: amount }),
      startedAt: fc.integer({ min, max }),
      separateKeys: fc.boolean(),
    })
    .map(({ coins: [makerCoin = 'DOC', takerCoin = 'MARTY'], ...rest }) => ({ ...rest, makerCoin, takerCoin, era }));
}

/** Terms of any swap that two nodes could have agreed on: two coins, at a time at which nodes of the era ran. */
export const swapTermsOptions: Arbitrary<SwapTermsOptions> = withFastCheck(() =>
  fc.oneof(...ERAS.map((era) => ({ weight: era === 'current' ? 2 : 1, arbitrary: termsOfEra(era) }))),
);

export type SwapLogOptions = LegalPathOptions & {
  /** Terms that are the same for every log. */
  readonly terms?: SwapTermsOptions;
  /**
   * Whether only logs are drawn that some release of the real node could have stored: in an order of the time of the swap, without a
   * trace of what came later, with two coins and without facts that contradict each other, so that a replay finds no anomaly. `false`
   * draws any legal path with any terms, for what must bear it. @defaultValue true
   */
  readonly consistent?: boolean;
};

/**
 * A swap that holds together and follows a random legal path, never without an event.
 *
 * @throws MemberTypeError, MemberValueError, RangeError as {@link legalPath}.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { replaySwap } from 'swapfold';
 * import { swapLog } from 'swapfold/testing';
 *
 * const logs = swapLog('taker', { terms: { era: '2021' }, complete: true });
 * const holds = fc.property(logs, (log) => replaySwap(log).anomalies.length === 0);
 * fc.check(holds, { numRuns: 10 }).failed; // → false
 * ```
 */
export function swapLog(role: Role, options: SwapLogOptions = {}): Arbitrary<SwapLog> {
  oneOf('maker', 'taker')(role, 'role');
  optionsOf({ ...pathShape(GRAPHS[role]), terms: given, consistent: flag })(options, 'options');
  const { terms = {}, consistent = true, ...path } = options;
  if (!consistent) return logOf(role, { path, terms, drawn: anyTerms, consistent });
  if (terms.makerCoin !== undefined && terms.makerCoin === terms.takerCoin) {
    throw new RangeError(
      `terms.takerCoin is ${terms.takerCoin}, the maker's coin too; logs of it need consistent: false`,
    );
  }
  const eras = erasOf(terms).map((era) => ({
    weight: era === 'current' ? 2 : 1,
    arbitrary: logOf(role, { path: pathOfEra(role, era, path), terms, drawn: termsOfEra(era), consistent }),
  }));
  return fc.oneof(...eras).filter((log) => replaySwap(log).anomalies.length === 0);
}

type LogDraw = {
  readonly path: LegalPathOptions;
  readonly terms: SwapTermsOptions;
  readonly drawn: Arbitrary<SwapTermsOptions>;
  readonly consistent: boolean;
};

function logOf(role: Role, { path, terms, drawn, consistent }: LogDraw): Arbitrary<SwapLog> {
  const merged = drawn.map((own) => ({ ...own, ...terms }));
  const agreed = consistent ? merged.filter(({ makerCoin, takerCoin }) => makerCoin !== takerCoin) : merged;
  return fc
    .record({ path: legalPath(GRAPHS[role], path).filter(({ events }) => events.length > 0), terms: agreed })
    .map(({ path: { events }, terms: own }) => buildSwap({ ...own, role, path: events }));
}

/** Of which eras a log with these terms can be. */
function erasOf({ era, startedAt }: SwapTermsOptions): readonly SwapEra[] {
  if (era !== undefined) return [era];
  if (startedAt === undefined) return ERAS;
  return [ERAS.find((one) => startedAt >= YEARS[one][0]) ?? '2019'];
}

const CURRENT_ORIGINS: readonly EdgeOrigin[] = ['spec', 'live', 'restart'];

function pathOfEra(role: Role, era: SwapEra, options: LegalPathOptions): LegalPathOptions {
  const meant = options.origins ?? (era === 'current' ? CURRENT_ORIGINS : STORED_ORIGINS);
  const types = new Set(chartEdges(GRAPHS[role]).map(({ type }) => type));
  return {
    ...options,
    origins: meant.filter((origin) => origin !== 'engine'),
    except: [...(options.except ?? []), ...[...types].filter((type) => isYetToCome(type, era))],
  };
}
