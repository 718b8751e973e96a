import { contractCallScript } from '../../../htlc/contract-output.ts';
import { isContractAmount, type NamedPayment, PAYMENT_STATE, storedProblem } from '../../../htlc/contract-payment.ts';
import { encodeSwapCall } from '../../../htlc/evm-calls.ts';
import { secretFits } from '../../../htlc/secret-hash.ts';
import { approvalCall, transferCall } from '../../../htlc/token-calls.ts';
import type { TransactionOutput } from '../../../htlc/transaction.ts';
import type { Answer, PreparedTransaction, PrepareRequest } from '../../../ports/chain.ts';
import { hexToBytes } from '../../../primitives/hex.ts';
import { fault } from '../answers.ts';
import { madeOf } from '../made.ts';
import { prepare } from '../prepare.ts';
import { mainCall } from './calls.ts';
import { untoldProblem } from './delivery.ts';
import { receiptAt } from './events.ts';
import { feeAccountOf } from './fee-check.ts';
import { allowanceOf } from './funds.ts';
import { makeCalls } from './make.ts';
import type { Look, TokenParts } from './parts.ts';
import { storedUnder } from './payment-view.ts';
import { namedOf } from './terms.ts';
import { GAS } from './token.ts';

export type Preparing<R = PrepareRequest> = { readonly request: R; readonly swap: string; readonly look: Look };
type Of<Purpose extends PrepareRequest['purpose']> = Extract<PrepareRequest, { readonly purpose: Purpose }>;

const INVALID_TERMS = fault('invalid', 'these terms cannot be written as a call of the swap contract');
const NOTHING_IN_ADVANCE = fault('unsupported', 'contract calls are not signed in advance');
const DONE = fault('inputsSpent', 'an earlier variant has already had the same effect');
const WOULD_REVERT = fault(
  'unavailable',
  'the swap contract does not hold this payment now, so a claim would reveal the secret for nothing',
);

/** Makes and signs a transaction for a swap. @throws BackendSilent, ContractsUnsteady, ContractAbsent */
export async function prepareToken(parts: TokenParts, asked: Preparing): Promise<Answer<PreparedTransaction>> {
  const { request, swap, look } = asked;
  switch (request.purpose) {
    case 'fee':
      return payFee(parts, { request, swap, look });
    case 'payment':
      return payTerms(parts, { request, swap, look });
    case 'claim':
    case 'refund':
      return end(parts, { request, swap, look });
    case 'void':
    case 'child':
      return prepare(parts.chain, { request, swap, clock: look.tip.clock });
    default:
      return NOTHING_IN_ADVANCE;
  }
}

/** An output with a call, for a given gas price. */
type OutputAt = (gasPrice: bigint) => TransactionOutput;

function calling(contract: string, { data, gas }: { readonly data: string; readonly gas: bigint }): OutputAt {
  return (gasPrice) => ({
    value: 0n,
    script: contractCallScript({ gasLimit: gas, gasPrice, data: hexToBytes(data), contract }),
  });
}

/** Whether an earlier variant is in a block and took effect, so that there is nothing left to do. */
async function isDone(
  parts: TokenParts,
  { request, look }: Preparing<Of<'fee' | 'payment' | 'claim' | 'refund'>>,
): Promise<boolean> {
  const made = request.replaces === null ? null : madeOf(request.replaces.tx_hex);
  const seen = made === null ? undefined : parts.chain.reader.index.get(made.txid);
  const vout = seen === undefined || seen.height === null ? undefined : mainCall(seen.tx);
  if (seen === undefined || vout === undefined) return false;
  return (await receiptAt(look, { ...seen, vout })).excepted === null;
}

async function payFee(parts: TokenParts, asked: Preparing<Of<'fee'>>): Promise<Answer<PreparedTransaction>> {
  const { request } = asked;
  if (request.burnSat > 0n) return fault('unsupported', 'tokens cannot be burned');
  if (!isContractAmount(request.feeSat)) return fault('invalid', 'no account holds that much');
  if (await isDone(parts, asked)) return DONE;
  const to = feeAccountOf(parts.chain.network);
  const untold = await untoldFault(parts, { ...asked, to, amount: request.feeSat });
  if (untold !== null) return untold;
  const data = transferCall(to, request.feeSat);
  const outputs = [calling(parts.coin.token, { data, gas: GAS.transfer })];
  return makeCalls(parts, { ...asked, outputs, amount: request.feeSat, refundable: false });
}

