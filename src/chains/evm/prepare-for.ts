import { PAYMENT_STATE } from '../../htlc/contract-payment.ts';
import { NO_TOKEN } from '../../htlc/evm-calls.ts';
import { paysOn, rewardInAmount } from '../../htlc/evm-reward-calls.ts';
import { secretFits } from '../../htlc/secret-hash.ts';
import type { Answer, PreparedTransaction, PrepareRequest } from '../../ports/chain.ts';
import { fault, ok } from '../accounts/answers.ts';
import { gasLimits } from './coin.ts';
import { storedUnder } from './contract-calls.ts';
import type { Plan } from './make.ts';
import { type Parts, weiText } from './parts.ts';
import { gasOfTrial, INVALID_TERMS, MORE_FOR_REWARD, rewardedFor, WOULD_REVERT } from './prepare-end.ts';
import { dayPrices } from './prices.ts';
import { CallReverted, type EvmLook, type Intent } from './reader.ts';
import { promisedIn, type Rewarded, rewardedEnd, rewardProblem, rewardSaid } from './rewards.ts';
import { callOf, callProblem, namedOf } from './terms.ts';
import { madeOf } from './transaction.ts';

type Of<Purpose extends PrepareRequest['purpose']> = Extract<PrepareRequest, { readonly purpose: Purpose }>;
type Asked<R> = { readonly request: R; readonly look: EvmLook };

const NO_WATCHERS = fault('unsupported', 'only the parties can call the swap contract of this coin');
const NO_REWARD = fault('unsupported', 'the payment offers no reward to a third party');

/**
 * What a watcher gets in place of something signed: the payment itself, which promises it a reward. Takes nothing, and broadcasting it is
 * paying.
 */
export async function preparePreimage(
  { coin, account }: Parts,
  { request }: { readonly request: Of<'claimPreimage' | 'refundPreimage'> },
): Promise<Answer<PreparedTransaction>> {
  const { purpose, terms, funding } = request;
  if (coin.rewards !== true) return NO_WATCHERS;
  const named = namedOf(terms, coin);
  const made = madeOf(funding.tx_hex);
  if (named === null || made === null) return INVALID_TERMS;
  const claims = purpose === 'claimPreimage';
  if ((claims ? named.receiver : named.sender) !== account.address)
    return fault('invalid', `the terms name another ${claims ? 'receiver' : 'sender'}`);
  const problem = callProblem(named, made);
  if (problem !== null) return fault('invalid', problem);
  const reward = callOf(made, named.contract)?.reward ?? null;
  if (reward === null || promisedIn(coin, made.hex) === null) return NO_REWARD;
  const wrong = rewardProblem({ named, reward }, { ...account.prices, role: terms.reward });
  if (wrong !== null) return fault('invalid', wrong);
  if (!paysOn(claims ? 'claim' : 'refund', reward)) return NO_REWARD;
  return ok({ tx_hex: made.hex, tx_hash: made.id, spends: [], fee: weiText(0n) });
}

/**
 * A call by which a watcher ends a payment for a party. It is made only while the contract accepts it, for a payment that matches its terms, and if the
 * reward pays for the gas, unless the request wants it all the same.
 */
export async function planFor(
  parts: Parts,
  { request, look }: Asked<Of<'claimFor' | 'refundFor'>>,
): Promise<Answer<Plan>> {
  const { coin, account } = parts;
  if (coin.rewards !== true) return NO_WATCHERS;
  const named = namedOf(request.terms, coin);
  if (named === null) return INVALID_TERMS;
  const secret = request.purpose === 'claimFor' ? request.secret : null;
  if (secret !== null && !secretFits(secret, named.secretHash))
    return fault('invalid', 'the secret does not match its hash');
  const { tx_hex: funding } = request.funding;
  const limits = gasLimits(coin);
  const limit = (secret === null ? limits.refund : limits.claim) + MORE_FOR_REWARD;
  const callOfEnd = (rewarded: Rewarded) => ({
    ...{ from: account.address, to: named.contract, data: rewardedEnd(rewarded, secret) },
  });
  const said = rewardSaid(madeOf(funding), named);
  const [stored, rewarded] = await Promise.all([
    storedUnder(look, named),
    rewardedFor(parts, { named, look, funding }),
    // In its most likely form: tried beside the question whether it has that form.
    said === null ? null : tried(look, { call: callOfEnd(said), limit, urgency: request.urgency }),
  ]);
  if (stored.state === PAYMENT_STATE.none) return fault('unavailable', 'the payment does not exist yet');
  if (rewarded === null) return NO_REWARD;
  const problem = rewardProblem(rewarded, { ...account.prices, role: request.terms.reward });
  if (problem !== null) return fault('invalid', problem);
  if (!paysOn(secret === null ? 'refund' : 'claim', rewarded.reward)) return NO_REWARD;
  const call = callOfEnd(rewarded);
  if (request.unpaid !== true) {
    const tooDear = await unprofitable(parts, { look, rewarded, intent: { ...call, value: 0n } });
    if (tooDear !== null) return tooDear;
  }
  const gas = await gasOfTrial(look, { call, limit, urgency: request.urgency });
  if (gas === null) return WOULD_REVERT;
  const content = { to: named.contract, value: 0n, data: call.data, gas, amount: 0n, shares: true };
  return ok({ variant: request, content });
}

/** What such a call will ask, and which answers count later. */
async function tried(look: EvmLook, trial: Parameters<typeof gasOfTrial>[1]): Promise<void> {
  await Promise.allSettled([
    gasOfTrial(look, trial),
    look.gas({ ...trial.call, from: trial.call.from ?? '', value: 0n }),
  ]);
}

type Weighing = { readonly look: EvmLook; readonly rewarded: Rewarded; readonly intent: Intent };

/** By what the gas costs at the current price, which is less than the most that is offered. A reward in tokens has no price here. */
async function unprofitable({ account }: Parts, { look, rewarded, intent }: Weighing): Promise<Answer<never> | null> {
  const { named, reward } = rewarded;
  const isInTokens = named.token !== NO_TOKEN && rewardInAmount(reward, named.token) > 0n;
  if (isInTokens) return fault('feeTooLow', 'the reward is in tokens whose price is unknown');
  const gas = await look.gas(intent).catch((error: unknown) => {
    if (error instanceof CallReverted) return null;
    throw error;
  });
  if (gas === null) return WOULD_REVERT;
  const { baseFee, tip } = await dayPrices(account.prices, look);
  const cost = gas * (baseFee + tip);
  if (cost <= reward.amount) return null;
  const [costs, pays] = [weiText(cost), weiText(reward.amount)];
  return fault('feeTooLow', `the gas costs ${costs} and the reward is ${pays}`, { leastFee: costs });
}
