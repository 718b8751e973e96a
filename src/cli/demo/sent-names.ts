/** What a process hands to the network, each once in a good swap. Separate from the chains, because the help names it and must load little. */
export const SENT_NAMES = ['taker-fee', 'taker-payment', 'maker-payment', 'maker-claim', 'taker-claim'] as const;

export type SentName = (typeof SENT_NAMES)[number];
