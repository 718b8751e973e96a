import { type DecimalText, fromBaseUnits, toBigNumber } from '../primitives/decimal.ts';
import type { DexFee } from './dex-fee.ts';

/** A network fee as Started stores it, in coin units. */
export type StoredTradeFee = {
  readonly coin: string;
  readonly amount: DecimalText;
  /** Taken from the traded amount, so that nothing else is needed. */
  readonly paid_from_trading_vol: boolean;
} | null;

type Coins = { readonly maker_coin: string; readonly taker_coin: string };

/** A swap in progress: members of its Started payload, and the types of its events so far. */
export type RunningSwap = {
  readonly uuid: string;
  readonly events: Iterable<string>;
  /**
   * What the refund of the own payment takes from the wallet, if the wallet pays for it, as with accounts. Until the payment is sent it is part of
   * the payment's fee. @defaultValue null: the payment itself pays for its refund, or the chain refunds automatically
   */
  readonly refundFee?: StoredTradeFee;
} & (
  | {
      readonly role: 'taker';
      readonly started: Coins & {
        readonly taker_amount: DecimalText;
        readonly fee_to_send_taker_fee: StoredTradeFee;
        readonly taker_payment_trade_fee: StoredTradeFee;
        readonly maker_payment_spend_trade_fee: StoredTradeFee;
      };
      /** Fee and burn in units of the taker coin, see {@link dexFeeTotal}. */
      readonly dexFee: DecimalText;
    }
  | {
      readonly role: 'maker';
      readonly started: Coins & {
        readonly maker_amount: DecimalText;
        readonly maker_payment_trade_fee: StoredTradeFee;
        readonly taker_payment_spend_trade_fee: StoredTradeFee;
      };
    }
);

/** Amounts in coin units by ticker; coins without a locked amount are absent. */
export type LockedAmounts = ReadonlyMap<string, DecimalText>;

/** How a payment ends, for which a wallet may have to pay. */
export type LegEnd = 'claim' | 'refund';

/** The network fees that a swap will still take from the wallet on one of its chains. */
export type LegFees = {
  /** The coin that pays them. */
  readonly coin: string;
  /** In units of that coin. */
  readonly amount: DecimalText;
  /** The part that ends a payment; its cost is decided when its time comes. */
  readonly ends: readonly LegEnd[];
};

/** What a swap will still take from the wallet. */
export type SwapHold = {
  /** All of it. */
  readonly amounts: LockedAmounts;
  /** The fees that are part of it, by the ticker of the coin that is traded there; a chain on which none is paid is absent. */
  readonly fees: ReadonlyMap<string, LegFees>;
};

/**
 * The total that the taker's fee transaction pays, in coin units. `decimals` of the taker coin are 8 by default.
 *
 * @example
 * ```ts
 * import { decimalOf, dexFee, dexFeeTotal } from 'swapfold/htlc';
 *
 * const fee = dexFee({ takerCoin: 'KMD', makerCoin: 'LTC', takerAmount: decimalOf('3') });
 * dexFeeTotal(fee); // → '0.00347489'
 * ```
 */
export function dexFeeTotal({ feeSat, burnSat }: DexFee, decimals = 8): DecimalText {
  return fromBaseUnits(feeSat + burnSat, decimals);
}

/**
 * What a swap will still take from the wallet, by KDF's rule.
 *
 * A taker: its fee until TakerFeeSent, its amount until TakerPaymentSent, each with the network fee of sending it, and the network fee of its claim
 * until MakerPaymentSpent or MakerPaymentSpentByWatcher. A maker: its amount with the network fee until MakerPaymentSent, and the network fee of its
 * claim until TakerPaymentSpent. A finished swap locks nothing.
 *
 * Beyond KDF's rule, which omits it: the `refundFee` of a payment that was sent, until it is claimed or refunded.
 *
 * @example
 * ```ts
 * import { decimalOf, lockedBySwap, type RunningSwap } from 'swapfold/htlc';
 *
 * const fee = { coin: 'ETH', amount: decimalOf('0.002'), paid_from_trading_vol: false };
 * const swap: RunningSwap = {
 *   ...{ uuid: 'a', role: 'maker', events: ['Started', 'Negotiated'] },
 *   started: {
 *     ...{ maker_coin: 'USDC', taker_coin: 'LTC', maker_amount: decimalOf('40') },
 *     ...{ maker_payment_trade_fee: fee, taker_payment_spend_trade_fee: null },
 *   },
 * };
 * lockedBySwap(swap); // → new Map([['USDC', '40'], ['ETH', '0.002']])
 * lockedBySwap({ ...swap, events: ['MakerPaymentSent'] }); // → new Map()
 * ```
 */
export function lockedBySwap(swap: RunningSwap): LockedAmounts {
  return lockedBySwaps([swap]);
}

