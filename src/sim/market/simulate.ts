import { checkMarketSimulation } from './check-market.ts';
import { excusesOf, type MarketExcuse, withoutExcuses } from './excuses.ts';
import { type GenerateMarketOptions, generateMarket } from './generate.ts';
import { judgeMarket } from './judge.ts';
import { createMarket, type MarketOptions, type MarketWorld } from './market.ts';
import { repeatOfMarket } from './repeat.ts';
import { type MarketEnding, type MarketViolation, UNCONDITIONAL } from './rules.ts';
import { runMarket } from './run.ts';
import type { Market } from './scenario.ts';
import { logsOf, type MarketLog } from './timeline.ts';

/** A broken rule, excused by an assumption that the run gave up for its party. */
export type ExcusedViolation = MarketViolation & { readonly excuses: readonly MarketExcuse[] };

export type MarketResult = {
  readonly market: Market;
  readonly violations: readonly MarketViolation[];
  readonly excused: readonly ExcusedViolation[];
  readonly endings: readonly MarketEnding[];
  /** Parties that followed the protocol, and how many of them had given nothing up. */
  readonly honest: number;
  readonly withoutExcuse: number;
  readonly steps: number;
  readonly logs: readonly MarketLog[];
  /** What a reader should know before trusting the result. */
  readonly notices: readonly string[];
  /** How to see the run again. */
  readonly repeat: string;
};

/**
 * Runs a market to its end and judges it. If a party lost something after an assumption was given up, the run is repeated without that, and the loss
 * must not recur.
 *
 * @throws MemberTypeError, MemberValueError for an invalid market or unknown options.
 *
 * @example
 * ```ts
 * import { calmMarket, runMarketScenario } from 'swapfold/testing';
 *
 * const [alice, bob] = calmMarket().parties;
 * if (alice === undefined || bob === undefined) throw new Error('a market without its parties');
 * const conduct = { kind: 'deserter', after: 'TakerPaymentSent' } as const;
 * const parties = [alice, { ...bob, conduct }];
 * const { violations, endings } = await runMarketScenario(calmMarket({ parties }));
 * violations; // → []
 * endings.map(({ swap, own }) => `${swap} ${own}`); // → ['0 open', '1 taken']
 * ```
 */
export async function runMarketScenario(market: Market, options: MarketOptions = {}): Promise<MarketResult> {
  const world = createMarket(market, options);
  await runMarket(world);
  const { violations: found, endings } = judgeMarket(world);
  const violations: MarketViolation[] = [];
  const excused: ExcusedViolation[] = [];
  const again = new Set<string>();
  for (const violation of found) {
    const excuses = UNCONDITIONAL.has(violation.rule) ? [] : excusesFor(world, violation.party);
    if (excuses.length === 0) {
      violations.push(violation);
      continue;
    }
    excused.push({ ...violation, excuses });
    if (again.has(violation.party)) continue;
    again.add(violation.party);
    violations.push(...(await withoutIts(market, { violation, excuses, options })));
  }
  const honest = world.processes.filter(({ party }) => party.conduct.kind === 'honest');
  const withoutExcuse = honest.filter((process) => excusesOf({ world, process }).length === 0).length;
  return {
    market,
    violations,
    excused,
    endings,
    honest: honest.length,
    withoutExcuse,
    steps: world.steps,
    logs: logsOf(world),
    notices: noticesOf(endings),
    repeat: repeatOfMarket(market, options.tamper === undefined),
  };
}

function noticesOf(endings: readonly MarketEnding[]): readonly string[] {
  if (endings.length === 0) return ['no party that follows the protocol has a swap: no rule was put to the test'];
  const nobody = endings.every(({ own }) => own === 'none');
  return nobody ? ['nobody who follows the protocol paid anything: no rule about money was put to the test'] : [];
}

function excusesFor(world: MarketWorld, name: string): readonly MarketExcuse[] {
  const process = world.processes.find(({ party }) => party.name === name);
  return process === undefined ? [] : excusesOf({ world, process });
}

type Excused = {
  readonly violation: MarketViolation;
  readonly excuses: readonly MarketExcuse[];
  readonly options: MarketOptions;
};

