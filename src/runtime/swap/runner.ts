import type { MachineEvent, Want } from '../../../machines/definition.ts';
import {
  everAccepted,
  initialJournalContext,
  type JournalContext,
  type PreparedRecord,
  variantWith,
} from '../../../machines/journal/context.ts';
import type { SwapEffect } from '../../../machines/swap-effects.ts';
import type { SwapDefinition } from '../../../machines/swap-verdict.ts';
import { isJournalType, type JournalEvent } from '../../events/journal.ts';
import { type KeyRule, secp256k1KeyProblem } from '../../htlc/key-rule.ts';
import type { SwapHold } from '../../htlc/locked-amount.ts';
import { KDF_NETWORK, type NetworkProfile } from '../../htlc/network-profile.ts';
import type { Answer, ChainFault, FeeCheck, PaymentView } from '../../ports/chain.ts';
import type { NewRecord } from '../../ports/event-log.ts';
import type { SwapMessage } from '../../ports/peers.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import { onLeg, setOnLeg } from '../../primitives/pair.ts';
import type { Millis } from '../../primitives/time.ts';
import type { CompiledMachine } from '../../replay/compile.ts';
import { type FoldPosition, foldRecord } from '../../replay/fold.ts';
import { type Claims, NO_CLAIMS } from '../claims.ts';
import { type AskResult, type Command, type Leg, type NewEvent, type Question, resultOf } from '../command.ts';
import { type DearFee, type Facts, initialFacts, type SignedPurpose } from '../facts.ts';
import { NOBODY, type Others } from '../held.ts';
import { type Backoff, backoffMillis, type Policy } from '../policy.ts';
import { type AgreedTerms, noTerms, type SideInputs } from './side-inputs.ts';
import { exceededBound, forgetSigned, isSignedAlready, keepSigned, standsBeside } from './signed.ts';
import type { SideEvents, SwapFacts } from './swap-facts.ts';

/** What makes a runner: the machine, the side's view of it, and what does not change during a swap. */
export type RunnerKind<C, E extends MachineEvent> = {
  readonly machine: CompiledMachine<C, E>;
  readonly definition: SwapDefinition<C, E>;
  readonly facts: (state: string, context: C, inputs: SideInputs & { readonly claimSeen: boolean }) => SwapFacts;
  readonly events: (at: () => { readonly state: string; readonly context: C }, inputs: SideInputs) => SideEvents;
  /** What the swap will still take from the wallets. */
  readonly locks: (context: C, given: LocksGiven) => SwapHold;
};

type LocksGiven = { readonly state: string; readonly journal: JournalContext } & Pick<SideInputs, 'traits' | 'network'>;

/**
 * One swap of one party, driven by its log.
 *
 * - N1: everything that must survive is in the log; what else a runner holds can be lost between any two commands.
 * - N2: `decide` is a function of the log, the observations and the time. Only the commands that it returns, one at a time, touch the world.
 * - N3: it applies only what the log holds.
 */
export type SwapRunner<C = unknown, E extends MachineEvent = MachineEvent> = {
  readonly stream: string;
  readonly kind: RunnerKind<C, E>;
  readonly inputs: Required<SideInputs>;
  readonly policy: Policy;
  readonly position: FoldPosition<C>;
  readonly journal: JournalContext;
  facts: Facts;
  /** Count of records in the stream. */
  length: number;
  /** Time of the last record; the next one is not earlier. */
  lastAt: Millis;
  readonly events: SideEvents;
  /** What the other swaps of the same wallet hold. */
  readonly others: Others;
  /** What belongs to other swaps of the same node. */
  readonly claims: Claims;
  /** Whether the policy sets the final depth for one of the coins. */
  readonly finalityNamed: boolean;
  /** What is known of both chains, with the depths of that policy, and the amounts for which it was last computed. */
  depths: Depths | null;
  /** The neutral view, computed again after each change of the log. */
  view: SwapFacts | null;
  /** What the machine wants, and what that follows from. */
  wanted: Wanted<C, E> | null;
};

type Wanted<C, E extends MachineEvent> = Pick<SwapRunner<C, E>, 'kind' | 'journal'> & {
  readonly view: SwapFacts;
  readonly wants: readonly Want<SwapEffect>[];
};

