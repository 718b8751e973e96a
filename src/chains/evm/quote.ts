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

/** Gas that ends a payment: one with a reward, if the coin has any. */
export function gasOfEnd(coin: EvmCoin, end: 'claim' | 'refund'): bigint {
  return gasLimits(coin)[end] + (coin.rewards === true ? MORE_FOR_REWARD : 0n);
}

/** After what is being given back or filled; a node is asked before. */
export async function quoteInTurn(parts: Parts, look: EvmLook): Promise<Answer<Quote>> {
  await quoteOf(parts, look);
  return parts.account.inTurn(() => quoteOf(parts, look));
}

async function quoteOf(parts: Parts, look: EvmLook): Promise<Answer<Quote>> {
  const { coin, account } = parts;
  const { prices } = account;
  const [day, { wei, tokens }, forFee] = await Promise.all([
    dayPrices(prices, look),
    fundsOf(parts, { look }),
    feeGas(parts, look),
  ]);
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
    paymentFee: cost(MOST_APPROVALS * limits.approval + limits.payment + gasOfEnd(coin, 'refund')),
    spendFee: cost(gasOfEnd(coin, 'claim')),
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
