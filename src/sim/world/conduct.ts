import type { MachineEvent } from '../../../machines/definition.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { Millis, Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { Command, NewEvent } from '../../runtime/command.ts';
import { type SwapRunner, viewOf } from '../../runtime/swap/runner.ts';
import type { Behaviour, SimNode } from './node.ts';
import type { Conduct, LieTopic } from './scenario.ts';

/** The engine of a party that breaks the protocol as its conduct says. Otherwise it acts as the honest engine does. */
export function conducted(conduct: Conduct, base: Behaviour): Behaviour {
  switch (conduct.kind) {
    case 'honest':
    case 'vanish':
    // What these do besides their engines is in deeds.ts.
    case 'pin':
    case 'replace':
    case 'rewrite':
    case 'race':
    case 'frontRun':
      return base;
    case 'lastSecond':
      return deciding(base, (runner, now, node) =>
        node.name === 'maker'
          ? lastMoment(runner, now, { node, base, margin: conduct.margin })
          : base.decide(runner, now, node),
      );
    case 'custom':
      return deciding(base, (runner, now, node) => {
        const usual = base.decide(runner, now, node);
        return node.hooks === null ? usual : node.hooks.command(usual, now, node);
      });
    case 'shortLock':
      return deciding(base, (runner, now, node) =>
        straying(node, base.decide(runner, now, node), (usual) => shortLock(usual, { conduct, runner })),
      );
    case 'underpay':
      return deciding(base, (runner, now, node) => straying(node, base.decide(runner, now, node), underpay));
    case 'liar':
      return deciding(base, (runner, now, node) =>
        straying(node, base.decide(runner, now, node), (usual) => lie(usual, conduct.about)),
      );
    case 'greedy':
      return deciding(base, (runner, now, node) => greedy(runner, now, { node, base }));
    default:
      return conduct satisfies never;
  }
}

function deciding(base: Behaviour, decide: Behaviour['decide']): Behaviour {
  const { answer, beforeAppend, load, publishFirst } = base;
  return { decide, answer, beforeAppend, load, publishFirst };
}

/** This notes any command other than the usual one: a conduct that never deviates tests nothing. */
function straying(node: SimNode, usual: Command, change: (usual: Command) => Command): Command {
  const command = change(usual);
  if (command !== usual) node.strayed = true;
  return command;
}

function shortLock(
  command: Command,
  { conduct, runner }: { readonly conduct: Extract<Conduct, { kind: 'shortLock' }>; readonly runner: SwapRunner },
): Command {
  if (command.kind === 'append') {
    if (!command.events.some(({ type }) => type === 'Started')) return command;
    return { ...command, events: command.events.map((event) => shortened(event, conduct)) };
  }
  if (command.kind !== 'send' || command.message.kind !== 'negotiation' || conduct.admit) return command;
  const { offer } = command.message;
  const full = offer.started_at + 2 * viewOf(runner).lockDuration;
  return { ...command, message: { kind: 'negotiation', offer: { ...offer, payment_locktime: full as UnixSeconds } } };
}

function shortened(event: NewEvent, { seconds }: { readonly seconds: number }): NewEvent {
  if (event.type !== 'Started') return event;
  const data = event.data as { readonly started_at: number };
  return { type: event.type, data: { ...data, maker_payment_lock: data.started_at + seconds } };
}

/** The payment, and the refund that is signed with it: an engine sends no payment without one. */
const UNDERPAID: ReadonlySet<string> = new Set(['payment', 'refund', 'refundPreimage']);

function underpay(command: Command): Command {
  if (command.kind !== 'ask' || command.question.op !== 'prepare') return command;
  const { request } = command.question;
  if (!UNDERPAID.has(request.purpose) || !('terms' in request)) return command;
  const terms = { ...request.terms, amount: '0.01' as DecimalText };
  return { ...command, question: { op: 'prepare', request: { ...request, terms } } };
}

