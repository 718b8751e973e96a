import { catalog } from '../../events/catalog.ts';
import { runWorld } from './advance.ts';
import type { Assumption } from './assumptions.ts';
import { type GenerateOptions, generateScenario } from './generate.ts';
import { createJudge, type Ending, type Violation } from './judge.ts';
import { EPOCH, type Scenario } from './scenario.ts';
import { createWorld, type Observer, type World, type WorldOptions } from './world.ts';

/** Everything that can go wrong in a run, by name. */
export const FAULT_KINDS = [
  'crash',
  'storage',
  'skew',
  'messageLoss',
  'messageDuplicate',
  'messageDelay',
  'outage',
  'flaky',
  'lag',
  'contradiction',
  'lie',
  'broadcast',
  'feeSpike',
  'censor',
  'revert',
  'reorg',
  'dropMempool',
  'vanish',
  'shortLock',
  'underpay',
  'greedy',
  'liar',
] as const;

export type FaultName = (typeof FAULT_KINDS)[number];

/** Public events that only older releases or other nodes store: the engine appends none of them. */
export const NEVER_LIVE: ReadonlySet<string> = new Set([
  'taker/TakerPaymentDataSendFailed',
  'taker/TakerPaymentWaitConfirmFailed',
  'taker/TakerPaymentRefundFailed',
  'maker/MakerPaymentDataSendFailed',
]);

/** One run: its scenario, what it broke, how it ended, what it went through. */
export type RunResult = {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly violations: readonly Violation[];
  readonly endings: readonly Ending[];
  /** `role/type` of the public events that were appended. */
  readonly events: ReadonlySet<string>;
  /** Faults that took effect. */
  readonly faults: ReadonlySet<FaultName>;
  readonly steps: number;
};

export type RunOptions = WorldOptions & {
  /** Looks on beside the judge. */
  readonly watch?: Observer;
};

/** `role/type` of every public event, made once: a run looks them up by the million. */
const KEYS = { maker: keysOf('maker'), taker: keysOf('taker') } as const;

function keysOf(role: 'maker' | 'taker'): ReadonlyMap<string, string> {
  return new Map([...catalog[role].keys()].map((type) => [type, `${role}/${type}`]));
}

/** Runs one scenario to its end and judges it. */
export function runScenario(scenario: Scenario, { watch, ...options }: RunOptions = {}): RunResult {
  const judge = createJudge();
  const events = new Set<string>();
  const faults = new Set<FaultName>();
  const observer: Observer = {
    appended(world, node, records) {
      const keys = KEYS[node.name];
      for (const { type } of records) {
        const key = keys.get(type);
        if (key !== undefined) events.add(key);
      }
      watch?.appended?.(world, node, records);
    },
    answered(world, node, asked) {
      judge.observer.answered?.(world, node, asked);
      watch?.answered?.(world, node, asked);
    },
    crashed(world, node, by) {
      faults.add(by === 'storage' ? 'storage' : 'crash');
      judge.observer.crashed?.(world, node, by);
      watch?.crashed?.(world, node, by);
    },
    ...(watch?.settled === undefined ? {} : { settled: watch.settled }),
  };
  const world = createWorld(scenario, { ...options, observer });
  const broken = runGuarded(world);
  noteFaults(world, faults);
  const { violations: judged, endings } = judge.conclude(world);
  const violations = broken === null ? judged : [...judged, broken];
  return { seed: scenario.seed, scenario, violations, endings, events, faults, steps: world.steps };
}

/** An engine that throws, or that never comes to rest, is a finding and not the end of the simulation. */
function runGuarded(world: World): Violation | null {
  try {
    runWorld(world);
    return null;
  } catch (error) {
    const text = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    const party = text.includes('taker') ? 'taker' : 'maker';
    return { rule: 'R10', party, at: Math.floor(world.now / 1000) - EPOCH, text };
  }
}

function noteFaults(world: World, faults: Set<FaultName>): void {
  const { scenario } = world;
  const lasted = world.now / 1000 - EPOCH;
  const { network, parties, chains, chainEvents } = scenario;
  if (network.lossPerMille > 0) faults.add('messageLoss');
  if (network.duplicatePerMille > 0) faults.add('messageDuplicate');
  if (network.latency[1] > 0) faults.add('messageDelay');
  for (const event of chainEvents) if (event.at <= lasted) faults.add(event.kind);
  for (const party of [parties.maker, parties.taker]) {
    if (party.skew !== 0) faults.add('skew');
    if (party.conduct.kind !== 'honest') faults.add(party.conduct.kind);
    for (const fault of [...party.nodes.maker, ...party.nodes.taker]) if (fault.from <= lasted) faults.add(fault.kind);
  }
  for (const fault of [...chains.maker.faults, ...chains.taker.faults])
    if (fault.from <= lasted) faults.add(fault.kind);
}

/** A broken rule, or a swap that did not come to rest, with the seed that shows it. */
export type FoundViolation = Violation & { readonly seed: number };

