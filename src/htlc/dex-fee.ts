import { type DecimalText, toBaseUnits, toPlainDecimal } from '../primitives/decimal.ts';
import { hash160 } from '../primitives/hash.ts';
import { bytesToHex, hexToBytes, sameBytes } from '../primitives/hex.ts';
import { feeOutputMissing, feeScriptWrong, feeTooLow } from './error-texts.ts';
import { KDF_NETWORK, type NetworkProfile, type Ratio, type TradingFee } from './network-profile.ts';
import { OP_RETURN, opReturnScript, p2pkhScript } from './script.ts';
import type { TransactionOutput } from './transaction.ts';

/** HASH160 of the key that receives the trading fee of KDF's network, `03bc2c7b…cc06`. */
export const DEX_FEE_KEY_HASH = 'ca1e04745e8ca0c60d8c5881531d51bec470743f';

/** A taker with this key pays no fee on KDF's network. */
export const BURN_KEY = '0369aa10c061cd9e085f4adb7399375ba001b54136145cb748eb4c48657be13153';

/** KDF's minimum transaction amount of a UTXO coin that configures none, in satoshi. */
export const DEFAULT_MIN_TX_AMOUNT = 1000n;

/**
 * Highest payment above the formula that may be the coin's own minimum, in satoshi: 0.01 coins. A swap does not store the minimum, and a coin may
 * configure any; a payment above this bound counts as wrong.
 */
export const HIGHEST_PLAUSIBLE_MINIMUM = 1_000_000n;

/** Whether a part of the fee is burned. Earlier releases of KDF paid the whole fee to the fee address. */
export type DexFeeEra = 'beforeBurn' | 'burn';

export type DexFeeParameters = {
  /** Ticker of the coin that the taker pays, and that pays the fee. */
  readonly takerCoin: string;
  readonly makerCoin: string;
  /** In coin units. */
  readonly takerAmount: DecimalText;
  /**
   * Minimum amount of the taker coin, in base units.
   * @defaultValue {@link DEFAULT_MIN_TX_AMOUNT}
   */
  readonly minTxAmount?: bigint;
  /** The taker's public key as hex; the profile's exempt key pays no fee. */
  readonly takerKey?: string;
  /** Privacy coins pay the fee with the exempt key too. @defaultValue false */
  readonly privacyCoin?: boolean;
  /** @defaultValue 'burn' */
  readonly era?: DexFeeEra;
  /** Decimals of the taker coin. @defaultValue 8 */
  readonly decimals?: number;
  /** The network whose rates apply. @defaultValue {@link KDF_NETWORK} */
  readonly network?: NetworkProfile;
};

/** The fee in base units of the taker coin. The total cost is `feeSat + burnSat`. */
export type DexFee = {
  readonly kind: 'none' | 'standard' | 'withBurn';
  readonly feeSat: bigint;
  readonly burnSat: bigint;
};

const NO_FEE: DexFee = { kind: 'none', feeSat: 0n, burnSat: 0n };

/**
 * The dex fee of a taker, by the network's profile: a share of the taker amount, but at least the coin's minimum and the profile's. A part is burned
 * if the profile says so and the fee is above its minimum. The arithmetic is exact; each part loses only what is below one base unit.
 *
 * @example
 * ```ts
 * import { decimalOf, dexFee } from 'swapfold/htlc';
 *
 * const takerAmount = decimalOf('3');
 * dexFee({ takerCoin: 'LTC', makerCoin: 'DOC', takerAmount }).feeSat; // → 386_100n
 * const { feeSat, burnSat } = dexFee({ takerCoin: 'KMD', makerCoin: 'LTC', takerAmount });
 * [feeSat, burnSat]; // → [260_617n, 86_872n]
 * ```
 */
