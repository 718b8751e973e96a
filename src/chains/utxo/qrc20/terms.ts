import {
  argumentProblem,
  type ContractCoin,
  isOfAnotherContract,
  type NamedPayment,
  namePayment,
} from '../../../htlc/contract-payment.ts';
import { qtumAccount } from '../../../htlc/qtum-address.ts';
import type { PaymentTerms } from '../../../ports/chain.ts';
import type { MadeCall } from './calls.ts';
import type { Qrc20Token } from './token.ts';

/** Null for terms that no call of this token's contract can express. */
export function namedOf(terms: PaymentTerms, coin: Qrc20Token): NamedPayment | null {
  return namePayment(terms, { ...coin, accountOf });
}

/** Whether it is only their contract, which this token does not look at, that keeps these terms from being named. */
export function isElsewhere(terms: PaymentTerms, coin: Qrc20Token): boolean {
  return isOfAnotherContract(terms, { ...coin, accountOf });
}

const accountOf: ContractCoin['accountOf'] = (key) => (key[0] === 2 || key[0] === 3 ? qtumAccount(key) : null);

/** Why a call does not pay what the terms ask for, in words like the real node's; null if it does. */
export function callProblem(
  named: NamedPayment,
  { txid, from, call }: Pick<MadeCall, 'txid' | 'from' | 'call'>,
): string | null {
  if (call.kind !== 'payment') return `Payment tx ${txid} is no payment of the swap contract`;
  if (from !== named.sender)
    return `Payment tx ${txid} was sent from wrong address 0x${from ?? ''}, expected 0x${named.sender}`;
  return argumentProblem(named, call);
}
