/** The rules that a market must keep, wallet by wallet and over all swaps. */
export const MARKET_RULES = {
  M1: 'over all its swaps, a party that follows the protocol gets at least what it gives, minus fees',
  M2: 'at the end, none of its coins are left locked',
  M3: 'each swap has at most one payment and one fee of a party on the chains',
  M4: 'one payment, one claim and one fee serve one swap',
  M5: 'what the log says about the end of a swap is true on the chains',
  M6: 'the log holds everything that is broadcast',
  M7: 'every swap that began ends',
  M8: 'no coin is created or lost',
  M9: 'a wallet that owes nothing can spend all that it has',
  M11: 'what a node tells its user about locks, swaps, orders, shortages and counts is true',
  M12: 'a node refuses an invalid request for what is wrong with it, and writes nothing',
  M13: 'the engine acts at once on what the feed of a chain reports',
  M14: 'every engine comes to rest, and no log grows without end',
  M15: 'a payment promises watchers only what it may, and on a chain that pays rewards each wallet has what its calls add up to, to the last digit',
  M10: 'if nothing goes wrong, nobody cheats and nobody is poor, every swap completes',
} as const;

export type MarketRule = keyof typeof MARKET_RULES;

export type MarketViolation = {
  readonly rule: MarketRule;
  readonly party: string;
  /** Place of the swap in the market; null for what concerns a whole wallet. */
  readonly swap: number | null;
  readonly text: string;
};

/** What happened to a party's own payment in one swap, by the chains alone. */
export type MarketEnding = {
  readonly party: string;
  readonly swap: number;
  readonly role: 'maker' | 'taker';
  readonly own: 'none' | 'open' | 'taken' | 'back';
};

export type MarketJudgement = {
  readonly violations: readonly MarketViolation[];
  readonly endings: readonly MarketEnding[];
};

/** An untrue statement of a node, as a violation without its party. */
export type Untruth = Omit<MarketViolation, 'party'>;

/** Receives a finding. */
export type Report = (violation: MarketViolation) => void;

/** Rules that hold for a party whatever goes wrong around it; it may break the others if it gives up an assumption. */
export const UNCONDITIONAL: ReadonlySet<MarketRule> = new Set([
  'M3',
  'M4',
  'M6',
  'M8',
  'M11',
  'M12',
  'M13',
  'M14',
  'M15',
]);
