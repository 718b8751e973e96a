import type { JournalContext, PreparedRecord } from '../../machines/journal/context.ts';
import type { NewRecord } from '../ports/event-log.ts';
import { knownAs } from '../primitives/known-as.ts';
import type { Millis } from '../primitives/time.ts';
import type { Command, Leg } from '../runtime/command.ts';
import { type Facts, initialFacts, type Tries } from '../runtime/facts.ts';
import { makerKind, takerKind } from '../runtime/swap/roles.ts';
import { createSwapRunner, type SwapRunner } from '../runtime/swap/runner.ts';
import { createWatcherRunner } from '../runtime/watcher/runner.ts';
import { CHECKED_POLICY, CHECKED_TIMING, htlcKeyOf, type Model, type Seat, uuidOf } from './model.ts';
import { promisedIn } from './rewards.ts';
import { HEIGHT } from './views.ts';

/** What a log folds to. Shared by many states, so that a run works on a copy. */
export type Folded = {
  readonly position: { readonly state: number; readonly context: object };
  readonly journal: JournalContext;
  readonly lastAt: Millis;
};

export type AskCommand = Extract<Command, { kind: 'ask' }>;

/** An engine between two runs, as an immutable value. */
export type EngineState = {
  readonly status: 'up' | 'down' | 'done';
  /** The durable log. */
  readonly log: readonly NewRecord[];
  /** What the process folds it to. */
  readonly folded: Folded;
  readonly restarts: number;
  /** What the process knows besides the log. */
  readonly facts: Facts;
  /** Decided, but not yet carried out. */
  readonly pending: AskCommand | null;
  /** What subscribers were told; null for exactly what the log holds. */
  readonly published: readonly string[] | null;
};

/** Later than every moment of an exploration. */
export const FAR = 1e15 as Millis;

/** A runner over an empty log. A watcher's has the same parts as a swap's as far as an exploration uses them, and no view of a swap of its own. */
export function newRunner({ traits, bodies }: Model, seat: Seat): SwapRunner {
  if (seat === 'watcher') {
    const read = (hex: string) => promisedIn(bodies, hex);
    const promised = {
      ...(traits.maker.rewards === true ? { maker: read } : {}),
      ...(traits.taker.rewards === true ? { taker: read } : {}),
    };
    const options = { uuid: uuidOf(), traits, policy: CHECKED_POLICY, timing: CHECKED_TIMING, promised, unpaid: true };
    return knownAs<SwapRunner>(createWatcherRunner({ ...options, idOf: (hex) => hex, helpers: false }));
  }
  const key = htlcKeyOf(seat);
  const inputs = { keys: { maker: key, taker: key }, traits, keyRule: () => null };
  const stream = `${seat}-swap/${uuidOf()}`;
  const rest = { stream, inputs, policy: CHECKED_POLICY };
  return seat === 'taker'
    ? knownAs<SwapRunner>(createSwapRunner({ ...rest, kind: takerKind }))
    : knownAs<SwapRunner>(createSwapRunner({ ...rest, kind: makerKind }));
}

/** A runner in the given state, which shares nothing mutable with it. */
export function runnerOf(model: Model, seat: Seat, at: { state: EngineState; now: Millis }): SwapRunner {
  return standAt(newRunner(model, seat), at);
}

/** Moves a runner to a state, whatever it did before. */
export function standAt(runner: SwapRunner, { state, now }: { state: EngineState; now: Millis }): SwapRunner {
  const { position, journal, lastAt } = state.folded;
  runner.position.state = position.state;
  runner.position.context = copyContext(position.context);
  Object.assign(
    runner.journal,
    copyJournal(journal, (at) => (at === OLD ? OLD : now)),
  );
  runner.length = state.log.length;
  // States that differ only in the times of old records are one, so such a time may lie in the future.
  runner.lastAt = lastAt < now ? lastAt : now;
  runner.facts = factsAt(state.facts, now);
  runner.view = null;
  return runner;
}

