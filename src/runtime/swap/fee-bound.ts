import type { BigNumber } from 'bignumber.js';
import { raceBegins } from '../../../machines/deadlines/race.ts';
import { currentPrepared, type JournalContext, variantWith } from '../../../machines/journal/context.ts';
import { CHILD_OF, type Purpose, type Raised, raisedBy } from '../../events/journal.ts';
import type { StoredTradeFee } from '../../htlc/locked-amount.ts';
import type { ChainTraits, PrepareRequest } from '../../ports/chain.ts';
import { amountsOf } from '../../primitives/amounts.ts';
import { type DecimalText, toBigNumber } from '../../primitives/decimal.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { Millis } from '../../primitives/time.ts';
import type { Leg } from '../command.ts';
import type { Facts } from '../facts.ts';
import { likelyClock } from '../latest-clock.ts';
import type { Policy } from '../policy.ts';
import type { SwapFacts } from './swap-facts.ts';
import { placeOf, withoutEffect } from './variant-count.ts';

/*
 * How much a fee may be. It follows from the log, the policy and the clock alone, so a restart forgets neither limits nor what was spent.
 */

/** The part of a turn that limits a fee. */
type Bounding = {
  readonly now: Millis;
  readonly facts: Facts;
  readonly swap: Pick<SwapFacts, 'role' | 'own' | 'ownTerms' | 'otherTerms' | 'race' | 'claimFee'>;
  readonly policy: Pick<Policy, 'fees'>;
  readonly traits: Readonly<Record<Leg, Pick<ChainTraits, 'coin' | 'decimals' | 'minTxAmount'>>>;
  readonly journal: Pick<JournalContext, 'request' | 'prepared' | 'feesAllowed'>;
  readonly context: { readonly started: object | null };
};

/**
 * Whether time runs out for a spend on this chain: the other side can soon refund the payment that this side claims, or, if a taker refunds its own,
 * claim that and keep both. Two of three clocks must say so: a lying node triggers no last-moment fee.
 */
export function isUrgent(turn: Bounding, leg: Leg): boolean {
  const { swap } = turn;
  if (swap.race === null || (leg === swap.own && swap.role === 'maker')) return false;
  return likelyClock(turn) > raceBegins(swap.race);
}

/** The same request with its highest fee. */
export function bounded<R extends PrepareRequest>(turn: Bounding, { leg, purpose }: Subject, request: R): R {
  const raised = raisedBy(purpose);
  const maxFee =
    request.purpose === 'child' && raised !== null
      ? lessPaid(turn, { leg, purpose: raised }, request.parent.tx_hash)
      : boundOf(turn, { leg, purpose, doubtful: 'doubtful' in request && request.doubtful === true });
  return maxFee === null ? request : { ...request, maxFee };
}

/** A child and everything that it brings along may together cost no more than its parent alone might have. */
function lessPaid(turn: Bounding, subject: Subject & { readonly purpose: Raised }, parent: string): DecimalText | null {
  const bound = boundOf(turn, subject);
  if (bound === null) return null;
  const { prepared } = turn.journal;
  const children = prepared[CHILD_OF[subject.purpose]];
  let paid = toBigNumber(NOTHING);
  let hash = parent;
  for (let child = variantWith(children, hash); child !== undefined; child = variantWith(children, hash)) {
    paid = paid.plus(child.tx.fee ?? NOTHING);
    hash = child.target ?? '';
  }
  // A watcher's transaction cost about as much as the first own one.
  const raised = variantWith(prepared[subject.purpose], hash) ?? prepared[subject.purpose][0];
  const left = toBigNumber(bound)
    .minus(paid)
    .minus(raised?.tx.fee ?? NOTHING);
  return (left.gt(NOTHING) ? left.toFixed() : NOTHING) as DecimalText;
}

type Subject = {
  readonly leg: Leg;
  readonly purpose: Purpose;
  /** Whether only too few servers say so: a lying one triggers no last-moment fee. @defaultValue false */
  readonly doubtful?: boolean;
};

/**
 * In units of the coin that pays the fee; null for no limit. An operator's allowance counts if it is higher; but no claim or refund costs more than
 * it brings.
 */
function boundOf(turn: Bounding, subject: Subject): DecimalText | null {
  const bound = policyBoundOf(turn, subject);
  const allowed = onLeg(turn.journal.feesAllowed, subject.leg);
  if (bound === null || allowed === null) return bound;
  const most = isTaking(subject.purpose) ? broughtBy(turn, subject) : null;
  if (allowed === 'any') return most;
  const raised = toBigNumber(allowed).gt(bound) ? toBigNumber(allowed) : toBigNumber(bound);
  return (most !== null && raised.gt(most) ? most : raised.toFixed()) as DecimalText;
}

/**
 * By the policy. A transaction that voids the own payment must pay more than the payment does, so its limit counts from there: otherwise a payment
 * whose fee is near the limit could never be voided.
 */
