import { describe, expect, it } from 'vitest';
import { createGasStation, type GasStationOptions } from '../../../../src/chains/evm/gas-station.ts';
import { dayPrices, type PriceRule } from '../../../../src/chains/evm/prices.ts';
import { BackendSilent, type Look } from '../../../../src/chains/evm/reader.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';

const GWEI = 10n ** 9n;

function station(answer: unknown, options: Partial<GasStationOptions> = {}) {
  const fetch = async () => ({ ok: true, status: 200, text: async () => JSON.stringify(answer) });
  return createGasStation({ url: 'https://station.test/json', fetch, ...options });
}

describe('a gas station', () => {
  const TOLD = { average: 860, fast: 1000 };

  it.each([
    ['the mean of average and fast, in tenths of a gwei', {}, 93n * GWEI, TOLD],
    ['the average alone', { policy: 'Average' }, 86n * GWEI, TOLD],
    ['the average in gwei', { policy: 'Average', decimals: 9 }, 860n * GWEI, TOLD],
    ['what is called standard for average', { policy: 'Average' }, 86n * GWEI, { standard: 860 }],
    [
      'numbers with a fraction, of which what is below a wei is cut off',
      { decimals: 1, policy: 'Average' },
      12n,
      { average: 1.29 },
    ],
  ] as const)('tells %s, and a tenth more or a gwei', async (_, options, wei, told) => {
    const tenth = (wei / 100n) * 10n;
    expect(await station(told, options)()).toBe(wei + (tenth > GWEI ? tenth : GWEI));
  });

  it.each([
    ['nothing of the kind', {}],
    ['a price below zero', { average: -1, fast: 2 }],
    ['no number', { average: 'dear', fast: 2 }],
  ])('that tells %s does not know, and says why', async (_, told) => {
    const whys: string[] = [];
    expect(await station(told, { onFailure: (why) => whys.push(why) })()).toBeNull();
    expect(whys).toEqual(['the answer tells no price']);
  });

  it('that refuses does not know', async () => {
    const whys: string[] = [];
    const fetch = async () => ({ ok: false, status: 503, text: async () => '' });
    expect(await station({}, { fetch, onFailure: (why) => whys.push(why) })()).toBeNull();
    expect(whys).toEqual(['Gas price request failed with status code 503']);
  });
});

describe('the prices of a day', () => {
  const rule: PriceRule = { kind: 'legacy', tip: null, floor: 1n, ceiling: 1000n * GWEI };
  const lookOf = (baseFee: bigint | null, price: bigint | null): Look => {
    const head = { number: 1, hash: '', time: 0 as UnixSeconds, baseFee };
    const asked = async () => {
      if (price === null) throw new BackendSilent('no node answers');
      return price;
    };
    return { head, settled: true, price: asked } as Partial<Look> as Look;
  };

  it.each([
    ['of the station', 90n, 80n, 50n, 90n],
    ['of the node', 90n, 95n, 50n, 95n],
    ['of the base fee with 13 %', 90n, 80n, 100n, 113n],
    ['of what is left, where the node is silent', 90n, null, 50n, 90n],
    ['of the node, where the station is silent', null, 80n, null, 80n],
  ] as const)('are the dearest: %s', async (_, told, node, base, expected) => {
    const gwei = (value: bigint | null) => (value === null ? null : value * GWEI);
    const own = { ...rule, station: async () => gwei(told) };
    expect((await dayPrices(own, lookOf(gwei(base), gwei(node)))).tip).toBe(expected * GWEI);
    // With EIP-1559 what is above the base fee is offered above it.
    if (base === null || node === null) return;
    const above = await dayPrices({ ...own, kind: 'eip1559' }, lookOf(gwei(base), 1n));
    expect(above.tip).toBe(
      ((told ?? 0n) > (base * 113n) / 100n ? (told ?? 0n) * GWEI : (base * 113n * GWEI) / 100n) - base * GWEI,
    );
  });

  it('are unknown where nothing answers', async () => {
    const silent = { ...rule, station: async () => null };
    await expect(dayPrices(silent, lookOf(null, null))).rejects.toThrow(BackendSilent);
  });
});
