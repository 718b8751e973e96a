import { called, flag, numberOf, optionsOf, partsOf } from '../sim/shape-check.ts';
import type { Behaviour } from '../sim/world/node.ts';
import { type Bounds, type BoundsChanges, boundsOf } from './bounds.ts';
import type { Seat } from './model.ts';
import { repeatOf } from './repeat.ts';
import type { CheckedRule } from './rules.ts';
import { type RawViolation, search } from './search.ts';
import { createSpace, SEATS, type Space, type SpaceOptions } from './space.ts';
import { successorsOf } from './successors.ts';

/** One step of a counterexample. */
export type CounterexampleStep = {
  /** Seconds since the start. */
  readonly at: number;
  readonly actor: string;
  /** What it did, one line each. */
  readonly lines: readonly string[];
};

/** A broken rule, with a shortest way to it. */
export type CheckViolation = {
  readonly rule: CheckedRule;
  readonly party: Seat;
  readonly text: string;
  readonly trace: readonly CounterexampleStep[];
};

export type CheckResult = {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  /** States in which nothing more happens automatically. */
  readonly ends: number;
  /** Types of the events that engines appended, as `taker/TakerPaymentSent`. */
  readonly events: readonly string[];
  /** How many of these ended each way for each engine's money, as `taker/swapped`. */
  readonly endings: Readonly<Record<string, number>>;
  /** How to explore the same again: a command, or a call if the tester replaced parts or set bounds that have no option. */
  readonly repeat: string;
  /** What a reader should know before trusting the result. */
  readonly notices: readonly string[];
  /** By the given clock. */
  readonly ms: number;
  /** Whether all that the bounds permit was explored. */
  readonly complete: boolean;
  readonly violations: readonly CheckViolation[];
};

export type CheckOptions = {
  /** Replaces parts of an engine. They must keep nothing outside the runner that they are given. */
  readonly behaviours?: Partial<Record<Seat, Behaviour>>;
  /** Milliseconds, for the time that it took. @defaultValue a clock that stands still */
  readonly clock?: () => number;
  /** The search stops after this many states. @defaultValue 20 000 000 */
  readonly maxStates?: number;
  /** The search stops after this many broken rules. @defaultValue 1 */
  readonly maxViolations?: number;
  readonly onProgress?: (states: number, transitions: number) => void;
  /** Distinguishes states by everything that they hold, so that no state stands for another. Slow; for checking the checker. @defaultValue false */
  readonly exact?: boolean;
};

/**
 * Explores everything that can happen to one swap within the bounds, on the machines, reducers and effects of the product.
 *
 * @throws MemberTypeError, MemberValueError for bounds and options that do not exist or are out of range; errors of the tester's own parts,
 * unchanged.
 *
 * @example
 * ```ts
 * import { check, SOUND } from 'swapfold/testing';
 *
 * const { complete, violations } = check({ losses: 1 });
 * [complete, violations]; // → [true, []]
 * const behaviours = { taker: { ...SOUND, publishFirst: true } };
 * check({ losses: 1 }, { behaviours }).violations.map(({ rule }) => rule); // → ['R8']
 * ```
 */
export function check(bounds: BoundsChanges, options: CheckOptions = {}): CheckResult {
  optionsCheck(options, 'options');
  const { clock = () => 0, maxStates = 20_000_000, maxViolations = 1, behaviours, exact, onProgress } = options;
  const begun = clock();
  const whole = boundsOf(bounds);
  const setting: SpaceOptions = { bounds: whole, behaviours, exact };
  const space = createSpace(setting);
  const { violations, ...counts } = search(space, { maxStates, maxViolations, onProgress });
  const told = violations.map((violation) => tell(space, violation));
  const events = SEATS.flatMap((seat) => [...(space.engines[seat]?.appended ?? [])].map((type) => `${seat}/${type}`));
  return {
    ...counts,
    repeat: repeatOf(whole, behaviours === undefined),
    notices: [...noticesOf(counts), ...idleParts(whole, behaviours)],
    events: events.sort(),
    ms: clock() - begun,
    violations: told,
  };
}

function noticesOf({ complete, endings, ends }: Pick<CheckResult, 'complete' | 'endings' | 'ends'>): readonly string[] {
  const notices: string[] = [];
  if (!complete) notices.push('the search was given up: what it did not come to may break a rule');
  if (ends > 0 && !Object.keys(endings).some((key) => key.endsWith('/swapped'))) {
    notices.push('no engine swapped in any end: no rule about a claim was put to the test');
  }
  return notices;
}

/** Parts that were given for a seat without an engine. */
function idleParts({ adversary, watcher }: Bounds, behaviours: CheckOptions['behaviours'] = {}): readonly string[] {
  const given = SEATS.filter((seat) => behaviours[seat] !== undefined);
  const idle = given.filter((seat) => (seat === 'watcher' ? watcher !== 'engine' : seat === adversary));
  return idle.map((seat) => {
    const because = seat === 'watcher' ? `bounds.watcher is "${watcher}"` : `bounds.adversary is "${seat}"`;
    return `behaviours.${seat} was given and never ran: ${because}, so no engine sits there`;
  });
}

const behaviour = partsOf({ decide: called, answer: called, beforeAppend: called, load: called, publishFirst: flag });
const optionsCheck = optionsOf({
  behaviours: optionsOf({ maker: behaviour, taker: behaviour, watcher: behaviour }),
  clock: called,
  maxStates: numberOf({ from: 1, whole: true }),
  maxViolations: numberOf({ from: 1, whole: true }),
  onProgress: called,
  exact: flag,
});

function tell(space: Space, { found, choices }: RawViolation): CheckViolation {
  const trace: CounterexampleStep[] = [];
  let world = space.initial;
  for (const choice of choices) {
    const successor = successorsOf(space, world)[choice];
    if (successor === undefined) throw new RangeError(`step ${trace.length} of the trace cannot be taken again`);
    trace.push({ at: world.now, actor: successor.actor, lines: successor.lines() });
    world = successor.world;
  }
  return { ...found, trace };
}
