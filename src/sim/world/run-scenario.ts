import { catalog } from '../../events/catalog.ts';
import { runWorld } from './advance.ts';
import { calmViolations, idleConducts, noticesOf } from './calm.ts';
import { checkRunOptions } from './check-options.ts';
import { checkScenario } from './check-scenario.ts';
import { type FaultName, noteFaults } from './faults.ts';
import { createJudge, type Ending, type Excused, type Judge, type Judgement, type Violation } from './judge.ts';
import type { MeetingCounter } from './meetings.ts';
import { isOwnError, ownParts } from './own-parts.ts';
import { repeatOf } from './repeat.ts';
import { EPOCH, type Scenario } from './scenario.ts';
import { sparedScenario } from './spared.ts';
import { type RunLine, runRecorder } from './timeline.ts';
import { unfiredPlans } from './unfired.ts';
import { type Observer, openWorld, type World, type WorldOptions } from './world.ts';

/** One run: its scenario, the broken rules, the end, and the course. */
export type RunResult = {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly violations: readonly Violation[];
  readonly endings: readonly Ending[];
  /** What was lost where the run gave up an assumption; without the fault that gave it up, the same run loses nothing. */
  readonly excused: readonly Excused[];
  /** `role/type` of the public events that were appended. */
  readonly events: ReadonlySet<string>;
  /** Faults that took effect. */
  readonly faults: ReadonlySet<FaultName>;
  readonly steps: number;
  /** What happened, line by line. */
  readonly timeline: readonly RunLine[];
  /** Planned troubles that had no effect, each with its place and the reason. */
  readonly unfired: readonly string[];
  /** What a reader should know before trusting the result. */
  readonly notices: readonly string[];
  /** How to see the run again. */
  readonly repeat: string;
};

/** What a simulation of many runs keeps of each. */
export type BareResult = Omit<RunResult, 'timeline' | 'unfired' | 'notices' | 'repeat'>;

export type RunOptions = Omit<WorldOptions, 'observer'> & {
  /** An observer besides the judge. */
  readonly watch?: Observer;
  /** Whether the observer also changes the world: then no run counts as calm. @defaultValue false */
  readonly meddles?: boolean;
};

/** `role/type` of every public event, computed once: runs look them up by the million. */
const KEYS = { maker: keysOf('maker'), taker: keysOf('taker') } as const;

function keysOf(role: 'maker' | 'taker'): ReadonlyMap<string, string> {
  return new Map([...catalog[role].keys()].map((type) => [type, `${role}/${type}`]));
}

/**
 * Runs one scenario to its end and judges it. If a run loses something where it gave up an assumption, it is repeated without the faults that gave it
 * up, and a loss that remains is a broken rule.
 *
 * @throws MemberTypeError, MemberValueError for an invalid scenario or unknown options; errors of the tester's own parts, unchanged.
 *
 * @example
 * ```ts
 * import { conductOf, outage, runScenario, scenario } from 'swapfold/testing';
 *
 * const greedy = conductOf('maker', { kind: 'greedy' });
 * const away = outage('taker', { from: 100, until: 25_000 });
 * const { endings, excused, violations } = runScenario(scenario(greedy, away));
 * endings.map(({ party, money }) => `${party} ${money}`); // → ['maker gained', 'taker lost']
 * excused.map(({ rule, because }) => `${rule} ${because}`); // → ['R7 ownNode']
 * violations; // → []
 * ```
 */
export function runScenario(given: Scenario, options: RunOptions = {}): RunResult {
  checkRunOptions(options);
  const scenario = checkScenario(given);
  const { watch: recorder, lines } = runRecorder();
  const { result, world } = runOnce(scenario, options, { recorder });
  const unfired = unfiredPlans(world);
  const idle = idleConducts(scenario, options.conducts ?? {});
  const notices = [...noticesOf(result.endings, unfired), ...idle];
  return { ...result, timeline: lines, unfired, notices, repeat: repeatOf(scenario, isPlain(options)) };
}

/** Whether the command line can repeat it: it has no parts of the tester's own. */
function isPlain({ behaviours, conducts, policy }: RunOptions): boolean {
  return behaviours === undefined && conducts === undefined && policy === undefined;
}

type Run = { readonly result: BareResult; readonly world: World };

