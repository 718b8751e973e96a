import { type DecimalText, toPlainDecimal } from '../primitives/decimal.ts';
import { hexToBytes, sameBytes } from '../primitives/hex.ts';
import { OP_RETURN, p2pkhScript } from './script.ts';
import type { TransactionOutput } from './transaction.ts';

/** HASH160 of the key that receives the trading fee, `03bc2c7b…cc06`. */
export const DEX_FEE_KEY_HASH = 'ca1e04745e8ca0c60d8c5881531d51bec470743f';

/** The key that receives burned fees of other coins. A taker with this key pays no fee. */
export const BURN_KEY = '0369aa10c061cd9e085f4adb7399375ba001b54136145cb748eb4c48657be13153';

/** KDF's minimum transaction amount of a UTXO coin that configures none, in satoshi. */
export const DEFAULT_MIN_TX_AMOUNT = 1000n;

/** Below this no fee was paid before the burn came, in satoshi: 0.0001 coins, or the coin's own minimum where higher. */
export const FEE_THRESHOLD_BEFORE_BURN = 10_000n;

/**
 * Highest payment above the formula that may be the coin's own minimum, in satoshi: 0.01 coins. A swap does not store the
 * minimum, and a coin may configure any; a payment above this bound is taken for a wrong one.
 */
export const HIGHEST_PLAUSIBLE_MINIMUM = 1_000_000n;

/** Whether KMD takers burn a quarter of the fee. Earlier releases of KDF paid the whole fee to the fee address. */
export type DexFeeEra = 'beforeBurn' | 'burn';

export type DexFeeParameters = {
  /** Ticker of the coin that the taker pays, and in which the fee is paid. */
  readonly takerCoin: string;
  readonly makerCoin: string;
  /** In coin units. */
  readonly takerAmount: DecimalText;
  /**
   * Least amount that the taker coin can send, in base units.
   * @defaultValue {@link DEFAULT_MIN_TX_AMOUNT}
   */
  readonly minTxAmount?: bigint;
  /** The taker's public key as hex; the burn key pays no fee. */
  readonly takerKey?: string;
  /** Privacy coins pay the fee with the burn key too. @defaultValue false */
  readonly privacyCoin?: boolean;
  /** @defaultValue 'burn' */
  readonly era?: DexFeeEra;
  /** Decimals of the taker coin. @defaultValue 8 */
  readonly decimals?: number;
};

/** The fee in base units of the taker coin. The whole cost is `feeSat + burnSat`. */
export type DexFee = {
  readonly kind: 'none' | 'standard' | 'withBurn';
  readonly feeSat: bigint;
  readonly burnSat: bigint;
};

/**
 * The trading fee of a taker, by KDF's rule: 1/777 of the taker amount, or 9/7770 when either ticker is KMD, but at least the
 * coin's minimum. A KMD taker burns a quarter of it where both parts permit. The arithmetic is exact; each part loses only what
 * is below one base unit.
 */
export function dexFee(parameters: DexFeeParameters): DexFee {
  const { takerCoin, makerCoin, minTxAmount = DEFAULT_MIN_TX_AMOUNT, era = 'burn' } = parameters;
  if (isFeeExempt(parameters.takerKey) && parameters.privacyCoin !== true)
    return { kind: 'none', feeSat: 0n, burnSat: 0n };
  const amount = toFraction(parameters.takerAmount, parameters.decimals ?? 8);
  const discount = takerCoin === 'KMD' || makerCoin === 'KMD';
  const total = discount
    ? { over: amount.over * 9n, under: amount.under * 7770n }
    : { over: amount.over, under: amount.under * 777n };
  if (total.over <= minTxAmount * total.under) return { kind: 'standard', feeSat: minTxAmount, burnSat: 0n };
  if (takerCoin !== 'KMD' || era === 'beforeBurn') {
    return { kind: 'standard', feeSat: total.over / total.under, burnSat: 0n };
  }
  const quarters = total.under * 4n;
  if (total.over * 3n >= minTxAmount * quarters) {
    return { kind: 'withBurn', feeSat: (total.over * 3n) / quarters, burnSat: total.over / quarters };
  }
  const burnSat = (total.over - minTxAmount * total.under) / total.under;
  return { kind: 'withBurn', feeSat: minTxAmount, burnSat };
}

