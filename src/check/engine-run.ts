import type { Invariant } from '../../machines/definition.ts';
import { makerSwapInvariants } from '../../machines/maker-swap/invariants.ts';
import { takerSwapInvariants } from '../../machines/taker-swap/invariants.ts';
import { watcherInvariants } from '../../machines/watcher/invariants.ts';
import type { SwapMessage } from '../ports/peers.ts';
import { knownAs } from '../primitives/known-as.ts';
import { askChain } from '../runtime/ask.ts';
import type { AskResult, Command, Leg, NewEvent } from '../runtime/command.ts';
import { initialFacts } from '../runtime/facts.ts';
import { absorb, applyRecords, recordsOf, sent, stateOf } from '../runtime/swap/runner.ts';
import { refused } from '../sim/chains/faults.ts';
import { nameOf } from './bodies.ts';
import type { ChainState } from './chain-state.ts';
import { type EngineSite, openSite, type SiteInput, sceneOf } from './engine-site.ts';
import { type AskCommand, type EngineState, foldedOf, restingFacts } from './engine-state.ts';
import { LEGS, millisAt, type Seat } from './model.ts';
import { type Found, judgeAppending, judgeChain, judgeDecision } from './rules.ts';
import { judgeTold } from './told.ts';
import { readScripts } from './watching.ts';

/** What can go wrong at one point of a run. `unanswered`: a broadcast that arrives and whose answer does not. */
export type Mishap = 'crash' | 'error' | 'unanswered' | 'loss' | 'preempt';

/** Which points of the run go wrong, and how; points count from 0. */
export type Plan = ReadonlyMap<number, Mishap>;

/** What an engine did until it waits, ends or dies. */
export type RunOutput = {
  readonly state: EngineState;
  readonly chains: Readonly<Record<Leg, ChainState>>;
  readonly sent: readonly SwapMessage[];
  /** What it did, one line each. */
  readonly lines: readonly string[];
  readonly found: readonly Found[];
  /** What could go wrong, by point. */
  readonly points: readonly (readonly Mishap[])[];
};

type Run = {
  readonly site: EngineSite;
  readonly plan: Plan;
  readonly sent: SwapMessage[];
  readonly lines: string[];
  readonly found: Found[];
  readonly points: (readonly Mishap[])[];
  pending: AskCommand | null;
};

/** Why a run stops before the engine waits. */
type Stop = 'crash' | 'preempt' | 'broken';

const MOST_COMMANDS = 300;

/** Lets an engine work until it waits, ends or dies, with the mishaps of the plan. */
export function runEngine(input: SiteInput, plan: Plan): RunOutput {
  const found: Found[] = [];
  const site = openSite(input, (handed) => {
    if (handed !== null) found.push(handed);
  });
  const run: Run = { site, plan, found, sent: [], lines: [], points: [], pending: input.state.pending };
  const ending = carryOn(run);
  for (const leg of LEGS) {
    const cell = site.cells[leg];
    const broken = cell.state === input.chains[leg] ? null : judgeChain(cell, input.model.bounds.adversary);
    if (broken !== null) found.push(broken);
  }
  const { lines, points } = run;
  const chains = { maker: site.cells.maker.state, taker: site.cells.taker.state };
  return { state: stateAfter(run, { input, ending }), chains, sent: run.sent, lines, found, points };
}

type Ending = Stop | 'waits' | 'done';

function stateAfter({ site, pending }: Run, { input, ending }: { input: SiteInput; ending: Ending }): EngineState {
  const { node, log } = site;
  const { published, runner } = node;
  const before = input.state;
  const grown = log.length > before.log.length;
  const toldAll = published.length === log.length && published.every((type, index) => type === log[index]?.type);
  const up = ending === 'waits' || ending === 'preempt';
  return {
    status: up ? 'up' : ending === 'crash' ? 'down' : 'done',
    log: grown ? log : before.log,
    folded: grown ? foldedOf(runner) : before.folded,
    restarts: before.restarts,
    facts: up
      ? restingFacts(runner.facts, { state: stateOf(runner), now: millisAt(input.now), keepAll: input.keepAll })
      : initialFacts(),
    pending: ending === 'preempt' ? pending : null,
    published: toldAll ? null : published,
  };
}

function carryOn(run: Run): Ending {
  const { model, node, behaviour, now } = run.site;
  for (let count = 0; count < MOST_COMMANDS; count += 1) {
    const resumed = run.pending;
    readScripts(node.runner, model.bodies);
    const command: Command = resumed ?? behaviour.decide(node.runner, now, node);
    if (command.kind === 'done') return 'done';
    if (command.kind === 'wait') return 'waits';
    const stop = perform(run, command, resumed !== null);
    if (stop !== null) return stop;
  }
  const text = `still at work after ${MOST_COMMANDS} commands in state ${stateOf(node.runner)}`;
  run.found.push({ rule: 'rest', party: run.site.seat, text });
  return 'broken';
}

/** Notes a point at which something can go wrong, and returns what does. */
function point({ points, plan }: Run, mishaps: readonly Mishap[]): Mishap | null {
  points.push(mishaps);
  return plan.get(points.length - 1) ?? null;
}

const CRASH: readonly Mishap[] = ['crash'];
const ERROR: readonly Mishap[] = ['error'];
const LOSS: readonly Mishap[] = ['loss'];
const BROADCAST: readonly Mishap[] = ['preempt', 'error', 'unanswered'];
const RESUMED: readonly Mishap[] = ['error', 'unanswered'];