export function dexFee(parameters: DexFeeParameters): DexFee {
  const { takerCoin, makerCoin, era = 'burn', network = KDF_NETWORK, decimals = 8 } = parameters;
  const rules = network.tradingFee;
  if (rules === null) return NO_FEE;
  if (isFeeExempt(parameters.takerKey, network) && parameters.privacyCoin !== true) return NO_FEE;
  const rate = rateOf(rules, [takerCoin, makerCoin]);
  const amount = toFraction(parameters.takerAmount, decimals);
  const total = { over: amount.over * rate.over, under: amount.under * rate.under };
  const least = highest(parameters.minTxAmount ?? DEFAULT_MIN_TX_AMOUNT, toBaseUnits(rules.minimum, decimals));
  if (total.over <= least * total.under) return { kind: 'standard', feeSat: least, burnSat: 0n };
  const burns = era === 'burn' && rules.burn?.takerCoins.includes(takerCoin) === true && rules.burn.share.over > 0n;
  if (!burns || rules.burn === null) return { kind: 'standard', feeSat: total.over / total.under, burnSat: 0n };
  const { over, under } = rules.burn.share;
  const parts = total.under * under;
  const kept = total.over * (under - over);
  if (kept >= least * parts) return { kind: 'withBurn', feeSat: kept / parts, burnSat: (total.over * over) / parts };
  const burnSat = (total.over - least * total.under) / total.under;
  return { kind: 'withBurn', feeSat: least, burnSat };
}

function rateOf({ rate, discount }: TradingFee, coins: readonly string[]): Ratio {
  return discount !== null && coins.some((coin) => discount.coins.includes(coin)) ? discount.rate : rate;
}

