import { dexFee } from '../../htlc/dex-fee.ts';
import { dexFeeTotal } from '../../htlc/locked-amount.ts';
import type { NetworkProfile } from '../../htlc/network-profile.ts';
import type { Chain, Quote } from '../../ports/chain.ts';
import { type DecimalText, toBigNumber } from '../../primitives/decimal.ts';
import {
  addFractions,
  compareFractions,
  type Fraction,
  fractionInBaseUnits,
  fractionOf,
  fractionOfDecimal,
  fractionText,
  subtractFractions,
  ZERO_FRACTION,
} from '../../primitives/fraction.ts';
import { OrderRefusal } from './refusal.ts';

/** What is asked about: the chain of the coin that is given, and what running swaps will still take of its wallet, by ticker. */
export type Purse = {
  readonly chain: Pick<Chain, 'quote'> & {
    readonly traits: Pick<Chain['traits'], 'coin' | 'decimals' | 'minTxAmount'>;
  };
  readonly locked: ReadonlyMap<string, DecimalText>;
};

/** What a taker pays beside its payment. */
export type TakerFees = { readonly makerCoin: string; readonly network: NetworkProfile; readonly takerKey: string };

/**
 * Checks that a wallet has what an order gives, with the fees of giving it; a maker's order is no promise that the coins are there later.
 *
 * @throws OrderRefusal balanceTooLow in the words of the real node; balanceUnknown
 */
export async function requireFunds(purse: Purse, volume: Fraction, taker: TakerFees | null): Promise<void> {
  const quote = await quoteOf(purse);
  const { coin } = purse.chain.traits;
  const feeCoin = quote.feeCoin?.coin ?? coin;
  const fees = addFractions(
    fractionOfDecimal(quote.paymentFee),
    taker === null ? ZERO_FRACTION : fractionOfDecimal(quote.dexFeeFee),
  );
  const dexFees = taker === null ? ZERO_FRACTION : dexFeeOf(purse, volume, taker);
  const given = addFractions(volume, dexFees);
  const own = feeCoin === coin ? addFractions(given, fees) : given;
  requireEnough(coin, { has: availableOf(purse, quote), needs: own, locked: purse.locked.get(coin) });
  if (quote.feeCoin === undefined || feeCoin === coin) return;
  const has = spendable(quote.feeCoin, purse.locked.get(feeCoin));
  requireEnough(`base coin ${feeCoin} balance`, { has, needs: fees, locked: purse.locked.get(feeCoin) });
}

/** All that a maker can give, the fee of the payment kept back. @throws OrderRefusal balanceTooLow where nothing is left; balanceUnknown */
export async function mostFunds(purse: Purse): Promise<Fraction> {
  const quote = await quoteOf(purse);
  const { coin, decimals, minTxAmount } = purse.chain.traits;
  const has = availableOf(purse, quote);
  const kept =
    quote.feeCoin === undefined || quote.feeCoin.coin === coin ? fractionOfDecimal(quote.paymentFee) : ZERO_FRACTION;
  const most = subtractFractions(has, kept);
  const units = most.numer > 0n ? fractionInBaseUnits(most, decimals) : 0n;
  if (units < minTxAmount) {
    const least = fractionOf(minTxAmount, 10n ** BigInt(decimals));
    requireEnough(coin, { has, needs: addFractions(least, kept), locked: purse.locked.get(coin) });
  }
  return fractionOf(units, 10n ** BigInt(decimals));
}

async function quoteOf({ chain }: Purse): Promise<Quote> {
  const answer = await chain.quote();
  if (answer.ok) return withPromise(answer.value);
  throw new OrderRefusal('balanceUnknown', `Transport error: ${answer.fault.message}`);
}

/** What a payment may promise to watchers is part of its fee: who will ask for it is not known yet. */
function withPromise(quote: Quote): Quote {
  const { reward, paymentFee } = quote;
  if (reward === undefined) return quote;
  return { ...quote, paymentFee: toBigNumber(paymentFee).plus(toBigNumber(reward)).toFixed() as DecimalText };
}

function dexFeeOf({ chain }: Purse, volume: Fraction, { makerCoin, network, takerKey }: TakerFees): Fraction {
  const { coin, decimals, minTxAmount } = chain.traits;
  const takerAmount = fractionText(fractionOf(fractionInBaseUnits(volume, decimals), 10n ** BigInt(decimals)));
  const fee = dexFee({ takerCoin: coin, makerCoin, takerAmount, minTxAmount, decimals, network, takerKey });
  return fractionOfDecimal(dexFeeTotal(fee, decimals));
}

function availableOf({ chain, locked }: Purse, quote: Quote): Fraction {
  return spendable(quote, locked.get(chain.traits.coin));
}

function spendable(has: Pick<Quote, 'spendable' | 'coming'>, locked: DecimalText | undefined): Fraction {
  const whole = addFractions(
    fractionOfDecimal(has.spendable),
    has.coming === undefined ? ZERO_FRACTION : fractionOfDecimal(has.coming),
  );
  return locked === undefined ? whole : subtractFractions(whole, fractionOfDecimal(locked));
}

type Held = { readonly has: Fraction; readonly needs: Fraction; readonly locked: DecimalText | undefined };

function requireEnough(what: string, { has, needs, locked }: Held): void {
  if (compareFractions(has, needs) >= 0) return;
  const available = fractionText(has);
  const text = `Not enough ${what} for swap: available ${available}, required at least ${fractionText(needs)}`;
  throw new OrderRefusal('balanceTooLow', `${text}, locked by swaps ${locked ?? 0}`);
}
