import { type DecimalText, isDecimalText, toBigNumber } from '../primitives/decimal.ts';
import { SwapfoldError } from '../primitives/error.ts';
import { secp256k1KeyProblem } from './key-rule.ts';
import type { ScriptScheme } from './script.ts';

/** A share as a fraction of whole numbers, so that nothing is rounded before the end. */
export type Ratio = { readonly over: bigint; readonly under: bigint };

/** How the burned part of a dex fee leaves the market. */
export type BurnRule = {
  /** Tickers of taker coins whose fee is partly burned. */
  readonly takerCoins: readonly string[];
  /** The burned share of the fee, from 0 to 1; the rest goes to the fee key. */
  readonly share: Ratio;
  /** Output 1 pays the HASH160 of this key, 33 bytes in hex; null for a bare OP_RETURN that carries the value. */
  readonly key: string | null;
};

/** What a taker pays the network for a swap. */
export type TradingFee = {
  /** Share of the taker amount. */
  readonly rate: Ratio;
  /** A different share if one of these tickers is traded; null if all pay the same. */
  readonly discount: { readonly coins: readonly string[]; readonly rate: Ratio } | null;
  /** Minimum fee in coin units of the taker coin, if the coin's own minimum is lower. */
  readonly minimum: DecimalText;
  /** Compressed public key, 33 bytes in hex. Output 0 pays its HASH160; account-based chains pay its account. */
  readonly feeKey: string;
  readonly burn: BurnRule | null;
  /** A taker with this public key owes no fee, unless it pays in a privacy coin; null for nobody. */
  readonly exemptKey: string | null;
  /**
   * For a network that once had no burn: below this many base units no fee was paid then. A stored fee may follow that older rule. Null for a network
   * whose rule never changed.
   */
  readonly thresholdBeforeBurn: bigint | null;
};

/** What all nodes of one trading network must share beyond the protocol: two nodes with different profiles refuse one another's fees. */
export type NetworkProfile = {
  readonly name: string;
  /** Null if trading is free: the taker sends no fee transaction. */
  readonly tradingFee: TradingFee | null;
  /** How payments on UTXO chains commit to their script if the chain's traits do not say. */
  readonly scriptScheme: ScriptScheme;
};

/** The network of KDF, as its releases of 2024 and 2025 trade: 1/777, or 9/7770 with KMD, of whose fees a quarter is burned. */
export const KDF_NETWORK: NetworkProfile = {
  name: 'kdf',
  tradingFee: {
    rate: { over: 1n, under: 777n },
    discount: { coins: ['KMD'], rate: { over: 9n, under: 7770n } },
    minimum: '0' as DecimalText,
    feeKey: '03bc2c7ba671bae4a6fc835244c9762b41647b9827d4780a89a949b984a8ddcc06',
    burn: { takerCoins: ['KMD'], share: { over: 1n, under: 4n }, key: null },
    exemptKey: '0369aa10c061cd9e085f4adb7399375ba001b54136145cb748eb4c48657be13153',
    thresholdBeforeBurn: 10_000n,
  },
  scriptScheme: 'p2sh',
};

/** A private network without dex fees. */
export const FREE_NETWORK: NetworkProfile = { name: 'free', tradingFee: null, scriptScheme: 'p2sh' };

/**
 * A network profile with which no node could trade.
 *
 * @example
 * ```ts
 * import { NetworkProfileError } from 'swapfold/htlc';
 *
 * const error = new NetworkProfileError({ place: '/name', expected: 'a name', found: '' });
 * error.code; // → 'NETWORK_PROFILE_INVALID'
 * error.facts['place']; // → '/name'
 * ```
 */
export class NetworkProfileError extends SwapfoldError {
  constructor(facts: Readonly<Record<string, string>>) {
    super('The network profile cannot be used.', {
      code: 'NETWORK_PROFILE_INVALID',
      facts,
      next: 'Correct the member; KDF_NETWORK and FREE_NETWORK are examples.',
    });
  }
}

/**
 * The profile itself, if every member is within its bounds. @throws NetworkProfileError naming the first that is not.
 *
 * @example
 * ```ts
 * import { checkedProfile, FREE_NETWORK } from 'swapfold/htlc';
 *
 * const ours = { ...FREE_NETWORK, name: 'ours' };
 * checkedProfile(ours); // → ours
 * checkedProfile({ ...ours, name: '' }); // throws NetworkProfileError
 * ```
 */
export function checkedProfile(profile: NetworkProfile): NetworkProfile {
  const { name, tradingFee: fee, scriptScheme } = profile;
  if (typeof name !== 'string' || name === '') refuse('/name', { expected: 'a name', found: name });
  if (scriptScheme !== 'p2sh' && scriptScheme !== 'p2wsh') {
    refuse('/scriptScheme', { expected: 'p2sh or p2wsh', found: scriptScheme });
  }
  if (fee === null) return profile;
  requireShare('/tradingFee/rate', fee.rate);
  if (fee.discount !== null) requireShare('/tradingFee/discount/rate', fee.discount.rate);
  if (!isDecimalText(fee.minimum) || toBigNumber(fee.minimum).isNegative()) {
    refuse('/tradingFee/minimum', { expected: 'an amount that is not negative', found: fee.minimum });
  }
  requireKey('/tradingFee/feeKey', fee.feeKey);
  if (fee.exemptKey !== null) requireKey('/tradingFee/exemptKey', fee.exemptKey);
  if (fee.burn === null) return profile;
  requireShare('/tradingFee/burn/share', fee.burn.share);
  if (fee.burn.key !== null) requireKey('/tradingFee/burn/key', fee.burn.key);
  return profile;
}

function refuse(place: string, { expected, found }: { readonly expected: string; readonly found: unknown }): never {
  throw new NetworkProfileError({ place, expected, found: String(found) });
}

function requireShare(place: string, { over, under }: Ratio): void {
  if (under > 0n && over >= 0n && over <= under) return;
  refuse(place, { expected: 'a share from 0 to 1', found: `${over}/${under}` });
}

function requireKey(place: string, key: string): void {
  if (secp256k1KeyProblem(key.toLowerCase()) !== null) {
    refuse(place, { expected: 'a compressed public key of secp256k1, 33 bytes in hex', found: key });
  }
}
