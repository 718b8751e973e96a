import { z } from 'zod';
import {
  byteNumbers,
  decimal,
  flag,
  hex32,
  hex33,
  hexBytes,
  kindOf,
  orNull,
  orOmitted,
  record,
  text,
  unixSeconds,
  uuid,
  whole,
} from './fields.ts';

// Payload schemas shared by both roles. Member order is the order in which KDF writes them. Unknown members pass through.

/** Events without data: absent or null. */
export const noData = z
  .null({ error: (issue) => `expected no data, found ${kindOf(issue.input)}` })
  .optional()
  .transform((): null => null);

/** A transaction in hex with its id (specification §6, transaction events). */
export const transaction = record({ tx_hex: hexBytes, tx_hash: hexBytes });

/** A failure's description with its code locations (specification §6, error-only events). */
export const failure = record({ error: text });

/** When the owner's wait before the refund ends: own payment lock + 3700 s, informational; null where it was lost. */
export const refundWait = record({ wait_until: unixSeconds.nullable() });

const tradeFee = record({ coin: text, amount: decimal, paid_from_trading_vol: flag.optional().default(false) });

/** Null, a watcher reward in coin units, or a Lightning invoice. */
export const instructions = orNull(
  z.union([record({ WatcherReward: decimal }), record({ Lightning: text })], {
    error: 'expected null, {"WatcherReward": decimal} or {"Lightning": invoice}',
  }),
);

/** A transaction, or null for coins that refund by themselves. */
export const optionalTransaction = orNull(transaction);

/** A transaction where the specification has one, nothing where KDF writes none. */
export const transactionOrNoData = orNull(transaction);

// Not optional: the tuple must have both members, and an optional one may be omitted.
const preimage = byteNumbers.nullable();

/** Signed maker payment spend (without the secret) and signed taker payment refund, each null or bytes as numbers. */
export const watcherPreimages = z.tuple([preimage, preimage], {
  error: (issue) => `expected two preimages, each null or an array of byte numbers, found ${kindOf(issue.input)}`,
});

/** The spend of the taker payment and the secret that it reveals (specification §6, TakerPaymentSpent). */
export const revealingSpend = record({ transaction, secret: hex32 });

export const takerNegotiated = record({
  maker_payment_locktime: unixSeconds,
  maker_pubkey: hex33,
  secret_hash: hexBytes.nullable(),
  maker_coin_swap_contract_addr: orNull(hexBytes),
  taker_coin_swap_contract_addr: orNull(hexBytes),
  maker_coin_htlc_pubkey: orNull(hex33),
  taker_coin_htlc_pubkey: orNull(hex33),
});

export const makerNegotiated = record({
  taker_payment_locktime: unixSeconds,
  taker_pubkey: hex33,
  maker_coin_swap_contract_addr: orNull(hexBytes),
  taker_coin_swap_contract_addr: orNull(hexBytes),
  maker_coin_htlc_pubkey: orNull(hex33),
  taker_coin_htlc_pubkey: orNull(hex33),
});

const contracts = {
  maker_coin_swap_contract_address: orOmitted(hexBytes),
  taker_coin_swap_contract_address: orOmitted(hexBytes),
  maker_coin_htlc_pubkey: orNull(hex33),
  taker_coin_htlc_pubkey: orNull(hex33),
  p2p_privkey: orNull(
    byteNumbers.refine((bytes) => bytes.length === 32, { error: 'expected 32 byte numbers, found another count' }),
  ),
};

/** Specification §6, Started; the members after `uuid` and the optional ones as KDF writes them. */
export const takerStarted = record({
  taker_coin: text,
  maker_coin: text,
  maker: hex32,
  my_persistent_pub: hex33.nullable(),
  lock_duration: whole,
  maker_amount: decimal,
  taker_amount: decimal,
  maker_payment_confirmations: whole,
  maker_payment_requires_nota: orNull(flag),
  taker_payment_confirmations: whole,
  taker_payment_requires_nota: orNull(flag),
  taker_payment_lock: unixSeconds,
  uuid,
  started_at: unixSeconds,
  maker_payment_wait: unixSeconds.nullable(),
  maker_coin_start_block: whole.nullable(),
  taker_coin_start_block: whole.nullable(),
  fee_to_send_taker_fee: orNull(tradeFee),
  taker_payment_trade_fee: orNull(tradeFee),
  maker_payment_spend_trade_fee: orNull(tradeFee),
  ...contracts,
});

export const makerStarted = record({
  taker_coin: text,
  maker_coin: text,
  taker: hex32,
  secret: hex32,
  secret_hash: orNull(hexBytes),
  my_persistent_pub: hex33,
  lock_duration: whole,
  maker_amount: decimal,
  taker_amount: decimal,
  maker_payment_confirmations: whole,
  maker_payment_requires_nota: orNull(flag),
  taker_payment_confirmations: whole,
  taker_payment_requires_nota: orNull(flag),
  maker_payment_lock: unixSeconds,
  uuid,
  started_at: unixSeconds,
  maker_coin_start_block: whole.nullable(),
  taker_coin_start_block: whole.nullable(),
  maker_payment_trade_fee: orNull(tradeFee),
  taker_payment_spend_trade_fee: orNull(tradeFee),
  ...contracts,
});

export type StoredTransaction = z.output<typeof transaction>;
export type Failure = z.output<typeof failure>;
export type RefundWait = z.output<typeof refundWait>;
export type Instructions = z.output<typeof instructions>;
export type WatcherPreimages = z.output<typeof watcherPreimages>;
export type RevealingSpend = z.output<typeof revealingSpend>;
export type TakerStarted = z.output<typeof takerStarted>;
export type TakerNegotiated = z.output<typeof takerNegotiated>;
export type MakerStarted = z.output<typeof makerStarted>;
export type MakerNegotiated = z.output<typeof makerNegotiated>;
