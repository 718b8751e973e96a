import type { Want } from '../../../../machines/definition.ts';
import { secretHashKey } from '../../../events/things.ts';
import {
  checkMakerOffer,
  checkTakerReply,
  MAKER_REFUSED,
  negotiationTimeout,
} from '../../../htlc/check-negotiation.ts';
import type { NegotiationMessage } from '../../../htlc/negotiation.ts';
import type { NewEvent } from '../../command.ts';
import { append, type Proposal, sentLately, type Turn } from '../turn.ts';
import { secretTaken } from './own-things.ts';
import { deadlineReached } from './pay.ts';
import { waitedTooLong } from './waiting.ts';

/**
 * The taker waits for the offer, checks it, answers, and waits for the maker's confirmation. Each of the two waits has its own limit; the second
 * counts from the acceptance of the offer.
 */
export function negotiateAsTaker(turn: Turn, want: Want): Proposal {
  const { facts, journal, events, swap, policy } = turn;
  const kept = journal.messages['negotiation'];
  const own = events.negotiationTerms();
  if (own === null) return null;
  const offer = offerOf(kept) ?? offerOf(facts.inbox.get('negotiation'));
  const strange = kept === undefined && offer !== null ? ofAnother(turn, offer) : null;
  // A late offer is not accepted, even though it arrived.
  const missed = kept === undefined ? timeout(turn, want) : null;
  if (missed !== null) return append(...(strange === null ? missed : [missed[0] as NewEvent, failed(strange)]));
  if (offer === null) return null;
  // Someone may have repeated another swap's offer here: this swap's offer may still come.
  if (strange !== null && want.wait !== undefined) return null;
  // What came before the reply went out is not an answer to it: somebody may have repeated another swap's message.
  const answer = facts.sentAt.has('negotiationReply') ? facts.inbox.get('negotiated') : undefined;
  const settled = kept === undefined || answer?.kind === 'negotiated';
  const late = settled ? null : timeout(turn, want);
  // The reply was sent, so the offer was found good: it is not judged again at every look.
  if (!settled && late === null && sentLately(turn, 'negotiationReply', policy.resend.negotiation)) return null;
  const judged = checkMakerOffer(offer, own);
  if (!judged.ok) return append(failed(judged.error));
  const taken = ofAnother(turn, judged.negotiated);
  if (taken !== null) return append(failed(taken));
  if (late !== null) return append(...late);
  if (kept === undefined) return append({ type: 'MessageReceived', data: { message: { kind: 'negotiation', offer } } });
  if (answer?.kind === 'negotiated') {
    return append(answer.accepted ? { type: 'Negotiated', data: judged.negotiated } : failed(MAKER_REFUSED));
  }
  const reply = events.negotiationReply(judged.negotiated);
  return { kind: 'send', topic: `swap/${swap.uuid}`, message: { kind: 'negotiationReply', reply } };
}

/** Why an offer is not for this swap: another swap of the node has its secret hash. */
function ofAnother(turn: Turn, { secret_hash }: { readonly secret_hash: string }): string | null {
  const taken = secretTaken(turn, secret_hash);
  return taken === null ? null : `!maker_data.secret_hash: ${taken}`;
}

function offerOf(message: unknown): NegotiationMessage | null {
  if (typeof message !== 'object' || message === null) return null;
  const { kind, offer } = message as { readonly kind?: unknown; readonly offer?: NegotiationMessage };
  return kind === 'negotiation' && offer !== undefined ? offer : null;
}

/** The maker repeats its offer until the reply comes, and checks that. */
export function negotiateAsMaker(turn: Turn, want: Want): Proposal {
  const { facts, events, swap, policy } = turn;
  const own = events.negotiationTerms();
  if (own === null) return null;
  const message = facts.inbox.get('negotiationReply');
  if (message?.kind === 'negotiationReply' && isForOffer(turn, message.reply)) {
    const judged = checkTakerReply(message.reply, own);
    if (judged.ok) return append({ type: 'Negotiated', data: judged.negotiated });
    return refuse(turn, [failed(judged.error)]);
  }
  const late = timeout(turn, want);
  if (late !== null) return refuse(turn, late);
  if (sentLately(turn, 'negotiation', policy.resend.negotiation)) return null;
  const offer = events.negotiationOffer();
  return offer === null ? null : { kind: 'send', topic: `swap/${swap.uuid}`, message: { kind: 'negotiation', offer } };
}

/**
 * Whether a reply answers the own offer: it echoes the secret hash. One that echoes another hash belongs to another swap, and somebody may have
 * repeated it here; one that echoes none is accepted as it is.
 */
function isForOffer({ events }: Turn, { secret_hash }: { readonly secret_hash: string }): boolean {
  const echoed = secretHashKey(secret_hash);
  const own = echoed === null ? null : events.negotiationOffer();
  return own === null || secretHashKey(own.secret_hash) === echoed;
}

/** The maker tells the taker once before it closes the swap, so the taker need not wait. */
function refuse({ facts, swap }: Turn, closing: readonly NewEvent[]): Proposal {
  if (facts.sentAt.has('negotiated')) return append(...closing);
  return { kind: 'send', topic: `swap/${swap.uuid}`, message: { kind: 'negotiated', accepted: false } };
}

function timeout(turn: Turn, want: Want): readonly NewEvent[] | null {
  const { wait } = want;
  const elapsed = wait === undefined ? null : waitedTooLong(turn, wait);
  if (wait === undefined || elapsed === null) return null;
  return [deadlineReached(turn, want), failed(negotiationTimeout(elapsed, wait.limit))];
}

function failed(error: string): NewEvent {
  return { type: 'NegotiateFailed', data: { error } };
}
