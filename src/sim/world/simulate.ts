import { catalog } from '../../events/catalog.ts';
import type { Assumption } from './assumptions.ts';
import { isCalm, reportNotices } from './calm.ts';
import { checkSimulateOptions } from './check-options.ts';
import { FAULT_KINDS, type FaultName } from './faults.ts';
import { type GenerateOptions, generateScenario } from './generate.ts';
import { createGuide, GUIDED_BLOCK, type Guide } from './guide.ts';
import type { Ending, Violation } from './judge.ts';
import {
  addTable,
  type Meetings,
  meetingCounter,
  meetingsOf,
  meetingTable,
  mergeMeetings,
  type Unreached,
  unreachedOf,
} from './meetings.ts';
import { type BareResult, type RunOptions, runOnce } from './run-scenario.ts';

export { FAULT_KINDS, type FaultName } from './faults.ts';
export { type RunOptions, type RunResult, runScenario } from './run-scenario.ts';

/** Public events that only older releases or other nodes store: the engine appends none of them. */
export const NEVER_LIVE: ReadonlySet<string> = new Set([
  'taker/TakerPaymentDataSendFailed',
  'taker/TakerPaymentWaitConfirmFailed',
  'taker/TakerPaymentRefundFailed',
  'maker/MakerPaymentDataSendFailed',
]);

/** A broken rule, or a swap that did not come to rest, with the seed that shows it. */
export type FoundViolation = Violation & { readonly seed: number };

/** Money that an honest party lost, and the assumption that the run gave up. */
export type ExplainedLoss = {
  readonly seed: number;
  readonly party: 'maker' | 'taker';
  readonly money: 'lost' | 'locked';
  readonly broken: readonly Assumption[];
};

/** Parties that followed the protocol, and for how many of them a run gave up what the rules assume. */
export type Excuses = {
  readonly parties: number;
  /** Of these, how many had an assumption given up, whether they lost or not. */
  readonly held: number;
  /** Of these, how many lost money or still have it locked. Each of these runs was repeated without the faults that excuse it. */
  readonly used: number;
};

/**
 * Honest parties whose loss was excused, in parts per million: this rate may only fall.
 *
 * @example
 * ```ts
 * import { excusedRate } from 'swapfold/testing';
 *
 * excusedRate({ excuses: { parties: 400, held: 90, used: 3 } }); // → 7500
 * excusedRate({ excuses: { parties: 0, held: 0, used: 0 } }); // → 0
 * ```
 */
export function excusedRate({ excuses: { parties, used } }: Pick<SimulationReport, 'excuses'>): number {
  return parties === 0 ? 0 : Math.round((used * 1e6) / parties);
}

export type SimulationReport = {
  readonly runs: number;
  readonly steps: number;
  readonly violations: readonly FoundViolation[];
  readonly losses: readonly ExplainedLoss[];
  /** Losses by the assumptions given up, such as `online+depth`. */
  readonly lossesByAssumption: Readonly<Record<string, number>>;
  readonly excuses: Excuses;
  /** Honest parties by what happened to their money. */
  readonly money: Readonly<Record<Ending['money'], number>>;
  /** The same as shares of all honest parties, from 0 to 1. */
  readonly shares: Readonly<Record<Ending['money'], number>>;
  /** Runs in which nothing went wrong and both parties were honest: they swap, or R13 is broken. */
  readonly calm: number;
  /** What a reader should know before trusting the figures. */
  readonly notices: readonly string[];
  /** Runs in which an event was appended and a fault took effect, by `role/type`. */
  readonly coverage: Readonly<Record<string, Readonly<Record<FaultName, number>>>>;
  /** How often a party wrote an event in a state, and which faults were in force then, by `role/state/event`. */
  readonly meetings: Meetings;
  /** What was never reached. */
  readonly unreached: readonly Unreached[];
};

export type SimulateOptions = {
  /** First seed; each run takes the next. */
  readonly seed: number;
  readonly runs: number;
  readonly generate?: GenerateOptions;
  readonly run?: RunOptions;
  /**
   * Whether one run in four is a variation of a seed that led to something new. The report treats it as any other seed. It takes the place of a
   * consecutive seed, which does not run. @defaultValue true, where anything can go wrong
   */
  readonly guided?: boolean;
  /** Called from time to time with the number of runs so far. */
  readonly onProgress?: (runs: number) => void;
};

const MOST_KEPT = 100;
const PROGRESS_EVERY = 500;

/**
 * Events that a live engine can append, `role/type`, in the order of the catalog.
 *
 * @example
 * ```ts
 * import { liveEvents } from 'swapfold/testing';
 *
 * liveEvents().includes('taker/TakerPaymentRefunded'); // → true
 * liveEvents().includes('taker/TakerPaymentDataSendFailed'); // → false
 * ```
 */
export function liveEvents(): readonly string[] {
  return (['taker', 'maker'] as const).flatMap((role) =>
    [...catalog[role].keys()].map((type) => `${role}/${type}`).filter((key) => !NEVER_LIVE.has(key)),
  );
}

/**
 * Runs scenarios of consecutive seeds and sums up.
 *
 * @throws MemberTypeError, MemberValueError for unknown options; errors of the tester's own parts, unchanged.
 *
 * @example
 * ```ts
 * import { simulate } from 'swapfold/testing';
 *
 * const { runs, violations, money } = simulate({ seed: 300, runs: 5 });
 * [runs, violations, money.swapped > 0]; // → [5, [], true]
 * simulate({ seed: 300, runs: -1 }); // throws MemberValueError
 * ```
 */
