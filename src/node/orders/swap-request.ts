import type { SwapRequest } from '../../events/journal.ts';
import { lockDuration, orderbookTicker } from '../../htlc/lock-times.ts';
import type { MakerReserved, TakerRequest } from '../../ports/orders.ts';
import { type DecimalText, fromBaseUnits } from '../../primitives/decimal.ts';
import {
  compareFractions,
  type Fraction,
  fractionInBaseUnits,
  fractionOf,
  multiplyFractions,
  subtractFractions,
} from '../../primitives/fraction.ts';
import { confirmationsOf } from './match.ts';
import type { OrderCoin, OrderParts } from './parts.ts';

export type Agreed = {
  readonly role: 'maker' | 'taker';
  readonly request: TakerRequest;
  readonly reserved: MakerReserved;
  /** The other side's signing key without parity, in hex. */
  readonly counterparty: string;
  readonly makerCoin: OrderCoin;
  readonly takerCoin: OrderCoin;
};

/**
 * The swap that two orders agree on. Both sides work out the same amounts, rounded down to what the coins can send, and the same lock
 * duration, which notarisation on either side makes longer.
 */
export function swapRequestOf(agreed: Agreed, parts: OrderParts): SwapRequest {
  const { role, request, reserved, counterparty, makerCoin, takerCoin } = agreed;
  const maker = reserved.conf_settings;
  const both = (['maker', 'taker'] as const).map((side) => confirmationsOf(side, { request, maker }));
  const own = both[role === 'maker' ? 0 : 1] as (typeof both)[number];
  const notarisationRequired = both.some((side) => side.maker.nota || side.taker.nota);
  const base = parts.paymentLocktime === undefined ? {} : { base: parts.paymentLocktime };
  return {
    role,
    uuid: request.uuid,
    my_order_uuid: role === 'maker' ? reserved.maker_order_uuid : request.uuid,
    maker_coin: makerCoin.ticker,
    taker_coin: takerCoin.ticker,
    maker_amount: amountOf(reserved.base_amount, makerCoin),
    taker_amount: amountOf(reserved.rel_amount, takerCoin),
    counterparty,
    my_persistent_pub: parts.key,
    lock_duration: lockDuration({
      makerCoin: orderbookTicker(makerCoin.ticker),
      takerCoin: orderbookTicker(takerCoin.ticker),
      notarisationRequired,
      ...base,
    }),
    maker_payment_confirmations: own.maker.confirmations,
    maker_payment_requires_nota: own.maker.nota,
    taker_payment_confirmations: own.taker.confirmations,
    taker_payment_requires_nota: own.taker.nota,
    secret: null,
    use_watchers: isWatchable(agreed) && (parts.useWatchers ?? true),
  };
}

/** A maker has a part in it only where its payment is to promise a reward to watchers. */
function isWatchable({ role, makerCoin, takerCoin }: Agreed): boolean {
  return makerCoin.watchers && takerCoin.watchers && (role === 'taker' || makerCoin.rewards === true);
}

/** In coin units, rounded down to what the coin can send. */
function amountOf(amount: Fraction, { decimals }: OrderCoin): DecimalText {
  return fromBaseUnits(fractionInBaseUnits(amount, decimals), decimals);
}

/**
 * What a swap really takes of an order: rounded down to what the coin can send. Takers ask for fractions with any denominator, and the sum of many such
 * has as many digits as all of them together.
 */
export function sendableOf(amount: Fraction, { decimals }: Pick<OrderCoin, 'decimals'>): Fraction {
  return fractionOf(fractionInBaseUnits(amount, decimals), 10n ** BigInt(decimals));
}

/** The part of an amount that a side may lose because the coin cannot send it whole: one thousandth. */
const MOST_ROUNDED = 1000n;

/**
 * Whether so much of an amount would be rounded away that the price is another one than was agreed on. Of coins with few digits that may be nearly a
 * whole unit, and whoever asks for an amount chooses where it is rounded.
 */
export function roundsAway(amount: Fraction, coin: Pick<OrderCoin, 'decimals'>): boolean {
  const lost = subtractFractions(amount, sendableOf(amount, coin));
  return compareFractions(multiplyFractions(lost, fractionOf(MOST_ROUNDED)), amount) > 0;
}