function lie(command: Command, about: LieTopic | undefined): Command {
  if (command.kind !== 'send') return command;
  const { message } = command;
  if (about !== undefined && message.kind !== about) return command;
  const nothing = { tx_hex: '00', tx_hash: 'ee'.repeat(32) };
  if (message.kind === 'takerFee' || message.kind === 'takerPayment')
    return { ...command, message: { ...message, tx: nothing } };
  if (message.kind === 'makerPayment') return { ...command, message: { ...message, tx: nothing } };
  if (message.kind !== 'negotiation') return command;
  return { ...command, message: { kind: 'negotiation', offer: { ...message.offer, secret_hash: 'ab'.repeat(20) } } };
}

/** How often a greedy party checks its own payment, in milliseconds. */
const GREEDY_POLL = 600_000;

/** When each of them last tried to take its payment back. */
const lastGrabs = new WeakMap<SimNode, Millis>();

/**
 * Takes whatever the chains let it take: it refunds its own payment the moment its lock has passed, whatever else was said and even after the end of
 * its swap; a maker claims only at the last moment.
 */
function greedy(
  runner: SwapRunner,
  now: Millis,
  { node, base }: { readonly node: SimNode; readonly base: Behaviour },
): Command {
  const { role, own, ownTerms, ownPayment } = viewOf(runner);
  const usual =
    role === 'maker' ? lastMoment(runner, now, { node, base, margin: GREEDY_MARGIN }) : base.decide(runner, now, node);
  if (ownTerms === null || ownPayment === null) return usual;
  const seen = onLeg(runner.facts.payments, own);
  const key = `${own}:greedy`;
  const next = runner.facts.tries.get(key)?.next ?? 0;
  if (seen === null || now - seen.at >= GREEDY_POLL) {
    if (next > now) return until(usual, next);
    return { kind: 'ask', leg: own, key, question: { op: 'payment', query: { terms: ownTerms } } };
  }
  const { funding, spend, refundable } = seen.value;
  const kit = runner.journal.prepared.refund.at(-1);
  if (spend !== null || funding === null || kit === undefined) return usual;
  if (refundable && now - (lastGrabs.get(node) ?? 0) >= GREEDY_POLL) {
    lastGrabs.set(node, now);
    node.strayed = true;
    return { kind: 'ask', leg: own, key, question: { op: 'broadcast', transaction: kit.tx } };
  }
  return until(usual, seen.at + GREEDY_POLL);
}

/** The usual command, except that nothing ends and no wait lasts beyond that moment. */
function until(usual: Command, at: number): Command {
  if (usual.kind === 'done') return { kind: 'wait', until: at as Millis };
  return usual.kind === 'wait' && usual.until > at ? { kind: 'wait', until: at as Millis } : usual;
}

/** How long before the lock ends a greedy maker claims. */
const GREEDY_MARGIN: Seconds = 150;

function lastMoment(
  runner: SwapRunner,
  now: Millis,
  { node, base, margin }: { readonly node: SimNode; readonly base: Behaviour; readonly margin: Seconds },
): Command {
  const view = viewOf(runner);
  const moment = ((view.otherTerms?.lock ?? 0) - margin) * 1000;
  if (view.state === 'claiming' && view.claim === null && now < moment) {
    node.strayed = true;
    return { kind: 'wait', until: moment as Millis };
  }
  if (view.state !== 'claiming') return base.decide(runner, now, node);
  const { definition } = runner.kind;
  const wants: typeof definition.wants = (state, context, journal) =>
    definition.wants(state, context, journal).map(({ until: _, revealBy: __, ...want }) => want);
  const reckless = {
    ...runner,
    // The margin before the end of the lock does not stop it either: it takes what an operator would who orders a
    // recovery.
    journal: { ...runner.journal, recoverSince: now },
    kind: { ...runner.kind, definition: { ...definition, wants } },
  };
  return base.decide(reckless as SwapRunner<unknown, MachineEvent>, now, node);
}