function perform(run: Run, command: Exclude<Command, { kind: 'wait' | 'done' }>, resumed: boolean): Stop | null {
  switch (command.kind) {
    case 'append':
      return append(run, command.events);
    case 'send': {
      const lost = point(run, LOSS) === 'loss';
      run.lines.push(`sends ${command.message.kind}${lost ? ', which is lost' : ''}`);
      if (!lost) run.sent.push(command.message);
      sent(run.site.node.runner, { message: command.message, now: run.site.now });
      return crashes(run);
    }
    case 'ask':
      return ask(run, command, resumed);
    default:
      return command satisfies never;
  }
}

function crashes(run: Run): Stop | null {
  if (point(run, CRASH) !== 'crash') return null;
  run.lines.push('crashes');
  return 'crash';
}

function append(run: Run, events: readonly NewEvent[]): Stop | null {
  const { site, found, lines } = run;
  const { node, behaviour, log, seat: party, isSound } = site;
  const { runner, published } = node;
  const records = recordsOf(runner, events, site.now);
  if (!isSound) {
    if (behaviour.publishFirst) for (const { type } of records) published.push(type);
    behaviour.beforeAppend(node, events);
    const early = published.findIndex((type, index) => log[index]?.type !== type);
    if (early >= 0)
      found.push({ rule: 'R8', party, text: `${published[early]} was told and the log does not hold it` });
    const stop = crashes(run);
    if (stop !== null) return stop;
  }
  const untrue = judgeAppending(sceneOf(site), events);
  if (untrue !== null) found.push(untrue);
  lines.push(`log: ${events.map(({ type }) => type).join(', ')}`);
  try {
    applyRecords(runner, records);
  } catch (fault) {
    found.push({ rule: 'legal', party, text: `${fault instanceof Error ? fault.message : fault}` });
    return 'broken';
  }
  log.push(...records);
  const misled = judgeTold(sceneOf(site), events);
  if (misled !== null) found.push(misled);
  if (!behaviour.publishFirst) for (const { type } of records) published.push(type);
  checkInvariants(run);
  return crashes(run);
}

/** What holds after every event of the log at a seat. Each list meets contexts of its own machine only. */
const INVARIANTS: Readonly<Record<Seat, readonly Invariant<unknown>[]>> = {
  maker: knownAs<readonly Invariant<unknown>[]>(makerSwapInvariants),
  taker: knownAs<readonly Invariant<unknown>[]>(takerSwapInvariants),
  watcher: knownAs<readonly Invariant<unknown>[]>(watcherInvariants),
};

function checkInvariants({ site, found }: Run): void {
  const { runner } = site.node;
  const state = stateOf(runner);
  for (const { id, text, holds } of INVARIANTS[site.seat]) {
    if (!holds(state, runner.position.context, runner.journal))
      found.push({ rule: 'legal', party: site.seat, text: `${id}: ${text}` });
  }
}

function ask(run: Run, command: AskCommand, resumed: boolean): Stop | null {
  const { site } = run;
  const { node, behaviour, now } = site;
  const { question, leg } = command;
  const isBroadcast = question.op === 'broadcast';
  if (isBroadcast && !resumed) judge(run, command);
  const mishap = point(run, isBroadcast ? (resumed ? RESUMED : BROADCAST) : ERROR);
  if (mishap === 'preempt') {
    run.pending = command;
    run.lines.push(`is about to broadcast ${subjectOf(run, command)}`);
    return 'preempt';
  }
  run.pending = null;
  const silent = refused('unavailable', 'the node does not answer');
  const real: AskResult =
    mishap === 'error' ? silent : (askChain(node.wallets[leg], question, node.runner) as AskResult);
  const result = behaviour.answer(question, mishap === 'unanswered' ? silent : real, node);
  note(run, command, { result, mishap });
  // A broadcast is the only question where a crash after it differs from a crash before it: it may have reached the
  // network.
  const stop = isBroadcast && mishap !== 'error' ? crashes(run) : null;
  if (stop === null) absorb(node.runner, command, { result, now });
  return stop;
}

function judge({ site, found }: Run, { question, leg }: AskCommand): void {
  if (question.op !== 'broadcast') return;
  const body = site.model.bodies.get(question.transaction.tx_hash);
  const broken = body === undefined ? null : judgeDecision(sceneOf(site), { leg, body });
  if (broken !== null) found.push(broken);
}

function subjectOf({ site }: Run, { question }: AskCommand): string {
  if (question.op !== 'broadcast') return '';
  const body = site.model.bodies.get(question.transaction.tx_hash);
  return body === undefined ? 'an unknown transaction' : `the ${nameOf(body)}`;
}

function note(
  run: Run,
  command: AskCommand,
  { result, mishap }: { readonly result: AskResult; readonly mishap: Mishap | null },
): void {
  const { question, leg } = command;
  if (question.op === 'broadcast') {
    const arrived = mishap === 'unanswered' ? ', which arrives' : '';
    const answer = result.ok ? `${result.value}` : result.fault.kind;
    run.lines.push(`broadcasts ${subjectOf(run, command)}${arrived}; answer: ${answer}`);
  } else if (mishap !== null) run.lines.push(`asks the ${leg} chain (${question.op}); answer: unavailable`);
}