async function withoutIts(
  market: Market,
  { violation: { party }, excuses, options }: Excused,
): Promise<readonly MarketViolation[]> {
  const world = createMarket(withoutExcuses(market, party, excuses), options);
  await runMarket(world);
  const left = excusesFor(world, party);
  return judgeMarket(world)
    .violations.filter((violation) => violation.party === party && left.length === 0)
    .map((violation) => ({ ...violation, text: `without ${excuses.join(' and ')} as well: ${violation.text}` }));
}

export type FoundMarketViolation = MarketViolation & { readonly seed: number };

export type MarketReport = {
  readonly runs: number;
  readonly swaps: number;
  readonly steps: number;
  readonly violations: readonly FoundMarketViolation[];
  /** Parties that followed the protocol, those for which nothing was given up, and those with an excused loss. */
  readonly honest: number;
  readonly withoutExcuse: number;
  readonly excused: number;
  /** What happened to the own payments of honest parties, in swaps. */
  readonly endings: Readonly<Record<MarketEnding['own'], number>>;
};

export type SimulateMarketsOptions = {
  /** First seed; each run takes the next. */
  readonly seed: number;
  readonly runs: number;
  readonly generate?: GenerateMarketOptions;
  /** Called from time to time with the number of runs so far. */
  readonly onProgress?: (runs: number) => void;
};

const MOST_KEPT = 100;
const PROGRESS_EVERY = 50;

/**
 * Runs the markets of consecutive seeds and sums up.
 *
 * @throws MemberTypeError, MemberValueError for unknown options.
 *
 * @example
 * ```ts
 * import { simulateMarkets } from 'swapfold/testing';
 *
 * const { runs, violations, endings } = await simulateMarkets({ seed: 1, runs: 2 });
 * [runs, violations, endings.taken > 0]; // → [2, [], true]
 * simulateMarkets({ seed: 1, runs: -1 }); // throws MemberValueError
 * ```
 */
export async function simulateMarkets(options: SimulateMarketsOptions): Promise<MarketReport> {
  checkMarketSimulation(options);
  const violations: FoundMarketViolation[] = [];
  const endings: Record<MarketEnding['own'], number> = { none: 0, open: 0, taken: 0, back: 0 };
  const sum = { swaps: 0, steps: 0, honest: 0, withoutExcuse: 0, excused: 0 };
  for (let index = 0; index < options.runs; index += 1) {
    const seed = options.seed + index;
    const result = await runMarketScenario(generateMarket(seed, options.generate));
    sum.swaps += result.market.swaps.length;
    sum.steps += result.steps;
    sum.honest += result.honest;
    sum.withoutExcuse += result.withoutExcuse;
    sum.excused += new Set(result.excused.map(({ party }) => party)).size;
    for (const { own } of result.endings) endings[own] += 1;
    for (const violation of result.violations) {
      if (violations.length < MOST_KEPT) violations.push({ ...violation, seed });
    }
    if ((index + 1) % PROGRESS_EVERY === 0) options.onProgress?.(index + 1);
  }
  return { runs: options.runs, ...sum, violations, endings };
}

/**
 * One report of several, in the order given.
 *
 * @example
 * ```ts
 * import { mergeMarketReports, simulateMarkets } from 'swapfold/testing';
 *
 * const first = await simulateMarkets({ seed: 1, runs: 1 });
 * const second = await simulateMarkets({ seed: 2, runs: 1 });
 * const both = mergeMarketReports([first, second]);
 * [both.runs, both.swaps === first.swaps + second.swaps]; // → [2, true]
 * ```
 */
export function mergeMarketReports(reports: readonly MarketReport[]): MarketReport {
  const endings: Record<MarketEnding['own'], number> = { none: 0, open: 0, taken: 0, back: 0 };
  const violations: FoundMarketViolation[] = [];
  const sum = { runs: 0, swaps: 0, steps: 0, honest: 0, withoutExcuse: 0, excused: 0 };
  for (const report of reports) {
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += report[key];
    for (const key of Object.keys(endings) as MarketEnding['own'][]) endings[key] += report.endings[key];
    violations.push(...report.violations.slice(0, MOST_KEPT - violations.length));
  }
  return { ...sum, violations, endings };
}
