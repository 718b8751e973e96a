import type { Seconds } from '../../../primitives/time.ts';

/** The money rules that every run is held against. */
export const RULES = {
  R1: 'a taker pays only against a payment that is valid, confirmed and unspent in that moment, and in time',
  R2: 'once the secret is known the own payment is not refunded, and the claim is not given up while it can succeed',
  R3: 'a refund is broadcast only when the chain can take it, and a swap does not end while the own payment is locked',
  R4: 'what an event says of the end of a payment is so on the chain',
  R5: 'at most one payment and one fee of a party reach the chain',
  R6: 'a completed swap has its coins at the end of the run, a refunded one its own back',
  R7: 'a party that follows the protocol loses nothing but fees, and no coin is made or lost',
  R8: 'nothing is broadcast that the log does not hold, and nothing is told that is not durable',
  R9: 'the secret of a maker leaves it only against a payment that is confirmed and in time',
  R10: 'every swap comes to its end',
  R11: 'what a party tells the other side and what it pays are what both agreed on, to the last digit',
  R12: 'the fees of a party stay below a multiple of the price of the day and a share of what they bring',
  R13: 'where nothing goes wrong and both parties follow the protocol, they swap',
  R14: 'what a party is told of its swap, and when it is due, is what the terms, the stored events and the ledgers say',
  R15: 'what a party is told that it can get back is what the ledgers let it have',
  R16: 'nothing is repeated sooner or more often than published, and no wait ends in the past',
  R17: 'a watcher acts when its time has come and not before, and what its log says is so',
  R18: 'a payment promises to watchers what was asked for and no more, and its reward goes once, to whom the contract says',
} as const;

export type RuleId = keyof typeof RULES;

/** A broken rule: which one, whose, when and how. */
export type Violation = {
  readonly rule: RuleId;
  readonly party: 'maker' | 'taker';
  /** Seconds from the start of the world. */
  readonly at: Seconds;
  readonly text: string;
};

/** Notes a broken rule of a party. */
export type Report = (rule: RuleId, text: string) => void;
