import { type NamedPayment, paymentBringsLess, paymentStays } from '../../htlc/contract-payment.ts';
import { NO_TOKEN } from '../../htlc/evm-calls.ts';
import { abiWord, transferCall } from '../../htlc/token-calls.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { movedOf } from './probe.ts';
import { CallReverted, type EvmLook } from './reader.ts';

type Delivery = Pick<NamedPayment, 'token' | 'contract' | 'receiver' | 'amount'>;

/**
 * Why a token would not come to the receiver of a payment by a claim in the next block, tried by calls that change nothing; null where it would, for the
 * chain's own coin, and where nobody tries such things. A token that is stopped, that keeps its users or the swap contract from moving it, that has taken from
 * what the contract holds or takes a part of what is moved, makes a payment worth less than it says.
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

/** By what the token answers to the call that the swap contract would make: nothing and true are the same to it. */
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