/** Whether a taker with this public key (hex of either case) pays no fee. */
export function isFeeExempt(takerKey: string | undefined): boolean {
  return takerKey?.toLowerCase() === BURN_KEY;
}

/** What the outputs of a stored fee transaction prove. Amounts are in base units. */
export type DexFeeCheck =
  | { readonly status: 'verified'; readonly era: DexFeeEra; readonly fee: DexFee }
  | {
      readonly status: 'violated';
      readonly reason: 'wrongAddress' | 'tooLittle' | 'tooMuch' | 'wrongBurn';
      /** By the rule of the era that comes nearest. */
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
 * Holds the outputs of a fee transaction of a UTXO coin against the rule. A stored swap names neither the fee nor the era nor
 * the coin's minimum, hence:
 *
 * - verified: output 0 pays the fee address, and its value and the burn (output 1, a bare OP_RETURN with a value) are exactly
 *   those of one era with `minTxAmount` as the minimum, 1000 satoshi when not given; before the burn also with KDF's threshold
 *   of 10 000 satoshi;
 * - not checkable: output 0 pays more than the formula and no more than {@link HIGHEST_PLAUSIBLE_MINIMUM}, `minTxAmount` was not
 *   given and nothing is burned, so that it may be the coin's own minimum; or output 0 moves a token; or there is no output;
 * - violated: everything else, though a maker would take a fee that is too high.
 */
export function checkDexFee(outputs: readonly TransactionOutput[], parameters: DexFeeCheckParameters): DexFeeCheck {
  const [first, second] = outputs;
  if (first === undefined) return { status: 'notCheckable', reason: 'noTransparentOutput' };
  if (isTokenScript(first.script)) return { status: 'notCheckable', reason: 'tokenTransfer' };
  const foundSat = first.value;
  const foundBurnSat = second !== undefined && isBareOpReturn(second.script) ? second.value : 0n;
  const toFeeAddress = sameBytes(first.script, p2pkhScript(hexToBytes(DEX_FEE_KEY_HASH)));
  for (const { era, minTxAmount } of rules(parameters.minTxAmount)) {
    const fee = dexFee({ ...parameters, era, minTxAmount });
    if (toFeeAddress && fee.feeSat === foundSat && fee.burnSat === foundBurnSat)
      return { status: 'verified', era, fee };
  }
  const expected = dexFee({ ...parameters, era: foundBurnSat > 0n ? 'burn' : 'beforeBurn' });
  const found = { status: 'violated', expected, foundSat, foundBurnSat } as const;
  if (!toFeeAddress) return { ...found, reason: 'wrongAddress' };
  if (foundSat < expected.feeSat) return { ...found, reason: 'tooLittle' };
  if (foundBurnSat !== expected.burnSat) return { ...found, reason: 'wrongBurn' };
  if (parameters.minTxAmount === undefined && foundBurnSat === 0n && foundSat <= HIGHEST_PLAUSIBLE_MINIMUM) {
    return { status: 'notCheckable', reason: 'perhapsCoinMinimum' };
  }
  return { ...found, reason: 'tooMuch' };
}

function rules(minTxAmount: bigint | undefined): readonly { readonly era: DexFeeEra; readonly minTxAmount: bigint }[] {
  const minimum = minTxAmount ?? DEFAULT_MIN_TX_AMOUNT;
  const threshold = minimum > FEE_THRESHOLD_BEFORE_BURN ? minimum : FEE_THRESHOLD_BEFORE_BURN;
  return [
    { era: 'burn', minTxAmount: minimum },
    { era: 'beforeBurn', minTxAmount: minimum },
    { era: 'beforeBurn', minTxAmount: threshold },
  ];
}

function isBareOpReturn(script: Uint8Array): boolean {
  return script.length === 1 && script[0] === OP_RETURN;
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
