import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BURN_KEY,
  checkDexFee,
  DEX_FEE_KEY_HASH,
  type DexFeeParameters,
  dexFee,
  feeOutputs,
  feeProblem,
} from '../../../src/htlc/dex-fee.ts';
import {
  checkedProfile,
  FREE_NETWORK,
  KDF_NETWORK,
  type NetworkProfile,
  type TradingFee,
} from '../../../src/htlc/network-profile.ts';
import { p2pkhScript } from '../../../src/htlc/script.ts';
import { type DecimalText, fromBaseUnits } from '../../../src/primitives/decimal.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';

const GENERATOR = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const DOUBLE = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';

/** Two per cent, one where OWN is traded, of which a third goes to another key where the taker pays OWN. */
const OWN_FEE: TradingFee = {
  rate: { over: 2n, under: 100n },
  discount: { coins: ['OWN'], rate: { over: 1n, under: 100n } },
  minimum: '0.00005' as DecimalText,
  feeKey: GENERATOR,
  burn: { takerCoins: ['OWN'], share: { over: 1n, under: 3n }, key: DOUBLE },
  exemptKey: null,
  thresholdBeforeBurn: null,
};
const OWN: NetworkProfile = { name: 'own', tradingFee: OWN_FEE, scriptScheme: 'p2wsh' };
const own = (fee: Partial<TradingFee>): NetworkProfile => ({ ...OWN, tradingFee: { ...OWN_FEE, ...fee } });

const swap = (changes: Partial<DexFeeParameters> = {}): DexFeeParameters => ({
  takerCoin: 'LTC',
  makerCoin: 'DOC',
  takerAmount: '1.23456789' as DecimalText,
  ...changes,
});

describe('the profile of a network', () => {
  it('is that of KDF if none is given', () => {
    expect(dexFee(swap())).toEqual(dexFee(swap({ network: KDF_NETWORK })));
    expect(dexFee(swap())).toEqual({ kind: 'standard', feeSat: 123_456_789n / 777n, burnSat: 0n });
    const fee = KDF_NETWORK.tradingFee;
    expect(bytesToHex(hash160(hexToBytes(fee?.feeKey ?? '')))).toBe(DEX_FEE_KEY_HASH);
    expect(fee?.exemptKey).toBe(BURN_KEY);
  });

  it('gives the rate, and another one if one of its coins is traded on either side', () => {
    expect(dexFee(swap({ network: OWN })).feeSat).toBe(2_469_135n);
    expect(dexFee(swap({ network: OWN, makerCoin: 'OWN' })).feeSat).toBe(1_234_567n);
    expect(dexFee(swap({ network: OWN, makerCoin: 'KMD' })).feeSat).toBe(2_469_135n);
  });

  it('says the least fee in coin units, beside the least amount of the coin in base units', () => {
    const small = { network: OWN, takerAmount: '0.001' as DecimalText };
    expect(dexFee(swap(small)).feeSat).toBe(5000n);
    expect(dexFee(swap({ ...small, minTxAmount: 7000n })).feeSat).toBe(7000n);
    expect(dexFee(swap({ ...small, decimals: 6 })).feeSat).toBe(1000n);
    expect(dexFee(swap({ ...small, decimals: 18, minTxAmount: 1n })).feeSat).toBe(50_000_000_000_000n);
  });

  it('says which share is burned and how, exactly to the base unit', () => {
    const fee = dexFee(swap({ network: OWN, takerCoin: 'OWN' }));
    expect(fee).toEqual({ kind: 'withBurn', feeSat: 823_045n, burnSat: 411_522n });
    const scripts = feeOutputs(fee, OWN).map(({ script }) => bytesToHex(script));
    expect(scripts).toEqual([GENERATOR, DOUBLE].map((key) => bytesToHex(p2pkhScript(hash160(hexToBytes(key))))));
    const bare = own({ burn: { takerCoins: ['OWN'], share: { over: 1n, under: 3n }, key: null } });
    expect(feeOutputs(fee, bare).map(({ script }) => bytesToHex(script))[1]).toBe('6a');
    const none = own({ burn: { takerCoins: ['OWN'], share: { over: 0n, under: 3n }, key: null } });
    expect(dexFee(swap({ network: none, takerCoin: 'OWN' })).kind).toBe('standard');
  });

  it('exempts only its own key', () => {
    expect(dexFee(swap({ network: OWN, takerKey: BURN_KEY })).kind).toBe('standard');
    expect(dexFee(swap({ network: own({ exemptKey: DOUBLE }), takerKey: DOUBLE.toUpperCase() })).kind).toBe('none');
  });

  it('may ask for nothing', () => {
    const free = dexFee(swap({ network: FREE_NETWORK }));
    expect(free).toEqual({ kind: 'none', feeSat: 0n, burnSat: 0n });
    expect(feeOutputs(free, FREE_NETWORK)).toEqual([]);
    expect(feeProblem({ txid: 'ab', outputs: [] }, free, FREE_NETWORK)).toBeNull();
  });
});

