import { type DecimalText, toBigNumber } from '../primitives/decimal.ts';
import type { Leg } from './command.ts';

/** How many confirmations make the end of a payment final from an amount on, in coin units. At least 1. */
export type FinalityStep = { readonly from: DecimalText; readonly depth: number };

/**
 * The depth that is final, by ticker, for payments of different value. The step with the greatest amount that a payment
 * reaches applies; for a payment below every step, and for an unnamed coin, the chain's own number applies.
 */
export type FinalityPolicy = Readonly<Record<string, readonly FinalityStep[]>>;

type Chain = { readonly coin: string; readonly finality: number };

/** Confirmations after which the end of a payment of this amount is final. */
export function finalDepth(policy: FinalityPolicy, { coin, finality }: Chain, amount: DecimalText | null): number {
  const steps = Object.hasOwn(policy, coin) ? policy[coin] : undefined;
  if (steps === undefined || amount === null || !Number.isSafeInteger(finality + 1)) return finality;
  const value = toBigNumber(amount);
  let best: FinalityStep | null = null;
  for (const step of steps) {
    const from = toBigNumber(step.from);
    if (value.gte(from) && (best === null || from.gte(toBigNumber(best.from)))) best = step;
  }
  return best === null ? finality : Math.max(1, best.depth);
}

/** What is known of both chains, with the depth that is final for the payments of one swap. */
export function withFinality<T extends Chain>(
  traits: Readonly<Record<Leg, T>>,
  policy: FinalityPolicy,
  amounts: Readonly<Record<Leg, DecimalText | null>>,
): Readonly<Record<Leg, T>> {
  const maker = finalDepth(policy, traits.maker, amounts.maker);
  const taker = finalDepth(policy, traits.taker, amounts.taker);
  if (maker === traits.maker.finality && taker === traits.taker.finality) return traits;
  return { maker: { ...traits.maker, finality: maker }, taker: { ...traits.taker, finality: taker } };
}
