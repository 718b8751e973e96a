import { isJsonObject } from '../../primitives/json.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import { type ExplainFacts, firstEvent, type Leg, legsOf, whenText } from './facts.ts';

/**
 * What to do about a claim whose time has passed. Whether it is still possible, its chain alone knows; and a maker that has not shown its secret yet
 * keeps it, since a claim that loses against the refund of the taker gives away both payments.
 */
export function lateClaim(facts: ExplainFacts): string {
  const [own, other] = legsOf(facts);
  const { owner, coin, text } = other;
  const claim = hashOf(facts, claimEvents(other));
  const payment = named(hashOf(facts, [`${paymentOf(other)}Sent`, `${paymentOf(other)}Received`]));
  if (claim === null && facts.log.role === 'maker') return keptSecret(facts, { own, other, payment });
  const lost =
    facts.log.role === 'maker'
      ? ` Where the ${owner} has refunded it, refund the ${own.owner} payment (${own.text}), unless the ${own.claimant} has spent it.`
      : '';
  if (claim === null) {
    return `Check on the ${coin} chain whether the ${owner} payment of ${text}${payment} is still there. ${raceOf(other, facts)} spend it with the secret${shownAt(facts)} at once.`;
  }
  return `Check on the ${coin} chain whether the claim${named(claim)} is confirmed: where it is, nothing is left to do. Where it is not there, check whether the ${owner} payment of ${text}${payment} is. ${raceOf(other, facts)} spend it with the secret${shownAt(facts)} at once.${lost}`;
}

/** Where a taker's log holds the secret: in what it learnt from the claim of the maker. */
function shownAt({ log }: ExplainFacts): string {
  if (log.role !== 'taker') return '';
  const seq = log.events.findIndex(({ type, data }) => {
    return type === 'TakerPaymentSpent' && isJsonObject(data) && /^[0-9a-f]{64}$/i.test(String(data['secret']));
  });
  return seq < 0 ? '' : ` (event ${seq} holds it)`;
}

type Legs = { readonly own: Leg; readonly other: Leg; readonly payment: string };

function keptSecret(facts: ExplainFacts, { own, other, payment }: Legs): string {
  const { coin, owner, text } = other;
  const failed =
    firstEvent(facts.log, `${paymentOf(other)}SpendFailed`) === undefined
      ? ''
      : ': a claim that was reported as failed may be there';
  const lock = lockOf(own);
  const from = lock === null ? 'once its lock has passed' : `from ${whenText(lock, facts.now)} on`;
  const look = `Check on the ${coin} chain whether the ${owner} payment of ${text}${payment} is spent${failed}.`;
  return `${look} Where it is not, do not claim it any more: a claim that loses against the refund of the ${owner} shows the secret, and the ${own.owner} payment can be lost as well. The ${own.owner} payment (${own.text}) can be refunded ${from}, by the chain's own time, unless the ${own.claimant} has spent it.`;
}

/** `Since … the maker could refund it: where it did, …; where it did not,`, where its lock has passed. */
function raceOf(other: Leg, { now }: ExplainFacts): string {
  const lock = lockOf(other);
  if (lock !== null && now !== undefined && now > lock) {
    return `Since ${whenText(lock, now)} the ${other.owner} could refund it: where it did, it cannot be claimed any more; where it did not,`;
  }
  return 'Where it is,';
}

function lockOf({ claimable }: Leg): UnixSeconds | null {
  return claimable.find(({ how }) => how === 'refund')?.from ?? null;
}

function paymentOf({ owner }: Leg): 'MakerPayment' | 'TakerPayment' {
  return owner === 'maker' ? 'MakerPayment' : 'TakerPayment';
}

function claimEvents(leg: Leg): readonly string[] {
  return leg.owner === 'maker' ? ['MakerPaymentSpent', 'MakerPaymentSpentByWatcher'] : ['TakerPaymentSpent'];
}

/** The id of the transaction that the first of these events holds; a leg names only the one that moved it last. */
function hashOf({ log }: ExplainFacts, types: readonly string[]): string | null {
  const data = firstEvent(log, ...types)?.data;
  const hash = isJsonObject(data) ? data['tx_hash'] : undefined;
  return typeof hash === 'string' && hash !== '' ? hash : null;
}

function named(hash: string | null): string {
  return hash === null ? '' : ` (${hash})`;
}