type Depths = {
  readonly own: DecimalText | null;
  readonly other: DecimalText | null;
  readonly traits: SideInputs['traits'];
};

/** The part of a runner that follows a log; a watcher's runner has it too. */
export type Follower<C, E extends MachineEvent> = Pick<SwapRunner<C, E>, 'position' | 'journal' | 'facts'> & {
  readonly kind: { readonly machine: CompiledMachine<C, E> };
  length: number;
  lastAt: Millis;
  view: unknown;
};

/** The part of a runner that holds its observations. */
export type Observer = Pick<SwapRunner, 'facts' | 'policy' | 'journal' | 'lastAt'>;

export type RunnerOptions<C, E extends MachineEvent> = {
  readonly stream: string;
  readonly kind: RunnerKind<C, E>;
  readonly inputs: Omit<SideInputs, 'request'>;
  readonly policy: Policy;
  /** @defaultValue nobody else uses the wallet */
  readonly others?: Others;
  /** @defaultValue nobody else runs on the node */
  readonly claims?: Claims;
};

/** The inputs of a side, with the request that the log holds by now. */
class RunnerInputs implements SideInputs {
  readonly keys: SideInputs['keys'];
  readonly traits: SideInputs['traits'];
  readonly keyRule: KeyRule;
  readonly network: NetworkProfile;
  readonly agreed: AgreedTerms = noTerms();
  private readonly journal: JournalContext;

  constructor(given: Omit<SideInputs, 'request'>, journal: JournalContext) {
    const { keys, traits, keyRule = secp256k1KeyProblem, network = KDF_NETWORK } = given;
    this.network = network;
    this.keys = keys;
    this.traits = traits;
    this.keyRule = keyRule;
    this.journal = journal;
  }

  // On the prototype: an accessor in an object literal would give each runner its own hidden class, which makes every
  // access slow and which the collector frees late.
  get request() {
    return this.journal.request;
  }
}

/** A runner of an empty stream. */
export function createSwapRunner<C, E extends MachineEvent>(options: RunnerOptions<C, E>): SwapRunner<C, E> {
  const { stream, kind, policy, others = NOBODY, claims = NO_CLAIMS } = options;
  const journal = initialJournalContext();
  const position = { state: kind.machine.initial, context: kind.machine.definition.initialContext() };
  const inputs = new RunnerInputs(options.inputs, journal);
  const { maker, taker } = inputs.traits;
  const at = () => ({ state: kind.machine.states[position.state] as string, context: position.context });
  return {
    stream,
    kind,
    inputs,
    policy,
    position,
    journal,
    facts: initialFacts(),
    length: 0,
    lastAt: 0 as Millis,
    events: kind.events(at, inputs),
    others,
    claims,
    finalityNamed: Object.hasOwn(policy.finality, maker.coin) || Object.hasOwn(policy.finality, taker.coin),
    depths: null,
    view: null,
    wanted: null,
  };
}

/** State of the swap's machine. */
export function stateOf<C, E extends MachineEvent>({
  kind,
  position,
}: Pick<Follower<C, E>, 'kind' | 'position'>): string {
  return kind.machine.states[position.state] as string;
}

/** The records of an append command. */
export function recordsOf(
  runner: Pick<SwapRunner, 'lastAt'>,
  events: readonly NewEvent[],
  now: Millis,
): readonly NewRecord[] {
  const at = now > runner.lastAt ? now : runner.lastAt;
  return events.map(({ type, data }) => ({ at, type, version: 1, data }));
}

/**
 * Takes records that the log holds, in order.
 *
 * @throws SwapfoldError ILLEGAL_EVENT for a public event that the state cannot take.
 */
export function applyRecords<C, E extends MachineEvent>(runner: Follower<C, E>, records: readonly NewRecord[]): void {
  const { kind, facts } = runner;
  for (const { type, at, data } of records) {
    const seq = runner.length;
    runner.length += 1;
    if (at > runner.lastAt) runner.lastAt = at;
    const event: MachineEvent = { type, at, data };
    foldRecord(kind.machine, runner, { event, seq });
    if (isJournalType(type)) forgetRecorded(facts, event as JournalEvent);
    else forgetPassed(facts, type);
  }
  runner.view = null;
}