function policyBoundOf(turn: Bounding, subject: Subject): DecimalText | null {
  const bound = plainBoundOf(turn, subject);
  if (bound === null || subject.purpose !== 'void') return bound;
  const replaced = currentPrepared(turn.journal, 'payment')?.tx.fee;
  return replaced === undefined ? null : (toBigNumber(bound).plus(replaced).toFixed() as DecimalText);
}

function plainBoundOf(turn: Bounding, { leg, purpose, doubtful = false }: Subject): DecimalText | null {
  const { policy, traits } = turn;
  const { fees } = policy;
  const amount = amountOn(turn, leg);
  if (!Number.isFinite(fees.share) || amount === null) return null;
  const { coin, decimals } = onLeg(traits, leg);
  const started = startedFee(turn, purpose);
  const most = fees.most[started?.coin ?? coin] ?? null;
  const least = started === null ? null : toBigNumber(started.amount).times(fees.factor);
  const urgent = isTaking(purpose) && !doubtful && isUrgent(turn, leg);
  if (started !== null && started.coin !== coin) {
    if (most !== null || urgent) return most;
    return least === null ? null : (lessBurnt(turn, purpose, least).toFixed() as DecimalText);
  }
  const share = toBigNumber(amount).times(fees.share);
  const bound = lessBurnt(turn, purpose, least?.gt(share) === true ? least : share);
  if (urgent) return atLast(turn, { leg, purpose }, bound);
  const lowest = most !== null && toBigNumber(most).lt(bound) ? toBigNumber(most) : bound;
  return lowest.decimalPlaces(decimals, ROUND_DOWN).toFixed() as DecimalText;
}

/** The cost of attempts without effect counts against the limit, but never leaves less of it than this fraction. */
const LEAST_PART = 5;

function lessBurnt(turn: Bounding, purpose: Purpose, bound: BigNumber): BigNumber {
  const burnt = burntFor(turn, purpose);
  // A division to all places costs as much time as the rest of this calculation.
  if (burnt.isZero()) return bound;
  const left = bound.minus(burnt);
  const least = bound.div(LEAST_PART);
  return left.gt(least) ? left : least;
}

/** At the last moment, a fee may be everything that the claim still brings, less what attempts have cost. */
function atLast(turn: Bounding, subject: Subject, bound: BigNumber): DecimalText | null {
  const brought = broughtBy(turn, subject);
  if (brought === null) return null;
  const left = toBigNumber(brought).minus(burntFor(turn, subject.purpose));
  const most = left.gt(bound) ? left : bound;
  return (most.gt(brought) ? toBigNumber(brought) : most)
    .decimalPlaces(onLeg(turn.traits, subject.leg).decimals, ROUND_DOWN)
    .toFixed() as DecimalText;
}

/** The most that claims or refunds without effect have cost. Of those that take the same, only one was included. */
function burntFor({ journal }: Bounding, purpose: Purpose): BigNumber {
  const dearest = new Map<string, BigNumber>();
  for (const record of isTaking(purpose) ? withoutEffect(journal.prepared[purpose]) : []) {
    const fee = toBigNumber(record.tx.fee ?? NOTHING);
    const place = placeOf(record);
    if (record.acceptedAt !== null && fee.gt(dearest.get(place) ?? -1)) dearest.set(place, fee);
  }
  return [...dearest.values()].reduce((sum, fee) => sum.plus(fee), toBigNumber(NOTHING));
}

const ROUND_DOWN = 1;

const NOTHING = '0' as DecimalText;

/** What a claim or a refund brings, less the least amount that can be sent; null if another coin pays its fee. */
function broughtBy(turn: Bounding, { leg, purpose }: Subject): DecimalText | null {
  const { coin, decimals, minTxAmount } = onLeg(turn.traits, leg);
  const amount = amountOn(turn, leg);
  const feeCoin = startedFee(turn, purpose)?.coin ?? coin;
  if (amount === null || feeCoin !== coin) return null;
  const { parse, format } = amountsOf(decimals);
  const whole = parse(amount) - minTxAmount;
  return format(whole > 0n ? whole : 0n);
}

/** What the swap moves on a chain; null if the log does not say. */
function amountOn(turn: Bounding, leg: Leg): DecimalText | null {
  const { swap } = turn;
  return (leg === swap.own ? swap.ownTerms : swap.otherTerms)?.amount ?? volumeOf(turn, leg);
}

/** Purposes that bring coins back. */
function isTaking(purpose: Purpose): boolean {
  return purpose === 'claim' || purpose === 'refund';
}

function volumeOf({ journal }: Bounding, leg: Leg): DecimalText | null {
  return (leg === 'maker' ? journal.request?.maker_amount : journal.request?.taker_amount) ?? null;
}

/** The fee that the swap accepted when it started; null if the log does not say. */
function startedFee({ swap, context }: Bounding, purpose: Purpose): StoredTradeFee {
  if (purpose === 'claim') return swap.claimFee;
  const started = context.started as { readonly [name: string]: unknown } | null;
  const name = purpose === 'fee' ? 'fee_to_send_taker_fee' : `${swap.role}_payment_trade_fee`;
  return (started?.[name] as StoredTradeFee | undefined) ?? null;
}
