import type { Deadline } from '../../../../machines/definition.ts';
import { onLeg } from '../../../primitives/pair.ts';
import { momentOf, refundWait, type Terms } from './moments.ts';
import { type StoredFailure, type Story, TELLING, toldHash } from './story.ts';

// Rule R14 for what a log folds to: each fact comes from an event, each deadline from the terms.

type Folded = Readonly<Record<string, unknown>>;

/** Members of the fold that hold a transaction, with the events that name it. */
function membersOf(role: 'maker' | 'taker'): readonly (readonly [member: string, types: readonly string[]])[] {
  const names = onLeg(TELLING, role);
  const other = role === 'maker' ? 'taker' : 'maker';
  return [
    [`${role}Payment`, names.own],
    [`${other}Payment`, names.other],
    [`${other}PaymentSpend`, names.claim],
    [`${role}PaymentRefund`, names.refund],
    ['takerFee', [role === 'maker' ? 'TakerFeeValidated' : 'TakerFeeSent']],
    ...(role === 'taker' ? ([['takerPaymentSpend', names.ownTaken]] as const) : []),
  ];
}

const MEMBERS = { maker: membersOf('maker'), taker: membersOf('taker') } as const;

/** What is wrong with what a log folds to, or null. */
export function foldProblem(story: Story, terms: Terms, context: unknown): string | null {
  const folded = context as Folded;
  for (const [member, types] of onLeg(MEMBERS, terms.role)) {
    const told = (folded[member] as { readonly tx_hash: string } | null)?.tx_hash ?? null;
    const said = toldHash(story, ...types);
    if (told !== said) return `${member} is told as ${told} where the log says ${said}`;
  }
  return failuresProblem(story, folded['failures'] as readonly StoredFailure[]) ?? waitProblem(story, terms, folded);
}

function failuresProblem({ failures }: Story, told: readonly StoredFailure[]): string | null {
  if (told.length !== failures.length) return `${told.length} failures are told of ${failures.length} in the log`;
  for (const [index, { event, at, error }] of failures.entries()) {
    const one = told[index];
    if (one?.event === event && one.at === at && one.error === error) continue;
    return `the failure ${event} (${error}) is told as ${one?.event} (${one?.error})`;
  }
  return null;
}

function waitProblem({ said }: Story, terms: Terms, { refundWaitUntil }: Folded): string | null {
  const waits = said.has(onLeg(TELLING, terms.role).refundWait);
  const due = waits ? refundWait(terms) : null;
  return refundWaitUntil === due
    ? null
    : `a refund is told to be waited for until ${refundWaitUntil} instead of ${due}`;
}

/** What is wrong with the deadlines of a state, or null. */
export function deadlinesProblem(terms: Terms, deadlines: readonly Deadline[]): string | null {
  for (const { kind, at, clock } of deadlines) {
    const due = momentOf(kind, terms);
    if (due === null) return `a ${terms.role} has a deadline ${kind}`;
    if (due.at !== at) return `the deadline ${kind} is told at ${at} instead of ${due.at}`;
    if (due.clock !== clock) return `the deadline ${kind} is told by the clock ${clock} instead of ${due.clock}`;
  }
  return null;
}
