import type { NegotiationMessage } from '../../htlc/negotiation.ts';

/** Negotiation messages in the form in which each first went out; null before. */
export type Wire = { offer: NegotiationMessage | null; reply: NegotiationMessage | null };
