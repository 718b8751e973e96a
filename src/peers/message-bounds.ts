import type { SwapMessageKind } from '../ports/peers.ts';
import { MAX_DECIMAL_LENGTH } from '../primitives/decimal.ts';
import { type Bound, bytesUpTo, hexUpTo, membersOf, textUpTo } from './bounded-copy.ts';

/**
 * The most that a message may hold, member by member. Each limit is what the protocol can need, with room; a message beyond one is dropped before
 * anything else is checked. An adapter may drop it earlier.
 */
export const MESSAGE_LIMITS = {
  /** Bytes of a transaction. The standard rules of UTXO chains allow 100,000 without witness; a call of a contract has far fewer. */
  transactionBytes: 200_000,
  /** Bytes of a transaction's id, a hash or a contract's address: 20 or 32 on every chain known, 64 in some encodings. */
  hashBytes: 128,
  /** Bytes of a public key, compressed. */
  keyBytes: 33,
  /** Bytes of what a taker signs for watchers: a spend of one payment to one output, some 400 on UTXO chains; on chains of accounts the payment, some 500. */
  preimageBytes: 4000,
  /** Characters of an invoice: as many as the largest QR code holds. */
  invoice: 7089,
  /** Characters of a ticker. */
  ticker: 64,
  /** Characters of a swap's id, in the longest spelling that is read. */
  uuid: 45,
  /** Characters of an amount in coin units; the real node writes at most some 110. */
  amount: MAX_DECIMAL_LENGTH,
} as const;

const { transactionBytes, hashBytes, keyBytes, preimageBytes, invoice, ticker, uuid, amount } = MESSAGE_LIMITS;

/** Where a number or a flag stands, a text is none: the longest that anyone means as one is let through to the schema. */
const small = textUpTo(32);
const shortHex = hexUpTo(hashBytes);
const key = hexUpTo(keyBytes);
const tx = membersOf({ tx_hex: hexUpTo(transactionBytes), tx_hash: shortHex });

const negotiation = membersOf({
  version: small,
  persistent_pubkey: key,
  maker_coin_htlc_pub: key,
  taker_coin_htlc_pub: key,
  started_at: small,
  payment_locktime: small,
  secret_hash: shortHex,
  maker_coin_swap_contract: shortHex,
  taker_coin_swap_contract: shortHex,
});

const watch = membersOf({
  uuid: textUpTo(uuid),
  secret_hash: bytesUpTo(hashBytes),
  maker_payment_spend_preimage: bytesUpTo(preimageBytes),
  taker_payment_refund_preimage: bytesUpTo(preimageBytes),
  swap_started_at: small,
  lock_duration: small,
  taker_coin: textUpTo(ticker),
  taker_amount: textUpTo(amount),
  taker_fee_hash: bytesUpTo(hashBytes),
  taker_payment_hash: bytesUpTo(hashBytes),
  taker_coin_start_block: small,
  taker_payment_confirmations: small,
  taker_payment_requires_nota: small,
  maker_coin: textUpTo(ticker),
  maker_amount: textUpTo(amount),
  maker_pub: bytesUpTo(keyBytes),
  taker_pub: key,
  maker_payment_hash: bytesUpTo(hashBytes),
  maker_coin_start_block: small,
});

const instructions = membersOf({ WatcherReward: textUpTo(amount), Lightning: textUpTo(invoice) });

/** Longest name of a kind, so that a longer text is not even looked up. */
export const LONGEST_KIND = 32;

/** The members of each kind of message beside its kind, with their bounds. */
export const MESSAGE_BOUNDS: ReadonlyMap<string, Bound> = new Map(
  Object.entries({
    negotiation: membersOf({ offer: negotiation }),
    negotiationReply: membersOf({ reply: negotiation }),
    negotiated: membersOf({ accepted: small }),
    takerFee: membersOf({ tx, instructions }),
    makerPayment: membersOf({ tx, instructions }),
    takerPayment: membersOf({ tx }),
    watcher: membersOf({ watch }),
    transaction: membersOf({ tx }),
  } satisfies Record<SwapMessageKind, Bound>),
);
