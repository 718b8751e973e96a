import { type NamedPayment, paymentBringsLess, paymentStays, paymentTooDear } from '../../htlc/contract-payment.ts';
import { NO_TOKEN } from '../../htlc/evm-calls.ts';
import { abiWord, transferCall } from '../../htlc/token-calls.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { BARE_TRANSFER, type EvmCoin, gasAt, gasLimits, MOST_GAS_STEPS } from './coin.ts';
import { movedOf } from './probe.ts';
import { CallReverted, type EvmLook } from './reader.ts';

type Delivery = Pick<NamedPayment, 'token' | 'contract' | 'receiver' | 'amount'>;

type Limited = Pick<EvmCoin, 'token' | 'gas'>;

/** What a claim takes apart from moving the token. */
const GAS_OF_CONTRACT = 65_000n;

/**
 * Why a claim in the next block would not deliver a token to the receiver of a payment, found by calls that change nothing; null if it would, for the
 * chain's own coin, and if no node can try. A token that is paused, that blocks its users or the swap contract, that has taken from what the contract
 * holds, or that keeps a part of each transfer, makes a payment worth less than it says; and so does one that takes more gas than a claim may use.
 */
export async function deliveryProblem(look: EvmLook, delivery: Delivery, coin: Limited): Promise<string | null> {
  const { token, contract, receiver, amount } = delivery;
  if (token === NO_TOKEN) return null;
  const [isRefused, moved] = await Promise.all([
    refuses(look, delivery, gasToMove(coin)),
    movedOf(look, { token, from: contract, to: receiver, amount }),
  ]);
  if (isRefused) return (await refuses(look, delivery)) ? paymentStays(amount) : paymentTooDear(amount);
  return moved === null || moved >= amount ? null : paymentBringsLess(amount, moved);
}

function gasToMove(coin: Limited): bigint {
  const left = gasAt(gasLimits(coin).claim, MOST_GAS_STEPS) - GAS_OF_CONTRACT;
  return left > BARE_TRANSFER ? left : BARE_TRANSFER;
}

/** By the token's answer to the call that the swap contract would make: the contract treats an empty answer as true. */
async function refuses(look: EvmLook, { token, contract, receiver, amount }: Delivery, gas?: bigint): Promise<boolean> {
  try {
    const call = { from: contract, to: token, data: transferCall(receiver, amount) };
    const answer = await look.call(gas === undefined ? call : { ...call, gas });
    return answer !== '' && answer !== abiWord('1');
  } catch (error) {
    if (error instanceof CallReverted) return true;
    if (error instanceof BackendSilent) return false;
    throw error;
  }
}