/** The same, with the fees shown separately. */
export function holdOfSwap(swap: RunningSwap): SwapHold {
  const fees = new Map<string, LegFees>();
  for (const { coin, amount, leg, end } of claimsOf(swap)) {
    if (end === undefined) continue;
    const before = fees.get(leg);
    const ends = [...(before?.ends ?? []), ...(end === null ? [] : [end])];
    fees.set(leg, { coin, amount: sum(before?.amount, amount), ends });
  }
  return { amounts: lockedBySwap(swap), fees };
}

/**
 * What all swaps together will still take from the wallet.
 *
 * @param options.except The uuid of a swap to leave out: one whose own balance is being checked.
 *
 * @example
 * ```ts
 * import { decimalOf, lockedBySwaps, type RunningSwap } from 'swapfold/htlc';
 *
 * const payingLtc = (uuid: string, amount: string): RunningSwap => ({
 *   ...{ uuid, role: 'maker', events: ['Started'] },
 *   started: {
 *     ...{ maker_coin: 'LTC', taker_coin: 'KMD', maker_amount: decimalOf(amount) },
 *     ...{ maker_payment_trade_fee: null, taker_payment_spend_trade_fee: null },
 *   },
 * });
 * const swaps = [payingLtc('a', '1.5'), payingLtc('b', '0.25')];
 * lockedBySwaps(swaps); // → new Map([['LTC', '1.75']])
 * lockedBySwaps(swaps, { except: 'a' }); // → new Map([['LTC', '0.25']])
 * ```
 */
export function lockedBySwaps(swaps: Iterable<RunningSwap>, options: { readonly except?: string } = {}): LockedAmounts {
  const sums = new Map<string, DecimalText>();
  for (const swap of swaps) {
    if (swap.uuid === options.except) continue;
    for (const { coin, amount } of claimsOf(swap)) sums.set(coin, sum(sums.get(coin), amount));
  }
  return new Map([...sums].filter(([, amount]) => !toBigNumber(amount).isZero()));
}

type Claim = {
  readonly coin: string;
  readonly amount: DecimalText;
  /** Ticker of the coin that is traded on its chain. */
  readonly leg: string;
  /** Of a fee: what it ends, or null. Absent for what is paid to someone. */
  readonly end?: LegEnd | null;
};

function claimsOf(swap: RunningSwap): readonly Claim[] {
  const events = new Set(swap.events);
  if (events.has('Finished')) return [];
  const { maker_coin, taker_coin } = swap.started;
  if (swap.role === 'maker') {
    const { maker_amount, maker_payment_trade_fee, taker_payment_spend_trade_fee } = swap.started;
    return [
      ...(events.has('MakerPaymentSent')
        ? refundIn(swap, { leg: maker_coin, settled: events.has('MakerPaymentRefunded') })
        : withFee({ coin: maker_coin, amount: maker_amount, leg: maker_coin }, maker_payment_trade_fee)),
      ...(events.has('TakerPaymentSpent') ? [] : feeOnly(taker_payment_spend_trade_fee, taker_coin, { end: 'claim' })),
    ];
  }
  const { taker_amount, fee_to_send_taker_fee, taker_payment_trade_fee, maker_payment_spend_trade_fee } = swap.started;
  const claimed = events.has('MakerPaymentSpent') || events.has('MakerPaymentSpentByWatcher');
  const settled = ENDS_OF_TAKER_PAYMENT.some((type) => events.has(type));
  return [
    ...(events.has('TakerFeeSent')
      ? []
      : withFee({ coin: taker_coin, amount: swap.dexFee, leg: taker_coin }, fee_to_send_taker_fee)),
    ...(events.has('TakerPaymentSent')
      ? refundIn(swap, { leg: taker_coin, settled })
      : withFee({ coin: taker_coin, amount: taker_amount, leg: taker_coin }, taker_payment_trade_fee)),
    ...(claimed ? [] : feeOnly(maker_payment_spend_trade_fee, maker_coin, { end: 'claim' })),
  ];
}

const ENDS_OF_TAKER_PAYMENT = ['TakerPaymentSpent', 'TakerPaymentRefunded', 'TakerPaymentRefundedByWatcher'] as const;

type Refunding = { readonly leg: string; readonly settled: boolean };

function refundIn({ refundFee = null }: RunningSwap, { leg, settled }: Refunding): readonly Claim[] {
  return settled ? [] : feeOnly(refundFee, leg, { end: 'refund' });
}

function withFee(claim: Claim, fee: StoredTradeFee): readonly Claim[] {
  return [claim, ...feeOnly(fee, claim.leg)];
}

/** Absent in a log that was imported as stored before February 2021. */
function feeOnly(
  fee: StoredTradeFee | undefined,
  leg: string,
  { end }: { readonly end: LegEnd | null } = { end: null },
): readonly Claim[] {
  if (fee === null || fee === undefined || fee.paid_from_trading_vol) return [];
  return [{ coin: fee.coin, amount: fee.amount, leg, end }];
}

function sum(left: DecimalText | undefined, right: DecimalText): DecimalText {
  const total = left === undefined ? toBigNumber(right) : toBigNumber(left).plus(toBigNumber(right));
  return total.toFixed() as DecimalText;
}