const LOOKS = ['sent', 'appended', 'answered', 'crashed', 'waits', 'settled'] as const;

/** As {@link runScenario}, for valid input, without the story. */
export function runOnce(
  scenario: Scenario,
  { watch: given, meddles = false, ...options }: RunOptions,
  { recorder, counter }: { readonly recorder?: Observer; readonly counter?: MeetingCounter } = {},
): Run {
  const watch = given === undefined ? undefined : ownParts(given, LOOKS);
  const judge = createJudge();
  const events = new Set<string>();
  const faults = new Set<FaultName>();
  const observer: Observer = {
    sent(world, node, message) {
      judge.observer.sent?.(world, node, message);
      watch?.sent?.(world, node, message);
    },
    appended(world, node, records) {
      const keys = KEYS[node.name];
      for (const { type } of records) {
        const key = keys.get(type);
        if (key !== undefined) events.add(key);
      }
      judge.observer.appended?.(world, node, records);
      counter?.appended(world, node, records);
      recorder?.appended?.(world, node, records);
      watch?.appended?.(world, node, records);
    },
    answered(world, node, asked) {
      judge.observer.answered?.(world, node, asked);
      recorder?.answered?.(world, node, asked);
      watch?.answered?.(world, node, asked);
    },
    crashed(world, node, by) {
      faults.add(by === 'storage' ? 'storage' : 'crash');
      judge.observer.crashed?.(world, node, by);
      counter?.crashed(world, node, by);
      recorder?.crashed?.(world, node, by);
      watch?.crashed?.(world, node, by);
    },
    waits(world, node, until) {
      judge.observer.waits?.(world, node, until);
      watch?.waits?.(world, node, until);
    },
    ...(watch?.settled === undefined ? {} : { settled: watch.settled }),
  };
  const world = openWorld(scenario, { ...options, observer });
  const { violations: judged, endings, excused } = judgedRun(world, judge);
  const violations = meddles ? judged : [...judged, ...calmViolations(world, endings)];
  noteFaults(world, faults);
  const again = excused.length === 0 ? [] : withoutExcuses(scenario, { excused, options });
  const result = {
    seed: scenario.seed,
    scenario,
    violations: again.length === 0 ? violations : [...violations, ...again],
    endings,
    excused,
    events,
    faults,
    steps: world.steps,
  };
  return { result, world };
}

/** An engine that throws or never comes to rest is a finding, not the end of the simulation. An error of the tester's own parts is not a finding. */
function judgedRun(world: World, judge: Judge): Judgement {
  const broken = runGuarded(world);
  const judgement = judge.conclude(world);
  return broken === null ? judgement : { ...judgement, violations: [...judgement.violations, broken] };
}

function runGuarded(world: World): Violation | null {
  try {
    runWorld(world);
    return null;
  } catch (error) {
    const { acting, scenario } = world;
    const party = acting === 'watcher' ? 'taker' : acting;
    if (isOwnError(error) || scenario.parties[party].conduct.kind === 'custom') throw error;
    const text = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    const whose = acting === 'watcher' ? `the watcher: ${text}` : text;
    return { rule: 'R10', party, at: Math.floor(world.now / 1000) - EPOCH, text: whose };
  }
}

/** More than the number of assumptions: each attempt has one fault fewer that could excuse anything. */
const MOST_TRIES = 8;

type Excuses = { readonly excused: readonly Excused[]; readonly options: WorldOptions };

/** What a run still loses without the faults that excuse its losses. */
function withoutExcuses(scenario: Scenario, { excused, options }: Excuses): readonly Violation[] {
  let spared = scenario;
  let excuses = excused;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    for (const excuse of excuses) spared = sparedScenario(spared, excuse);
    const judge = createJudge();
    const { violations, excused: left } = judgedRun(openWorld(spared, { ...options, observer: judge.observer }), judge);
    if (violations.length > 0) return violations.map((one) => ({ ...one, text: `${one.text}, ${because(excuses)}` }));
    if (left.length === 0) return [];
    excuses = left;
  }
  return excuses.map(({ rule, party, text }) => ({ rule, party, at: 0, text: `${text}, ${because(excuses)}` }));
}

function because(excuses: readonly Excused[]): string {
  const named = new Set(excuses.flatMap((excuse) => excuse.because));
  return `also without what gave up ${[...named].join(' and ')}`;
}
