import type { LegFunds, NextStep, SwapVerdict } from '../../../../machines/swap-verdict.ts';
import { onLeg } from '../../../primitives/pair.ts';
import type { ChainName } from '../scenario.ts';
import { beginningOf, endsOf, type Terms } from './moments.ts';
import { type Story, TELLING, toldHash } from './story.ts';

// Rule R14 for a verdict: where it says the coins are, whose they are, from when and until when, and what comes next.

/** Coins of a leg as the scenario names them. */
export type Named = { readonly coin: string; readonly amount: string };

export type Reading = {
  readonly terms: Terms;
  readonly story: Story;
  readonly named: Readonly<Record<ChainName, Named>>;
};

const otherOf = (role: ChainName): ChainName => (role === 'maker' ? 'taker' : 'maker');

/** What is wrong with a verdict, or null. */
export function verdictProblem(reading: Reading, { funds, next }: SwapVerdict): string | null {
  for (const leg of ['maker', 'taker'] as const) {
    const told = leg === 'maker' ? funds.makerPayment : funds.takerPayment;
    const problem = fundsProblem(reading, leg, told);
    if (problem !== null) return `the ${leg} payment is told as ${told.status}: ${problem}`;
  }
  return next === null ? null : stepProblem(reading, next);
}

function fundsProblem(reading: Reading, leg: ChainName, told: LegFunds): string | null {
  const { coin } = onLeg(reading.named, leg);
  if (told.coin !== null && told.coin !== coin) return `its coin is ${coin}, not ${told.coin}`;
  return txProblem(reading, leg, told) ?? moverProblem(reading, leg, told) ?? claimsProblem(reading, leg, told);
}

/** Which transactions the log names for a payment with this status. */
function hashesOf({ story, terms: { role } }: Reading, leg: ChainName, { status }: LegFunds): readonly string[] {
  const names = onLeg(TELLING, role);
  const own = leg === role;
  const told = (types: readonly string[]) => toldHash(story, ...types);
  const payment = told(own ? names.own : names.other);
  const spend = told(own ? names.ownTaken : names.claim);
  const end = onLeg(story.settled, leg)?.tx_hash ?? null;
  const found =
    status === 'locked' ? [payment] : status === 'refunded' ? [told(names.refund), end] : [payment, spend, end];
  if (status === 'spent') found.shift();
  return found.filter((hash) => hash !== null);
}

function txProblem(reading: Reading, leg: ChainName, told: LegFunds): string | null {
  const { tx } = told;
  if (told.status === 'none') return tx === null ? null : `by ${tx}`;
  if (tx === null || reading.story.recovered) return null;
  return hashesOf(reading, leg, told).includes(tx) ? null : `no event of the log tells of ${tx.slice(0, 12)}`;
}

/** Its receiver spends a payment, and its payer refunds it; a watcher acts in a taker's name. */
function moverProblem(_: Reading, leg: ChainName, { status, by }: LegFunds): string | null {
  const right = status === 'spent' ? otherOf(leg) : status === 'refunded' ? leg : null;
  if (by === right || (by === 'watcher' && right === 'taker')) return null;
  return `by the ${by} instead of the ${right}`;
}

function claimsProblem({ terms }: Reading, leg: ChainName, { claimable }: LegFunds): string | null {
  const { lock } = onLeg(terms.agreement, leg).terms;
  for (const { by, how, from, until } of claimable) {
    const refund = how === 'refund';
    if (by !== (refund ? leg : otherOf(leg))) return `a ${how} is the ${by}'s`;
    if (from !== (refund ? lock : null)) return `a ${how} is told from ${from} on, and the lock ends at ${lock}`;
    if (until !== (refund ? null : lock)) return `a ${how} is told until ${until}, and the lock ends at ${lock}`;
  }
  return null;
}

const STEP = /^(send|refund|find|validate|spend|confirm|waitFor)(Maker|Taker)Payment(Spend)?$/;

/** Who may have taken the own payment before its refund. Anchored at the start: else the search starts again at every letter of a text without it. */
const TAKEN = /^.*unless the (.+) has taken it/;

/** Whose payment a step is about: sending, finding and refunding concern the own one, validating and spending the other side's. */
function ownerOf(role: ChainName, verb: string, spend: boolean): ChainName {
  const own = verb === 'send' || verb === 'refund' || verb === 'find' || (verb === 'waitFor' && spend);
  return own ? role : otherOf(role);
}

function stepProblem(reading: Reading, step: NextStep): string | null {
  const { role } = reading.terms;
  const [, verb = '', named = '', spend] = STEP.exec(step.action) ?? [];
  if (verb !== '') {
    const owner = ownerOf(role, verb, spend !== undefined);
    if (named.toLowerCase() !== owner) return `the ${role}'s next step is ${step.action}`;
    const { coin } = onLeg(reading.named, owner);
    if (!step.text.includes(` ${coin}`)) return `the ${role}'s next step, ${step.action}, does not name ${coin}`;
  }
  const [, taker] = verb === 'refund' ? (TAKEN.exec(step.text) ?? []) : [];
  if (taker !== undefined && taker !== otherOf(role)) {
    return `the ${role}'s next step, ${step.action}, says that ${taker} may have taken its payment`;
  }
  return timesProblem(reading, step);
}

function timesProblem({ terms }: Reading, { action, notBefore, until }: NextStep): string | null {
  const begins = beginningOf(action, terms);
  if (notBefore !== null && notBefore * 1000 !== begins) {
    return `${action} is told from ${notBefore} on instead of ${begins === null ? 'now' : begins / 1000}`;
  }
  if (until === null) return null;
  const ends = endsOf(action, terms).map((at) => Math.floor(at / 1000));
  return ends.includes(until) ? null : `${action} is told until ${until} instead of ${ends.join(' or ')}`;
}

/** What is wrong with the live verdict about an end that the journal holds, or null. */
export function endProblem({ story, terms: { role } }: Reading, { funds, outcome }: SwapVerdict): string | null {
  if (story.recovered) return null;
  const mine = onLeg(story.settled, role);
  const theirs = onLeg(story.settled, otherOf(role));
  const ownFunds = role === 'maker' ? funds.makerPayment : funds.takerPayment;
  const otherFunds = role === 'maker' ? funds.takerPayment : funds.makerPayment;
  const isLost = theirs?.how === 'refunded' && mine?.how === 'claimed';
  const due = theirs?.how === 'claimed' ? 'completed' : mine?.how === 'refunded' ? 'refunded' : isLost ? 'lost' : null;
  if (due !== null && outcome !== due) return `the end is told as ${outcome} where the journal has it ${due}`;
  return endOf(theirs, otherFunds, 'other') ?? endOf(mine, ownFunds, 'own');
}

/** A voided payment is also back. */
const STATUSES = { claimed: ['spent'], refunded: ['refunded'], voided: ['none', 'refunded'] } as const;

function endOf(end: Story['settled']['maker'], { status, tx }: LegFunds, whose: string): string | null {
  if (end === null) return null;
  const right: readonly LegFunds['status'][] = STATUSES[end.how];
  if (!right.includes(status)) return `the ${whose} payment was ${end.how} and is told as ${status}`;
  const other = status !== 'none' && end.tx_hash !== null && tx !== end.tx_hash;
  return other ? `the ${whose} payment was ${end.how} by ${end.tx_hash} and is told by ${tx}` : null;
}
