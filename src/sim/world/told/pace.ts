import type { PaymentView } from '../../../ports/chain.ts';
import type { SwapMessage } from '../../../ports/peers.ts';
import { onLeg, setOnLeg } from '../../../primitives/pair.ts';
import type { Seconds } from '../../../primitives/time.ts';
import type { AskResult, Question } from '../../../runtime/command.ts';
import type { Report } from '../judge/rules.ts';
import type { SimNode } from '../node.ts';
import type { ChainName } from '../scenario.ts';
import { localNow, type Observer, type World } from '../world.ts';
import { acted, type Idle, idleProblems, looked, newIdle } from './idle.ts';

// Rule R16: how often a party asks, repeats itself and wakes, by the published pauses; nothing here comes from the
// engine's policy.

/** Least pause between two messages of a kind to the other side, in seconds. */
const REPEATED: Readonly<Partial<Record<SwapMessage['kind'], Seconds>>> = {
  negotiation: 15,
  negotiationReply: 15,
  negotiated: 15,
  takerFee: 100,
  makerPayment: 600,
  takerPayment: 600,
  watcher: 600,
};

/** The pause between two looks at a wrong fee, in seconds, and how many there may be after the first. */
const FEE_PAUSE: Seconds = 10;
const FEE_RETRIES = 6;

/** How old a look at a payment must be, in seconds, before a party repeats it without news. */
const LEAST_AGE: Seconds = 5;

/** The last look at an existing payment, and how much its chain had reported by then. */
type LastLook = { readonly at: number; readonly news: number };

/** What one life of a party's process has done so far. */
type Pace = {
  restarts: number;
  readonly looks: Record<ChainName, LastLook | null>;
  /** When a message of each kind went out last, in milliseconds. */
  readonly sentAt: Map<string, number>;
  /** The last fee that was found wrong, how often and when. */
  fee: { readonly hash: string; readonly times: number; readonly at: number } | null;
  readonly idle: Idle;
};

function newPace(): Pace {
  return { restarts: 0, looks: { maker: null, taker: null }, sentAt: new Map(), fee: null, idle: newIdle() };
}

/** A restarted process does not know what it said and asked. */
function inThisLife(pace: Pace, { restarts }: SimNode): void {
  if (pace.restarts === restarts) return;
  pace.restarts = restarts;
  pace.sentAt.clear();
  pace.fee = null;
  acted(pace.idle);
  forgetLook(pace, 'maker');
  forgetLook(pace, 'taker');
}

/** What was sent may have changed what a look shows. */
function forgetLook({ looks }: Pace, leg: ChainName): void {
  setOnLeg(looks, leg, null);
}

/** A party whose clock jumps measures no pause. */
function isSteady({ plan }: SimNode): boolean {
  return plan.jumps.length === 0;
}

type Paced = { readonly node: SimNode; readonly pace: Pace; readonly now: number; readonly report: Report };

function paceMessage({ node, pace, now, report }: Paced, { kind }: SwapMessage): void {
  const since = pace.sentAt.get(kind);
  pace.sentAt.set(kind, now);
  if (since === undefined || !isSteady(node)) return;
  const pause = (now - since) / 1000;
  if (pause < (REPEATED[kind] ?? 0)) report('R16', `a message ${kind} is repeated after ${pause} s`);
}

type Looked = { readonly leg: ChainName; readonly result: AskResult };

/** Only an existing payment: if it is missing, a look is due at once. */
function paceLook({ node, pace, now, report }: Paced, { leg, result }: Looked): void {
  const before = onLeg(pace.looks, leg);
  const news = onLeg(node.news, leg);
  const view = result.ok ? (result.value as PaymentView) : null;
  setOnLeg(pace.looks, leg, view === null || view.funding === null ? null : { at: now, news });
  if (before === null || before.news !== news || !isSteady(node)) return;
  const age = (now - before.at) / 1000;
  if (age < LEAST_AGE) report('R16', `the ${leg} payment is looked at again after ${age} s without news`);
}

type AskedFor = { readonly question: Question; readonly result: AskResult };

function paceQuestion({ node, pace, now, report }: Paced, { question, result }: AskedFor): void {
  if (question.op !== 'checkFee' || !result.ok || result.value === null) return;
  const { hash } = question.check;
  const before = pace.fee?.hash === hash ? pace.fee : null;
  const times = (before?.times ?? 0) + 1;
  pace.fee = { hash, times, at: now };
  if (times > FEE_RETRIES + 1) report('R16', `a wrong fee is looked at ${times} times`);
  if (before === null || !isSteady(node)) return;
  const pause = (now - before.at) / 1000;
  if (pause < FEE_PAUSE) report('R16', `a wrong fee is looked at again after ${pause} s`);
}

const ASKED: ReadonlySet<Question['op']> = new Set(['broadcast', 'checkFee', 'payment', 'prepare']);

/** Observes what an honest party repeats, and how long it waits. */
export type Pacer = Required<Pick<Observer, 'appended' | 'sent' | 'answered' | 'waits'>>;

export function createPacer(reportFor: (world: World, node: SimNode) => Report): Pacer {
  const paces = { maker: newPace(), taker: newPace() };
  const paced = (world: World, node: SimNode): Paced | null => {
    if (node.plan.conduct.kind !== 'honest') return null;
    const pace = onLeg(paces, node.name);
    inThisLife(pace, node);
    return { node, pace, now: localNow(world, node), report: reportFor(world, node) };
  };
  return {
    appended(_, node) {
      acted(onLeg(paces, node.name).idle);
    },
    sent(world, node, message) {
      const by = paced(world, node);
      if (by !== null) paceMessage(by, message);
    },
    answered(world, node, { command, result }) {
      const { question, leg } = command;
      const by = ASKED.has(question.op) ? paced(world, node) : null;
      if (by === null) return;
      if (question.op === 'payment') {
        paceLook(by, { leg, result });
        looked(by.pace.idle, { world, node }, leg);
        return;
      }
      acted(by.pace.idle);
      if (question.op === 'broadcast') forgetLook(by.pace, leg);
      else if (question.op === 'checkFee') paceQuestion(by, { question, result });
    },
    waits(world, node, until) {
      const by = isSteady(node) ? paced(world, node) : null;
      for (const text of by === null ? [] : idleProblems(by.pace.idle, { world, node, until })) by?.report('R16', text);
      const now = localNow(world, node);
      if (!Number.isInteger(until)) paced(world, node)?.report('R16', 'it waits for a moment between two milliseconds');
      if (until > now + 0.999) return;
      // A party that waits for a moment in the past does not wait: it asks for its turn again and again.
      const text = until > now ? 'that is less than a millisecond away' : `that has been over for ${now - until} ms`;
      paced(world, node)?.report('R16', `it waits for a moment ${text}`);
    },
  };
}
