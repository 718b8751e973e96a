import { isContractAmount, type NamedPayment, PAYMENT_STATE, storedProblem } from '../../htlc/contract-payment.ts';
import { encodeSwapCall, NO_TOKEN } from '../../htlc/evm-calls.ts';
import { encodeRewardCall, type Reward, rewardBeside, rewardInAmount } from '../../htlc/evm-reward-calls.ts';
import { transferCall } from '../../htlc/token-calls.ts';
import type { Answer, PrepareRequest } from '../../ports/chain.ts';
import { toBaseUnits } from '../../primitives/decimal.ts';
import { fault, ok } from '../accounts/answers.ts';
import { askAhead } from './ask-ahead.ts';
import { BARE_TRANSFER, gasAt, gasLimits } from './coin.ts';
import { storedUnder } from './contract-calls.ts';
import { feeAccountOf } from './fee-check.ts';
import { transferGas } from './gas.ts';
import type { Plan } from './make.ts';
import { type Parts, WEI_DIGITS } from './parts.ts';
import { INVALID_TERMS, MORE_FOR_REWARD, planEnd } from './prepare-end.ts';
import { planFor } from './prepare-for.ts';
import { dayPrices } from './prices.ts';
import type { EvmLook } from './reader.ts';
import { rewardToPay } from './rewards.ts';
import { callOf, namedOf } from './terms.ts';
import { gasOfCalls, gasOfTokenFee } from './token-gas.ts';
import { madeOf } from './transaction.ts';

type Asked<R = PrepareRequest> = { readonly request: R; readonly look: EvmLook };
type Of<Purpose extends PrepareRequest['purpose']> = Extract<PrepareRequest, { readonly purpose: Purpose }>;

const NOTHING_TO_COMPLETE = fault('unsupported', 'this chain has no transactions that are signed in advance');
const NO_REWARDS = fault('unsupported', 'the swap contract of this coin accepts no payment with a reward');
const NO_CHILDREN = fault('unsupported', 'account-based transactions have no children');

type Planned = Exclude<PrepareRequest, Of<'claimPreimage' | 'refundPreimage'>>;

/**
 * What will be made, with all that making it will ask: through a look that asks each question once, and everything that depends on no other answer at the
 * same time. A caller that only plans does not need the account's turn.
 */
export async function plan(
  parts: Parts,
  { request, look }: Asked<Planned>,
): Promise<Answer<Plan & { readonly look: EvmLook }>> {
  const [planned] = await Promise.all([planOf(parts, { request, look }), askAhead(parts, { request, look })]);
  return planned.ok ? ok({ ...planned.value, look }) : planned;
}

async function planOf(parts: Parts, { request, look }: Asked<Planned>): Promise<Answer<Plan>> {
  switch (request.purpose) {
    case 'fee':
      return planFee(parts, { request, look });
    case 'payment':
      return planPayment(parts, { request, look });
    case 'claim':
    case 'refund':
      return planEnd(parts, { request, look });
    case 'void':
      return planVoid(parts, { request, look });
    case 'child':
      return NO_CHILDREN;
    case 'claimFor':
    case 'refundFor':
      return planFor(parts, { request, look });
    case 'completePreimage':
      return NOTHING_TO_COMPLETE;
    default:
      return request satisfies never;
  }
}

async function planFee(parts: Parts, { request, look }: Asked<Of<'fee'>>): Promise<Answer<Plan>> {
  const { feeSat, burnSat } = request;
  if (burnSat > 0n) return fault('unsupported', 'this chain cannot burn coins');
  const { coin } = parts;
  if (!isContractAmount(feeSat)) return fault('invalid', 'no account holds that much');
  const to = feeAccountOf(coin);
  const gas = gasAt(await feeGas(parts, look), request.urgency);
  const call =
    coin.token === undefined
      ? { to, value: feeSat, data: '' }
      : { to: coin.token.address, value: 0n, data: transferCall(to, feeSat) };
  return ok({ variant: request, content: { ...call, gas, amount: feeSat, shares: true, once: true } });
}

/** Gas of a trading fee without any urgency. */
export async function feeGas({ coin, account }: Pick<Parts, 'coin' | 'account'>, look: EvmLook): Promise<bigint> {
  const least = gasLimits(coin).transfer;
  if (coin.token !== undefined) return gasOfTokenFee(look, { coin, account, to: feeAccountOf(coin) });
  const intent = { from: account.address, to: feeAccountOf(coin), value: 0n, data: '' };
  return transferGas(look, { intent, least });
}