/** What a runner's log folds to. Move the runner to another state before you use it again. */
export function foldedOf({ position, journal, lastAt }: SwapRunner): Folded {
  const context = position.context as object;
  return { position: { state: position.state, context }, journal: { ...journal }, lastAt };
}

/** Reducers replace members, and change nothing but lists in place. */
function copyContext(context: object): object {
  const copy: Record<string, unknown> = { ...context };
  for (const [name, value] of Object.entries(copy)) if (Array.isArray(value)) copy[name] = [...value];
  return copy;
}

/** Before every moment of an exploration. */
const OLD = 0 as Millis;

/** Records of this moment get its time; older ones get no particular time. */
function copyJournal(journal: JournalContext, timeOf: (at: Millis) => Millis): JournalContext {
  const { prepared, settled, reorged, messages, deadlines } = journal;
  const copies = (records: readonly PreparedRecord[]) =>
    records.map((record) => ({
      ...record,
      preparedAt: timeOf(record.preparedAt),
      attemptedAt: record.attemptedAt === null ? null : timeOf(record.attemptedAt),
      acceptedAt: record.acceptedAt === null ? null : timeOf(record.acceptedAt),
      refusedAt: record.refusedAt === null ? null : timeOf(record.refusedAt),
    }));
  const { fee, payment, claim, refund, claimChild, refundChild, paymentChild } = prepared;
  return {
    ...journal,
    prepared: {
      fee: copies(fee),
      payment: copies(payment),
      claim: copies(claim),
      refund: copies(refund),
      void: copies(prepared.void),
      claimChild: copies(claimChild),
      refundChild: copies(refundChild),
      paymentChild: copies(paymentChild),
    },
    settled: { ...settled },
    reorged: { ...reorged },
    messages: { ...messages },
    deadlines: [...deadlines],
  };
}

/** Whether the moment of a record has passed. */
export function isOld(at: Millis | null): boolean {
  return at === OLD;
}

/** The clock has moved: no record belongs to this moment any more. */
export function aged(state: EngineState): EngineState {
  const { journal } = state.folded;
  const fresh = Object.values(journal.prepared).some((records) => {
    return records.some(
      ({ preparedAt, attemptedAt, acceptedAt }) => preparedAt + (attemptedAt ?? 0) + (acceptedAt ?? 0) > 0,
    );
  });
  return fresh ? { ...state, folded: { ...state.folded, journal: copyJournal(journal, () => OLD) } } : state;
}

function factsAt(facts: Facts, now: Millis): Facts {
  const copy = initialFacts();
  for (const [purpose, tx] of facts.prepared) copy.prepared.set(purpose, tx);
  for (const [hash, answer] of facts.broadcasts) copy.broadcasts.set(hash, answer);
  for (const [kind, message] of facts.inbox) copy.inbox.set(kind, message);
  for (const kind of facts.sentAt.keys()) copy.sentAt.set(kind, now);
  for (const [key, tries] of facts.tries) copy.tries.set(key, { ...tries });
  if (facts.feeCheck !== null) copy.feeCheck = { value: facts.feeCheck.value, at: now };
  copy.feeChecks = facts.feeChecks;
  copy.missingSince = { ...facts.missingSince };
  return copy;
}

const EARLY = ['created', 'negotiating'];
const BEFORE_FEE = [...EARLY, 'sendingTakerFee', 'waitingForTakerFee', 'instructionsReceived'];

/** In which states an engine can still use a message that has come in, or that it has sent. */
const INBOX_USED: Readonly<Record<string, readonly string[]>> = {
  negotiation: EARLY,
  negotiationReply: EARLY,
  negotiated: EARLY,
  takerFee: BEFORE_FEE,
  makerPayment: [...BEFORE_FEE, 'waitingForMakerPayment'],
  watcher: ['created'],
};
const SENT_USED: Readonly<Record<string, readonly string[]>> = {
  negotiation: EARLY,
  negotiationReply: EARLY,
  negotiated: BEFORE_FEE,
  takerFee: ['waitingForMakerPayment', 'instructionsReceived'],
  makerPayment: ['waitingForTakerPayment', 'takerPaymentReceived', 'confirmingTakerPayment'],
  takerPayment: ['waitingForSpend', 'waitingForSpendWatched'],
  watcher: ['waitingForSpendWatched'],
};
const PREIMAGES_USED = ['sendingTakerPayment'];
const FEE_CHECKED = ['waitingForTakerFee', 'instructionsReceived'];

