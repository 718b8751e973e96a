import { encodeSwapCall, NO_TOKEN } from '../../htlc/evm-calls.ts';
import { encodeRewardCall, type Reward, rewardBeside, rewardInAmount } from '../../htlc/evm-reward-calls.ts';
import type { Answer, PreparedTransaction, PrepareRequest } from '../../ports/chain.ts';
import { toBaseUnits } from '../../primitives/decimal.ts';
import { fault } from './answers.ts';
import { BARE_TRANSFER, gasAt, gasLimits } from './coin.ts';
import { STATE, storedUnder, tokenTransfer } from './contract-calls.ts';
import { feeAccountOf } from './fee-check.ts';
import { transferGas } from './gas.ts';
import { make } from './make.ts';
import { type Parts, WEI_DIGITS } from './parts.ts';
import { INVALID_TERMS, MORE_FOR_REWARD, prepareEnd } from './prepare-end.ts';
import { prepareFor, preparePreimage } from './prepare-for.ts';
import { dayPrices } from './prices.ts';
import type { Look } from './reader.ts';
import { rewardToPay } from './rewards.ts';
import { callOf, isWord, type Named, namedOf, storedProblem } from './terms.ts';
import { madeOf } from './transaction.ts';

type Asked<R = PrepareRequest> = { readonly request: R; readonly swap: string; readonly look: Look };
type Of<Purpose extends PrepareRequest['purpose']> = Extract<PrepareRequest, { readonly purpose: Purpose }>;

const NOTHING_TO_COMPLETE = fault('unsupported', 'nothing is signed in advance on this chain');
const NO_REWARDS = fault('unsupported', 'the swap contract of this coin takes no payment with a reward');
const NO_CHILDREN = fault('unsupported', 'a transaction of an account has no children');

/** Makes and signs what is asked for; nothing is sent. One at a time for each account: what one takes, the next one must not. */
export async function prepare(parts: Parts, asked: Asked): Promise<Answer<PreparedTransaction>> {
  const { request } = asked;
  switch (request.purpose) {
    case 'fee':
      return prepareFee(parts, { ...asked, request });
    case 'payment':
      return preparePayment(parts, { ...asked, request });
    case 'claim':
    case 'refund':
      return prepareEnd(parts, { ...asked, request });
    case 'void':
      return prepareVoid(parts, { ...asked, request });
    case 'child':
      return NO_CHILDREN;
    case 'claimPreimage':
    case 'refundPreimage':
      return preparePreimage(parts, { ...asked, request });
    case 'claimFor':
    case 'refundFor':
      return prepareFor(parts, { ...asked, request });
    case 'completePreimage':
      return NOTHING_TO_COMPLETE;
    default:
      return request satisfies never;
  }
}

async function prepareFee(parts: Parts, { request, ...asked }: Asked<Of<'fee'>>): Promise<Answer<PreparedTransaction>> {
  const { feeSat, burnSat } = request;
  if (burnSat > 0n) return fault('unsupported', 'nothing can be burned on this chain');
  const { coin } = parts;
  if (!isWord(feeSat)) return fault('invalid', 'no account has that much');
  const to = feeAccountOf(coin);
  const gas = gasAt(await feeGas(parts, asked.look), request.urgency);
  const call =
    coin.token === undefined
      ? { to, value: feeSat, data: '' }
      : { to: coin.token.address, value: 0n, data: tokenTransfer(to, feeSat) };
  return make(parts, {
    ...asked,
    variant: request,
    content: { ...call, gas, amount: feeSat, shares: true, once: true },
  });
}

/** Gas of a trading fee without any urgency. */
export async function feeGas({ coin, account }: Pick<Parts, 'coin' | 'account'>, look: Look): Promise<bigint> {
  const least = gasLimits(coin).transfer;
  if (coin.token !== undefined) return least;
  const intent = { from: account.address, to: feeAccountOf(coin), value: 0n, data: '' };
  return transferGas(look, { intent, least });
}

async function preparePayment(
  parts: Parts,
  { request, ...asked }: Asked<Of<'payment'>>,
): Promise<Answer<PreparedTransaction>> {
  const { coin, account } = parts;
  const named = namedOf(request.terms, coin);
  if (named === null) return INVALID_TERMS;
  if (named.sender !== account.address) return fault('invalid', 'the sender is somebody else');
  if (named.amount === 0n) return fault('invalid', 'nothing is paid');
  if (request.replaces === null && (await isTakenByOther(parts, { look: asked.look, named })))
    return fault('invalid', 'another payment has the id of this swap');
  const reward = await rewardOf(parts, { request, named, look: asked.look });
  if (reward === 'none') return NO_REWARDS;
  const { token, contract: to } = named;
  const beside = reward === null ? 0n : rewardBeside(reward, token);
  const amount = named.amount + (reward === null ? 0n : rewardInAmount(reward, token));
  const value = token === NO_TOKEN ? amount : beside;
  const data = paymentCall({ ...named, amount }, reward);
  const limits = gasLimits(coin);
  const gas = gasAt(limits.payment, request.urgency);
  const refundGas = limits.refund + (reward === null ? 0n : MORE_FOR_REWARD);
  const spender = token === NO_TOKEN ? null : to;
  const content = { to, value, data, gas, amount, spender, shares: true, refundGas };
  return make(parts, { ...asked, variant: request, content });
}

function paymentCall(named: Named, reward: Reward | null): string {
  const { id: swapId, amount, token, receiver, secretHash } = named;
  const lockTime = BigInt(named.lock);
  if (reward === null)
    return encodeSwapCall({ kind: 'payment', swapId, amount, token, party: receiver, secretHash, lockTime });
  const paid = { swapId, amount, token, sender: null, receiver, secretHash, secret: null, lockTime, reward };
  return encodeRewardCall({ kind: 'payment', ...paid });
}

type Paying = { readonly named: Named; readonly look: Look };

/** What the payment promises; null for nothing. What takes the place of an earlier variant promises the same. */
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

/** Whoever knows the terms can pay under the id of a swap before its payer does. What the account itself has paid there with a reward is its own. */
async function isTakenByOther({ account, events, birth }: Parts, { look, named }: Paying): Promise<boolean> {
  const stored = await storedUnder(look, named);
  if (stored.state === STATE.none || storedProblem(stored, named) === null) return false;
  const paid = await events.find(look, { contract: named.contract, id: named.id, kind: 'paid', from: birth });
  const known = paid === null || paid === 'unread' ? null : await look.transaction(paid.transaction);
  return madeOf(known?.hex ?? '')?.from !== account.address;
}

async function prepareVoid(
  parts: Parts,
  { request, ...asked }: Asked<Of<'void'>>,
): Promise<Answer<PreparedTransaction>> {
  const { account } = parts;
  const target = madeOf(request.target.tx_hex);
  if (target === null || target.from !== account.address) return fault('invalid', 'the target is none of this account');
  if (target.nonce < (await asked.look.used(account.address)))
    return fault('nonceUsed', `nonce ${target.nonce} is used`);
  account.take(target);
  const bare = { to: account.address, value: 0n, data: '' };
  const intent = { from: account.address, ...bare };
  const gas = await transferGas(asked.look, { intent, least: BARE_TRANSFER });
  const content = { ...bare, gas, amount: 0n };
  return make(parts, { ...asked, variant: { ...request, replaces: request.target }, content });
}
