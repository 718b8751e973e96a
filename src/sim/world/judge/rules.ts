import type { Seconds } from '../../../primitives/time.ts';

/** The money rules that every run must keep. */
export const RULES = {
  R1: 'a taker pays only against a payment that is valid, confirmed and unspent at that moment, and only in time',
  R2: 'once the secret is known, a party does not refund its payment, and does not give up a claim that can succeed',
  R3: 'a party broadcasts a refund only when the chain can accept it, and ends no swap while its payment is locked',
  R4: 'what an event says about the end of a payment is true on the chain',
  R5: 'at most one payment and one fee of a party reach the chain',
  R6: 'at the end of the run a completed swap has its coins, and a refunded swap has its own coins back',
  R7: 'a party that follows the protocol loses only fees, and no coin is created or lost',
  R8: 'nothing is broadcast that the log does not hold, and nothing is reported that is not durable',
  R9: 'a maker reveals its secret only against a confirmed payment, and only in time',
  R10: 'every swap ends',
  R11: 'what a party tells the other side, and what it pays, is what both agreed on, to the last digit',
  R12: 'the fees of a party stay below a multiple of the price of the day, and below a share of what they bring',
  R13: 'if nothing goes wrong and both parties follow the protocol, they swap',
  R14: 'what a party is told about its swap, and when it is due, agrees with the terms, the stored events and the ledgers',
  R15: 'what a party is told that it can recover is what the ledgers let it have',
  R16: 'nothing is repeated sooner or more often than published, and no wait ends in the past',
  R17: 'a watcher acts when its time has come and not before, and what its log says is true',
  R18: 'a payment promises watchers what was asked for and no more, and its reward goes once, to whom the contract says',
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
