import { currentPrepared, type PreparedRecord } from '../../../machines/journal/context.ts';
import type { PaymentTerms, PrepareRequest, SignedTransaction } from '../../ports/chain.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { Leg, NewEvent } from '../command.ts';
import { backoffMillis, MOST_VARIANTS } from '../policy.ts';
import { callUrgency, dearerCallFrom } from '../swap/fee-bumps.ts';
import { signedFor } from '../swap/signed.ts';
import {
  append,
  ask,
  attempted,
  broadcast,
  lookTransaction,
  type Proposal,
  prepared,
  wakeAt,
  wakeIn,
} from '../swap/turn.ts';
import type { WatcherTurn } from './turn.ts';

/*
 * If a payment pays its watchers, a watcher claims or refunds by a call from its own account, and not with what a party signed. Its chain makes the
 * call only while the contract would accept it and the reward pays for it. The watcher repeats it at a higher price while no block includes it, and
 * makes a new one after a block included it without effect. That costs only the watcher.
 */

/** How a watcher ends a payment for a party. */
export type Calling = {
  readonly purpose: 'claim' | 'refund';
  readonly terms: PaymentTerms;
  /** The payment's transaction, as the taker names it. */
  readonly funding: SignedTransaction;
  /** 32 bytes in hex; null for a refund. */
  readonly secret: string | null;
  /** What the log records before the first call. */
  readonly opening: readonly NewEvent[];
  /** What the log records once a node reports that it has the call. */
  readonly taken: (tx: SignedTransaction) => readonly NewEvent[];
};

/** On which chain each of them is. */
export const LEG_OF = { claim: 'maker', refund: 'taker' } as const;

/** Whether a watcher acts there by its own call. */
export function actsByCalls({ inputs }: Pick<WatcherTurn, 'inputs'>, purpose: Calling['purpose']): boolean {
  return onLeg(inputs.traits, LEG_OF[purpose]).rewards === true;
}

/** The next step towards the end of a payment that no look shows as ended. A step that signs rests on a current look. */
export function pushCall(turn: WatcherTurn, calling: Calling): Proposal {
  const record = currentPrepared(turn.journal, calling.purpose);
  if (record === null) return firstCall(turn, calling);
  if (turn.facts.broadcasts.has(record.tx.tx_hash)) return send(turn, calling, record);
  if (record.refused === 'feeTooLow')
    return raise(turn, calling, { record, pause: turn.policy.fees.pause }) ?? send(turn, calling, record);
  if (record.acceptedAt === null && record.refused !== 'nonceUsed') return send(turn, calling, record);
  return follow(turn, calling, record);
}

/** A call that waits for a block: a dearer one replaces it once it has waited long. Null while that is not due. */
export function speedUpCall(turn: WatcherTurn, calling: Calling): Proposal {
  const record = currentPrepared(turn.journal, calling.purpose);
  if (record === null) return null;
  if (turn.facts.broadcasts.has(record.tx.tx_hash)) return send(turn, calling, record);
  // Signed as its replacement, and not sent yet.
  if (record.acceptedAt === null) return send(turn, calling, record);
  return raise(turn, calling, { record, pause: turn.policy.bumpAfter });
}

function firstCall(turn: WatcherTurn, calling: Calling): Proposal {
  const { journal, policy, timing, now } = turn;
  const before = journal.prepared[calling.purpose];
  const last = before.at(-1);
  if (before.length >= MOST_VARIANTS) return null;
  if (last !== undefined) {
    const pauses = { first: policy.confirmationPoll, factor: 2, most: timing.search_interval };
    const due = last.preparedAt + backoffMillis(pauses, before.length);
    if (now < due) return wakeAt(turn, due);
  }
  return sign(turn, calling, { urgency: callUrgency(before), replaces: null });
}

type Variant = { readonly urgency: number; readonly replaces: SignedTransaction | null };

function sign(turn: WatcherTurn, calling: Calling, variant: Variant): Proposal {
  const { purpose, opening } = calling;
  const request = requestOf(turn, calling, variant);
  const made = signedFor(turn.facts, purpose, request);
  if (made === undefined) return ask(turn, LEG_OF[purpose], { op: 'prepare', request, key: `prepare:${purpose}` });
  const record = prepared(purpose, made, { target: calling.funding.tx_hash, urgency: variant.urgency });
  const first = turn.journal.prepared[purpose].length === 0 ? opening : [];
  return append(...first, record, attempted(purpose, made.tx_hash));
}

function requestOf({ inputs }: WatcherTurn, { terms, funding, secret }: Calling, variant: Variant): PrepareRequest {
  const { tx_hex, tx_hash } = funding;
  const common = {
    terms,
    funding: { tx_hex, tx_hash },
    ...variant,
    ...(inputs.unpaid === true ? { unpaid: true } : {}),
  };
  return secret === null ? { purpose: 'refundFor', ...common } : { purpose: 'claimFor', secret, ...common };
}

function send(turn: WatcherTurn, { purpose, taken }: Calling, record: PreparedRecord): Proposal {
  const sent = broadcast(turn, LEG_OF[purpose], { purpose, record });
  return 'pending' in sent ? sent.pending : append(...sent.accepted, ...taken(record.tx));
}

/** What happened to a call whose effect is not seen. */
function follow(turn: WatcherTurn, calling: Calling, record: PreparedRecord): Proposal {
  const { policy, inputs } = turn;
  const { purpose } = calling;
  const leg: Leg = LEG_OF[purpose];
  const { tx_hash } = record.tx;
  const look = lookTransaction(turn, leg, { hash: tx_hash, maxAge: policy.confirmationPoll });
  if ('pending' in look) return look.pending;
  const { status, confirmations } = look.value;
  if (status === 'reverted' || (status === 'conflicted' && confirmations >= onLeg(inputs.traits, leg).finality))
    return append({ type: 'TransactionReverted', data: { purpose, tx_hash } });
  if (status === 'mempool') return raise(turn, calling, { record, pause: policy.bumpAfter });
  return status === 'unknown' ? send(turn, calling, record) : wakeIn(turn, policy.confirmationPoll);
}

type Raising = { readonly record: PreparedRecord; readonly pause: number };

function raise(turn: WatcherTurn, calling: Calling, { record, pause }: Raising): Proposal {
  const { now, journal } = turn;
  const from = dearerCallFrom(record, { variants: journal.prepared[calling.purpose], pause });
  if (from === null) return null;
  return now < from ? wakeAt(turn, from) : sign(turn, calling, { urgency: record.urgency + 1, replaces: record.tx });
}
