import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chooseCoins } from '../../../../src/smartchain/wallet/choose-coins.ts';

const coins = (values: readonly number[]) =>
  values.map((value, vout) => ({
    txid: '1'.repeat(64),
    vout,
    output: { value: BigInt(value), script: new Uint8Array(0) },
  }));
const choose = (values: readonly number[], total: number, most = 64) =>
  chooseCoins(coins(values), { total: BigInt(total), most })?.map(({ output }) => Number(output.value));

it('takes what fits exactly, else the smallest above, else the largest below and continues', () => {
  expect(choose([30, 100, 70], 100)).toEqual([100]);
  expect(choose([30, 40, 90], 100)).toEqual([90, 30]);
  expect(choose([40, 40, 20], 100)).toEqual([40, 40, 20]);
  expect(choose([50, 40, 300], 100)).toEqual([300]);
});

it('gathers in the given order and no further than they suffice', () => {
  expect(choose([60, 60, 100], 100)).toEqual([60, 60]);
  expect(choose([150, 100], 100)).toEqual([150]);
});

it('skips coins below the share of each, and takes no more than allowed', () => {
  expect(choose([1, 1, 1, 97], 97, 3)).toEqual([97]);
  expect(choose([32, 32, 96], 98, 3)).toEqual([96, 32]);
  expect(choose([40, 40, 40], 100, 2)).toBeUndefined();
  expect(choose([], 1)).toBeUndefined();
  expect(choose([99], 100)).toBeUndefined();
});

it('of any coins: the choice suffices, with no coin twice, none too small, and no more than allowed', () => {
  const value = fc.integer({ min: 0, max: 2_000 });
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 90 }),
      fc.integer({ min: 1, max: 20_000 }),
      fc.constantFrom(3, 64),
      (values, total, most) => {
        const chosen = chooseCoins(coins(values), { total: BigInt(total), most });
        if (chosen === undefined) return;
        const sum = chosen.reduce((all, { output }) => all + output.value, 0n);
        expect(sum >= BigInt(total)).toBe(true);
        expect(new Set(chosen.map(({ vout }) => vout)).size).toBe(chosen.length);
        expect(chosen.length).toBeLessThanOrEqual(most);
        for (const { output } of chosen) expect(output.value >= BigInt(total) / BigInt(most)).toBe(true);
      },
    ),
  );
});
