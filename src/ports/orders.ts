import type { Fraction } from '../primitives/fraction.ts';
import type { Awaitable } from './event-log.ts';

/** Confirmations of both legs that one side asks for. `base` and `rel` are those of the message that holds the settings. */
export type ConfirmationSettings = {
  readonly base_confs: number;
  readonly base_nota: boolean;
  readonly rel_confs: number;
  readonly rel_nota: boolean;
};

/** Whose orders a taker accepts: anyone's, those of the named orders, or those of the named keys (32 bytes in hex, without parity). */
export type MatchBy =
  | { readonly type: 'Any' }
  | { readonly type: 'Orders'; readonly data: readonly string[] }
  | { readonly type: 'Pubkeys'; readonly data: readonly string[] };

/** What a taker asks of everyone: `Buy` takes `base` for `rel`, `Sell` gives `base` for `rel`. */
export type TakerRequest = {
  readonly kind: 'takerRequest';
  readonly uuid: string;
  readonly base: string;
  readonly rel: string;
  readonly base_amount: Fraction;
  readonly rel_amount: Fraction;
  readonly action: 'Buy' | 'Sell';
  readonly match_by: MatchBy;
  readonly conf_settings: ConfirmationSettings;
  /** How the sender's wallet is funded on the coins, as the real node encodes it; bytes in hex. Null where it was omitted. */
  readonly base_protocol_info: string | null;
  readonly rel_protocol_info: string | null;
};

/** What a maker answers: `base` is the coin that the maker gives. */
export type MakerReserved = {
  readonly kind: 'makerReserved';
  readonly taker_order_uuid: string;
  readonly maker_order_uuid: string;
  readonly base: string;
  readonly rel: string;
  readonly base_amount: Fraction;
  readonly rel_amount: Fraction;
  readonly conf_settings: ConfirmationSettings;
  readonly base_protocol_info: string | null;
  readonly rel_protocol_info: string | null;
};

/** The taker took the maker's answer, or the maker says that the swap begins. The swap has the taker's order's uuid. */
export type OrdersMatched = {
  readonly kind: 'takerConnect' | 'makerConnected';
  readonly taker_order_uuid: string;
  readonly maker_order_uuid: string;
};

/** Messages by which two nodes agree on a swap (KDF `OrdermatchMessage`), in the order in which they go. */
export type OrderMessage = TakerRequest | MakerReserved | OrdersMatched;

export type OrderEnvelope = {
  /** `orbk/<A>:<B>`, the two tickers in alphabetical order. */
  readonly topic: string;
  /** The signer's key without its parity byte, 32 bytes in hex. The adapter has verified the signature. */
  readonly from: string;
  readonly message: OrderMessage;
};

/** The network on which two nodes find one another. As with `Peers`, nobody relies on a message being delivered. */
export interface Orders {
  /** The own signing key without its parity byte, 32 bytes in hex. */
  readonly self: string;
  send(topic: string, message: OrderMessage): Awaitable<void>;
  subscribe(topic: string, onMessage: (envelope: OrderEnvelope) => void): { readonly close: () => void };
}

/** The topic of a pair of coins, whoever gives which (`lp_ordermatch.rs`). */
export function orderTopic(one: string, other: string): string {
  return one < other ? `orbk/${one}:${other}` : `orbk/${other}:${one}`;
}