async function planPayment(parts: Parts, { request, look }: Asked<Of<'payment'>>): Promise<Answer<Plan>> {
  const { coin, account } = parts;
  const named = namedOf(request.terms, coin);
  if (named === null) return INVALID_TERMS;
  if (named.sender !== account.address) return fault('invalid', 'the terms name another sender');
  if (named.amount === 0n) return fault('invalid', 'the amount is zero');
  const [isTaken, reward, measured] = await Promise.all([
    request.replaces === null && isTakenByOther(parts, { look, named }),
    rewardOf(parts, { request, named, look }),
    gasOfCalls(look, parts),
  ]);
  if (isTaken) return fault('invalid', 'another payment already uses the id of this swap');
  if (reward === 'none') return NO_REWARDS;
  const { token, contract: to } = named;
  const beside = reward === null ? 0n : rewardBeside(reward, token);
  const amount = named.amount + (reward === null ? 0n : rewardInAmount(reward, token));
  const value = token === NO_TOKEN ? amount : beside;
  const data = paymentCall({ ...named, amount }, reward);
  const gas = most(gasAt(gasLimits(coin).payment, request.urgency), measured.payment);
  const refundGas = measured.refund + (reward === null ? 0n : MORE_FOR_REWARD);
  const spender = token === NO_TOKEN ? null : to;
  return ok({ variant: request, content: { to, value, data, gas, amount, spender, shares: true, refundGas } });
}

function most(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

function paymentCall(named: NamedPayment, reward: Reward | null): string {
  const { id: swapId, amount, token, receiver, secretHash } = named;
  const lockTime = BigInt(named.lock);
  if (reward === null)
    return encodeSwapCall({ kind: 'payment', swapId, amount, token, party: receiver, secretHash, lockTime });
  const paid = { swapId, amount, token, sender: null, receiver, secretHash, secret: null, lockTime, reward };
  return encodeRewardCall({ kind: 'payment', ...paid });
}

type Paying = { readonly named: NamedPayment; readonly look: EvmLook };

/** What the payment promises; null for nothing. A replacement of an earlier variant promises the same. */
async function rewardOf(
  { coin, account }: Parts,
  { request, named, look }: Paying & { readonly request: Of<'payment'> },
): Promise<Reward | null | 'none'> {
  const replaced = request.replaces === null ? null : madeOf(request.replaces.tx_hex);
  const before = replaced === null ? null : callOf(replaced, named.contract);
  if (before?.kind === 'payment' && before.swapId === named.id) return before.reward;
  if (request.reward === undefined) return null;
  const role = request.terms.reward;
  if (coin.rewards !== true || role === undefined) return 'none';
  const asked = request.reward === null ? null : toBaseUnits(request.reward, WEI_DIGITS);
  const day = await dayPrices(account.prices, look);
  return rewardToPay(account.prices, { role, token: named.token, day, asked });
}

/** Anyone who knows the terms can pay under the id of a swap before its payer does. A payment with a reward by the account itself is its own. */
async function isTakenByOther({ account, events, birth }: Parts, { look, named }: Paying): Promise<boolean> {
  const stored = await storedUnder(look, named);
  if (stored.state === PAYMENT_STATE.none || storedProblem(stored, named) === null) return false;
  const paid = await events.find(look, { contract: named.contract, id: named.id, kind: 'paid', from: birth });
  const known = paid === null || paid === 'unread' ? null : await look.transaction(paid.transaction);
  return madeOf(known?.hex ?? '')?.from !== account.address;
}

async function planVoid(parts: Parts, { request, look }: Asked<Of<'void'>>): Promise<Answer<Plan>> {
  const { account } = parts;
  const target = madeOf(request.target.tx_hex);
  if (target === null || target.from !== account.address)
    return fault('invalid', 'the target is not a transaction of this account');
  const bare = { to: account.address, value: 0n, data: '' };
  const intent = { from: account.address, ...bare };
  const [used, gas] = await Promise.all([
    look.used(account.address),
    transferGas(look, { intent, least: BARE_TRANSFER }),
  ]);
  if (target.nonce < used) return fault('nonceUsed', `nonce ${target.nonce} is used`);
  account.take(target);
  return ok({ variant: { ...request, replaces: request.target }, content: { ...bare, gas, amount: 0n } });
}
