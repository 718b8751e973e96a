import type { Want } from '../../../machines/definition.ts';
import { checkMakerOffer, checkTakerReply, MAKER_REFUSED, negotiationTimeout } from '../../htlc/check-negotiation.ts';
import type { NegotiationMessage } from '../../htlc/negotiation.ts';
import { append, latestClock, type Proposal, resend, type Turn, wakeAt } from '../turn.ts';
import { deadlineReached } from './pay.ts';

/** The taker waits for the offer, checks it, answers, and waits for the maker's word. */
export function negotiateAsTaker(turn: Turn, want: Want): Proposal {
  const { facts, journal, events, swap, policy } = turn;
  const kept = journal.messages['negotiation'];
  const offer = offerOf(kept) ?? offerOf(facts.inbox.get('negotiation'));
  const own = events.negotiationTerms();
  if (own === null) return null;
  if (offer === null) return timeout(turn, want);
  const judged = checkMakerOffer(offer, own);
  if (!judged.ok) return append({ type: 'NegotiateFailed', data: { error: judged.error } });
  if (kept === undefined) return append({ type: 'MessageReceived', data: { message: { kind: 'negotiation', offer } } });
  const answer = facts.inbox.get('negotiated');
  if (answer?.kind === 'negotiated') {
    if (answer.accepted) return append({ type: 'Negotiated', data: judged.negotiated });
    return append({ type: 'NegotiateFailed', data: { error: MAKER_REFUSED } });
  }
  const late = timeout(turn, want);
  if (late !== null) return late;
  const reply = events.negotiationReply(judged.negotiated);
  const topic = `swap/${swap.uuid}`;
  return resend(turn, { topic, message: { kind: 'negotiationReply', reply }, every: policy.resend.negotiation });
}

function offerOf(message: unknown): NegotiationMessage | null {
  if (typeof message !== 'object' || message === null) return null;
  const { kind, offer } = message as { readonly kind?: unknown; readonly offer?: NegotiationMessage };
  return kind === 'negotiation' && offer !== undefined ? offer : null;
}

/** The maker offers until the reply is there, and checks it. */
export function negotiateAsMaker(turn: Turn, want: Want): Proposal {
  const { facts, events, swap, policy } = turn;
  const own = events.negotiationTerms();
  const offer = events.negotiationOffer();
  if (own === null || offer === null) return null;
  const topic = `swap/${swap.uuid}`;
  const message = facts.inbox.get('negotiationReply');
  if (message?.kind === 'negotiationReply') {
    const judged = checkTakerReply(message.reply, own);
    if (judged.ok) return append({ type: 'Negotiated', data: judged.negotiated });
    // Told once before the swap is closed, so that the taker need not wait.
    if (!facts.sentAt.has('negotiated'))
      return { kind: 'send', topic, message: { kind: 'negotiated', accepted: false } };
    return append({ type: 'NegotiateFailed', data: { error: judged.error } });
  }
  return (
    timeout(turn, want) ??
    resend(turn, { topic, message: { kind: 'negotiation', offer }, every: policy.resend.negotiation })
  );
}

function timeout(turn: Turn, want: Want): Proposal {
  if (want.until === undefined) return null;
  const now = latestClock(turn);
  if (now <= want.until) return wakeAt(turn, want.until + 1);
  const limit = Math.floor((want.until - turn.swap.lastEventAt) / 1000);
  const error = negotiationTimeout(limit + 1, limit);
  return append(deadlineReached(want), { type: 'NegotiateFailed', data: { error } });
}
