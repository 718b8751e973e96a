import { judgeEnd, judgeLoss, moneyAt } from './endings.ts';
import type { Found } from './rules.ts';
import { readWorld, type Space, type World, writeWorld } from './space.ts';
import { createStateStore, WIDTH } from './state-store.ts';
import { type Successor, successorsOf } from './successors.ts';

/** A list of numbers that grows. */
type Numbers = {
  readonly push: (value: number) => void;
  readonly at: (index: number) => number;
  readonly size: () => number;
};

function numbers(): Numbers {
  let values = new Int32Array(1024);
  let size = 0;
  return {
    push(value) {
      if (size === values.length) {
        const larger = new Int32Array(size * 2);
        larger.set(values);
        values = larger;
      }
      values[size] = value;
      size += 1;
    },
    at: (index) => values[index] as number,
    size: () => size,
  };
}

/** A broken rule with the choices that lead to it: the index of the successor taken at each state, from the first on. */
export type RawViolation = { readonly found: Found; readonly choices: readonly number[] };

export type SearchResult = {
  readonly states: number;
  readonly transitions: number;
  /** Length of the longest among the shortest ways from the first state. */
  readonly depth: number;
  readonly complete: boolean;
  readonly violations: readonly RawViolation[];
  /** States after which nothing more happens automatically. */
  readonly ends: number;
  /** How many of these ended each way for each engine's money, as `taker/swapped`. */
  readonly endings: Readonly<Record<string, number>>;
};

export type SearchOptions = {
  /** The search stops after this many states. */
  readonly maxStates: number;
  /** The search stops after this many broken rules. */
  readonly maxViolations: number;
  readonly onProgress?: ((states: number, transitions: number) => void) | undefined;
};

const PROGRESS_EVERY = 20_000;

/**
 * Explores a space breadth first, so that the first way found to a broken rule is a shortest one. Then checks that an end can be reached from every
 * state.
 */
export function search(space: Space, options: SearchOptions): SearchResult {
  const trail = createTrail(space, options);
  const { store, depths, violations, row, admit, report } = trail;
  const calmFrom = numbers();
  const calmTo = numbers();
  const ends: number[] = [];
  const endings: Record<string, number> = {};
  let transitions = 0;

  admit(space.initial, -1, 0);
  let state = 0;
  for (; state < store.count(); state += 1) {
    if (store.count() > options.maxStates || violations.length >= options.maxViolations) break;
    store.read(state, row);
    const world = readWorld(row);
    const next = successorsOf(space, world);
    if (!next.some(({ kind }) => kind === 'calm')) {
      ends.push(state);
      for (const money of moneyAt(space, world)) endings[money] = (endings[money] ?? 0) + 1;
      report(judgeEnd(space, world), state, null);
    }
    next.forEach((successor: Successor, choice) => {
      transitions += 1;
      const to = admit(successor.world, state, choice);
      if (successor.kind === 'calm') {
        calmFrom.push(state);
        calmTo.push(to);
      }
      report(successor.found, state, choice);
    });
    if (state % PROGRESS_EVERY === 0) options.onProgress?.(store.count(), transitions);
  }
  const complete = state === store.count();
  if (complete && violations.length === 0) {
    const stuck = firstStuck(store.count(), { ends, from: calmFrom, to: calmTo });
    const text = 'from here no end can be reached: something goes on for ever';
    if (stuck !== null) report([{ rule: 'R10', party: 'taker', text }], stuck, null);
  }
  const last = store.count() - 1;
  return {
    states: store.count(),
    transitions,
    depth: depths.at(last),
    complete,
    violations,
    ends: ends.length,
    endings,
  };
}

/** The states found, how each was reached, and the broken rules with their ways. */
function createTrail(space: Space, { maxViolations }: Pick<SearchOptions, 'maxViolations'>) {
  const store = createStateStore();
  const parents = numbers();
  const choices = numbers();
  const depths = numbers();
  const violations: RawViolation[] = [];
  const seen = new Set<string>();
  const row = new Int32Array(WIDTH);

  const wayTo = (state: number): number[] => {
    const way: number[] = [];
    for (let at = state; at > 0; at = parents.at(at)) way.push(choices.at(at));
    return way.reverse();
  };
  const report = (found: readonly Found[], state: number, choice: number | null) => {
    for (const one of found) {
      const key = `${one.rule}/${one.party}`;
      if (seen.has(key) || violations.length >= maxViolations) continue;
      seen.add(key);
      violations.push({ found: one, choices: choice === null ? wayTo(state) : [...wayTo(state), choice] });
    }
  };
  const admit = (world: World, parent: number, choice: number): number => {
    const number = store.add(writeWorld(world, row));
    if (number >= 0) return number;
    parents.push(parent);
    choices.push(choice);
    depths.push(parent < 0 ? 0 : depths.at(parent) + 1);
    report(judgeLoss(space, world), ~number, null);
    return ~number;
  };
  return { store, depths, violations, row, admit, report };
}

/** The first state from which no end can be reached by automatic steps. */
function firstStuck(
  count: number,
  { ends, from, to }: { readonly ends: readonly number[]; readonly from: Numbers; readonly to: Numbers },
): number | null {
  // Predecessors by state, as one list with the offset at which those of each state begin.
  const starts = new Int32Array(count + 1);
  for (let edge = 0; edge < to.size(); edge += 1) starts[to.at(edge) + 1] = (starts[to.at(edge) + 1] as number) + 1;
  for (let state = 0; state < count; state += 1)
    starts[state + 1] = (starts[state + 1] as number) + (starts[state] as number);
  const fill = starts.slice();
  const before = new Int32Array(to.size());
  for (let edge = 0; edge < to.size(); edge += 1) {
    const target = to.at(edge);
    before[fill[target] as number] = from.at(edge);
    fill[target] = (fill[target] as number) + 1;
  }
  const reaches = new Uint8Array(count);
  const queue = [...ends];
  for (const state of queue) reaches[state] = 1;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (let edge = starts[at] as number; edge < (starts[at + 1] as number); edge += 1) {
      const previous = before[edge] as number;
      if (reaches[previous] === 1) continue;
      reaches[previous] = 1;
      queue.push(previous);
    }
  }
  const stuck = reaches.indexOf(0);
  return stuck < 0 ? null : stuck;
}
