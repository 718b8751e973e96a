import type { NextStep } from '../../../machines/swap-verdict.ts';
import type { StoredErrorKind } from '../../events/stored-errors/kinds.ts';
import { denialOf } from './evidence.ts';
import { type ExplainFacts, type Leg, legsOf, lockText, timingText, whenText } from './facts.ts';
import { lateClaim } from './late-claim.ts';
import { realNodeAdvice } from './real-node.ts';

/** What a person must do if nothing happens automatically. */
export function* rescue(facts: ExplainFacts): Generator<string> {
  const { next, role } = facts.replayed;
  const [own, other] = legsOf(facts);
  const [ownDenied, otherDenied] = [denialOf(own, facts), denialOf(other, facts)];
  if (otherDenied !== null) {
    yield `Look on the ${other.coin} chain which transaction spent the ${other.owner} payment${transactionText(other)}: where it pays the ${other.claimant}, the swap is completed; where it is the refund of the ${other.owner}, ${other.text} cannot be claimed any more.`;
  } else if (ownDenied !== null) {
    yield `Look on the ${own.coin} chain which transaction spent the ${own.owner} payment${transactionText(own)}: where it is a refund, nothing is left to do; where the ${own.claimant} took it, its input shows the secret: claim ${other.text} with it at once.`;
  } else if (next !== null && isLate(next, facts) && next.action.startsWith('spend')) {
    yield lateClaim(facts);
    if (role === 'taker') yield* cureBefore(facts);
  } else {
    yield ownStep(facts) ?? foreignStep(facts);
    yield* cureBefore(facts);
  }
  yield* realNodeAdvice(facts);
}

function foreignStep({ replayed: { next }, now }: ExplainFacts): string {
  return next === null ? 'Look on both chains where the payments are.' : `${next.text}${timingText(next, now)}`;
}

/** The step about the own payment, with its chain, and what to claim where the other side took it; null for any other step. */
function ownStep(facts: ExplainFacts): string | null {
  const { next } = facts.replayed;
  const [own, other] = legsOf(facts);
  if (next === null || own.coin === null) return null;
  const sent = `Check on the ${own.coin} chain whether the ${own.owner} payment (${own.text}) was broadcast nevertheless`;
  const refund = refundText(own, facts);
  // A refund may come too late for what the other side refunds itself.
  const claim = `take the secret from that spend and claim ${other.text} at once, if the maker has not refunded it yet`;
  switch (next.action) {
    case 'findMakerPayment':
      return `${sent}; if so, ${refund}.`;
    case 'findTakerPayment':
      return `${sent}. If so, check whether the maker has spent it: if it has, ${claim}; if not, ${refund}.`;
    case 'refundMakerPayment':
      return `Check on the ${own.coin} chain whether the taker has spent the maker payment (${own.text}); if not, ${refund}.`;
    case 'refundTakerPayment':
      return `Check on the ${own.coin} chain whether the maker has spent the taker payment (${own.text}): if so, ${claim}; if not, ${refund}.`;
    default:
      return null;
  }
}

/** `refund it, which has been possible since 2020-02-19 08:22:38 UTC (6 years 9 months ago), by the chain's own time`. */
function refundText(own: Leg, { now }: ExplainFacts): string {
  const from = own.claimable.find(({ how }) => how === 'refund')?.from ?? null;
  return from !== null && now !== undefined && now > from
    ? `refund it, which has been possible since ${whenText(from, now)}, by the chain's own time`
    : `refund it ${lockText(own, now)}, by the chain's own time`;
}

function transactionText({ tx }: Leg): string {
  return tx === null ? '' : ` (${tx})`;
}

/** What to do against the last error that the log states; null where it states none that is known. */
export function cureOf({ errors }: ExplainFacts): string | null {
  const last = errors.at(-1);
  return last === undefined || last.kind === 'unknown' ? null : last.cure;
}

/** Whether the time of a step has passed. */
export function isLate({ until }: NextStep, { now }: ExplainFacts): boolean {
  return until !== null && now !== undefined && now > until;
}

/** Errors whose cure is the look at the chain that the step itself begins with. */
const CURED_BY_LOOK: ReadonlySet<StoredErrorKind> = new Set(['alreadyKnown', 'noSecret', 'notSpent']);

/** What cures the last error, where the step does not begin with it. */
function* cureBefore(facts: ExplainFacts): Generator<string> {
  const cure = cureOf(facts);
  const kind = facts.errors.at(-1)?.kind;
  if (cure !== null && kind !== undefined && !CURED_BY_LOOK.has(kind)) yield cure;
}
