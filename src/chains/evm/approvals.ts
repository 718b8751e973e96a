import { abiWord, approvedBy } from '../../htlc/token-calls.ts';
import { tokenPayment } from './account.ts';
import { swapCallOf } from './terms.ts';
import type { Made } from './transaction.ts';

// Functions of tokens by their selectors; arguments are words.
const TRANSFER = 'a9059cbb';
const TRANSFER_FROM = '23b872dd';
/** Functions that set, by their first argument, what another account may take. */
const OF_SPENDER = new Set(['095ea7b3', '39509351', 'a457c2d7']);
const WORDS: Readonly<Record<string, number>> = { [TRANSFER]: 2, [TRANSFER_FROM]: 3 };

export type Allowed = {
  readonly token: string;
  /** Who may take tokens of the account, a swap contract. */
  readonly spender: string;
};

type Allowing = Allowed & { readonly waiting: readonly Made[] };

/**
 * What a transaction of the account does to an approval, or takes by it: the amount by which it lowers it, the one that it sets, nothing; or `unknown`
 * if its bytes do not say, as with functions of the token that change an approval otherwise, or that no standard has, such as `permit`.
 */
function effectOf(made: Made, { token, spender }: Allowed): { lowered: bigint } | { set: bigint } | null | 'unknown' {
  const payment = tokenPayment(made);
  if (payment !== null) {
    return payment.token === token && payment.spender === spender ? { lowered: payment.amount } : null;
  }
  const { to, data } = made;
  // A call that is not in the form that swaps write may still be a call of a swap contract.
  if (to === spender) return data === '' || swapCallOf(made) !== undefined ? null : 'unknown';
  if (to !== token || data === '') return null;
  const set = approvedBy(data, spender);
  if (set !== undefined) return { set };
  const [selector, first] = [data.slice(0, 8), data.slice(8, 72)];
  if (data.length === 8 + 64 * (WORDS[selector] ?? -1)) return null;
  const isOfAnother = OF_SPENDER.has(selector) && first.length === 64 && !first.endsWith(abiWord(spender).slice(24));
  return isOfAnother ? null : 'unknown';
}

/** Whether it may change an allowance, or takes from one. */
export function changesApproval(made: Made, allowed: Allowed): boolean {
  return effectOf(made, allowed) !== null;
}

/** The nonce of the last one that calls the token, or may change the approval; -1 if none does. */
export function lastByApproval({ waiting, token, spender }: Allowing): number {
  const changing = waiting.filter((made) => made.to === token || changesApproval(made, { token, spender }));
  return changing.at(-1)?.nonce ?? -1;
}

/** What an approval will be once everything waiting is included; null if that is unknown. */
export function approvalAfter(now: bigint, { waiting, token, spender }: Allowing): bigint | null {
  let allowance: bigint | null = now;
  for (const made of waiting) {
    const effect = effectOf(made, { token, spender });
    if (effect === null) continue;
    if (effect === 'unknown') allowance = null;
    else if ('set' in effect) allowance = effect.set;
    else if (allowance !== null) allowance = allowance > effect.lowered ? allowance - effect.lowered : 0n;
  }
  return allowance;
}
