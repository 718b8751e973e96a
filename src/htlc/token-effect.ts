import { ERC20_TRANSFER } from './evm-calls.ts';
import { abiWord, ERC20_APPROVE } from './token-calls.ts';

// Functions of tokens by their selectors; arguments are words.
const TRANSFER_FROM = '23b872dd';
const INCREASE_ALLOWANCE = '39509351';
const DECREASE_ALLOWANCE = 'a457c2d7';
const SELECTOR = 8;
const WORD = 64;

export type TokenCall = {
  /** Call data in hex. */
  readonly data: string;
  /** The account that calls, 40 lower-case hex digits. */
  readonly from: string;
  /** Swap contracts: what they may take is what payments say, so that an approval for them takes nothing by itself. */
  readonly contracts: readonly string[];
};

/**
 * Base units that a call of a token takes from the account that makes it, or lets others take; `unknown` for functions that no standard has, or that are not
 * written as the standards write them. A call without data moves nothing.
 */
export function takenByTokenCall({ data, from, contracts }: TokenCall): bigint | 'unknown' {
  if (data === '') return 0n;
  const selector = data.slice(0, SELECTOR);
  const words = data.slice(SELECTOR).match(/.{64}/g) ?? [];
  const [first = '', second = '', third = ''] = words;
  const has = (count: number): boolean => data.length === SELECTOR + count * WORD;
  const amountOf = (text: string): bigint => BigInt(`0x${text}`);
  if (selector === ERC20_TRANSFER && has(2)) return amountOf(second);
  if (selector === TRANSFER_FROM && has(3)) return first.endsWith(from) ? amountOf(third) : 0n;
  if ((selector === ERC20_APPROVE || selector === INCREASE_ALLOWANCE) && has(2))
    return contracts.some((contract) => first === abiWord(contract)) ? 0n : amountOf(second);
  return selector === DECREASE_ALLOWANCE && has(2) ? 0n : 'unknown';
}
