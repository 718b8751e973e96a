import { REWARD_TARGET, type Reward } from './evm-reward-calls.ts';

/** What decides which reward a payment may promise. */
export type RewardRole = {
  readonly leg: 'maker' | 'taker';
  /** Whether the chain of the other coin pays rewards too. */
  readonly otherPays: boolean;
};

/** The recipient of a reward. */
export type RewardPromise = Pick<Reward, 'target' | 'onClaim'>;

const TO_SPENDER: RewardPromise = { target: REWARD_TARGET.spender, onClaim: false };
const ON_CLAIM: RewardPromise = { target: REWARD_TARGET.none, onClaim: true };

/**
 * The promises that a payment of this role may make, the one that this package makes first. A maker of tokens whose taker pays on a chain without
 * rewards may promise some of the tokens, as the framework does by a price; here their price is unknown, so it promises ether.
 */
export function promisesOf(
  { leg, otherPays }: RewardRole,
  { isToken }: { readonly isToken: boolean },
): readonly [RewardPromise, ...RewardPromise[]] {
  if (leg === 'taker') return [{ target: otherPays ? REWARD_TARGET.contract : REWARD_TARGET.sender, onClaim: false }];
  if (otherPays) return [ON_CLAIM];
  return isToken ? [ON_CLAIM, TO_SPENDER] : [TO_SPENDER];
}

/** Why the role does not promise this reward, in the words of KDF; null if it does. */
export function promiseProblem(
  { target, onClaim }: Reward,
  { role, isToken }: { readonly role: RewardRole; readonly isToken: boolean },
): string | null {
  const allowed = promisesOf(role, { isToken });
  const sameTarget = allowed.filter((one) => one.target === target);
  if (sameTarget.length === 0)
    return `Payment tx reward target arg ${target} is invalid, expected ${allowed[0].target}`;
  if (sameTarget.some((one) => one.onClaim === onClaim)) return null;
  return `Payment tx sends_contract_reward_on_spend arg ${onClaim} is invalid, expected ${!onClaim}`;
}
