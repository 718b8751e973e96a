import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ANVIL } from '../support/evm/anvil.ts';
import { type FamilyChains, familyChains, holderOf } from '../support/family-chains.ts';
import { describeWith } from '../support/optional-part.ts';
import { type Deal, ended, payItself, reached, trade, typesOf, watched } from '../support/served-swaps.ts';
import { freeNetid, type Serving, serving, servingFolder } from '../support/serving.ts';

// Two traders, a watcher and a seed node, each a process of `swapfold serve`. Ether pays watchers, since all have it activated so.

const LOCK = { payment_locktime: 120 };

describeWith(ANVIL, 'a taker of ether that is killed when it has paid, behind a seed node', () => {
  const folder = servingFolder();
  const running = new Map<string, Serving>();
  let chains: FamilyChains;
  let netid = 0;

  beforeAll(async () => {
    netid = await freeNetid();
    chains = await familyChains(folder, {
      ...{ miner: 'alice', anvil: ['--slots-in-an-epoch=1'] },
      ether: { contract_supports_watchers: true },
    });
    for (const name of ['alice', 'bob', 'watcher']) await chains.give(await holderOf(name));
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
    const node = await start(name, { seednodes: ['127.0.0.1'], ...LOCK, ...config });
    await chains.activate(node);
    return node;
  }

  /** Calls to contracts and payments of an account that are in blocks. */
  async function sentBy(name: string): Promise<number> {
    const account = (await holderOf(name)).addresses.ETH;
    return Number(await chains.evm.node.request('eth_getTransactionCount', [account, 'latest']));
  }

  it('gets the ether that it bought by the call of a watcher', async () => {
    const deal: Deal = { base: 'ETH', rel: 'DOC', price: '2', volume: '0.35' };
    const [bob, first] = [await party('bob'), await party('alice')];
    const watcher = await party('watcher', { is_watcher: true });
    await payItself(first, 'DOC');
    const before = await sentBy('watcher');
    const uuid = await trade(bob, first, deal);
    const isWatched = watched(watcher, uuid, 'TakerFeeValidated');
    await reached(first, uuid, 'MakerPaymentReceived');
    // The maker stands still until the taker is gone, which would claim by itself.
    bob.halt(true);
    await isWatched;
    await first.kill();
    bob.halt(false);
    expect(await ended(bob, uuid)).toMatchObject({ is_success: true });
    await watched(watcher, uuid, 'MakerPaymentSpent');
    const swap = await ended(await party('alice'), uuid);
    expect([swap.is_success, typesOf(swap).includes('MakerPaymentSpentByWatcher')]).toEqual([true, true]);
    expect(await sentBy('watcher')).toBe(before + 1);
  });

  it('gets its ether back by the call of a watcher, while its maker is gone as well', async () => {
    const deal: Deal = { base: 'DOC', rel: 'ETH', price: '0.25', volume: '1.1' };
    const [alice, first] = [await party('alice'), await party('bob')];
    const watcher = await party('watcher', { is_watcher: true });
    const before = await sentBy('watcher');
    const uuid = await trade(alice, first, deal);
    const isWatched = watched(watcher, uuid, 'TakerFeeValidated');
    await reached(first, uuid, 'MakerPaymentReceived');
    await alice.kill();
    await isWatched;
    await first.kill();
    await watched(watcher, uuid, 'TakerPaymentRefunded');
    const swap = await ended(await party('bob'), uuid);
    expect([swap.is_success, typesOf(swap).includes('TakerPaymentRefundedByWatcher')]).toEqual([false, true]);
    expect(await sentBy('watcher')).toBe(before + 1);
  });
});
