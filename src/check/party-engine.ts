import type { NewRecord } from '../ports/event-log.ts';
import type { SwapMessage } from '../ports/peers.ts';
import { askChain } from '../runtime/ask.ts';
import type { AskResult, Leg } from '../runtime/command.ts';
import { initialFacts } from '../runtime/facts.ts';
import { absorb, applyRecords, receive, recordsOf, type SwapRunner, stateOf } from '../runtime/swap/runner.ts';
import { type Behaviour, SOUND } from '../sim/world/node.ts';
import { type Budget, costOf, covers, type Trouble } from './bounds.ts';
import { type ChainState, EMPTY_CHAIN } from './chain-state.ts';
import { createEngineKeys } from './engine-key.ts';
import { type Mishap, type Plan, type RunOutput, runEngine } from './engine-run.ts';
import { openSite } from './engine-site.ts';
import {
  aged,
  type EngineState,
  foldedOf,
  isPausing,
  missedLonger,
  newRunner,
  outlived,
  restingFacts,
  runnerOf,
  stateNameOf,
  unpaused,
  unsent,
} from './engine-state.ts';
import { createInterner, type Interner } from './intern.ts';
import { clocksOf, type Model, millisAt, requestOf, type Seat, START } from './model.ts';
import type { Found } from './rules.ts';

/** The result of a run, with everything in it by its number. */
export type Outcome = {
  readonly state: number;
  readonly chains: Readonly<Record<Leg, number>>;
  readonly sent: readonly SwapMessage[];
  readonly lines: readonly string[];
  readonly found: readonly Found[];
  /** Troubles that it took. */
  readonly cost: Budget;
};

/** A run, and the same run with one more mishap each, computed on demand. */
type RunNode = {
  readonly outcome: Outcome;
  readonly plan: Plan;
  readonly points: RunOutput['points'];
  more: RunNode[] | null;
  /** What `runs` answered, by budget. */
  readonly answers: Map<Budget, readonly Outcome[]>;
};

export type Place = { readonly now: number; readonly chains: Readonly<Record<Leg, number>> };

/** The engine of a party or of a watcher: its states by number, and what can come of each. */
export type PartyEngine = {
  readonly seat: Seat;
  readonly initial: number;
  readonly get: (id: number) => EngineState;
  readonly count: () => number;
  /** What can happen when it works: first without mishaps, then with those that the budget covers. */
  readonly runs: (id: number, place: Place, budget: Budget) => readonly Outcome[];
  /** The first of them, without mishaps. */
  readonly run: (id: number, place: Place) => Outcome;
  readonly restarted: (id: number) => number;
  readonly received: (id: number, message: SwapMessage) => number;
  /** Pauses between two tries are over. */
  readonly retrying: (id: number) => number;
  /** The clock has moved: what was postponed or sent may be done again. */
  readonly later: (id: number) => number;
  /** It has waited long enough for what it sent to a chain, and no chain is behind its log. */
  readonly impatient: (id: number) => number;
  /** The other side has lost the messages that it got. */
  readonly sendingAgain: (id: number) => number;
  /** A block has come on a chain. */
  readonly mined: (id: number, leg: Leg) => number;
  readonly isPausing: (id: number) => boolean;
  /** Types of the events that it appended in any run. */
  readonly appended: ReadonlySet<string>;
  /** A runner in that state, for questions only. */
  readonly runnerOf: (id: number) => SwapRunner;
};

export type EngineOptions = {
  readonly model: Model;
  readonly seat: Seat;
  readonly behaviour: Behaviour;
  readonly chains: Readonly<Record<Leg, Interner<ChainState>>>;
  /** Whether states are told apart by all that they hold. */
  readonly exact: boolean;
};

export function createPartyEngine(options: EngineOptions): PartyEngine {
  const { model, seat, behaviour, exact } = options;
  const spare = newRunner(model, seat);
  const changed = isSound(options) ? null : behaviour;
  const keys = createEngineKeys(spare.kind.machine, { behaviour: changed, exact, clocks: clocksOf(model) });
  const states = createInterner(keys.keyOf);
  const nodes = new Map<string, RunNode>();
  const initial = states.id(startedState(options));
  const appended = new Set<string>();
  const setting = { options, states, spare, appended };
  const nodeOf = (id: number, place: Place): RunNode => {
    const key = `${id} ${place.now} ${place.chains.maker} ${place.chains.taker}`;
    const known = nodes.get(key);
    if (known !== undefined) return known;
    const node = execute(setting, { id, place, plan: NO_MISHAPS });
    nodes.set(key, node);
    return node;
  };
  const later = (leg: Leg) => memo((id) => states.id(missedLonger(states.get(id), leg, model.bounds.finality[leg])));
  const minedOn = { maker: later('maker'), taker: later('taker') };
  return {
    seat,
    initial,
    get: states.get,
    count: states.size,
    run: (id, place) => nodeOf(id, place).outcome,
    runs: (id, place, budget) => {
      const root = nodeOf(id, place);
      const known = root.answers.get(budget);
      if (known !== undefined) return known;
      const outcomes: Outcome[] = [];
      const visit = (node: RunNode) => {
        outcomes.push(node.outcome);
        const { outcome } = node;
        const idle = outcome.cost === 0 && outcome.state === id && outcome.found.length === 0;
        if (budget === outcome.cost || idle) return;
        node.more ??= mishapsOf(node).map((plan) => execute(setting, { id, place, plan }));
        for (const next of node.more) if (covers(budget, next.outcome.cost)) visit(next);
      };
      visit(root);
      root.answers.set(budget, outcomes);
      return outcomes;
    },
    restarted: memo((id) => states.id(restarted(options, states.get(id)))),
    received: (id, message) => states.id(withMessage(setting, { state: states.get(id), message })),
    retrying: memo((id) => states.id(unpaused(states.get(id)))),
    later: memo((id) => states.id(aged(unsent(unpaused(states.get(id)))))),
    impatient: memo((id) => states.id(outlived(aged(states.get(id))))),
    sendingAgain: memo((id) => states.id(unsent(states.get(id)))),
    mined: (id, leg) => minedOn[leg](id),
    appended,
    isPausing: (id) => isPausing(states.get(id)),
    runnerOf: memo((id) => runnerOf(model, seat, { state: states.get(id), now: millisAt(START) })),
  };
}