export function simulate(options: SimulateOptions): SimulationReport {
  checkSimulateOptions(options);
  const report = emptyReport();
  const counts = new Map(liveEvents().map((event) => [event, new Float64Array(FAULT_KINDS.length)]));
  const table = meetingTable();
  let local = meetingTable();
  const guide = guideOf(options);
  for (let index = 0; index < options.runs; index += 1) {
    if (index % GUIDED_BLOCK === 0) {
      addTable(table, local);
      local = meetingTable();
    }
    const seed = guide.seedOf(index);
    const counter = meetingCounter(local);
    const { result } = runOnce(generateScenario(seed, options.generate), options.run ?? {}, { counter });
    guide.learn(index, { seed, found: counter.found() });
    addRun(report, { ...result, seed });
    countFaults(counts, result);
    if ((index + 1) % PROGRESS_EVERY === 0) options.onProgress?.(index + 1);
  }
  for (const [event, row] of counts) {
    const named = report.coverage[event] as Record<FaultName, number>;
    for (const [place, fault] of FAULT_KINDS.entries()) named[fault] = row[place] ?? 0;
  }
  addTable(table, local);
  report.meetings = meetingsOf(table);
  return closed(report);
}

/** A report with what follows from its counts. */
function closed(report: OpenReport): SimulationReport {
  const { money, runs, calm } = report;
  const parties = Object.values(money).reduce((sum, count) => sum + count, 0);
  const shares = { ...money };
  for (const key of Object.keys(money) as Ending['money'][]) shares[key] = parties === 0 ? 0 : money[key] / parties;
  const notices = reportNotices({ runs, calm, swapped: money.swapped });
  return { ...report, shares, notices, unreached: unreachedOf(report.meetings) };
}

/** Consecutive seeds, without a guide. */
function guideOf({ seed, generate = {}, guided = true }: SimulateOptions): Guide {
  if (guided && generate.trouble !== 0) return createGuide(seed);
  return { seedOf: (index) => seed + index, learn: () => {} };
}

const PLACES: ReadonlyMap<FaultName, number> = new Map(FAULT_KINDS.map((fault, place) => [fault, place]));

/** Counts each event of a run with each fault of it. */
function countFaults(counts: ReadonlyMap<string, Float64Array>, { events, faults }: BareResult): void {
  const places: number[] = [];
  for (const fault of faults) places.push(PLACES.get(fault) as number);
  for (const event of events) {
    const row = counts.get(event);
    if (row !== undefined) for (const place of places) row[place] = (row[place] as number) + 1;
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

type OpenReport = {
  runs: number;
  steps: number;
  violations: FoundViolation[];
  losses: ExplainedLoss[];
  lossesByAssumption: Record<string, number>;
  excuses: Mutable<Excuses>;
  money: Record<Ending['money'], number>;
  calm: number;
  coverage: Record<string, Mutable<Record<FaultName, number>>>;
  meetings: Meetings;
};

function emptyReport(): OpenReport {
  const faults = () => Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultName, number>;
  return {
    runs: 0,
    steps: 0,
    violations: [],
    losses: [],
    lossesByAssumption: {},
    excuses: { parties: 0, held: 0, used: 0 },
    money: { untouched: 0, swapped: 0, refunded: 0, gained: 0, locked: 0, lost: 0 },
    calm: 0,
    coverage: Object.fromEntries(liveEvents().map((key) => [key, faults()])),
    meetings: meetingsOf(meetingTable()),
  };
}

function addRun(report: OpenReport, result: BareResult): void {
  const { seed, violations, endings, steps, scenario } = result;
  report.runs += 1;
  report.steps += steps;
  if (isCalm(scenario)) report.calm += 1;
  for (const violation of violations)
    if (report.violations.length < MOST_KEPT) report.violations.push({ seed, ...violation });
  for (const { party, money, broken } of endings) {
    if (scenario.parties[party].conduct.kind !== 'honest') continue;
    report.money[money] += 1;
    report.excuses.parties += 1;
    if (broken.length > 0) report.excuses.held += 1;
    if (money !== 'lost' && money !== 'locked') continue;
    if (broken.length > 0) report.excuses.used += 1;
    const key = broken.join('+');
    report.lossesByAssumption[key] = (report.lossesByAssumption[key] ?? 0) + 1;
    if (report.losses.length < MOST_KEPT) report.losses.push({ seed, party, money, broken });
  }
}

/**
 * One report of several, in the order given.
 *
 * @example
 * ```ts
 * import { mergeReports, simulate } from 'swapfold/testing';
 *
 * const first = simulate({ seed: 1, runs: 1 });
 * const both = mergeReports([first, simulate({ seed: 2, runs: 2 })]);
 * [both.runs, both.steps > first.steps, both.violations]; // → [3, true, []]
 * ```
 */
export function mergeReports(reports: readonly SimulationReport[]): SimulationReport {
  const sum = emptyReport();
  for (const report of reports) {
    sum.runs += report.runs;
    sum.steps += report.steps;
    sum.calm += report.calm;
    sum.violations.push(...report.violations.slice(0, MOST_KEPT - sum.violations.length));
    sum.losses.push(...report.losses.slice(0, MOST_KEPT - sum.losses.length));
    for (const [key, count] of Object.entries(report.lossesByAssumption)) {
      sum.lossesByAssumption[key] = (sum.lossesByAssumption[key] ?? 0) + count;
    }
    for (const key of ['parties', 'held', 'used'] as const) sum.excuses[key] += report.excuses[key];
    for (const key of Object.keys(report.money) as Ending['money'][]) sum.money[key] += report.money[key];
    sum.meetings = mergeMeetings(sum.meetings, report.meetings);
    for (const [event, row] of Object.entries(report.coverage)) {
      for (const fault of FAULT_KINDS) (sum.coverage[event] as Record<FaultName, number>)[fault] += row[fault];
    }
  }
  return closed(sum);
}
