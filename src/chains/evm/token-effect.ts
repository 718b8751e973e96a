import { BackendSilent } from '../accounts/silence.ts';
import { swapCallOf, tokenPayment } from './account.ts';
import { word } from './contract-calls.ts';
import { leftAfter } from './probe.ts';
import { CallReverted, type Look } from './reader.ts';
import type { Made } from './transaction.ts';

export type Effect = {
  readonly made: Pick<Made, 'from' | 'to' | 'value' | 'data'>;
  /** 40 hex digits. */
  readonly token: string;
  /** Swap contracts: what they take is what their calls say, where these are written as swaps write them. */
  readonly contracts: readonly string[];
  /** Base units that the account has by its last block. */
  readonly balance: bigint;
};

// Functions of tokens by their selectors; arguments are words.
const TRANSFER = 'a9059cbb';
const TRANSFER_FROM = '23b872dd';
const APPROVE = '095ea7b3';
const INCREASE_ALLOWANCE = '39509351';
const DECREASE_ALLOWANCE = 'a457c2d7';
const WORD = 64;

/**
 * Base units of a token that a transaction takes from its account, or lets others take: read from calls of the token itself and of the swap contracts, and
 * tried at the node where anything else is called. `unknown` where neither tells, as for functions of the token that no standard has. What a contract does at
 * another moment, or to whom an account has allowed something earlier, no trial tells.
 */
export async function takenOf(look: Look, effect: Effect): Promise<bigint | 'unknown'> {
  const { made, token, contracts, balance } = effect;
  if (made.to === null) return 'unknown';
  if (made.to === token) return toldByCall(effect);
  if (contracts.includes(made.to) && swapCallOf(made) !== undefined) {
    const payment = tokenPayment(made);
    return payment?.token === token ? payment.amount : 0n;
  }
  try {
    if ((await look.code(made.to)) === '') return 0n;
    const left = await leftAfter(look, { ...made, to: made.to, token });
    return left < balance ? balance - left : 0n;
  } catch (error) {
    if (error instanceof BackendSilent || error instanceof CallReverted) return 'unknown';
    throw error;
  }
}

/** What the token's contract is asked to do. Ether alone moves no tokens. */
function toldByCall({ made: { data, from }, contracts }: Effect): bigint | 'unknown' {
  if (data === '') return 0n;
  const selector = data.slice(0, 8);
  const words = data.slice(8).match(/.{64}/g) ?? [];
  const [first = '', second = '', third = ''] = words;
  const has = (count: number): boolean => data.length === 8 + count * WORD;
  const amountOf = (text: string): bigint => BigInt(`0x${text}`);
  if (selector === TRANSFER && has(2)) return amountOf(second);
  if (selector === TRANSFER_FROM && has(3)) return first.endsWith(from) ? amountOf(third) : 0n;
  if ((selector === APPROVE || selector === INCREASE_ALLOWANCE) && has(2))
    return contracts.some((contract) => first === word(contract)) ? 0n : amountOf(second);
  return selector === DECREASE_ALLOWANCE && has(2) ? 0n : 'unknown';
}
