import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ANVIL } from '../support/evm/anvil.ts';
import { type FamilyChains, familyChains, holderOf } from '../support/family-chains.ts';
import { describeWith } from '../support/optional-part.ts';
import { type Deal, ended, payItself, reached, trade, typesOf, watched } from '../support/served-swaps.ts';
import { freeNetid, type Serving, serving, servingFolder } from '../support/serving.ts';

// Processes of `swapfold serve` that know one seed node, which is a third process and has no coin.

const DEALS: readonly Deal[] = [
  { base: 'ETH', rel: 'DOC', price: '2', volume: '0.35' },
  { base: 'USDC-ERC20', rel: 'ETH', price: '0.2', volume: '1.25' },
  { base: 'IRIS', rel: 'DOC', price: '0.5', volume: '1.75' },
  { base: 'ATOM-IBC_IRIS', rel: 'USDC-ERC20', price: '0.75', volume: '1.5' },
  { base: 'QTOK', rel: 'DOC', price: '0.25', volume: '2.25' },
  { base: 'QTUM', rel: 'IRIS', price: '0.5', volume: '1.1' },
];

describeWith(ANVIL, 'served nodes with coins of every family, behind one seed node', () => {
  const folder = servingFolder();
  const running = new Map<string, Serving>();
  let chains: FamilyChains;
  let netid = 0;

  beforeAll(async () => {
    netid = await freeNetid();
    // What is three blocks deep is final.
    chains = await familyChains(folder, { miner: 'taker', anvil: ['--slots-in-an-epoch=1'] });
    for (const name of ['maker', 'taker', 'watcher']) await chains.give(await holderOf(name));
    await start('seed', { i_am_seed: true, myipaddr: '127.0.0.1' });
  });
  afterEach(async () => {
    for (const [name, node] of running) {
      if (name === 'seed') continue;
      await node.kill();
      running.delete(name);
    }
  });
  afterAll(async () => {
    for (const node of running.values()) await node.kill();
    await chains?.close();
  });

  async function start(name: string, config: object): Promise<Serving> {
    const node = await serving(folder, { name, coins: chains.entries, config: { netid, ...config } });
    running.set(name, node);
    return node;
  }

  async function party(name: string, config: object = {}): Promise<Serving> {
    const node = await start(name, { seednodes: ['127.0.0.1'], ...config });
    await chains.activate(node);
    return node;
  }

  /** Coins that a trading fee can be paid with, for so many swaps at a time. */
  async function spread(node: Serving, count: number): Promise<void> {
    for (let left = count; left > 0; left--) await payItself(node, 'DOC', '2');
  }

  it('swap ether, tokens of ether, coins and assets of Tendermint, Qtum and tokens of Qtum, all at once', async () => {
    const [maker, taker] = [await party('maker'), await party('taker')];
    await spread(taker, 4);
    const swaps: (readonly [Deal, string])[] = [];
    for (const deal of DEALS) swaps.push([deal, await trade(maker, taker, deal)]);
    for (const [{ base, rel }, uuid] of swaps) {
      for (const node of [taker, maker]) {
        const swap = await ended(node, uuid);
        expect([base, rel, swap.is_success, typesOf(swap).at(-1)]).toEqual([base, rel, true, 'Finished']);
      }
    }
  });

  it('a watcher claims Qtum for a taker that is killed after it has paid', async () => {
    const lock = { payment_locktime: 120 };
    const [maker, first] = [await party('maker', lock), await party('taker', lock)];
    const watcher = await party('watcher', { ...lock, is_watcher: true });
    await spread(first, 1);
    const uuid = await trade(maker, first, { base: 'QTUM', rel: 'DOC', price: '0.5', volume: '0.9' });
    await reached(first, uuid, 'WatcherMessageSent');
    await first.kill();
    expect(await ended(maker, uuid)).toMatchObject({ is_success: true });
    await watched(watcher, uuid, 'MakerPaymentSpent');
    const swap = await ended(await party('taker', lock), uuid);
    expect([swap.is_success, typesOf(swap).includes('MakerPaymentSpentByWatcher')]).toEqual([true, true]);
  });
});
