import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import { createEvmNodeReader } from '../../../../src/chains/evm/node-reader.ts';
import { dayPrices, type PriceRule, usualPrice } from '../../../../src/chains/evm/prices.ts';
import { createEvmQuorumReader } from '../../../../src/chains/evm/quorum-reader.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const GWEI = 10n ** 9n;
const BASE = 7n * GWEI;
const RULE: PriceRule = { kind: 'eip1559', tip: null, floor: 1n, ceiling: 500n * GWEI };

const hex = (number: bigint): string => `0x${number.toString(16)}`;
const MISSING = new NodeRefusal(-32_601, 'the method does not exist/is not available');
const BUSY = new NodeRefusal(-32_005, 'too many requests');

type Prices = {
  readonly tip?: unknown;
  /** What the blocks of the history paid; none of an empty block. */
  readonly history?: readonly (bigint | null)[] | NodeRefusal | 'odd';
  readonly gasPrice?: unknown;
};

/** A node of a chain with a base fee, which refuses what is not given. */
function readerOf({ tip = MISSING, history = MISSING, gasPrice = MISSING }: Prices, name = 'a node') {
  const asked: (readonly [string, readonly unknown[]])[] = [];
  const block = { hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00', number: '0x10', baseFeePerGas: hex(BASE) };
  const told: Readonly<Record<string, unknown>> = {
    ...{ eth_chainId: '0x1', eth_getBlockByNumber: block, eth_maxPriorityFeePerGas: tip, eth_gasPrice: gasPrice },
    eth_feeHistory:
      history instanceof NodeRefusal
        ? history
        : history === 'odd'
          ? { oldestBlock: '0x6' }
          : {
              reward: history.map((paid) => [hex(paid ?? 0n)]),
              gasUsedRatio: history.map((paid) => (paid === null ? 0 : 0.5)),
            },
  };
  const request = async (method: string, params: readonly unknown[]) => {
    asked.push([method, params]);
    const answer = told[method];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { reader: createEvmNodeReader({ name, request }, 1), asked };
}

async function tipOf(prices: Prices): Promise<bigint> {
  return (await dayPrices(RULE, await readerOf(prices).reader.look())).tip;
}

describe('the tip above the base fee', () => {
  it.each<readonly [what: string, prices: Prices, tip: bigint]>([
    ['what the node says', { tip: hex(3n * GWEI), history: [9n * GWEI], gasPrice: hex(20n * GWEI) }, 3n * GWEI],
    [
      'the middle of what the last blocks paid, where it does not say',
      { history: [5n * GWEI, 1n * GWEI, 2n * GWEI, 90n * GWEI, 3n * GWEI], gasPrice: hex(50n * GWEI) },
      3n * GWEI,
    ],
    ['that of the blocks in which something was', { history: [null, null, 2n * GWEI, null] }, 2n * GWEI],
    ['what its price of gas is above the base fee, where it tells no history', { gasPrice: hex(9n * GWEI) }, 2n * GWEI],
    ['the same, where all blocks were empty', { history: [null, null], gasPrice: hex(9n * GWEI) }, 2n * GWEI],
    ['the same, where the history is none', { history: 'odd', gasPrice: hex(9n * GWEI) }, 2n * GWEI],
    ['the least there is, where its price is below the base fee', { gasPrice: hex(6n * GWEI) }, RULE.floor],
  ])('is %s', async (_, prices, tip) => {
    expect(await tipOf(prices)).toBe(tip);
  });

  it('is read from the last ten blocks, and asked of nobody if the node reports it', async () => {
    const methods = async (prices: Prices) => {
      const { reader, asked } = readerOf(prices);
      await dayPrices(RULE, await reader.look());
      return asked.slice(2);
    };
    const asked = ['eth_maxPriorityFeePerGas', []];
    expect(await methods({ tip: '0x1' })).toEqual([asked]);
    const ofLast = ['eth_feeHistory', ['0xa', 'latest', [50]]];
    expect(await methods({ history: [1n] })).toEqual([asked, ofLast]);
    expect(await methods({ gasPrice: '0x1' })).toEqual([asked, ofLast, ['eth_gasPrice', []]]);
  });

  it.each<readonly [what: string, prices: Prices]>([
    ['has too many requests', { tip: BUSY, history: [1n], gasPrice: '0x1' }],
    ['has too many requests for the history', { history: BUSY, gasPrice: '0x1' }],
    ['has too many requests for its price', { gasPrice: BUSY }],
    ['tells nothing of prices', {}],
    ['says what is no price', { tip: 'many', history: [1n], gasPrice: '0x1' }],
  ])('is not made up if a node %s', async (_, prices) => {
    await expect(tipOf(prices)).rejects.toThrow(BackendSilent);
  });

  it('stays within what a single source may say, and the ceiling, whatever a node reports', async () => {
    const wei = fc.bigInt({ min: 0n, max: 2n ** 200n });
    await fc.assert(
      fc.asyncProperty(fc.array(wei, { maxLength: 10 }), wei, async (history, gasPrice) => {
        const { reader } = readerOf({ history, gasPrice: hex(gasPrice) });
        const day = await dayPrices(RULE, await reader.look());
        expect(day.tip <= 100n * GWEI && usualPrice(RULE, day).most <= RULE.ceiling).toBe(true);
      }),
    );
  });

  it('is the median of what nodes say, each as it can', async () => {
    const readers = [
      readerOf({ tip: hex(2n * GWEI) }, 'one'),
      readerOf({ history: [40n * GWEI] }, 'another'),
      readerOf({ gasPrice: hex(BASE + 3n * GWEI) }, 'a third'),
    ].map(({ reader }) => reader);
    const quorum = createEvmQuorumReader({ readers, clock: virtualClock(1_700_000_000_000) });
    expect((await dayPrices(RULE, await quorum.look())).tip).toBe(3n * GWEI);
  });
});
