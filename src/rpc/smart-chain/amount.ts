import { LosslessNumber } from '../../primitives/json.ts';

const COIN = 100_000_000n;

/** Satoshis as the node prints coins: a JSON number with exactly eight decimals. */
export function coins(satoshis: bigint): LosslessNumber {
  const sign = satoshis < 0n ? '-' : '';
  const units = satoshis < 0n ? -satoshis : satoshis;
  return new LosslessNumber(`${sign}${units / COIN}.${String(units % COIN).padStart(8, '0')}`);
}

/** Satoshis as a whole JSON number, however many. */
export function whole(satoshis: bigint): LosslessNumber {
  return new LosslessNumber(String(satoshis));
}
