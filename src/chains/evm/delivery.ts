import { type NamedPayment, paymentBringsLess, paymentStays, paymentTooDear } from '../../htlc/contract-payment.ts';
import { NO_TOKEN } from '../../htlc/evm-calls.ts';
import { BARE_TRANSFER, type EvmCoin, gasAt, gasLimits, MOST_GAS_STEPS } from './coin.ts';
import { movedOf } from './probe.ts';
import type { EvmLook } from './reader.ts';
import { GAS_OF_CONTRACT, isMoved } from './token-gas.ts';

type Delivery = Pick<NamedPayment, 'token' | 'contract' | 'receiver' | 'amount'>;

type Limited = Pick<EvmCoin, 'token' | 'gas'>;

/**
 * Why a claim in the next block would not deliver a token to the receiver of a payment, found by calls that change nothing; null if it would, for the
 * chain's own coin, and if no node can try. A token that is paused, that blocks its users or the swap contract, that has taken from what the contract
 * holds, or that keeps a part of each transfer, makes a payment worth less than it says; and so does one that takes more gas than a claim may use.
 */
export async function deliveryProblem(look: EvmLook, delivery: Delivery, coin: Limited): Promise<string | null> {
  const { token, contract, receiver, amount } = delivery;
  if (token === NO_TOKEN) return null;
  const moving = { token, from: contract, to: receiver, amount };
  const [isTaken, moved] = await Promise.all([isMoved(look, moving, { gas: gasToMove(coin) }), movedOf(look, moving)]);
  if (isTaken === false) return (await isMoved(look, moving)) === false ? paymentStays(amount) : paymentTooDear(amount);
  return moved === null || moved >= amount ? null : paymentBringsLess(amount, moved);
}

function gasToMove(coin: Limited): bigint {
  const left = gasAt(gasLimits(coin).claim, MOST_GAS_STEPS) - GAS_OF_CONTRACT;
  return left > BARE_TRANSFER ? left : BARE_TRANSFER;
}
