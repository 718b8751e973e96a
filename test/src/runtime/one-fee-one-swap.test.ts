import { describe, expect, it } from 'vitest';
import type { Answer, PreparedTransaction } from '../../../src/ports/chain.ts';
import type { SimWallet } from '../../../src/sim/chains/types.ts';
import {
  type Coin,
  createDealing,
  type Dealing,
  type DealingOptions,
  type Order,
  paymentsOf,
  uuidOf,
} from '../../support/double-dealing.ts';

/** The dealer's nodes share one fee: whoever is asked for one first makes it, the others hand it out again. */
function sharingFees(): NonNullable<DealingOptions['dealerChain']> {
  const fees = new Map<Coin, Answer<PreparedTransaction>>();
  return (chain, { coin }): SimWallet => ({
    ...chain,
    prepare: (request) => {
      if (request.purpose !== 'fee') return chain.prepare(request);
      const made = fees.get(coin) ?? chain.prepare(request);
      if (made.ok) fees.set(coin, made);
      return made;
    },
  });
}

const secretOf = (order: number): string => `0${order}`.repeat(32);

async function begin(dealing: Dealing, order: Order): Promise<void> {
  await Promise.all([
    dealing.dealerOf(order).runtime.startSwap(dealing.request('taker', order, null)),
    dealing.node.runtime.startSwap(dealing.request('maker', order, secretOf(order.order))),
  ]);
}

const FIVE: readonly Order[] = [1, 2, 3, 4, 5].map((order) => ({ order, otherKey: order > 3 }));

const has = (type: string, { types }: Dealing, orders: readonly Order[]): readonly number[] =>
  orders.filter(({ order }) => types(order).includes(type)).map(({ order }) => order);

const isOver = (dealing: Dealing, orders: readonly Order[]) => () =>
  orders.every(({ order }) => dealing.types(order).includes('Finished'));

async function servesOne(dealing: Dealing, orders: readonly Order[]): Promise<void> {
  const served = has('TakerFeeValidated', dealing, orders);
  expect(served).toHaveLength(1);
  expect(has('MakerPaymentSent', dealing, orders)).toEqual(served);
  expect(paymentsOf(dealing, 'honest', 'DOC')).toHaveLength(1);
  for (const { order } of orders) {
    if (served.includes(order)) continue;
    const records = await dealing.node.log.read(`maker-swap/${uuidOf(order)}`);
    const failure = records.find(({ type }) => type === 'TakerFeeValidateFailed')?.data as { error: string };
    expect(failure.error).toContain(
      `belongs to swap ${uuidOf(served[0] ?? 0)} of this node, and a fee serves one swap`,
    );
  }
}

describe('U1: one taker fee for several swaps of a maker', () => {
  it.each([
    ['UTXO chains', []],
    ['accounts', ['MARTY']],
  ] as const)('serves one: %s', async (_, accounts) => {
    const dealing = createDealing({ honest: 'maker', accounts, dealerChain: sharingFees() });
    await Promise.all(FIVE.map((order) => begin(dealing, order)));
    expect(await dealing.until(isOver(dealing, FIVE))).toBe(true);
    await servesOne(dealing, FIVE);
  });

  it('serves one across a restart, also when that one is over', async () => {
    const dealing = createDealing({ honest: 'maker', dealerChain: sharingFees() });
    const [first, ...others] = FIVE as readonly [Order, ...Order[]];
    await begin(dealing, first);
    expect(await dealing.until(() => dealing.types(1).includes('TakerFeeValidated'))).toBe(true);
    await dealing.restart();
    await Promise.all(others.map((order) => begin(dealing, order)));
    expect(await dealing.until(isOver(dealing, FIVE))).toBe(true);
    await servesOne(dealing, FIVE);
  });
});

describe('U1: one taker fee under another name in each swap', () => {
  /** While the maker asks for a fee, its taker sends another message, with a hash that nobody has seen. */
  function renaming(): { readonly dealing: Dealing; readonly asked: number[] } {
    const asked: number[] = [];
    const dealing: Dealing = createDealing({
      honest: 'maker',
      dealerChain: sharingFees(),
      options: ({ chains }) => ({
        chains: chains.map((chain) => ({
          ...chain,
          checkFee: async (check, forSwap) => {
            const order = Number(forSwap.swap.slice(-2));
            asked.push(order);
            const { key } = dealing.dealerOf({ order, otherKey: order > 3 });
            const tx = { tx_hex: 'ff', tx_hash: `${order}`.repeat(64) };
            const answer = await chain.checkFee(check, forSwap);
            await dealing.network.peer(key).send(`swap/${uuidOf(order)}`, { kind: 'takerFee', tx });
            await new Promise((resolve) => setImmediate(resolve));
            return answer;
          },
        })),
      }),
    });
    return { dealing, asked };
  }

  it('serves one: an answer about a fee says nothing about the one that was named meanwhile', async () => {
    const { dealing, asked } = renaming();
    const orders = FIVE.slice(0, 3);
    await Promise.all(orders.map((order) => begin(dealing, order)));
    expect(await dealing.until(isOver(dealing, orders))).toBe(true);
    expect(new Set(asked)).toEqual(new Set([1, 2, 3]));
    expect(has('TakerFeeValidated', dealing, orders).length).toBeLessThanOrEqual(1);
    expect(paymentsOf(dealing, 'honest', 'DOC').length).toBeLessThanOrEqual(1);
  });
});

describe('U1: a wallet that hands out one transaction for two swaps', () => {
  it('has signed it for the first; the second signs none and ends without having paid', async () => {
    const wallets = sharingFees();
    const dealing = createDealing({
      honest: 'taker',
      options: ({ chains }) => ({
        chains: chains.map((chain) => wallets(chain as SimWallet, { order: 0, coin: chain.traits.coin as Coin })),
      }),
    });
    const orders = FIVE.slice(0, 2);
    await Promise.all(
      orders.map(async (order) => {
        await dealing.dealerOf(order).runtime.startSwap(dealing.request('maker', order, secretOf(order.order)));
        await dealing.node.runtime.startSwap(dealing.request('taker', order, null));
      }),
    );
    expect(await dealing.until(isOver(dealing, orders))).toBe(true);
    expect(has('TakerFeeSent', dealing, orders)).toHaveLength(1);
    expect(has('TransactionPrepared', dealing, orders)).toHaveLength(1);
    expect(has('TakerFeeSendFailed', dealing, orders)).toHaveLength(1);
    expect(has('MakerPaymentSpent', dealing, orders)).toHaveLength(1);
  });
});