/** Money that an honest party lost, and the assumption that the run had given up. */
export type ExplainedLoss = {
  readonly seed: number;
  readonly party: 'maker' | 'taker';
  readonly money: 'lost' | 'locked';
  readonly broken: readonly Assumption[];
};

export type SimulationReport = {
  readonly runs: number;
  readonly steps: number;
  readonly violations: readonly FoundViolation[];
  readonly losses: readonly ExplainedLoss[];
  /** Losses by the assumptions that were given up, such as `online+depth`. */
  readonly lossesByAssumption: Readonly<Record<string, number>>;
  /** Honest parties by what became of their money. */
  readonly money: Readonly<Record<Ending['money'], number>>;
  /** Runs in which an event was appended and a fault took effect, by `role/type`. */
  readonly coverage: Readonly<Record<string, Readonly<Record<FaultName, number>>>>;
};

export type SimulateOptions = {
  /** First seed; each run takes the next. */
  readonly seed: number;
  readonly runs: number;
  readonly generate?: GenerateOptions;
  readonly run?: RunOptions;
  /** Called now and then with the count of runs so far. */
  readonly onProgress?: (runs: number) => void;
};

const MOST_KEPT = 100;
const PROGRESS_EVERY = 500;

/** Events that a live engine can append, `role/type`, in the order of the catalog. */
export function liveEvents(): readonly string[] {
  return (['taker', 'maker'] as const).flatMap((role) =>
    [...catalog[role].keys()].map((type) => `${role}/${type}`).filter((key) => !NEVER_LIVE.has(key)),
  );
}

/** Runs scenarios of consecutive seeds and sums up. */
export function simulate(options: SimulateOptions): SimulationReport {
  const report = emptyReport();
  const counts = new Map(liveEvents().map((event) => [event, new Float64Array(FAULT_KINDS.length)]));
  for (let index = 0; index < options.runs; index += 1) {
    const seed = options.seed + index;
    const result = runScenario(generateScenario(seed, options.generate), options.run);
    addRun(report, { ...result, seed });
    countFaults(counts, result);
    if ((index + 1) % PROGRESS_EVERY === 0) options.onProgress?.(index + 1);
  }
  for (const [event, row] of counts) {
    const named = report.coverage[event] as Record<FaultName, number>;
    for (const [place, fault] of FAULT_KINDS.entries()) named[fault] = row[place] ?? 0;
  }
  return report;
}

const PLACES: ReadonlyMap<FaultName, number> = new Map(FAULT_KINDS.map((fault, place) => [fault, place]));

/** Counts each event of a run with each fault of it. */
function countFaults(counts: ReadonlyMap<string, Float64Array>, { events, faults }: RunResult): void {
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
  money: Record<Ending['money'], number>;
  coverage: Record<string, Mutable<Record<FaultName, number>>>;
};

function emptyReport(): OpenReport {
  const faults = () => Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultName, number>;
  return {
    runs: 0,
    steps: 0,
    violations: [],
    losses: [],
    lossesByAssumption: {},
    money: { untouched: 0, swapped: 0, refunded: 0, gained: 0, locked: 0, lost: 0 },
    coverage: Object.fromEntries(liveEvents().map((key) => [key, faults()])),
  };
}

function addRun(report: OpenReport, result: RunResult): void {
  const { seed, violations, endings, steps, scenario } = result;
  report.runs += 1;
  report.steps += steps;
  for (const violation of violations)
    if (report.violations.length < MOST_KEPT) report.violations.push({ seed, ...violation });
  for (const { party, money, broken } of endings) {
    if (scenario.parties[party].conduct.kind !== 'honest') continue;
    report.money[money] += 1;
    if (money !== 'lost' && money !== 'locked') continue;
    const key = broken.join('+');
    report.lossesByAssumption[key] = (report.lossesByAssumption[key] ?? 0) + 1;
    if (report.losses.length < MOST_KEPT) report.losses.push({ seed, party, money, broken });
  }
}

/** One report of several, in the order given. */
export function mergeReports(reports: readonly SimulationReport[]): SimulationReport {
  const sum = emptyReport();
  for (const report of reports) {
    sum.runs += report.runs;
    sum.steps += report.steps;
    sum.violations.push(...report.violations.slice(0, MOST_KEPT - sum.violations.length));
    sum.losses.push(...report.losses.slice(0, MOST_KEPT - sum.losses.length));
    for (const [key, count] of Object.entries(report.lossesByAssumption)) {
      sum.lossesByAssumption[key] = (sum.lossesByAssumption[key] ?? 0) + count;
    }
    for (const key of Object.keys(report.money) as Ending['money'][]) sum.money[key] += report.money[key];
    for (const [event, row] of Object.entries(report.coverage)) {
      for (const fault of FAULT_KINDS) (sum.coverage[event] as Record<FaultName, number>)[fault] += row[fault];
    }
  }
  return sum;
}
