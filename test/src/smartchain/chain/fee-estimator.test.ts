import { describe, expect, it } from 'vitest';
import {
  type FeeEstimator,
  feeEstimator,
  transactionPriority,
} from '../../../../src/smartchain/chain/fee-estimator.ts';

type Plan = { readonly blocks: number; readonly each: number; readonly delay: (rate: number) => number };

/** Lets transactions of several fee rates in, each confirmed after its delay. */
function feed(estimator: FeeEstimator, rates: readonly number[], { blocks, each, delay }: Plan): void {
  const due = new Map<number, string[]>();
  let count = 0;
  for (let height = 1; height <= blocks; height++) {
    for (const rate of rates) {
      for (let index = 0; index < each; index++) {
        count += 1;
        const txid = String(count);
        estimator.entered({ txid, fee: BigInt(rate), size: 1000, priority: 0, height, hasParents: false });
        const at = height + delay(rate);
        due.set(at, [...(due.get(at) ?? []), txid]);
      }
    }
    estimator.connected(height + 1, due.get(height + 1) ?? []);
  }
}

/** The estimate; the sums behind it are floating-point numbers, which may cost it one satoshi. */
function rateFor(estimator: FeeEstimator, blocks: number): number {
  const rate = Number(estimator.feeFor(blocks));
  return rate % 10 === 9 ? rate + 1 : rate;
}

describe('estimates of fees', () => {
  it('are unknown at first, and for more than 25 blocks', () => {
    const estimator = feeEstimator();
    for (const blocks of [0, 1, 25, 26]) {
      expect(estimator.feeFor(blocks)).toBeUndefined();
      expect(estimator.priorityFor(blocks)).toBeUndefined();
    }
    feed(estimator, [1000], { blocks: 300, each: 4, delay: () => 1 });
    expect(rateFor(estimator, 25)).toBe(1000);
    expect(estimator.feeFor(26)).toBeUndefined();
  });

  it('name the lowest rate that was confirmed in time', () => {
    const estimator = feeEstimator();
    const delay = (rate: number) => (rate >= 50_000 ? 1 : rate >= 5_000 ? 5 : 15);
    feed(estimator, [1000, 5000, 50_000], { blocks: 400, each: 4, delay });
    expect(rateFor(estimator, 1)).toBe(50_000);
    expect(rateFor(estimator, 4)).toBe(50_000);
    expect(rateFor(estimator, 5)).toBe(5000);
    expect(rateFor(estimator, 15)).toBe(1000);
  });

  it('do not count on what waits in vain', () => {
    const estimator = feeEstimator();
    feed(estimator, [1000], { blocks: 300, each: 4, delay: () => 1 });
    expect(rateFor(estimator, 2)).toBe(1000);
    for (let index = 0; index < 3000; index++) {
      const txid = `stuck ${index}`;
      estimator.entered({ txid, fee: 1000n, size: 1000, priority: 0, height: 301, hasParents: false });
    }
    for (let height = 302; height < 312; height++) estimator.connected(height, []);
    expect(estimator.feeFor(2)).toBeUndefined();
    for (let index = 0; index < 3000; index++) estimator.left(`stuck ${index}`);
    expect(rateFor(estimator, 2)).toBe(1000);
  });

  it('learn nothing from children of waiting transactions, and nothing twice from a height', () => {
    const estimator = feeEstimator();
    for (let height = 1; height < 400; height++) {
      const txids = Array.from({ length: 8 }, (_, index) => `${height}/${index}`);
      for (const txid of txids) {
        estimator.entered({ txid, fee: 900n, size: 1000, priority: 0, height, hasParents: true });
      }
      estimator.connected(height + 1, txids);
    }
    expect(estimator.feeFor(6)).toBeUndefined();
    const again = feeEstimator();
    again.connected(500, []);
    feed(again, [1000], { blocks: 300, each: 4, delay: () => 1 });
    expect(again.feeFor(6)).toBeUndefined();
  });
});

it('estimates priorities from transactions without a fee', () => {
  const estimator = feeEstimator();
  for (let height = 1; height < 400; height++) {
    const txids = Array.from({ length: 4 }, (_, index) => `${height}/${index}`);
    for (const txid of txids) {
      estimator.entered({ txid, fee: 0n, size: 1000, priority: 5e7, height, hasParents: false });
    }
    estimator.connected(height + 1, txids);
  }
  expect(estimator.priorityFor(2)).toBeCloseTo(5e7, -1);
  expect(estimator.feeFor(2)).toBeUndefined();
});

it('measures the priority by value, age and counted bytes', () => {
  const coin = { value: 100_000_000n, height: 90 };
  // 100 bytes of 257 count: an input of 41 bytes and its script of 107 are free, and 9 more of nothing here.
  expect(transactionPriority({ spent: [coin], scripts: [107], size: 248, height: 100 })).toBe(1e9 / 100);
  expect(transactionPriority({ spent: [], scripts: [107], size: 248, height: 100 })).toBe(0);
  expect(transactionPriority({ spent: [coin], scripts: [300], size: 100, height: 100 })).toBe(1e9 / 100);
  expect(transactionPriority({ spent: [coin], scripts: [], size: 0, height: 100 })).toBe(0);
});
