import type { UtxoCoin } from '../coin.ts';

/** A token of a chain of outputs whose outputs call contracts. Addresses are 40 lower-case hex digits. */
export type Qrc20Token = {
  /** Ticker. */
  readonly coin: string;
  /** Digits after the point of one coin unit, as the token itself has them. */
  readonly decimals: number;
  readonly token: string;
  /** The swap contract, and another one that is accepted. */
  readonly contract: string;
  readonly fallbackContract: string | null;
  /** The chain that it is on, whose coin pays for its calls: at its ordinary addresses, by which contracts tell who calls. */
  readonly platform: UtxoCoin & { readonly address: 'p2pkh' };
};

/** Most gas that each call may use. What a call leaves of it comes back with its block, as late as any reward. */
export const GAS = {
  transfer: 100_000n,
  approval: 100_000n,
  payment: 200_000n,
  // A claim that runs out of gas has shown its secret for nothing: the real node gives 100,000.
  end: 200_000n,
} as const;

/** What nodes relay, in base units of the chain's coin for each unit of gas. */
export const GAS_PRICE = 40n;
const CEILING = 100n * GAS_PRICE;
/** Beyond it the ceiling is reached. */
const MOST_STEPS = 12;

/** Half as much again for each step of urgency: blocks take calls by what they pay for gas. */
export function gasPriceAt(urgency: number): bigint {
  const steps = BigInt(Math.max(0, Math.min(urgency, MOST_STEPS)));
  const price = (GAS_PRICE * 3n ** steps + 2n ** steps - 1n) / 2n ** steps;
  return price > CEILING ? CEILING : price;
}
