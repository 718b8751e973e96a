import type { PreparedRecord } from '../../../../machines/journal/context.ts';
import type { Purpose } from '../../../events/journal.ts';
import type { Leg, NewEvent } from '../../command.ts';
import { MOST_URGENT } from '../../policy.ts';
import { isUrgent } from '../fee-bound.ts';
import { type Look, lookTransaction, type Signing, shownNote, type Turn, wakeAt } from '../turn.ts';

/** Urgency of a new try: more than that of every one that was included without effect, because its gas may not have sufficed. */
export function urgencyAfter(variants: readonly PreparedRecord[], funding: string): number {
  let urgency = 0;
  for (const { target, dead, urgency: tried } of variants) {
    if (target === funding && dead) urgency = Math.max(urgency, Math.min(MOST_URGENT, tried + 1));
  }
  return urgency;
}

/**
 * The urgency at which a wallet is asked for a new try, where nothing that can confirm is signed: none once it could not pay for more. The price of
 * the day may do, and leaves it the most tries.
 */
export function affordable(
  turn: Turn,
  { leg, purpose, urgency }: Pick<Signing, 'leg' | 'purpose' | 'urgency'>,
): number {
  return turn.facts.tries.get(`${leg}:prepare:${purpose}`)?.kind === 'insufficientFunds' ? 0 : urgency;
}

/**
 * Refused for its fee, and not yet for the highest: the next variant offers more, but not at once, because prices fall as they
 * rise. Until then, and beyond the highest, the same one is tried again.
 */
export function isTooCheap(turn: Turn, record: PreparedRecord): boolean {
  const { refused, urgency, preparedAt, attemptedAt } = record;
  if (refused !== 'feeTooLow' || urgency >= MOST_URGENT) return false;
  const from = Math.max(preparedAt, attemptedAt ?? 0) + turn.policy.fees.pause * 1000;
  if (turn.now >= from) return true;
  wakeAt(turn, from);
  return false;
}

/** Refusals after which the same transaction can never confirm. */
const GONE_FOR_GOOD: ReadonlySet<string | null> = new Set(['inputsSpent', 'nonceUsed', 'invalid']);

/**
 * Whether the network has said anything of a variant for which another one may be signed: a node took it or an equal one, a look shows it, or
 * it can never confirm. Where nodes only fail to answer, nothing was shown to be too cheap.
 */
export function isJudged(
  { tx, refused }: PreparedRecord,
  { variants, shown }: { readonly variants: readonly PreparedRecord[]; readonly shown: string | undefined },
): boolean {
  if (tx.tx_hash === shown || GONE_FOR_GOOD.has(refused)) return true;
  return variants.some((one) => one.acceptedAt !== null && one.tx.tx_hash === tx.tx_hash);
}

/**
 * Which variant goes out while the chain shows none: the cheapest that a node has now, or that none has refused of late, so that
 * a price that has fallen again is what is paid. The dearest when time runs out, and where no node replaces one by another.
 */
export function variantToSend(turn: Turn, leg: Leg, variants: readonly PreparedRecord[]): PreparedRecord | null {
  const last = variants.at(-1) ?? null;
  const answered = variants.find(({ tx }) => turn.facts.broadcasts.has(tx.tx_hash));
  if (answered !== undefined) return answered;
  if (isUrgent(turn, leg) || variants.some(({ refused }) => refused === 'noReplacement')) return last;
  return variants.find((record) => record === last || isWorthATry(turn, leg, record)) ?? null;
}

/**
 * The variant that the network has although a node refused one: it came there by another way, or the answer to it was lost. To be
 * asked before another is signed or sent, because what replaces a settled one would stand beside it.
 */
