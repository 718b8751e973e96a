import type { MachineEvent, Want } from '../../../machines/definition.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import type { Millis } from '../../primitives/time.ts';
import { type Command, NEVER, type NewEvent } from '../../runtime/command.ts';
import { type Runner, viewOf } from '../../runtime/runner.ts';
import type { Behaviour, SimNode } from './node.ts';
import type { Conduct } from './scenario.ts';

/** The engine of a party that breaks the protocol as its conduct says. Everything else it does as the honest engine. */
export function conducted(conduct: Conduct, base: Behaviour): Behaviour {
  switch (conduct.kind) {
    case 'honest':
    case 'vanish':
      return base;
    case 'shortLock':
      return { ...base, decide: (runner, now, node) => shortLock(base.decide(runner, now, node), { conduct, runner }) };
    case 'underpay':
      return { ...base, decide: (runner, now, node) => underpay(base.decide(runner, now, node)) };
    case 'liar':
      return { ...base, decide: (runner, now, node) => lie(base.decide(runner, now, node)) };
    case 'greedy':
      return { ...base, decide: (runner, now, node) => greedy(runner, now, { node, base }) };
    default:
      return conduct satisfies never;
  }
}

function shortLock(
  command: Command,
  { conduct, runner }: { readonly conduct: Extract<Conduct, { kind: 'shortLock' }>; readonly runner: Runner },
): Command {
  if (command.kind === 'append')
    return { ...command, events: command.events.map((event) => shortened(event, conduct)) };
  if (command.kind !== 'send' || command.message.kind !== 'negotiation' || conduct.admit) return command;
  const { offer } = command.message;
  const full = offer.started_at + 2 * viewOf(runner).lockDuration;
  return { ...command, message: { kind: 'negotiation', offer: { ...offer, payment_locktime: full as never } } };
}

function shortened(event: NewEvent, { seconds }: { readonly seconds: number }): NewEvent {
  if (event.type !== 'Started') return event;
  const data = event.data as { readonly started_at: number };
  return { type: event.type, data: { ...data, maker_payment_lock: data.started_at + seconds } };
}

function underpay(command: Command): Command {
  if (command.kind !== 'ask' || command.question.op !== 'prepare') return command;
  const { request } = command.question;
  if (request.purpose !== 'payment') return command;
  const terms = { ...request.terms, amount: '0.01' as DecimalText };
  return { ...command, question: { op: 'prepare', request: { ...request, terms } } };
}

function lie(command: Command): Command {
  if (command.kind !== 'send') return command;
  const { message } = command;
  const nothing = { tx_hex: '00', tx_hash: 'ee'.repeat(32) };
  if (message.kind === 'takerFee' || message.kind === 'takerPayment')
    return { ...command, message: { ...message, tx: nothing } };
  if (message.kind === 'makerPayment') return { ...command, message: { ...message, tx: nothing } };
  if (message.kind !== 'negotiation') return command;
  return { ...command, message: { kind: 'negotiation', offer: { ...message.offer, secret_hash: 'ab'.repeat(20) } } };
}

/**
 * Takes whatever the chains let it take: its own payment back the moment its lock has passed, whatever else was said; a
 * maker claims at the last moment only, a taker tries to replace its payment once the maker has seen it.
 */
function greedy(
  runner: Runner,
  now: Millis,
  { node, base }: { readonly node: SimNode; readonly base: Behaviour },
): Command {
  const view = viewOf(runner);
  const mine = runner.facts.payments[view.own]?.value;
  const kit = runner.journal.prepared.refund.at(-1);
  if (mine?.refundable === true && mine.funding !== null && mine.spend === null && kit !== undefined) {
    const tried = runner.facts.tries.get(`${view.own}:greedy`);
    if (tried === undefined) {
      return {
        kind: 'ask',
        leg: view.own,
        key: `${view.own}:greedy`,
        question: { op: 'broadcast', transaction: kit.tx },
      };
    }
  }
  if (view.role === 'maker') return lastMoment(runner, now, { node, base });
  return base.decide(runner, now, node);
}

function lastMoment(
  runner: Runner,
  now: Millis,
  { node, base }: { readonly node: SimNode; readonly base: Behaviour },
): Command {
  const view = viewOf(runner);
  const moment = ((view.otherTerms?.lock ?? 0) - 150) * 1000;
  if (view.state === 'claiming' && view.claim === null && now < moment)
    return { kind: 'wait', until: moment as Millis };
  const { definition } = runner.kind;
  const wants = (state: string, context: unknown): readonly Want[] =>
    definition.wants(state, context).map(({ until: _, ...want }) => want);
  const reckless = {
    ...runner,
    events: { ...runner.events, revealBy: () => NEVER },
    kind: { ...runner.kind, definition: { ...definition, wants } },
  };
  return view.state === 'claiming'
    ? base.decide(reckless as Runner<unknown, MachineEvent>, now, node)
    : base.decide(runner, now, node);
}
