import type { SwapMessage } from '../../../ports/peers.ts';
import { onLeg } from '../../../primitives/pair.ts';
import type { Seconds } from '../../../primitives/time.ts';
import type { AskResult, Question } from '../../../runtime/command.ts';
import type { Report } from '../judge/rules.ts';
import type { SimNode } from '../node.ts';
import { localNow, type Observer, type World } from '../world.ts';

// Rule R16: how often a party asks, repeats itself and wakes, by the published pauses; nothing here is taken from the engine's policy.

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

/** Pause between two looks at a fee that was found wrong, in seconds, and how many there may be after the first. */
const FEE_PAUSE: Seconds = 10;
const FEE_RETRIES = 6;

/** What one life of a party's process has done so far. */
type Pace = {
  restarts: number;
  /** When a message of each kind went out last, in milliseconds. */
  readonly sentAt: Map<string, number>;
  /** The fee that was found wrong last, how often and when. */
  fee: { readonly hash: string; readonly times: number; readonly at: number } | null;
};

function newPace(): Pace {
  return { restarts: 0, sentAt: new Map(), fee: null };
}

/** A process that comes back knows nothing of what it said and asked. */
function inThisLife(pace: Pace, { restarts }: SimNode): void {
  if (pace.restarts === restarts) return;
  pace.restarts = restarts;
  pace.sentAt.clear();
  pace.fee = null;
}

/** Whose clock jumps measures no pause. */
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

/** Looks on at what an honest party repeats, and at how long it waits. */
export type Pacer = Required<Pick<Observer, 'sent' | 'answered' | 'waits'>>;

export function createPacer(reportFor: (world: World, node: SimNode) => Report): Pacer {
  const paces = { maker: newPace(), taker: newPace() };
  const paced = (world: World, node: SimNode): Paced | null => {
    if (node.plan.conduct.kind !== 'honest') return null;
    const pace = onLeg(paces, node.name);
    inThisLife(pace, node);
    return { node, pace, now: localNow(world, node), report: reportFor(world, node) };
  };
  return {
    sent(world, node, message) {
      const by = paced(world, node);
      if (by !== null) paceMessage(by, message);
    },
    answered(world, node, { command, result }) {
      const by = command.question.op === 'checkFee' ? paced(world, node) : null;
      if (by !== null) paceQuestion(by, { question: command.question, result });
    },
    waits(world, node, until) {
      const now = localNow(world, node);
      if (until > now) return;
      // Whoever waits for a moment that is over does not wait: it asks for its turn again and again.
      paced(world, node)?.report('R16', `it waits for a moment that has been over for ${now - until} ms`);
    },
  };
}
