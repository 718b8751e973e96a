import { expect } from 'vitest';
import type { SwapRequest } from '../../../src/events/journal.ts';
import { UNIT } from './adapter-chain.ts';

/** More than all transactions of one swap may cost an account. */
const LITTLE = UNIT / 2n;
/** Seconds for which payments are locked where that is waited for. */
export const LOCK = 2400;
/** What the side pays that pays on the Tendermint chain. */
export const PAID = (UNIT * 5n) / 4n;

export const OF_MAKER = {
  maker_coin: 'NYAN',
  taker_coin: 'DOC',
  maker_amount: '1.25',
  taker_amount: '3',
} as Partial<SwapRequest>;
export const OF_TAKER = {
  maker_coin: 'DOC',
  taker_coin: 'NYAN',
  maker_amount: '3',
  taker_amount: '1.25',
} as Partial<SwapRequest>;

/** Less what all of its transactions may cost. */
export function expectNear(found: bigint, expected: bigint): void {
  expect(found).toBeLessThanOrEqual(expected);
  expect(found).toBeGreaterThan(expected - LITTLE);
}