/**
 * Signed for a step that the swap has passed. It goes back to the wallet now, and not only when the watch over the swap ends: an account's later
 * transactions, also of other swaps, would wait for its nonce. If it is needed after all, it is signed again.
 */
function forgetPassed(facts: Facts, type: string): void {
  if (type !== 'Finished' && type !== 'TakerPaymentSpent') return;
  // Once the secret is known, only the claim is left.
  for (const purpose of [...facts.prepared.keys()]) {
    if (type === 'Finished' || purpose !== 'claim') forgetSigned(facts, purpose, '');
  }
}

/** What is in the log need not be remembered elsewhere. */
function forgetRecorded(facts: Facts, event: JournalEvent): void {
  switch (event.type) {
    case 'TransactionPrepared':
      forgetSigned(facts, event.data.purpose, event.data.tx.tx_hash);
      // A watcher's refund spends only one variant of the payment.
      if (event.data.purpose === 'payment') forgetSigned(facts, 'refundPreimage', '');
      return;
    case 'BroadcastAccepted':
    case 'BroadcastRefused':
    case 'TransactionDropped':
      facts.broadcasts.delete(event.data.tx_hash);
      return;
    case 'OperatorActed':
      facts.tries.clear();
      return;
    default:
  }
}

/** The neutral view of a runner's swap. */
export function viewOf<C, E extends MachineEvent>(runner: SwapRunner<C, E>): SwapFacts {
  if (runner.view !== null) return runner.view;
  const { kind, position, inputs, journal } = runner;
  const { keys, traits, keyRule, network, request, agreed } = inputs;
  const claimSeen = everAccepted(journal, 'claim');
  const view = kind.facts(stateOf(runner), position.context, {
    keys,
    traits,
    keyRule,
    network,
    request,
    agreed,
    claimSeen,
  });
  runner.view = view.lastEventAt > 0 ? view : { ...view, lastEventAt: runner.lastAt };
  return runner.view;
}

/** Takes a message of the other side. The caller has checked who sent it. */
export function receive({ facts }: Pick<Observer, 'facts'>, message: SwapMessage): void {
  const before = facts.inbox.get(message.kind);
  facts.inbox.set(message.kind, message);
  if (message.kind === 'takerFee' && !isSameFee(before, message)) {
    facts.feeCheck = null;
    facts.feeChecks = 0;
  }
  // A message is worth a look at once, but only as long as no payment was seen: otherwise a fast sender could
  // invalidate every look before the engine acts on it.
  if (message.kind === 'makerPayment') lookAgain(facts, 'maker');
  if (message.kind === 'takerPayment') lookAgain(facts, 'taker');
}

function isSameFee(before: SwapMessage | undefined, { tx }: Extract<SwapMessage, { kind: 'takerFee' }>): boolean {
  return before?.kind === 'takerFee' && before.tx.tx_hash === tx.tx_hash && before.tx.tx_hex === tx.tx_hex;
}

/** Whether a question was about the fee that is named now. A watcher has that of its watch, and no message names another. */
function isOfFee(named: SwapMessage | undefined, { tx, hash }: FeeCheck): boolean {
  if (named?.kind !== 'takerFee') return true;
  return named.tx.tx_hash === hash && (tx === null || named.tx.tx_hex === tx);
}

function lookAgain(facts: Facts, leg: Leg): void {
  if (onLeg(facts.payments, leg)?.value.funding === null) setOnLeg(facts.payments, leg, null);
}

/** Something on a chain may have changed: the next look asks the chain, and long pauses after its faults end. */
export function poke({ facts, policy }: Pick<Observer, 'facts' | 'policy'>, leg: Leg): void {
  setOnLeg(facts.payments, leg, null);
  if (facts.transactions.size > 0) facts.transactions.clear();
  if (facts.tries.size > 0) endPauses(facts.tries, leg, policy.backoff);
}

/** Whether the feed of a chain is complete and unbroken from now on. */
export function trust({ facts }: Pick<Observer, 'facts'>, leg: Leg, whole: boolean): void {
  setOnLeg(facts.told, leg, whole);
}

