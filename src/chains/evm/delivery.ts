import { type NamedPayment, paymentBringsLess, paymentStays } from '../../htlc/contract-payment.ts';
import { NO_TOKEN } from '../../htlc/evm-calls.ts';
import { abiWord, transferCall } from '../../htlc/token-calls.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { movedOf } from './probe.ts';
import { CallReverted, type EvmLook } from './reader.ts';

type Delivery = Pick<NamedPayment, 'token' | 'contract' | 'receiver' | 'amount'>;

/**
 * Why a claim in the next block would not deliver a token to the receiver of a payment, found by calls that change nothing; null if it would, for the
 * chain's own coin, and if no node can try. A token that is paused, that blocks its users or the swap contract, that has taken from what the contract
 * holds, or that keeps a part of each transfer, makes a payment worth less than it says.
 */
export async function deliveryProblem(look: EvmLook, delivery: Delivery): Promise<string | null> {
  const { token, contract, receiver, amount } = delivery;
  if (token === NO_TOKEN) return null;
  const [isRefused, moved] = await Promise.all([
    refuses(look, delivery),
    movedOf(look, { token, from: contract, to: receiver, amount }),
  ]);
  if (isRefused) return paymentStays(amount);
  return moved === null || moved >= amount ? null : paymentBringsLess(amount, moved);
}

/** By the token's answer to the call that the swap contract would make: the contract treats an empty answer as true. */
async function refuses(look: EvmLook, { token, contract, receiver, amount }: Delivery): Promise<boolean> {
  try {
    const answer = await look.call({ from: contract, to: token, data: transferCall(receiver, amount) });
    return answer !== '' && answer !== abiWord('1');
  } catch (error) {
    if (error instanceof CallReverted) return true;
    if (error instanceof BackendSilent) return false;
    throw error;
  }
}
