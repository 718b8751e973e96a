import type { ConfirmationSettings, MakerReserved, TakerRequest } from '../../ports/orders.ts';
import { type Fraction, subtractFractions } from '../../primitives/fraction.ts';
import type { Millis, Seconds } from '../../primitives/time.ts';

/** Why an order is one no more (KDF's words, and `Expired` of an offer). */
export type OrderEnd = 'Fulfilled' | 'Cancelled' | 'TimedOut' | 'ToMaker' | 'Expired';

/** What a maker's order and an offer are made from. Amounts in coin units; `base` is the coin that the maker gives. */
export type MakerTerms = {
  readonly base: string;
  readonly rel: string;
  /** `rel` for one `base`. */
  readonly price: Fraction;
  readonly max_base_vol: Fraction;
  readonly min_base_vol: Fraction;
  readonly conf_settings: ConfirmationSettings;
  /** Of an offer: until when it stands, and for whom alone (a key without parity in hex); null for an ordinary order. */
  readonly offer: { readonly expires_at: Millis; readonly taker: string | null } | null;
};

/** A taker that was answered. Until it has connected, the match lives for a short time and in memory alone, and holds nothing. */
export type MakerMatch = {
  readonly request: TakerRequest;
  /** The taker's signing key without parity, in hex. */
  readonly from: string;
  readonly reserved: MakerReserved;
  /** Whether the taker took the answer, so that the swap was started. */
  readonly connected: boolean;
  readonly last_updated: Millis;
};

export type MakerOrder = MakerTerms & {
  readonly uuid: string;
  readonly created_at: Millis;
  /** By the taker's order. */
  readonly matches: ReadonlyMap<string, MakerMatch>;
  /** What swaps have taken from it. */
  readonly given: Fraction;
  /** Signing keys of the takers whose swaps were started, by the swap. */
  readonly takers: ReadonlyMap<string, string>;
};

/** What happens to a taker's order that nobody took in time: `GoodTillCancelled` continues as a maker's. */
export type OrderType = 'GoodTillCancelled' | 'FillOrKill';

export type TakerMatch = {
  readonly reserved: MakerReserved;
  /** The maker's signing key without parity, in hex. */
  readonly from: string;
  readonly last_updated: Millis;
};

export type TakerOrder = {
  readonly request: TakerRequest;
  readonly created_at: Millis;
  readonly timeout: Seconds;
  readonly order_type: OrderType;
  readonly min_volume: Fraction;
  /** Of an offer that is taken: whose it is. No one else's answer counts. */
  readonly maker: string | null;
  /** The answer that was taken: its maker was told, and has not said yet that the swap begins. */
  readonly match: TakerMatch | null;
  /** Keys of makers that were told and kept silent, so that another was told. Their word counts no more. */
  readonly givenUp: readonly string[];
  /** Whether someone else connected under its uuid, so that the word of a maker may be for that one. */
  readonly copied: boolean;
};

/** An own taker's order as it is shown. */
export type ShownTakerOrder = TakerOrder & {
  /** False for as long as the maker that was told may begin the swap at any moment. */
  readonly cancellable: boolean;
};

/** How many matches a taker may hold of all own orders at once before it has connected. */
export const MOST_MATCHES_OF_ONE = 8;

/**
 * How many swaps of a maker may run at once whose takers have paid nothing. Two messages of any key begin one, so a stranger pays nothing for it, while
 * each costs the maker records, questions to both chains, and coins that wait. Honest takers pay their fee within a minute.
 */
export const MOST_UNPAID = 64;

/** Life of a match that nobody connected to (KDF's `ORDER_MATCH_TIMEOUT`), and of a taker's order by default. */
export const MATCH_TIMEOUT: Seconds = 30;
export const TAKER_TIMEOUT: Seconds = 30;

/** What a taker can still have. An answer holds nothing: who connects first has the volume. */
export function availableAmount({ max_base_vol, given }: MakerOrder): Fraction {
  return subtractFractions(max_base_vol, given);
}

/** Which coin a taker gives, and which it gets. */
export function takerCoins({ action, base, rel }: TakerRequest): { readonly maker: string; readonly taker: string } {
  return action === 'Buy' ? { maker: base, taker: rel } : { maker: rel, taker: base };
}