/**
 * A chain that sends news answers again, so each question to it waits only the shortest pause. What was refused for its fee, and what was repeated
 * without a fault, keeps its pause: with fast blocks, either would otherwise recur at every block.
 */
function endPauses(tries: Facts['tries'], leg: Leg, backoff: Backoff): void {
  for (const [key, tried] of tries) {
    const lasting = tried.kind === 'feeTooLow' || tried.kind === 'none';
    if (lasting || tried.eased === true || !key.startsWith(leg)) continue;
    tried.next = (tried.next - backoffMillis(backoff, tried.count) + backoffMillis(backoff, 1)) as Millis;
    tried.eased = true;
  }
}

/** The answer to a question. How long it took, in milliseconds: `took` with its wait for a place, `answering` without. @defaultValue no time */
export type Answered = {
  readonly result: AskResult;
  readonly now: Millis;
  readonly took?: number;
  readonly answering?: number;
};

/** Takes the answer to a question. */
export function absorb(
  runner: Observer,
  command: Extract<Command, { kind: 'ask' }>,
  { result: answer, now, took = 0, answering = 0 }: Answered,
): void {
  const { facts, policy } = runner;
  const { question, leg, key } = command;
  const result = usableResult(runner, command, answer);
  if (result.ok) {
    noteTime(facts.latency, leg, took);
    noteTime(facts.answering, leg, answering);
    if (facts.tries.size > 0) facts.tries.delete(key);
  } else {
    const { kind, message, part } = result.fault;
    const fee = dearFee(question, result.fault);
    const count = (facts.tries.get(key)?.count ?? 0) + 1;
    const pause = backoffMillis(policy.backoff, count);
    // Coins committed only briefly are soon free again.
    const next = (now + (kind === 'coinsPromised' ? Math.min(pause, policy.confirmationPoll * 1000) : pause)) as Millis;
    const more = { ...(part === undefined ? {} : { part }), ...(fee === undefined ? {} : { fee }) };
    facts.tries.set(key, { count, next, kind, message, ...more });
  }
  switch (question.op) {
    case 'quote': {
      const quote = resultOf(question, result);
      if (quote.ok) setOnLeg(facts.quotes, leg, { value: quote.value, at: now, since: question.since ?? null });
      return;
    }
    case 'payment': {
      const look = resultOf(question, result);
      noteDoubtful(facts, { leg, result, now });
      if (look.ok) absorbPayment(runner, { leg, view: look.value, now });
      return;
    }
    case 'transaction': {
      const look = resultOf(question, result);
      if (look.ok) facts.transactions.set(question.hash, { value: look.value, at: now });
      return;
    }
    case 'checkFee': {
      const check = resultOf(question, result);
      // Another fee may have been named since: this answer says nothing about that one.
      if (!check.ok || !isOfFee(facts.inbox.get('takerFee'), question.check)) return;
      facts.feeCheck = { value: check.value, at: now };
      facts.feeChecks += 1;
      return;
    }
    case 'prepare': {
      const made = resultOf(question, result);
      if (made.ok) keepSigned(facts, { purpose: preparedKey(key), request: question.request, tx: made.value });
      return;
    }
    case 'broadcast':
      absorbBroadcast(runner, { leg, key, hash: question.transaction.tx_hash, result, now });
      return;
    default:
      question satisfies never;
  }
}

function noteDoubtful(
  { doubtful }: Facts,
  { leg, result, now }: { readonly leg: Leg; readonly result: AskResult; readonly now: Millis },
): void {
  const view = result.ok ? undefined : result.fault.doubtful;
  if (view !== undefined) setOnLeg(doubtful, leg, { value: view, at: now });
  else if (onLeg(doubtful, leg) !== null) setOnLeg(doubtful, leg, null);
}

function noteTime(times: Facts['latency'], leg: Leg, took: number): void {
  const before = onLeg(times, leg);
  if (took > 0 || before > 0) setOnLeg(times, leg, Math.max(took, before * 0.75));
}

