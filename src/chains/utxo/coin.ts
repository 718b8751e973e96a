import type { ScriptScheme } from '../../htlc/script.ts';
import type { TransactionForm } from '../../htlc/spend.ts';
import type { Seconds } from '../../primitives/time.ts';

/** What the transactions of one coin look like, and by which rules its nodes relay them. */
export type UtxoCoin = {
  /** Ticker. */
  readonly coin: string;
  /** Digits after the point of one coin unit. */
  readonly decimals: number;
  readonly form: TransactionForm;
  /** Of every signature: SIGHASH_ALL, with the fork id where the chain demands it. */
  readonly hashType: number;
  /** Consensus branch that signatures of the overwintered forms commit to. @defaultValue that of the version */
  readonly branchId?: number;
  /** Form of the own address, and so of the wallet's coins. */
  readonly address: 'p2pkh' | 'p2wpkh';
  /** How payments commit to their redeem script. */
  readonly scheme: ScriptScheme;
  /** Least value of an output that nodes relay, in base units. */
  readonly dust: bigint;
  /** Depth from which a spend counts as final. */
  readonly finality: number;
  /** Nominal time between two blocks. */
  readonly blockTime: Seconds;
  /** Confirmations from which the reward of a block may be spent. */
  readonly maturity: number;
  /** Blocks whose times the chain's clock is the median of: 11 on all but a few chains. */
  readonly medianBlocks: number;
  /**
   * How far a lock time may lie behind the chain's clock for nodes to accept the transaction: Komodo's own chain, which pays interest by lock times,
   * accepts none older than an hour. @defaultValue any age
   */
  readonly oldestLock?: Seconds;
  /**
   * Whether blocks are made by stakes too: a transaction whose first output is empty, which pays out the stake, its reward, and what contracts left of
   * their gas. All of it may be spent as late as any reward. @defaultValue false
   */
  readonly stakes?: boolean;
  /** Whether outputs may hold tokens by a message of their transaction, which are not spent then. @defaultValue none do */
  readonly tokens?: 'slp';
  readonly fees: FeeRule;
};

/** Base units for 1,000 virtual bytes. */
export type FeeRate = bigint;

/** What transactions pay, in base units for 1,000 virtual bytes. */
export type FeeRule = {
  /** The offer at urgency 0; null to ask the node. */
  readonly rate: FeeRate | null;
  /** The least offer: what nodes relay. Also the least that a replacement pays for its own bytes (BIP 125, rule 4). */
  readonly floor: FeeRate;
  /** The highest offer, however urgent. */
  readonly ceiling: FeeRate;
  /** What to ask the node if there is no rate. @defaultValue within 2 blocks */
  readonly estimate?: FeeQuestion;
  /** By how many percent to raise the quoted fees of a swap before it starts. @defaultValue 0 */
  readonly volatility?: number;
  /** Whether a rate is never below what the node itself relays. @defaultValue false */
  readonly relayFloor?: boolean;
};

/** How to ask a node what a transaction should pay. */
export type FeeQuestion = {
  /** Within how many blocks it should be included. */
  readonly blocks: number;
  /** Null to leave it to the node. */
  readonly mode: 'ECONOMICAL' | 'CONSERVATIVE' | 'UNSET' | null;
};

export const USUAL_QUESTION: FeeQuestion = { blocks: 2, mode: null };

/** A fee as it may be when it is paid. */
export function feeLater({ volatility = 0 }: FeeRule, fee: bigint): bigint {
  const millionths = BigInt(Math.round(volatility * 10_000));
  return fee + (fee * millionths + 999_999n) / 1_000_000n;
}

/** The fee of so many virtual bytes, rounded up, in base units. */
export function feeAt(rate: FeeRate, size: number): bigint {
  return (rate * BigInt(size) + 999n) / 1000n;
}

/** The rate at which a fee pays for so many virtual bytes, rounded up. */
export function rateOf(fee: bigint, size: number): FeeRate {
  return (fee * 1000n + BigInt(size) - 1n) / BigInt(size);
}

/** Half as much more for each step of urgency, within the limits of the rule. */
export function rateAt(
  { floor, ceiling }: FeeRule,
  { rate, urgency }: { readonly rate: FeeRate; readonly urgency: number },
): FeeRate {
  const steps = BigInt(Math.max(0, Math.min(urgency, MOST_STEPS)));
  const raised = (rate * 3n ** steps + 2n ** steps - 1n) / 2n ** steps;
  const offered = raised < floor ? floor : raised;
  return offered > ceiling ? ceiling : offered;
}

/** Beyond this, every ceiling is reached. */
const MOST_STEPS = 40;

/** A fee, or as much of it as the limit permits; null if that is less than the least. */
export function feeWithin(
  wanted: bigint,
  { least, maxFee }: { readonly least: bigint; readonly maxFee: bigint | null },
): bigint | null {
  const fee = wanted < least ? least : wanted;
  if (maxFee === null || fee <= maxFee) return fee;
  return maxFee >= least ? maxFee : null;
}