const amounts = fc.bigInt({ min: 1n, max: 10n ** 17n }).map((units) => fromBaseUnits(units));
const shares = fc.tuple(fc.nat(1000), fc.integer({ min: 1, max: 1000 })).map(([left, right]) => ({
  over: BigInt(Math.min(left, right)),
  under: BigInt(right),
}));

it('fee and burn together lose less than two base units of the whole, and never exceed it, whatever the rates', () => {
  fc.assert(
    fc.property(amounts, shares, shares, (takerAmount, rate, share) => {
      const network = own({
        rate,
        discount: null,
        minimum: '0' as DecimalText,
        burn: { takerCoins: ['LTC'], share, key: null },
      });
      const { feeSat, burnSat } = dexFee(swap({ takerAmount, network, minTxAmount: 1n }));
      const whole = dexFee(
        swap({
          takerAmount,
          network: own({ rate, discount: null, minimum: '0' as DecimalText, burn: null }),
          minTxAmount: 1n,
        }),
      );
      expect(feeSat + burnSat <= whole.feeSat).toBe(true);
      expect(feeSat + burnSat > whole.feeSat - 2n).toBe(true);
    }),
  );
});

describe('a fee transaction', () => {
  const fee = dexFee(swap({ network: OWN, takerCoin: 'OWN' }));
  const outputs = feeOutputs(fee, OWN);
  const changed = (place: number, value: bigint) =>
    outputs.map((output, index) => (index === place ? { ...output, value } : output));

  it('is checked against the network that it is for', () => {
    const parameters = { ...swap({ takerCoin: 'OWN' }), network: OWN };
    expect(checkDexFee(outputs, parameters)).toMatchObject({ status: 'verified', fee });
    expect(checkDexFee(outputs, { ...parameters, network: KDF_NETWORK })).toMatchObject({ reason: 'wrongAddress' });
    expect(checkDexFee(changed(1, fee.burnSat - 1n), parameters)).toMatchObject({ reason: 'wrongBurn' });
    expect(checkDexFee(outputs, { ...parameters, network: FREE_NETWORK })).toMatchObject({ status: 'violated' });
    // A network whose rule never changed has no older rule by which the whole fee would do.
    const whole = [{ value: fee.feeSat + fee.burnSat + 1n, script: outputs[0]?.script ?? new Uint8Array() }];
    expect(checkDexFee(whole, parameters)).toMatchObject({ status: 'violated' });
  });

  it('may pay more to a maker, and never less, at each output', () => {
    const problem = (found: typeof outputs) => feeProblem({ txid: 'ab', outputs: found }, fee, OWN);
    expect(problem(outputs)).toBeNull();
    expect(problem(changed(0, fee.feeSat + 1n))).toBeNull();
    expect(problem(changed(0, fee.feeSat - 1n))).toContain('is less than expected 823044 823045');
    expect(problem(changed(1, fee.burnSat - 1n))).toContain('is less than expected 411521 411522');
    expect(problem(outputs.slice(0, 1))).toBe('Provided dex fee tx ab does not have output 1');
    expect(problem(outputs.toReversed())).toContain("output script_pubkey doesn't match expected");
    expect(feeProblem({ txid: 'ab', outputs }, fee, KDF_NETWORK)).toContain("doesn't match expected");
  });
});

describe('a profile that no node could trade by', () => {
  const rejected: readonly (readonly [string, string, NetworkProfile])[] = [
    ['/name', '', { ...OWN, name: '' }],
    ['/scriptScheme', 'p2tr', { ...OWN, scriptScheme: 'p2tr' as never }],
    ['/tradingFee/rate', '1/0', own({ rate: { over: 1n, under: 0n } })],
    ['/tradingFee/rate', '2/1', own({ rate: { over: 2n, under: 1n } })],
    ['/tradingFee/rate', '-1/5', own({ rate: { over: -1n, under: 5n } })],
    ['/tradingFee/discount/rate', '3/-5', own({ discount: { coins: [], rate: { over: 3n, under: -5n } } })],
    ['/tradingFee/minimum', '-1', own({ minimum: '-1' as DecimalText })],
    ['/tradingFee/feeKey', '02ff', own({ feeKey: '02ff' })],
    ['/tradingFee/feeKey', `02${'ff'.repeat(32)}`, own({ feeKey: `02${'ff'.repeat(32)}` })],
    ['/tradingFee/exemptKey', '', own({ exemptKey: '' })],
    ['/tradingFee/burn/share', '4/3', own({ burn: { takerCoins: [], share: { over: 4n, under: 3n }, key: null } })],
    ['/tradingFee/burn/key', '04', own({ burn: { takerCoins: [], share: { over: 1n, under: 3n }, key: '04' } })],
  ];

  it.each(rejected)('is refused: %s %s', (place, found, profile) => {
    expect(() => checkedProfile(profile)).toThrow(
      expect.objectContaining({ code: 'NETWORK_PROFILE_INVALID', facts: expect.objectContaining({ place, found }) }),
    );
  });

  it('is none of the shipped ones, and none of the above when they are corrected', () => {
    for (const profile of [KDF_NETWORK, FREE_NETWORK, OWN]) expect(checkedProfile(profile)).toBe(profile);
  });
});