export function shownVariant(turn: Turn, leg: Leg, variants: readonly PreparedRecord[]): Look<ShownVariant | null> {
  if (!variants.some(({ refused }) => RIVALS.has(refused))) return { value: null };
  for (const record of variants) {
    if (record.attemptedAt === null) continue;
    const look = lookTransaction(turn, leg, { hash: record.tx.tx_hash, maxAge: turn.policy.confirmationPoll });
    if ('pending' in look) return look;
    const { status, confirmations } = look.value;
    if (status === 'mempool' || status === 'confirmed') return { value: { record, confirmations } };
  }
  return { value: null };
}

/** Refusals behind which another variant may be. What found no answer is sent again, which changes nothing. */
const RIVALS: ReadonlySet<string | null> = new Set(['feeTooLow', 'noReplacement', 'inputsSpent', 'nonceUsed']);

export type ShownVariant = { readonly record: PreparedRecord; readonly confirmations: number };

/** The variant that a node has just taken, with the note of it that the log does not hold yet; null where there is none. */
export function justTaken(turn: Turn, purpose: Purpose): JustTaken | null {
  const { journal, facts } = turn;
  if (facts.broadcasts.size === 0) return null;
  const isTaken = ({ tx, acceptedAt }: PreparedRecord) =>
    acceptedAt === null && facts.broadcasts.get(tx.tx_hash)?.ok === true;
  const record = journal.prepared[purpose].find(isTaken);
  return record === undefined ? null : { record, accepted: shownNote(turn, { purpose, record, confirmations: 0 }) };
}

export type JustTaken = { readonly record: PreparedRecord; readonly accepted: readonly NewEvent[] };

/** The same while the chain shows one of them unconfirmed: that one for its time, and then the next dearer. */
export function variantToFollow(
  turn: Turn,
  leg: Leg,
  { variants, shown }: { readonly variants: readonly PreparedRecord[]; readonly shown: string | undefined },
): PreparedRecord | 'wait' | null {
  const last = variants.at(-1) ?? null;
  const answered = variants.find(({ tx }) => turn.facts.broadcasts.has(tx.tx_hash));
  const index = variants.findIndex(({ tx }) => tx.tx_hash === shown);
  if (answered !== undefined || index < 0 || index === variants.length - 1) return answered ?? last;
  const record = variants[index] as PreparedRecord;
  const dearer = variants.slice(index + 1);
  const signed = dearer.find(({ refused, acceptedAt }) => refused === null && acceptedAt === null);
  if (signed !== undefined) return signed;
  const since = Math.max(record.acceptedAt ?? record.preparedAt, turn.journal.retryAt ?? 0);
  if (turn.now - since <= turn.policy.bumpAfter * 1000) return 'wait';
  return dearer.find((one) => one === last || one.refused === null || isWorthATry(turn, leg, one)) ?? null;
}

function isWorthATry(turn: Turn, leg: Leg, { refused, refusedAt, acceptedAt, tx }: PreparedRecord): boolean {
  const { now, policy, facts } = turn;
  if (refused === null) return acceptedAt !== null && now - acceptedAt <= policy.bumpAfter * 1000;
  if (refused !== 'feeTooLow' || now - (refusedAt ?? 0) <= policy.fees.retryCheaper * 1000) return false;
  const tried = facts.tries.get(`${leg}:broadcast:${tx.tx_hash}`);
  return tried === undefined || tried.kind !== 'feeTooLow' || tried.next <= now;
}

/**
 * Waits for a nonce that nobody uses any more, and its predecessor did so for long: the next variant takes the least free nonce
 * instead of the same one. Two of them do no harm, because a payment is spent but once.
 */
export function isBlocked(turn: Turn, variants: readonly PreparedRecord[], record: PreparedRecord): boolean {
  if (record.refused !== 'nonceGap' || record.urgency >= MOST_URGENT) return false;
  const before = variants[variants.indexOf(record) - 1];
  // One that a block took, or that lost its place, waited for nothing.
  return before !== undefined && !before.dead && record.preparedAt - before.preparedAt > turn.policy.bumpAfter * 1000;
}
