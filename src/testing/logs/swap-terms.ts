import { lockDuration, makerPaymentLock, makerPaymentWait, makerPaymentWaitBefore2020 } from '../../htlc/lock-times.ts';
import type { ScriptScheme } from '../../htlc/script.ts';
import { type DecimalText, isDecimalText } from '../../primitives/decimal.ts';
import { hash160 } from '../../primitives/hash.ts';
import type { Uuid } from '../../primitives/ids.ts';
import { addSeconds, type Seconds, type UnixSeconds, unixSecondsOf } from '../../primitives/time.ts';
import { formOfCoin } from '../../sim/coin-forms.ts';
import { type Seed, seededBytes, seededInt, seededKey, seededUuid } from './seeded.ts';

/**
 * Whose habits a made-up log follows.
 *
 * `current`: a node of 2024-12. `2021`: before hash time locks had keys of their own, before watchers and before the burn
 * of fees. `2019`: a node of August 2019, without coins beside the events, without the secret hash in its OP_RETURN, and with
 * a third instead of two fifths of the lock duration to wait for the maker's payment.
 */
export type SwapEra = 'current' | '2021' | '2019';

export type SwapTermsOptions = {
  /** @defaultValue 0 */
  readonly seed?: Seed;
  /** Ticker of a UTXO coin. @defaultValue 'DOC' */
  readonly makerCoin?: string;
  /** Ticker of a UTXO coin. @defaultValue 'MARTY' */
  readonly takerCoin?: string;
  /** In coin units. @defaultValue 2.4 of each coin */
  readonly amounts?: { readonly maker: string; readonly taker: string };
  /** The taker's start; the maker starts at most two seconds before or after it. By default a day of the era. */
  readonly startedAt?: number;
  /** Whole seconds, at least 60. By default what KDF negotiates for the two coins. */
  readonly lockDuration?: Seconds;
  /** Whether each party has another key for each coin, as with HD wallets. @defaultValue false */
  readonly separateKeys?: boolean;
  /** @defaultValue 'current' */
  readonly era?: SwapEra;
  /** How each payment commits to its script; P2WSH for coins whose transactions have Bitcoin's form alone. @defaultValue P2SH */
  readonly schemes?: { readonly maker: ScriptScheme; readonly taker: ScriptScheme };
};

/** The three public keys of a party, 33 bytes each. */
export type PartyKeys = {
  readonly persistent: Uint8Array;
  readonly makerCoin: Uint8Array;
  readonly takerCoin: Uint8Array;
};

/** All that both parties of a swap agreed on, and the maker's secret. */
export type SwapTerms = {
  readonly seed: Seed;
  readonly era: SwapEra;
  /** Of the maker's and the taker's payment. */
  readonly schemes: { readonly maker: ScriptScheme; readonly taker: ScriptScheme };
  readonly makerCoin: string;
  readonly takerCoin: string;
  readonly makerAmount: DecimalText;
  readonly takerAmount: DecimalText;
  /** Also the id of the taker's order. */
  readonly uuid: Uuid;
  readonly makerOrderUuid: Uuid;
  readonly maker: PartyKeys;
  readonly taker: PartyKeys;
  readonly secret: Uint8Array;
  readonly secretHash: Uint8Array;
  readonly lockDuration: Seconds;
  readonly makerStartedAt: UnixSeconds;
  readonly takerStartedAt: UnixSeconds;
  readonly makerLock: UnixSeconds;
  readonly takerLock: UnixSeconds;
  readonly makerPaymentWait: UnixSeconds;
};

const START_OF_ERA: Readonly<Record<SwapEra, number>> = {
  current: 1_734_566_400,
  '2021': 1_630_454_400,
  '2019': 1_565_654_400,
};

const MAX_CLOCK_SKEW: Seconds = 2;

/**
 * The terms of a swap, all derived from the seed and the options.
 *
 * @throws RangeError for an amount that is no decimal above zero, a time or duration that is no whole number in bounds, or P2WSH
 * for a coin without witnesses.
 *
 * @example
 * ```ts
 * import { swapTerms } from 'swapfold/testing';
 *
 * const { makerLock, makerStartedAt, takerLock, takerStartedAt } = swapTerms({ seed: 7 });
 * [makerLock - makerStartedAt, takerLock - takerStartedAt]; // → [15_600, 7800]
 * swapTerms({ makerCoin: 'BTC' }).lockDuration; // → 31_200
 * swapTerms({ amounts: { maker: '0', taker: '1' } }); // throws RangeError
 * ```
 */
export function swapTerms(options: SwapTermsOptions = {}): SwapTerms {
  const { seed = 0, makerCoin = 'DOC', takerCoin = 'MARTY', era = 'current', separateKeys = false } = options;
  const { maker, taker } = options.amounts ?? { maker: '2.4', taker: '2.4' };
  const duration = options.lockDuration ?? lockDuration({ makerCoin, takerCoin, notarisationRequired: false });
  if (!Number.isSafeInteger(duration) || duration < 60) throw new RangeError(`not a lock duration: ${duration} s`);
  const takerStartedAt = unixSecondsOf(options.startedAt ?? START_OF_ERA[era]);
  const skew = seededInt(seed, 'skew', 2 * MAX_CLOCK_SKEW + 1) - MAX_CLOCK_SKEW;
  const makerStartedAt = addSeconds(takerStartedAt, skew);
  const secret = seededBytes(seed, 'secret');
  const keys = (party: string) => partyKeys(seed, { party, separateKeys: separateKeys && era === 'current' });
  const waitRule = era === '2019' ? makerPaymentWaitBefore2020 : makerPaymentWait;
  return {
    seed,
    era,
    schemes: schemesOf(options.schemes ?? P2SH, { maker: makerCoin, taker: takerCoin }),
    makerCoin,
    takerCoin,
    makerAmount: amountOf(maker),
    takerAmount: amountOf(taker),
    uuid: seededUuid(seed, 'swap'),
    makerOrderUuid: seededUuid(seed, 'maker order'),
    maker: keys('maker'),
    taker: keys('taker'),
    secret,
    secretHash: hash160(secret),
    lockDuration: duration,
    makerStartedAt,
    takerStartedAt,
    makerLock: makerPaymentLock(makerStartedAt, duration),
    takerLock: addSeconds(takerStartedAt, duration),
    makerPaymentWait: waitRule(takerStartedAt, duration),
  };
}

const P2SH = { maker: 'p2sh', taker: 'p2sh' } as const;

function schemesOf(schemes: SwapTerms['schemes'], coins: { readonly maker: string; readonly taker: string }) {
  for (const payer of ['maker', 'taker'] as const) {
    if (schemes[payer] === 'p2wsh' && formOfCoin(coins[payer]).format !== 'legacy') {
      throw new RangeError(`transactions of ${coins[payer]} have no witness`);
    }
  }
  return schemes;
}

function partyKeys(seed: Seed, { party, separateKeys }: { party: string; separateKeys: boolean }): PartyKeys {
  const persistent = seededKey(seed, `${party} key`);
  if (!separateKeys) return { persistent, makerCoin: persistent, takerCoin: persistent };
  return {
    persistent,
    makerCoin: seededKey(seed, `${party} key of the maker coin`),
    takerCoin: seededKey(seed, `${party} key of the taker coin`),
  };
}

function amountOf(text: string): DecimalText {
  if (!isDecimalText(text) || !/[1-9]/.test(text) || text.startsWith('-')) {
    throw new RangeError(`not an amount above zero: ${text.slice(0, 40)}`);
  }
  return text;
}
