import type { Instructions, StoredTransaction } from '../events/payloads.ts';
import type { NegotiationMessage, NegotiationReply } from '../htlc/negotiation.ts';
import type { DecimalText } from '../primitives/decimal.ts';
import type { UnixSeconds } from '../primitives/time.ts';
import type { Awaitable } from './event-log.ts';

/**
 * What a taker hands to watchers after its payment (KDF `TakerSwapWatcherMsg`); bytes in hex. The amounts and the taker's key
 * are ours: the real node leaves them out. The amounts are null then; the key is the one that signed the message, or null.
 */
export type WatcherMessage = {
  readonly uuid: string;
  readonly secret_hash: string;
  readonly maker_payment_spend_preimage: string;
  readonly taker_payment_refund_preimage: string;
  readonly swap_started_at: UnixSeconds;
  readonly lock_duration: number;
  readonly taker_coin: string;
  readonly taker_amount: DecimalText | null;
  readonly taker_fee_hash: string;
  readonly taker_payment_hash: string;
  readonly taker_coin_start_block: number;
  readonly taker_payment_confirmations: number;
  readonly taker_payment_requires_nota: boolean | null;
  readonly maker_coin: string;
  readonly maker_amount: DecimalText | null;
  /** The maker's key of the taker coin, 33 bytes in hex. */
  readonly maker_pub: string;
  /** The taker's key of the taker coin, 33 bytes in hex: the signer of the message. */
  readonly taker_pub: string | null;
  readonly maker_payment_hash: string;
  readonly maker_coin_start_block: number;
};

/** Messages of a swap, in the order in which a good one sends them. */
export type SwapMessage =
  | { readonly kind: 'negotiation'; readonly offer: NegotiationMessage }
  | { readonly kind: 'negotiationReply'; readonly reply: NegotiationReply }
  | { readonly kind: 'negotiated'; readonly accepted: boolean }
  /** The instructions ask the maker to promise a reward to watchers, in units of the coin that pays fees on its chain. */
  | { readonly kind: 'takerFee'; readonly tx: StoredTransaction; readonly instructions?: Instructions | undefined }
  | { readonly kind: 'makerPayment'; readonly tx: StoredTransaction; readonly instructions: Instructions }
  | { readonly kind: 'takerPayment'; readonly tx: StoredTransaction }
  | { readonly kind: 'watcher'; readonly watch: WatcherMessage }
  /** A signed transaction that whoever has a node of the coin may broadcast too. On KDF's network nobody signs the message, so that it reaches no listener. */
  | { readonly kind: 'transaction'; readonly tx: StoredTransaction };

export type SwapMessageKind = SwapMessage['kind'];

export type PeerEnvelope = {
  /** `swap/<uuid>`, `swpwtchr/<ticker>` for watchers, or `txhlp/<ticker>` for a transaction. */
  readonly topic: string;
  /** The signer's key without its parity byte, 32 bytes in hex. The adapter has verified the signature. */
  readonly from: string;
  readonly message: SwapMessage;
};

/**
 * The network between nodes. It may lose, repeat, delay and reorder; nobody relies on a message being delivered. A message may hold
 * anything: the receiver measures and reads it, and an adapter may drop what is larger than any message (`MESSAGE_LIMITS`).
 *
 * - P1: `from` is who signed; a message that does not verify is never delivered.
 * - P3: `topic` is where its signer sent it, as far as the network can tell. Where signatures do not cover the topic, as on KDF's network,
 *   anyone may repeat a message of one swap in another: the runtime takes one whose secret hash or fee is another swap's for none.
 * - P4: a transaction goes under the id that its bytes have: a network may send the bytes alone.
 * - P2: `send` returns when the message was handed over, not when it arrived.
 */
export interface Peers {
  /** The own signing key without its parity byte, 32 bytes in hex. */
  readonly self: string;
  /** `signer`: public key, 33 bytes in hex, of another own key that signs, such as that of a swap's payments. */
  send(topic: string, message: SwapMessage, options?: { readonly signer?: string }): Awaitable<void>;
  subscribe(topic: string, onMessage: (envelope: PeerEnvelope) => void): { readonly close: () => void };
}
