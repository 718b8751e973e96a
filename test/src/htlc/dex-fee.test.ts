import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BURN_KEY,
  checkDexFee,
  DEX_FEE_KEY_HASH,
  type DexFeeParameters,
  dexFee,
  isFeeExempt,
} from '../../../src/htlc/dex-fee.ts';
import { p2pkhScript, p2shScript } from '../../../src/htlc/script.ts';
import { decodeTransaction, isTransactionProblem } from '../../../src/htlc/transaction.ts';
import { type DecimalText, fromBaseUnits, isDecimalText } from '../../../src/primitives/decimal.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { describeShared } from '../../support/shared.ts';
import { decimalOf, recordedSwaps, transactionOf } from './corpus.ts';

function amount(text: string): DecimalText {
  if (!isDecimalText(text)) throw new Error(text);
  return text;
}

const coins = { takerCoin: 'RICK', makerCoin: 'MORTY' };
const feeScript = p2pkhScript(hexToBytes(DEX_FEE_KEY_HASH));
const pays = (value: bigint, script = feeScript) => ({ value, script });
const burns = (value: bigint) => pays(value, Uint8Array.of(0x6a));
const satoshi = fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 8n }), fc.bigInt({ min: 1n, max: 10n ** 17n }));

describe('trading fee', () => {
  it('is 1/777 of the taker amount, or 9/7770 with KMD, cut off at the satoshi', () => {
    expect(dexFee({ ...coins, takerAmount: amount('777') }).feeSat).toBe(100_000_000n);
    expect(dexFee({ ...coins, takerAmount: amount('1') }).feeSat).toBe(128_700n);
    expect(dexFee({ takerCoin: 'RICK', makerCoin: 'KMD', takerAmount: amount('1') }).feeSat).toBe(115_830n);
    expect(dexFee({ ...coins, takerAmount: amount('7.77e2'), decimals: 18 }).feeSat).toBe(10n ** 18n);
  });

  it('keeps every digit of an amount with a hundred of them', () => {
    const nines = amount(`776.${'9'.repeat(100)}`);
    expect(dexFee({ ...coins, takerAmount: nines }).feeSat).toBe(99_999_999n);
  });

  it('is within one satoshi of the exact share, and never above it', () => {
    fc.assert(
      fc.property(
        satoshi,
        fc.constantFrom('KMD', 'DOC'),
        fc.constantFrom('KMD', 'DOC'),
        (units, takerCoin, makerCoin) => {
          const { feeSat, burnSat } = dexFee({
            takerCoin,
            makerCoin,
            takerAmount: fromBaseUnits(units),
            minTxAmount: 0n,
          });
          const [over, under] = takerCoin === 'KMD' || makerCoin === 'KMD' ? [9n, 7770n] : [1n, 777n];
          const cut = units * over - (feeSat + burnSat) * under;
          expect(cut).toBeGreaterThanOrEqual(0n);
          expect(cut).toBeLessThan(2n * under);
          if (takerCoin !== 'KMD') expect(burnSat).toBe(0n);
        },
      ),
    );
  });

  it('is never below the minimum, and burns only if the rest is above it', () => {
    fc.assert(
      fc.property(satoshi, fc.bigInt({ min: 0n, max: 10n ** 9n }), (units, minTxAmount) => {
        const fee = dexFee({ takerCoin: 'KMD', makerCoin: 'DOC', takerAmount: fromBaseUnits(units), minTxAmount });
        expect(fee.feeSat).toBeGreaterThanOrEqual(minTxAmount);
        if (fee.kind === 'standard') expect(fee).toEqual({ kind: 'standard', feeSat: minTxAmount, burnSat: 0n });
        if (fee.kind === 'withBurn') expect(units * 9n).toBeGreaterThan(minTxAmount * 7770n);
      }),
    );
  });

  it('of a KMD taker burns a quarter, less if three quarters were below the minimum', () => {
    const kmd = { takerCoin: 'KMD', makerCoin: 'DOC', takerAmount: amount('7770') };
    expect(dexFee(kmd)).toEqual({ kind: 'withBurn', feeSat: 675_000_000n, burnSat: 225_000_000n });
    expect(dexFee({ ...kmd, minTxAmount: 800_000_000n })).toEqual({
      kind: 'withBurn',
      feeSat: 800_000_000n,
      burnSat: 100_000_000n,
    });
    expect(dexFee({ ...kmd, minTxAmount: 900_000_000n }).kind).toBe('standard');
    expect(dexFee({ ...kmd, era: 'beforeBurn' })).toEqual({ kind: 'standard', feeSat: 900_000_000n, burnSat: 0n });
  });

  it('is not owed by the burn key, except for a privacy coin', () => {
    const own: DexFeeParameters = { ...coins, takerAmount: amount('1'), takerKey: BURN_KEY.toUpperCase() };
    expect(dexFee(own)).toEqual({ kind: 'none', feeSat: 0n, burnSat: 0n });
    expect(dexFee({ ...own, privacyCoin: true }).kind).toBe('standard');
    expect(isFeeExempt(undefined)).toBe(false);
  });

  it('goes to the hash of the published fee key', () => {
    const key = hexToBytes('03bc2c7ba671bae4a6fc835244c9762b41647b9827d4780a89a949b984a8ddcc06');
    expect(bytesToHex(hash160(key))).toBe(DEX_FEE_KEY_HASH);
  });
});