function highest(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

/**
 * Whether a taker with this public key (hex of either case) is exempt from the fee.
 *
 * @example
 * ```ts
 * import { BURN_KEY, FREE_NETWORK, isFeeExempt } from 'swapfold/htlc';
 *
 * isFeeExempt(BURN_KEY.toUpperCase()); // → true
 * isFeeExempt(BURN_KEY, FREE_NETWORK); // → false
 * ```
 */
export function isFeeExempt(takerKey: string | undefined, network: NetworkProfile = KDF_NETWORK): boolean {
  const exempt = network.tradingFee?.exemptKey ?? null;
  return exempt !== null && takerKey?.toLowerCase() === exempt.toLowerCase();
}

/**
 * The first outputs of a fee transaction on a UTXO chain, in order: the fee to the HASH160 of the profile's fee key, then the burn, if there is one.
 * None for a fee of kind `none`: such a taker sends no fee transaction.
 *
 * @example
 * ```ts
 * import { decimalOf, dexFee, feeOutputs, FREE_NETWORK } from 'swapfold/htlc';
 *
 * const fee = dexFee({ takerCoin: 'KMD', makerCoin: 'LTC', takerAmount: decimalOf('3') });
 * feeOutputs(fee).map(({ value }) => value); // → [260_617n, 86_872n]
 * feeOutputs(fee, FREE_NETWORK); // → []
 * ```
 */
export function feeOutputs(fee: DexFee, network: NetworkProfile = KDF_NETWORK): readonly TransactionOutput[] {
  const { tradingFee } = network;
  if (fee.kind === 'none' || tradingFee === null) return [];
  const scripts = feeScripts(tradingFee);
  const outputs = [{ value: fee.feeSat, script: scripts.fee }];
  if (fee.burnSat > 0n) outputs.push({ value: fee.burnSat, script: scripts.burn });
  return outputs;
}

/**
 * The output scripts of a fee and of its burned part, whether or not anything is burned.
 *
 * @example
 * ```ts
 * import { bytesToHex, feeScripts, KDF_NETWORK } from 'swapfold/htlc';
 *
 * const { tradingFee } = KDF_NETWORK;
 * if (tradingFee === null) throw new Error('trading is free on this network');
 * const { fee, burn } = feeScripts(tradingFee);
 * bytesToHex(fee); // → '76a914ca1e04745e8ca0c60d8c5881531d51bec470743f88ac'
 * bytesToHex(burn); // → '6a'
 * ```
 */
export function feeScripts({ feeKey, burn }: TradingFee): { readonly fee: Uint8Array; readonly burn: Uint8Array } {
  const paidTo = (key: string) => p2pkhScript(hash160(hexToBytes(key)));
  return { fee: paidTo(feeKey), burn: burn === null || burn.key === null ? opReturnScript() : paidTo(burn.key) };
}

/**
 * Why a transaction does not pay a fee, in the words of KDF; null if it does. A maker accepts more than required, at each output. Ignores who paid
 * and when.
 *
 * @example
 * ```ts
 * import { decimalOf, dexFee, feeProblem, hexToBytes, p2pkhScript } from 'swapfold/htlc';
 *
 * const fee = dexFee({ takerCoin: 'LTC', makerCoin: 'DOC', takerAmount: decimalOf('3') });
 * const script = p2pkhScript(hexToBytes('ca1e04745e8ca0c60d8c5881531d51bec470743f'));
 * const paying = (value: bigint) => ({ txid: 'ab'.repeat(32), outputs: [{ value, script }] });
 * feeProblem(paying(386_101n), fee); // → null
 * const problem = feeProblem(paying(386_099n), fee);
 * problem; // → 'Provided dex fee tx output value is less than expected 386099 386100'
 * ```
 */
export function feeProblem(
  { txid, outputs }: { readonly txid: string; readonly outputs: readonly TransactionOutput[] },
  fee: DexFee,
  network: NetworkProfile = KDF_NETWORK,
): string | null {
  for (const [place, expected] of feeOutputs(fee, network).entries()) {
    const found = outputs[place];
    if (found === undefined) return feeOutputMissing(txid, place);
    if (!sameBytes(found.script, expected.script)) {
      return feeScriptWrong(bytesToHex(found.script), bytesToHex(expected.script));
    }
    if (found.value < expected.value) return feeTooLow(found.value, expected.value);
  }
  return null;
}

/** What the outputs of a stored fee transaction prove. Amounts are in base units. */
export type DexFeeCheck =
  | { readonly status: 'verified'; readonly era: DexFeeEra; readonly fee: DexFee }
  | {
      readonly status: 'violated';
      readonly reason: 'wrongAddress' | 'tooLittle' | 'tooMuch' | 'wrongBurn';
      /** By the rule of the closest era. */
      readonly expected: DexFee;
      readonly foundSat: bigint;
      readonly foundBurnSat: bigint;
    }
  | {
      readonly status: 'notCheckable';
      readonly reason: 'noTransparentOutput' | 'tokenTransfer' | 'perhapsCoinMinimum';
    };

export type DexFeeCheckParameters = Omit<DexFeeParameters, 'takerKey' | 'privacyCoin' | 'era'>;

/**
 * Checks the outputs of a UTXO coin's fee transaction against the rule. A stored swap names neither the fee nor the era nor the coin's minimum,
 * hence:
 *
 * - verified: output 0 pays the fee address, and its value and the burn (output 1) are exactly those of one era with `minTxAmount` as the minimum,
 *   1000 satoshi by default; before the burn also with the threshold of the profile;
 * - not checkable: output 0 pays more than the formula and no more than {@link HIGHEST_PLAUSIBLE_MINIMUM}, `minTxAmount` was not given and nothing is
 *   burned, so that it may be the coin's own minimum; or output 0 moves a token; or there is no output;
 * - violated: everything else, though a maker would accept a fee that is too high.
 *
 * @example
 * ```ts
 * import { checkDexFee, decimalOf, hexToBytes, p2pkhScript } from 'swapfold/htlc';
 *
 * const script = p2pkhScript(hexToBytes('ca1e04745e8ca0c60d8c5881531d51bec470743f'));
 * const swap = { takerCoin: 'LTC', makerCoin: 'DOC', takerAmount: decimalOf('3') };
 * checkDexFee([{ value: 386_100n, script }], swap).status; // → 'verified'
 * checkDexFee([{ value: 386_099n, script }], swap).status; // → 'violated'
 * ```
 */
export function checkDexFee(outputs: readonly TransactionOutput[], parameters: DexFeeCheckParameters): DexFeeCheck {
  const [first, second] = outputs;
  if (first === undefined) return { status: 'notCheckable', reason: 'noTransparentOutput' };
  if (isTokenScript(first.script)) return { status: 'notCheckable', reason: 'tokenTransfer' };
  const { network = KDF_NETWORK } = parameters;
  const { tradingFee } = network;
  const foundSat = first.value;
  const scripts = tradingFee === null ? null : feeScripts(tradingFee);
  const burned = second !== undefined && sameBytes(second.script, scripts?.burn ?? opReturnScript());
  const foundBurnSat = burned ? second.value : 0n;
  const toFeeAddress = scripts !== null && sameBytes(first.script, scripts.fee);
  for (const { era, minTxAmount } of erasOf(tradingFee, parameters.minTxAmount)) {
    const fee = dexFee({ ...parameters, era, minTxAmount });
    if (toFeeAddress && fee.feeSat === foundSat && fee.burnSat === foundBurnSat)
      return { status: 'verified', era, fee };
  }
  const oldRule = foundBurnSat === 0n && (tradingFee?.thresholdBeforeBurn ?? null) !== null;
  const expected = dexFee({ ...parameters, era: oldRule ? 'beforeBurn' : 'burn' });
  const found = { status: 'violated', expected, foundSat, foundBurnSat } as const;
  if (!toFeeAddress) return { ...found, reason: 'wrongAddress' };
  if (foundSat < expected.feeSat) return { ...found, reason: 'tooLittle' };
  if (foundBurnSat !== expected.burnSat) return { ...found, reason: 'wrongBurn' };
  if (parameters.minTxAmount === undefined && foundBurnSat === 0n && foundSat <= HIGHEST_PLAUSIBLE_MINIMUM) {
    return { status: 'notCheckable', reason: 'perhapsCoinMinimum' };
  }
  return { ...found, reason: 'tooMuch' };
}

type EraRule = { readonly era: DexFeeEra; readonly minTxAmount: bigint };

/** The rules that a stored fee may follow: today's, and those from before the burn if the network had such a time. */
function erasOf(rules: TradingFee | null, minTxAmount: bigint | undefined): readonly EraRule[] {
  const minimum = minTxAmount ?? DEFAULT_MIN_TX_AMOUNT;
  const threshold = rules?.thresholdBeforeBurn ?? null;
  const today: EraRule = { era: 'burn', minTxAmount: minimum };
  if (threshold === null) return [today];
  return [
    today,
    { era: 'beforeBurn', minTxAmount: minimum },
    { era: 'beforeBurn', minTxAmount: highest(minimum, threshold) },
  ];
}

const SLP_START = Uint8Array.of(OP_RETURN, 4, 0x53, 0x4c, 0x50, 0);
const QTUM_OP_CALL = 0xc2;

/** An SLP token message (Bitcoin Cash) or a contract call (QRC20), whose amount is not the value of the output. */
function isTokenScript(script: Uint8Array): boolean {
  return sameBytes(script.subarray(0, SLP_START.length), SLP_START) || script.at(-1) === QTUM_OP_CALL;
}

type Fraction = { readonly over: bigint; readonly under: bigint };

/** The exact amount in base units, as a fraction whose denominator is positive. */
function toFraction(amount: DecimalText, decimals: number): Fraction {
  const [whole = '', part = ''] = toPlainDecimal(amount).replace('+', '').split('.');
  if (part.length <= decimals) return { over: BigInt(whole + part.padEnd(decimals, '0')), under: 1n };
  return { over: BigInt(whole + part), under: 10n ** BigInt(part.length - decimals) };
}
