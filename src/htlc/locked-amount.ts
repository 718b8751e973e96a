import { type DecimalText, fromBaseUnits, toBigNumber } from '../primitives/decimal.ts';
import type { DexFee } from './dex-fee.ts';

/** A network fee as Started stores it, in coin units. */
export type StoredTradeFee = {
  readonly coin: string;
  readonly amount: DecimalText;
  /** Taken from the amount that is traded, so that nothing is needed beside it. */
  readonly paid_from_trading_vol: boolean;
} | null;

type Coins = { readonly maker_coin: string; readonly taker_coin: string };

/** A swap under way: members of its Started payload, and the types of the events that it has so far. */
export type RunningSwap = { readonly uuid: string; readonly events: Iterable<string> } & (
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

/** Amounts in coin units by ticker; a coin of which nothing is locked is absent. */
export type LockedAmounts = ReadonlyMap<string, DecimalText>;

/** What the taker's fee transaction pays in all, in coin units. `decimals` of the taker coin are 8 unless given. */
export function dexFeeTotal({ feeSat, burnSat }: DexFee, decimals = 8): DecimalText {
  return fromBaseUnits(feeSat + burnSat, decimals);
}

/**
 * What a swap will still take from the wallet, by KDF's rule.
 *
 * A taker: its fee until TakerFeeSent, its amount until TakerPaymentSent, each with the network fee of sending it, and the
 * network fee of its claim until MakerPaymentSpent or MakerPaymentSpentByWatcher. A maker: its amount with the network fee
 * until MakerPaymentSent, and the network fee of its claim until TakerPaymentSpent. A finished swap locks nothing.
 */
export function lockedBySwap(swap: RunningSwap): LockedAmounts {
  return lockedBySwaps([swap]);
}

/**
 * What all swaps together will still take from the wallet.
 *
 * @param options.except The uuid of a swap that is not counted: one whose own balance is being checked.
 */
export function lockedBySwaps(swaps: Iterable<RunningSwap>, options: { readonly except?: string } = {}): LockedAmounts {
  const sums = new Map<string, DecimalText>();
  for (const swap of swaps) {
    if (swap.uuid === options.except) continue;
    for (const { coin, amount } of claimsOf(swap)) sums.set(coin, sum(sums.get(coin), amount));
  }
  return new Map([...sums].filter(([, amount]) => !toBigNumber(amount).isZero()));
}

type Claim = { readonly coin: string; readonly amount: DecimalText };

function claimsOf(swap: RunningSwap): readonly Claim[] {
  const events = new Set(swap.events);
  if (events.has('Finished')) return [];
  const { maker_coin, taker_coin } = swap.started;
  if (swap.role === 'maker') {
    const { maker_amount, maker_payment_trade_fee, taker_payment_spend_trade_fee } = swap.started;
    return [
      ...(events.has('MakerPaymentSent')
        ? []
        : withFee({ coin: maker_coin, amount: maker_amount }, maker_payment_trade_fee)),
      ...(events.has('TakerPaymentSpent') ? [] : feeOnly(taker_payment_spend_trade_fee)),
    ];
  }
  const { taker_amount, fee_to_send_taker_fee, taker_payment_trade_fee, maker_payment_spend_trade_fee } = swap.started;
  const claimed = events.has('MakerPaymentSpent') || events.has('MakerPaymentSpentByWatcher');
  return [
    ...(events.has('TakerFeeSent') ? [] : withFee({ coin: taker_coin, amount: swap.dexFee }, fee_to_send_taker_fee)),
    ...(events.has('TakerPaymentSent')
      ? []
      : withFee({ coin: taker_coin, amount: taker_amount }, taker_payment_trade_fee)),
    ...(claimed ? [] : feeOnly(maker_payment_spend_trade_fee)),
  ];
}

function withFee(claim: Claim, fee: StoredTradeFee): readonly Claim[] {
  return [claim, ...feeOnly(fee)];
}

/** Absent in a log that was taken over as it was stored before February 2021. */
function feeOnly(fee: StoredTradeFee | undefined): readonly Claim[] {
  return fee === null || fee === undefined || fee.paid_from_trading_vol ? [] : [{ coin: fee.coin, amount: fee.amount }];
}

function sum(left: DecimalText | undefined, right: DecimalText): DecimalText {
  const total = left === undefined ? toBigNumber(right) : toBigNumber(left).plus(toBigNumber(right));
  return total.toFixed() as DecimalText;
}