type Moving = Preparing<Of<'fee' | 'payment'>> & { readonly to: string; readonly amount: bigint };

/** Replaces what was sent before, whatever the token says: it may be in the next block. */
async function untoldFault(
  { coin, account }: TokenParts,
  { request, look, to, amount }: Moving,
): Promise<Answer<never> | null> {
  if (request.replaces !== null) return null;
  const problem = await untoldProblem(look, { token: coin.token, from: account, to, amount });
  return problem === null ? null : fault('unsupported', problem);
}

async function payTerms(parts: TokenParts, asked: Preparing<Of<'payment'>>): Promise<Answer<PreparedTransaction>> {
  const { request, look } = asked;
  const { coin, account } = parts;
  const named = namedOf(request.terms, coin);
  if (named === null) return INVALID_TERMS;
  if (request.reward !== undefined)
    return fault('unsupported', 'the swap contract of this coin accepts no payment with a reward');
  if (named.sender !== account) return fault('invalid', 'the terms name another sender');
  if (named.amount === 0n) return fault('invalid', 'the amount is zero');
  if (await isDone(parts, asked)) return DONE;
  const stored = await storedUnder(look, named);
  if (stored.state !== PAYMENT_STATE.none && storedProblem(stored, named) !== null)
    return fault('invalid', 'another payment already uses the id of this swap');
  const { contract, id: swapId, amount, token, receiver, secretHash } = named;
  const untold = await untoldFault(parts, { ...asked, to: contract, amount });
  if (untold !== null) return untold;
  const payment = encodeSwapCall({
    ...{ kind: 'payment', swapId, amount, token, party: receiver, secretHash, lockTime: BigInt(named.lock) },
  });
  const outputs = [
    ...(await approvals(parts, { named, look })),
    calling(contract, { data: payment, gas: GAS.payment }),
  ];
  return makeCalls(parts, { ...asked, outputs, amount, refundable: true });
}

/**
 * Lets the swap contract take exactly the amount, in the transaction that pays it: whatever else the account calls meanwhile, no payment takes what is
 * approved for another. Some tokens change no approval but to none first.
 */
async function approvals(
  parts: TokenParts,
  { named, look }: { readonly named: NamedPayment; readonly look: Look },
): Promise<readonly OutputAt[]> {
  const { token, contract, amount } = named;
  const approved = await allowanceOf(parts, look, contract);
  const approve = (units: bigint): OutputAt =>
    calling(token, { data: approvalCall(contract, units), gas: GAS.approval });
  const isAlone = approved === 0n && parts.taken.leavesApprovals();
  return isAlone ? [approve(amount)] : [approve(0n), approve(amount)];
}

async function end(parts: TokenParts, asked: Preparing<Of<'claim' | 'refund'>>): Promise<Answer<PreparedTransaction>> {
  const { request, look } = asked;
  const named = namedOf(request.terms, parts.coin);
  if (named === null) return INVALID_TERMS;
  const claims = request.purpose === 'claim';
  if ((claims ? named.receiver : named.sender) !== parts.account)
    return fault('invalid', `the terms name another ${claims ? 'receiver' : 'sender'}`);
  if (claims && !secretFits(request.secret, named.secretHash))
    return fault('invalid', 'the secret does not match its hash');
  if (await isDone(parts, asked)) return DONE;
  // If too few servers answer, or the transaction was shown before, no question could change what to do.
  if (claims && request.replaces === null && request.doubtful !== true && !(await isOpen(look, named)))
    return WOULD_REVERT;
  const { contract, id: swapId, amount, token, sender, receiver, secretHash } = named;
  const common = { swapId, amount, token };
  const data = claims
    ? encodeSwapCall({ kind: 'claim', ...common, party: sender, secret: request.secret.toLowerCase() })
    : encodeSwapCall({ kind: 'refund', ...common, party: receiver, secretHash });
  const outputs = [calling(contract, { data, gas: GAS.end })];
  return makeCalls(parts, { ...asked, outputs, amount: 0n, refundable: false });
}

async function isOpen(look: Look, named: NamedPayment): Promise<boolean> {
  const stored = await storedUnder(look, named);
  return stored.state === PAYMENT_STATE.paid && storedProblem(stored, named) === null;
}