/** An engine that waits: the state of its machine, the time, and whether it keeps also what it cannot use any more. */
export type Resting = { readonly state: string; readonly now: Millis; readonly keepAll: boolean };

/**
 * What a waiting engine still knows. It looks at chains again in the next run, because whatever it waits for wakes it. It forgets messages that its
 * state cannot use.
 */
export function restingFacts(facts: Facts, { state, now, keepAll }: Resting): Facts {
  const rest = initialFacts();
  const uses = (used: readonly string[] | undefined) => keepAll || used?.includes(state) === true;
  for (const [purpose, tx] of facts.prepared) {
    if (!purpose.endsWith('Preimage') || uses(PREIMAGES_USED)) rest.prepared.set(purpose, tx);
  }
  for (const [hash, answer] of facts.broadcasts) rest.broadcasts.set(hash, answer);
  rest.missingSince = { ...facts.missingSince };
  for (const [kind, message] of facts.inbox) if (uses(INBOX_USED[kind])) rest.inbox.set(kind, message);
  for (const kind of facts.sentAt.keys()) if (uses(SENT_USED[kind])) rest.sentAt.set(kind, now);
  for (const [key, tries] of facts.tries) {
    const kept = restingTries(tries, now);
    if (kept !== null) rest.tries.set(key, kept);
  }
  if (uses(FEE_CHECKED)) {
    rest.feeCheck = facts.feeCheck;
    rest.feeChecks = facts.feeChecks;
  }
  return rest;
}

function restingTries(tries: Tries, now: Millis): Tries | null {
  if (tries.next > now) return { ...tries, count: Math.min(tries.count, 1), next: FAR };
  return tries.kind === 'none' ? null : { ...tries, count: Math.min(tries.count, 1), next: 0 as Millis };
}

/** State of the machine, by a name that any runner of the same seat knows. */
export function stateNameOf({ kind }: Pick<SwapRunner, 'kind'>, { folded }: EngineState): string {
  return kind.machine.states[folded.position.state] as string;
}

/** Whether some attempt waits for the end of a pause. */
export function isPausing({ facts }: EngineState): boolean {
  for (const { next } of facts.tries.values()) if (next > 0) return true;
  return false;
}

/** The pauses are over. */
export function unpaused(state: EngineState): EngineState {
  if (!isPausing(state)) return state;
  const facts = { ...state.facts, tries: new Map<string, Tries>() };
  for (const [key, tries] of state.facts.tries) {
    if (tries.kind !== 'none') facts.tries.set(key, { ...tries, next: 0 as Millis });
  }
  return { ...state, facts };
}

/**
 * One more block has come since a payment was first missed. The height of an abstract chain stands still, so that what moves is the height at which
 * it was missed; further back than anyone asks is as far.
 */
export function missedLonger(state: EngineState, leg: Leg, most: number): EngineState {
  const since = state.facts.missingSince[leg];
  if (since === null || since <= HEIGHT - most) return state;
  const missingSince = { ...state.facts.missingSince, [leg]: since - 1 };
  return { ...state, facts: { ...state.facts, missingSince } };
}

/**
 * Blocks have come since the last record, so that no chain is behind the log. The clock of an abstract chain stands still beyond the last lock, so
 * that what moves is the time of the record.
 */
export function outlived(state: EngineState): EngineState {
  if (state.status === 'done' || state.folded.lastAt === OLD) return state;
  return { ...state, folded: { ...state.folded, lastAt: OLD } };
}

/** What was sent may be sent again. */
export function unsent(state: EngineState): EngineState {
  if (state.facts.sentAt.size === 0) return state;
  return { ...state, facts: { ...state.facts, sentAt: new Map() } };
}
