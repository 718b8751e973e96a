import type { Answer, Quote } from '../../ports/chain.ts';
import { type DecimalText, fromBaseUnits } from '../../primitives/decimal.ts';
import { fault, ok } from '../accounts/answers.ts';
import { type EvmCoin, gasLimits } from './coin.ts';
import { fundsOf } from './funds.ts';
import { type Parts, weiText } from './parts.ts';
import { feeGas } from './prepare.ts';
import { MORE_FOR_REWARD } from './prepare-end.ts';
import { dayPrices, leastPrice, usualPrice } from './prices.ts';
import type { EvmLook } from './reader.ts';
import { usualReward } from './rewards.ts';
import { gasOfCalls } from './token-gas.ts';

type Ending = Pick<Parts, 'calls'> & { readonly coin: EvmCoin };

/** Gas that ends a payment, as the last quote measured it: with a reward, if the coin has any. */
export function gasOfEnd({ coin, calls }: Ending, end: 'claim' | 'refund'): bigint {
  return (calls.measured ?? gasLimits(coin))[end] + (coin.rewards === true ? MORE_FOR_REWARD : 0n);
}

/** After what is being given back or filled; a node is asked before. */
export async function quoteInTurn(parts: Parts, look: EvmLook): Promise<Answer<Quote>> {
  await quoteOf(parts, look);
  return parts.account.inTurn(() => quoteOf(parts, look));
}

async function quoteOf(parts: Parts, look: EvmLook): Promise<Answer<Quote>> {
  const { coin, account, calls } = parts;
  const { prices } = account;
  const [day, { wei, tokens }, forFee, measured] = await Promise.all([
    dayPrices(prices, look),
    fundsOf(parts, { look }),
    feeGas(parts, look),
    gasOfCalls(look, parts),
  ]);
  calls.measured = measured;
  const least = leastPrice(prices, day).most;
  if (least > day.ceiling) return fault('feeTooLow', aboveCeiling(least, day.ceiling));
  const price = usualPrice(prices, day);
  const limits = gasLimits(coin);
  const cost = (gas: bigint): DecimalText => weiText(gas * price.most);
  const { number, time } = look.head;
  return ok({
    height: number,
    clock: time,
    spendable: fromBaseUnits((tokens ?? wei).free, coin.decimals),
    // A payer must be able to refund, and the account pays for that too.
    paymentFee: cost(MOST_APPROVALS * limits.approval + measured.payment + gasOfEnd(parts, 'refund')),
    spendFee: cost(gasOfEnd(parts, 'claim')),
    spendFeeFrom: 'wallet',
    dexFeeFee: cost(forFee),
    ...(coin.rewards === true ? { reward: weiText(usualReward(prices, day)) } : {}),
    ...(coin.token === undefined ? {} : { feeCoin: { coin: coin.token.platform, spendable: weiText(wei.free) } }),
  });
}

/** A payer could now get nothing by a claim, and no refund. */
function aboveCeiling(least: bigint, ceiling: bigint): string {
  const gwei = (wei: bigint): string => fromBaseUnits(wei, GWEI_DIGITS);
  return `a unit of gas costs ${gwei(least)} gwei at least now, and max_gas_price of the coins file allows ${gwei(ceiling)}: raise it, or wait`;
}

const GWEI_DIGITS = 9;

/** For one payment: zero for what was approved before, and the amount. */
const MOST_APPROVALS = 2n;
