import type { ConfirmationSettings } from '../../ports/orders.ts';
import {
  compareFractions,
  divideFractions,
  type Fraction,
  fractionOf,
  fractionText,
  multiplyFractions,
} from '../../primitives/fraction.ts';
import type { MakerTerms, TakerOrder } from './model.ts';
import type { OrderCoin } from './parts.ts';
import { OrderRefusal } from './refusal.ts';

/** Confirmations as a request names them; absent are those of the coins. */
export type AskedConfirmations = { readonly [K in keyof ConfirmationSettings]: ConfirmationSettings[K] | null };

export type Pair = { readonly base: OrderCoin; readonly rel: OrderCoin };

/** What a node waits for. @throws OrderRefusal termsInvalid where nobody could see what it would wait for */
export function confirmationSettings({ base, rel }: Pair, asked: AskedConfirmations): ConfirmationSettings {
  const settings = {
    base_confs: asked.base_confs ?? base.requiredConfirmations,
    base_nota: asked.base_nota ?? base.requiresNotarization,
    rel_confs: asked.rel_confs ?? rel.requiredConfirmations,
    rel_nota: asked.rel_nota ?? rel.requiresNotarization,
  };
  if (settings.base_nota) requireTold(base, 'base');
  if (settings.rel_nota) requireTold(rel, 'rel');
  return settings;
}

/** A swap would not begin, on this side alone, once another node has reserved its coins. */
function requireTold({ ticker, tellsNotarised }: OrderCoin, side: 'base' | 'rel'): void {
  if (tellsNotarised) return;
  const instead = `Use ${side}_confs with ${side}_nota false, or activate it without requires_notarization.`;
  throw invalid(
    `'${ticker}' requires notarization, which this node cannot see, so it can't be used in orders. ${instead}`,
  );
}

export type MakerVolumes = {
  readonly price: Fraction;
  readonly volume: Fraction;
  /** Null for the least that both coins permit. */
  readonly minVolume: Fraction | null;
};

/** The volumes of a maker's order, checked as the real node does and in its words. @throws OrderRefusal termsInvalid */
export function makerVolumes(
  pair: Pair,
  { price, volume, minVolume }: MakerVolumes,
): Pick<MakerTerms, 'price' | 'max_base_vol' | 'min_base_vol'> {
  const { base, rel } = pair;
  if (base.ticker === rel.ticker) throw invalid('Rel coin can not be same as base');
  if (price.numer <= 0n) throw tooLow('Price', price, fractionOf(0n));
  const least = leastVolume(pair, price);
  const min = minVolume ?? least;
  if (compareFractions(min, least) < 0) throw tooLow('Min base vol', min, least);
  if (minVolume !== null && compareFractions(volume, minVolume) < 0) {
    throw invalid(`Max base vol ${fractionText(volume)} is below min base vol: ${fractionText(minVolume)}`);
  }
  if (compareFractions(volume, base.minTradingVolume) < 0) throw tooLow('Max base vol', volume, base.minTradingVolume);
  const relVolume = multiplyFractions(volume, price);
  if (compareFractions(relVolume, rel.minTradingVolume) < 0) {
    throw tooLow('Max rel vol', relVolume, rel.minTradingVolume);
  }
  return { price, max_base_vol: volume, min_base_vol: min };
}

/** Least price of a taker's order (`lp_auto_buy`). */
const LEAST_PRICE = fractionOf(1n, 100_000_000n);

/** The amounts of a taker's order, checked as the real node does and in its words. @throws OrderRefusal termsInvalid */
export function takerVolumes(
  pair: Pair,
  { price, volume, minVolume }: MakerVolumes,
): { readonly base_amount: Fraction; readonly rel_amount: Fraction; readonly min_volume: Fraction } {
  const { base, rel } = pair;
  if (base.ticker === rel.ticker) throw invalid('Base and rel must be different coins');
  if (compareFractions(price, LEAST_PRICE) < 0) throw invalid('Price is too low, minimum is 0.00000001');
  const rel_amount = multiplyFractions(volume, price);
  if (compareFractions(volume, base.minTradingVolume) < 0) throw tooLow('Base amount', volume, base.minTradingVolume);
  if (compareFractions(rel_amount, rel.minTradingVolume) < 0)
    throw tooLow('Rel amount', rel_amount, rel.minTradingVolume);
  const least = leastVolume(pair, price);
  const min_volume = minVolume ?? least;
  if (compareFractions(min_volume, least) < 0) throw tooLow('Min volume', min_volume, least);
  if (compareFractions(volume, min_volume) < 0) {
    throw invalid(`Max base vol ${fractionText(volume)} is below min base vol: ${fractionText(min_volume)}`);
  }
  return { base_amount: volume, rel_amount, min_volume };
}

/** In base: enough for both coins. */
function leastVolume({ base, rel }: Pair, price: Fraction): Fraction {
  const byRel = divideFractions(rel.minTradingVolume, price);
  return compareFractions(byRel, base.minTradingVolume) > 0 ? byRel : base.minTradingVolume;
}

/** How a taker's order that nobody took in time continues: the maker gives what the taker would have given. */
export function termsOfTaker({ request, min_volume }: TakerOrder): MakerTerms {
  const { base, rel, base_amount, rel_amount, conf_settings: settings } = request;
  if (request.action === 'Sell') {
    const price = divideFractions(rel_amount, base_amount);
    return {
      ...{ base, rel, price, max_base_vol: base_amount, min_base_vol: min_volume },
      ...{ conf_settings: settings, offer: null },
    };
  }
  const price = divideFractions(base_amount, rel_amount);
  return {
    base: rel,
    rel: base,
    price,
    max_base_vol: rel_amount,
    min_base_vol: divideFractions(min_volume, price),
    conf_settings: {
      base_confs: settings.rel_confs,
      base_nota: settings.rel_nota,
      rel_confs: settings.base_confs,
      rel_nota: settings.base_nota,
    },
    offer: null,
  };
}

function tooLow(what: string, actual: Fraction, threshold: Fraction): OrderRefusal {
  return invalid(`${what} ${fractionText(actual)} is too low, required: ${fractionText(threshold)}`);
}

function invalid(message: string): OrderRefusal {
  return new OrderRefusal('termsInvalid', message);
}
