import { isRewardTaken, paysOn, type Reward } from '../htlc/evm-reward-calls.ts';
import { promisesOf } from '../htlc/reward-role.ts';
import type { PrepareRequest, PromisedPayment } from '../ports/chain.ts';
import type { DecimalText } from '../primitives/decimal.ts';
import { fromBaseUnits, toBaseUnits } from '../primitives/decimal.ts';
import type { Leg } from '../runtime/command.ts';
import type { Bodies, Body } from './bodies.ts';
import type { ChainParts } from './chain-state.ts';

const DIGITS = 8;

/** What the gas of a watcher's call costs on each chain, in base units: a different number on each, so that a mix-up shows. */
export const USUAL_REWARD: Readonly<Record<Leg, bigint>> = { maker: 70_000n, taker: 500n };

/** What a chain that pays rewards tells in a quote. */
export function usualRewardText(leg: Leg): DecimalText {
  return fromBaseUnits(USUAL_REWARD[leg], DIGITS);
}

type Paying = Extract<PrepareRequest, { readonly purpose: 'payment' }>;

/** What a payment promises: undefined for nothing, null where the chain cannot. What takes the place of an earlier variant promises the same. */
export function rewardOf(
  { leg, traits, bodies }: ChainParts,
  { reward, replaces, terms }: Paying,
): Reward | null | undefined {
  const earlier = replaces === null ? undefined : bodies.get(replaces.tx_hash);
  if (earlier?.purpose === 'payment') return earlier.reward;
  if (reward === undefined) return undefined;
  if (traits.rewards !== true || terms.reward === undefined) return null;
  const amount = reward === null ? USUAL_REWARD[leg] : toBaseUnits(reward, DIGITS);
  return { ...promisesOf(terms.reward, { isToken: false })[0], amount };
}

/** The payment that a watcher is handed, where it promises to pay for such a call. */
export function handedFor(
  { bodies }: Pick<ChainParts, 'bodies'>,
  end: 'claim' | 'refund',
  funding: string,
): Body | null {
  const body = bodies.get(funding);
  return body?.reward !== undefined && isRewardTaken(body.reward) && paysOn(end, body.reward) ? body : null;
}

/** What the bytes of a payment promise; null for any others. */
export function promisedIn(bodies: Bodies, hex: string): PromisedPayment | null {
  const body = bodies.get(hex);
  if (body === undefined || body.terms === null || body.reward === undefined) return null;
  const { lock, secretHash, sender, receiver, amount, contract } = body.terms;
  return { terms: { lock, secretHash, sender, receiver, amount, contract }, tx_hash: body.id };
}
