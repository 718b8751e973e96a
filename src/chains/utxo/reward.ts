import type { DecodedTransaction } from '../../htlc/transaction.ts';
import type { UtxoCoin } from './coin.ts';

/** Whether a transaction is the reward of a block, all outputs of which can be spent some blocks later: the block knows no input of it, or it is a stake's. */
export function isReward(
  { inputs, outputs }: Pick<DecodedTransaction, 'inputs' | 'outputs'>,
  { stakes = false }: Pick<UtxoCoin, 'stakes'>,
): boolean {
  const isStake = stakes && outputs.some(({ value, script }) => value === 0n && script.length === 0);
  return isStake || inputs.some(({ txid }) => /^0+$/.test(txid));
}