describe('check of a paid fee', () => {
  const kmd = { takerCoin: 'KMD', makerCoin: 'DOC', takerAmount: amount('7770') };
  const one = { ...coins, takerAmount: amount('1') };

  it('accepts what the formula gives in either era, and no satoshi more or less', () => {
    fc.assert(
      fc.property(satoshi, fc.constantFrom('burn' as const, 'beforeBurn' as const), (units, era) => {
        const parameters = { ...kmd, takerAmount: fromBaseUnits(units), minTxAmount: 1000n };
        const { feeSat, burnSat } = dexFee({ ...parameters, era });
        const outputs = (fee: bigint) => [pays(fee), ...(burnSat > 0n ? [burns(burnSat)] : [])];
        expect(checkDexFee(outputs(feeSat), parameters).status).toBe('verified');
        expect(checkDexFee(outputs(feeSat - 1n), parameters)).toMatchObject({
          status: 'violated',
          reason: 'tooLittle',
        });
        if (feeSat !== 9999n) expect(checkDexFee(outputs(feeSat + 1n), parameters).status).toBe('violated');
      }),
    );
  });

  it('accepts the burn whole or not at all', () => {
    expect(checkDexFee([pays(900_000_000n)], kmd)).toMatchObject({ status: 'verified', era: 'beforeBurn' });
    expect(checkDexFee([pays(675_000_000n), burns(225_000_000n)], kmd)).toMatchObject({
      status: 'verified',
      era: 'burn',
    });
    for (const outputs of [
      [pays(675_000_000n)],
      [pays(675_000_000n), burns(224_999_999n)],
      [pays(900_000_000n), burns(1n)],
    ]) {
      expect(checkDexFee(outputs, kmd).status).toBe('violated');
    }
    expect(checkDexFee([pays(128_700n), burns(5n)], one)).toMatchObject({ status: 'violated', reason: 'wrongBurn' });
  });

  it('recognizes the minima of KDF, and leaves open whether another one is the coin’s own', () => {
    const little = { ...coins, takerAmount: amount('0.005') };
    expect(checkDexFee([pays(1000n)], little)).toMatchObject({ status: 'verified', era: 'burn' });
    expect(checkDexFee([pays(10_000n)], little)).toMatchObject({ status: 'verified', era: 'beforeBurn' });
    expect(checkDexFee([pays(72_800n)], little)).toEqual({ status: 'notCheckable', reason: 'perhapsCoinMinimum' });
    expect(checkDexFee([pays(72_800n)], { ...little, minTxAmount: 72_800n }).status).toBe('verified');
    expect(checkDexFee([pays(72_800n)], { ...little, minTxAmount: 546n }).status).toBe('violated');
    expect(checkDexFee([pays(1_000_001n)], little)).toMatchObject({ status: 'violated', reason: 'tooMuch' });
    expect(checkDexFee([pays(642n)], little)).toMatchObject({ status: 'violated', reason: 'tooLittle' });
  });

  it('refuses another address, and cannot judge tokens and shielded outputs', () => {
    expect(checkDexFee([pays(128_700n, p2shScript(feeScript))], one)).toMatchObject({ reason: 'wrongAddress' });
    expect(checkDexFee([pays(0n, hexToBytes('6a04534c500001'))], one)).toMatchObject({ reason: 'tokenTransfer' });
    expect(checkDexFee([pays(0n, hexToBytes('540390d003012844c2'))], one)).toMatchObject({ reason: 'tokenTransfer' });
    expect(checkDexFee([], one)).toEqual({ status: 'notCheckable', reason: 'noTransparentOutput' });
  });
});

describeShared('recorded fees', () => {
  it('follow the formula, to the satoshi that the manifest computed', () => {
    let checked = 0;
    for (const swap of recordedSwaps()) {
      const { dexFee: recorded } = swap.row;
      const stored = transactionOf(swap, 'TakerFeeSent', 'TakerFeeValidated');
      if (recorded === null || stored === undefined) continue;
      const transaction = decodeTransaction(hexToBytes(stored.tx_hex));
      if (isTransactionProblem(transaction)) throw new Error(`${swap.row.file}: ${transaction.problem}`);
      const parameters = {
        takerCoin: swap.row.takerCoin,
        makerCoin: swap.row.makerCoin,
        takerAmount: decimalOf(swap.started, 'taker_amount'),
      };
      const formula = dexFee({ ...parameters, era: 'beforeBurn', minTxAmount: 0n });
      expect(Number(formula.feeSat), swap.row.file).toBe(recorded.formulaSat);
      expect(Number(transaction.outputs[0]?.value), swap.row.file).toBe(recorded.paidSat);
      expect(checkDexFee(transaction.outputs, parameters), swap.row.file).toMatchObject({ status: 'verified' });
      expect(recorded.match).toBe(true);
      checked++;
    }
    expect(checked).toBe(recordedSwaps().filter(({ row }) => row.dexFee !== null).length);
    expect(checked).toBeGreaterThan(60);
  });
});