/** A transaction above its fee limit counts as none, and so do a second payment and what the log already holds. */
function usableResult(
  { facts, journal }: Observer,
  { question, key }: Extract<Command, { kind: 'ask' }>,
  result: AskResult,
): AskResult {
  if (question.op !== 'prepare') return result;
  const made = resultOf(question, result);
  if (!made.ok) return result;
  const { request } = question;
  const tx = made.value;
  if (isSignedAlready(journal, request, tx)) {
    const message = `the wallet has signed ${tx.tx_hash} before, and nothing that pays more`;
    return { ok: false, fault: { kind: 'feeTooLow', message } };
  }
  const bound = exceededBound(request, tx);
  if (bound === null && !standsBeside(request, tx)) return result;
  facts.unused.push({ purpose: preparedKey(key), tx });
  if (bound === null) {
    const message = `the ${request.purpose} that is to be replaced could confirm beside ${tx.tx_hash}`;
    return { ok: false, fault: { kind: 'inputsSpent', message } };
  }
  const message = `the wallet asks a fee of ${tx.fee}, and at most ${bound} may be paid`;
  return { ok: false, fault: { kind: 'feeTooLow', message, leastFee: tx.fee } };
}

/** The fee that a wallet could not keep within its limit. */
function dearFee(question: Question, { kind, leastFee }: ChainFault): DearFee | undefined {
  if (question.op !== 'prepare' || kind !== 'feeTooLow' || !('maxFee' in question.request)) return undefined;
  const { maxFee } = question.request;
  return maxFee === undefined ? undefined : { most: maxFee, least: leastFee ?? null };
}

function absorbPayment(
  { facts, journal, lastAt }: Observer,
  { leg, view, now }: { readonly leg: Leg; readonly view: PaymentView; readonly now: Millis },
): void {
  setOnLeg(facts.payments, leg, { value: view, at: now });
  const { request } = journal;
  const asked = leg === 'maker' ? request?.maker_payment_confirmations : request?.taker_payment_confirmations;
  const least = asked ?? 1;
  const isConfirmed = view.funding !== null && view.funding.confirmations >= least;
  // A node that has not reached the time of the last record may not have the payment yet.
  const missing = view.funding === null && view.spend === null && view.clock * 1000 >= lastAt;
  setOnLeg(facts.missingSince, leg, missing ? (onLeg(facts.missingSince, leg) ?? view.height) : null);
  setOnLeg(facts.confirmedSince, leg, isConfirmed ? (onLeg(facts.confirmedSince, leg) ?? now) : null);
}

function preparedKey(key: string): SignedPurpose {
  return key.slice(key.lastIndexOf(':') + 1) as SignedPurpose;
}

function absorbBroadcast(
  { facts, journal, policy }: Observer,
  { leg, key, hash, result, now }: { leg: Leg; key: string; hash: string; result: AskResult; now: Millis },
): void {
  setOnLeg(facts.payments, leg, null);
  facts.transactions.delete(hash);
  const record = preparedWith(journal, hash);
  if (record === undefined || (result.ok && record.acceptedAt !== null)) {
    // Sent again, or not an own one: nothing to record, but nothing to repeat at once either.
    const next = (now + backoffMillis(policy.backoff, 4)) as Millis;
    facts.tries.set(key, { count: 0, next, kind: 'none', message: '' });
    return;
  }
  if (result.ok || record.refused !== result.fault.kind) facts.broadcasts.set(hash, result as Answer<'sent'>);
}

// By name, for every purpose: iterating over the values of an object takes several times as long.
function preparedWith({ prepared }: JournalContext, hash: string): PreparedRecord | undefined {
  const { fee, payment, claim, refund, claimChild, refundChild, paymentChild } = prepared;
  return (
    variantWith(fee, hash) ??
    variantWith(payment, hash) ??
    variantWith(claim, hash) ??
    variantWith(refund, hash) ??
    variantWith(prepared.void, hash) ??
    variantWith(claimChild, hash) ??
    variantWith(refundChild, hash) ??
    variantWith(paymentChild, hash)
  );
}

/** Notes that a message was handed over. */
export function sent(
  { facts }: Pick<Observer, 'facts'>,
  { message, now }: { readonly message: SwapMessage; readonly now: Millis },
): void {
  // The answer to a first reply is still to come, whatever message waits.
  if (message.kind === 'negotiationReply' && !facts.sentAt.has(message.kind)) facts.inbox.delete('negotiated');
  facts.sentAt.set(message.kind, now);
}