function memo<T extends number | SwapRunner>(make: (id: number) => T): (id: number) => T {
  const known: T[] = [];
  return (id) => {
    known[id] ??= make(id);
    return known[id] as T;
  };
}

const NO_MISHAPS: Plan = new Map();

const TROUBLE: Readonly<Record<Mishap, Trouble>> = {
  crash: 'crashes',
  error: 'nodeErrors',
  unanswered: 'nodeErrors',
  loss: 'losses',
  preempt: 'preemptions',
};

/** Every plan with one more mishap, later than those of the node's own plan. */
function mishapsOf({ plan, points }: RunNode): Plan[] {
  const last = Math.max(-1, ...plan.keys());
  const plans: Plan[] = [];
  points.forEach((mishaps, index) => {
    if (index <= last) return;
    for (const mishap of mishaps) plans.push(new Map([...plan, [index, mishap]]));
  });
  return plans;
}

type Setting = {
  readonly options: EngineOptions;
  readonly states: Interner<EngineState>;
  readonly spare: SwapRunner;
  readonly appended: Set<string>;
};

function execute(
  { options, states, spare, appended }: Setting,
  { id, place, plan }: { readonly id: number; readonly place: Place; readonly plan: Plan },
): RunNode {
  const { model, seat, behaviour, chains } = options;
  const before = { maker: chains.maker.get(place.chains.maker), taker: chains.taker.get(place.chains.taker) };
  const input = {
    model,
    seat,
    behaviour,
    state: states.get(id),
    now: place.now,
    chains: before,
    spare,
    isSound: isSound(options),
    keepAll: options.exact,
  };
  const { state, chains: after, sent, lines, found, points } = runEngine(input, plan);
  for (let index = input.state.log.length; index < state.log.length; index += 1) {
    appended.add((state.log[index] as NewRecord).type);
  }
  let cost = 0;
  for (const mishap of plan.values()) cost += costOf(TROUBLE[mishap]);
  const numbers = { maker: chains.maker.id(after.maker), taker: chains.taker.id(after.taker) };
  return {
    outcome: { state: states.id(state), chains: numbers, sent, lines, found, cost },
    plan,
    points,
    more: null,
    answers: new Map(),
  };
}

function isSound({ seat, behaviour }: EngineOptions): boolean {
  // What replaces a watcher's behaviour must depend on its runner alone.
  return seat === 'watcher' || behaviour === SOUND;
}

/** A new process over the same log. */
function restarted({ model, seat, behaviour }: EngineOptions, state: EngineState): EngineState {
  const next: EngineState = { ...state, status: 'up', restarts: 1, facts: initialFacts(), pending: null };
  if (behaviour.load === SOUND.load) return next;
  const runner = newRunner(model, seat);
  applyRecords(runner, behaviour.load(state.log));
  return aged({ ...next, folded: foldedOf(runner) });
}

function withMessage(
  { spare, options }: Setting,
  { state, message }: { readonly state: EngineState; readonly message: SwapMessage },
): EngineState {
  if (state.status !== 'up') return state;
  const facts = { ...state.facts, inbox: new Map(state.facts.inbox) };
  receive({ facts }, message);
  const at = { state: stateNameOf(spare, state), now: millisAt(START), keepAll: options.exact };
  return { ...state, facts: restingFacts(facts, at) };
}

/** An engine that knows of the swap and has passed the checks before the start without trouble. */
function startedState({ model, seat, behaviour }: EngineOptions): EngineState {
  const runner = newRunner(model, seat);
  const now = millisAt(START);
  const base = { status: 'up', restarts: 0, facts: initialFacts(), pending: null, published: null } as const;
  // A watcher begins with the taker's message.
  if (seat === 'watcher') return { ...base, log: [], folded: foldedOf(runner) };
  const requested = recordsOf(runner, [{ type: 'SwapRequested', data: requestOf(model, seat) }], now);
  applyRecords(runner, requested);
  const first: EngineState = { ...base, log: requested, folded: foldedOf(runner) };
  const chains = { maker: EMPTY_CHAIN, taker: EMPTY_CHAIN };
  const { node, log } = openSite(
    {
      model,
      seat,
      behaviour,
      state: first,
      now: START,
      chains,
      spare: newRunner(model, seat),
      isSound: true,
      keepAll: true,
    },
    () => {},
  );
  while (stateOf(node.runner) === 'created') {
    const command = behaviour.decide(node.runner, now, node);
    if (command.kind === 'append') {
      const records = recordsOf(node.runner, command.events, now);
      applyRecords(node.runner, records);
      log.push(...records);
    } else if (command.kind === 'ask') {
      const result = askChain(node.wallets[command.leg], command.question, node.runner) as AskResult;
      absorb(node.runner, command, { result, now });
    } else throw new RangeError(`the ${seat}’s engine does not start: it answers ${command.kind}`);
  }
  return { ...base, log, folded: foldedOf(node.runner) };
}
