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
  /** Swap contracts: payments decide how much they spend, so an approval for them spends nothing by itself. */
  readonly contracts: readonly string[];
};

/**
 * Base units that a call of a token spends from the calling account, or lets others spend; `unknown` for functions outside the standards, or not
 * encoded as the standards require. A call without data moves nothing.
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
