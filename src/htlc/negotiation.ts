import type { Seconds, UnixSeconds } from '../primitives/time.ts';
import type { StoredPartyKeys } from './keys.ts';

/** The two coins of a swap by their part in it. */
export type SwapCoin = 'makerCoin' | 'takerCoin';

type Common = {
  /** Seconds since 1970 by the sender's clock. */
  readonly started_at: UnixSeconds;
  /** Lock of the sender's own payment, in seconds since 1970. */
  readonly payment_locktime: UnixSeconds;
  /** In hex: 20 bytes in version 1, 20 or 32 in the later ones. A reply echoes that of the offer. */
  readonly secret_hash: string;
};

type Contracts = {
  /** Swap contract of the maker coin in hex; null if the sender names none. */
  readonly maker_coin_swap_contract: string | null;
  readonly taker_coin_swap_contract: string | null;
};

/**
 * What a party says about itself at the negotiation (KDF's NegotiationData V1, V2 and V3). Keys are 33 bytes in hex. Versions 1
 * and 2 have one key for both coins, version 3 one for each.
 */
export type NegotiationMessage =
  | ({ readonly version: 1; readonly persistent_pubkey: string } & Common)
  | ({ readonly version: 2; readonly persistent_pubkey: string } & Common & Contracts)
  | ({ readonly version: 3; readonly maker_coin_htlc_pub: string; readonly taker_coin_htlc_pub: string } & Common &
      Contracts);

/** The taker's answer to an offer: the same members with the taker's values. */
export type NegotiationReply = NegotiationMessage;

/** The sender's key for the payments on one coin. */
export function htlcPub(message: NegotiationMessage, coin: SwapCoin): string {
  if (message.version !== 3) return message.persistent_pubkey;
  return coin === 'makerCoin' ? message.maker_coin_htlc_pub : message.taker_coin_htlc_pub;
}

/** The swap contract that the sender names for one coin; null in version 1, which has none. Empty counts as none. */
export function swapContract(message: NegotiationMessage, coin: SwapCoin): string | null {
  if (message.version === 1) return null;
  const contract = coin === 'makerCoin' ? message.maker_coin_swap_contract : message.taker_coin_swap_contract;
  return contract === '' ? null : contract;
}

/**
 * The version that KDF sends for these own keys: 2 if the keys for both coins are the persistent key, else 3. Hex of either case; a key that is
 * absent for a coin is not the persistent one.
 */
export function negotiationVersion({ persistent, makerCoin, takerCoin }: StoredPartyKeys): 2 | 3 {
  const key = persistent?.toLowerCase();
  return key !== undefined && makerCoin?.toLowerCase() === key && takerCoin?.toLowerCase() === key ? 2 : 3;
}

/** The content of a message: the own side of the swap. */
export type OwnSide = {
  readonly startedAt: UnixSeconds;
  /** Lock of the own payment. */
  readonly paymentLock: UnixSeconds;
  /** In hex; a taker repeats what the offer says. */
  readonly secretHash: string;
  /** The own persistent key, and the keys for the coins if they differ. */
  readonly keys: StoredPartyKeys & { readonly persistent: string };
  /** A maker names its own contracts, a taker those that were agreed on; null for none. */
  readonly contracts: Readonly<Record<SwapCoin, string | null>>;
};

/** The offer of a maker or the reply of a taker, in the version that its keys require. */
export function negotiationMessage(own: OwnSide): NegotiationMessage {
  const { keys, contracts, startedAt, paymentLock, secretHash } = own;
  if (negotiationVersion(keys) === 2) {
    return {
      version: 2,
      persistent_pubkey: keys.persistent,
      started_at: startedAt,
      payment_locktime: paymentLock,
      secret_hash: secretHash,
      maker_coin_swap_contract: contracts.makerCoin,
      taker_coin_swap_contract: contracts.takerCoin,
    };
  }
  return {
    version: 3,
    maker_coin_htlc_pub: keys.makerCoin ?? keys.persistent,
    taker_coin_htlc_pub: keys.takerCoin ?? keys.persistent,
    started_at: startedAt,
    payment_locktime: paymentLock,
    secret_hash: secretHash,
    maker_coin_swap_contract: contracts.makerCoin,
    taker_coin_swap_contract: contracts.takerCoin,
  };
}

/**
 * KDF's text for a message that did not arrive in time. Both in whole seconds: how long the wait lasted, and its limit with the grace. Used only once
 * `elapsed` is above `limit`.
 */
export function timeoutText(elapsed: Seconds, limit: Seconds): string {
  return `Timeout (${elapsed} > ${limit})`;
}
