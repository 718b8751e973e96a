import type { PreparedRecord } from '../../../../machines/journal/context.ts';
import type { Purpose } from '../../../events/journal.ts';
import type { Leg, NewEvent } from '../../command.ts';
import { isUrgent } from '../fee-bound.ts';
import type { Dearer } from '../fee-bumps.ts';
import { type Look, lookTransaction, shownNote, type Turn, wakeAt } from '../turn.ts';

/** Whether to sign a dearer variant now; if its time is still to come, the turn wakes then. */
export function isDue(turn: Pick<Turn, 'now' | 'wakeAt'>, { due, from }: Dearer): boolean {
  if (from !== null && turn.now < from) wakeAt(turn, from);
  return due;
}

/**
 * Which variant goes out while the chain shows none: the cheapest that a node has now, or that none has refused recently, so that a fallen price is
 * what the swap pays. The dearest if time runs out, or if no node replaces one by another.
 */
export function variantToSend(turn: Turn, leg: Leg, variants: readonly PreparedRecord[]): PreparedRecord | null {
  const last = variants.at(-1) ?? null;
  const answered = variants.find(({ tx }) => turn.facts.broadcasts.has(tx.tx_hash));
  if (answered !== undefined) return answered;
  if (isUrgent(turn, leg) || variants.some(({ refused }) => refused === 'noReplacement')) return last;
  return variants.find((record) => record === last || isWorthATry(turn, leg, record)) ?? null;
}

/**
 * The variant that the network has although a node refused one: it arrived another way, or its answer was lost. Ask before another is signed or sent,
 * because a replacement of a settled variant would stand beside it.
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

/** Refusals that another variant may have caused. What got no answer is sent again, which changes nothing. */
const RIVALS: ReadonlySet<string | null> = new Set(['feeTooLow', 'noReplacement', 'inputsSpent', 'nonceUsed']);

export type ShownVariant = { readonly record: PreparedRecord; readonly confirmations: number };

/** The variant that a node has just accepted, with the record of it that the log does not hold yet; null if there is none. */
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
