import { type ContractLog, TRANSFER_TOPIC, topicOfAccount } from '../../../htlc/contract-events.ts';
import { type NamedPayment, paymentBringsLess, paymentStays, paymentTooDear } from '../../../htlc/contract-payment.ts';
import { abiWord, decodeNumberAnswer, transferCall } from '../../../htlc/token-calls.ts';
import { ContractAbsent, type Tried } from './contracts.ts';
import type { Look } from './parts.ts';
import { GAS } from './token.ts';

type Delivery = Pick<NamedPayment, 'token' | 'contract' | 'receiver' | 'amount'>;

/** What a claim takes apart from moving the token, whose trial has the cost of a transaction, too. */
const GAS_OF_CONTRACT = 65_000n;

/**
 * Why a token would not come to the receiver of a payment by a claim in the next block, tried by the call that the swap contract would make; null where it
 * would, and where no server tries calls for others. A token that is stopped, that keeps its users or the swap contract from moving it, that has taken from
 * what the contract holds or takes a part of what is moved, makes a payment worth less than it says; and so does one that takes more gas than a claim has.
 *
 * No node of Qtum tells what an account would have behind a call, so that what is moved is what the token tells of it: one that tells of more than it moves
 * is believed.
 *
 * @throws BackendSilent, ContractsUnsteady
 */
export async function deliveryProblem(
  { contracts }: Pick<Look, 'contracts'>,
  delivery: Delivery,
): Promise<string | null> {
  const { token, contract, receiver, amount } = delivery;
  const tried = await contracts.trial({ from: contract, to: token, data: transferCall(receiver, amount) }).catch(gone);
  if (tried === null) return null;
  const { output, logs, gas } = tried;
  // The swap contract accepts an empty answer like `true`.
  if (output !== '' && output !== abiWord('1')) return paymentStays(amount);
  if (gas !== null && BigInt(gas) > GAS.end - GAS_OF_CONTRACT) return paymentTooDear(amount);
  const moved = logs === null ? amount : movedTo(receiver, { token, logs });
  return moved >= amount ? null : paymentBringsLess(amount, moved);
}

/**
 * Why what the own account moves would be taken for nothing by whoever gets it: the token tells nobody of it, or of less. Null where it tells of all, and
 * where no server tries calls for others. A fee of such a token would be lost, as nobody swaps for it.
 *
 * @throws BackendSilent, ContractsUnsteady, ContractAbsent
 */
export async function untoldProblem(
  { contracts }: Pick<Look, 'contracts'>,
  {
    token,
    from,
    to,
    amount,
  }: { readonly token: string; readonly from: string; readonly to: string; readonly amount: bigint },
): Promise<string | null> {
  const tried = await contracts.trial({ from, to: token, data: transferCall(to, amount) });
  // A call without effect has no events; other checks say what is missing.
  if (tried === null || tried.output === null || tried.logs === null) return null;
  const moved = movedTo(to, { token, logs: tried.logs });
  return moved >= amount
    ? null
    : `the token reports ${moved} base units where ${amount} are moved, so nobody would accept them as paid`;
}

/** A destroyed token contract moves nothing. */
function gone(error: unknown): Tried {
  if (error instanceof ContractAbsent) return { output: null, logs: [], gas: null };
  throw error;
}

/** By how much an account's balance would grow, according to the token's events. */
function movedTo(
  account: string,
  { token, logs }: { readonly token: string; readonly logs: readonly ContractLog[] },
): bigint {
  const own = topicOfAccount(account);
  return logs.reduce((sum, { contract, topics: [topic, from, to], data }) => {
    const amount = contract === token && topic === TRANSFER_TOPIC ? (decodeNumberAnswer(data) ?? 0n) : 0n;
    return sum + (to === own ? amount : 0n) - (from === own ? amount : 0n);
  }, 0n);
}
