import { afterEach, describe, expect, it } from 'vitest';
import type { NodeOptions } from '../../src/node/node.ts';
import type { JsonObject } from '../../src/primitives/json.ts';
import { seededUuid } from '../../src/testing/logs/seeded.ts';
import { watchedSwap } from '../machines/watcher/support.ts';
import { type TradingPair, tradingPair } from '../support/trading-pair.ts';

type Result = { readonly result: JsonObject & { readonly uuid: string } };

describe('a swap whose taker is down', () => {
  let pair: TradingPair;
  afterEach(() => pair.close());

  /** Types of the events that a side's node tells of a swap, and whether it is over. */
  const statusOf = async (side: 'maker' | 'taker', uuid: string) => {
    const { result } = (await pair.parties[side].call({ method: 'my_swap_status', params: { uuid } })) as unknown as {
      readonly result?: { readonly events: readonly { readonly event: { readonly type: string } }[] };
    };
    return result?.events.map(({ event }) => event.type) ?? [];
  };
  const has = (side: 'maker' | 'taker', { uuid, type }: { uuid: string; type: string }) =>
    pair.until(async () => (await statusOf(side, uuid)).includes(type));

  /** Both agree on a swap by orders, beside a node that watches. */
  async function agreed(options: Partial<NodeOptions> = {}): Promise<string> {
    pair = await tradingPair(options, { watching: true });
    for (const party of [pair.parties.maker, pair.parties.taker, pair.watcher]) await party?.activate();
    const { maker, taker } = pair.parties;
    await maker.call({ method: 'setprice', base: 'MAK', rel: 'TAK', price: '1.25', volume: '2' });
    const bought = await taker.call({ method: 'buy', base: 'MAK', rel: 'TAK', price: '1.25', volume: '0.8' });
    return (bought as unknown as Result).result.uuid;
  }

  /** Strangers without end ask to be watched: one with one key, and each of many with a key of its own. Nobody of them has paid. */
  async function flood(count: number): Promise<void> {
    const startedAt = Math.floor(pair.clock.now() / 1000);
    const peer = pair.network.peer('b2'.repeat(32));
    for (let index = 0; index < count; index++) {
      const seed = index % 2 === 0 ? 'a stranger' : `stranger ${index % 40}`;
      const { watch } = watchedSwap({ seed, startedAt });
      const told = {
        ...{ ...watch, maker_coin: 'MAK', taker_coin: 'TAK', maker_coin_start_block: 0, taker_coin_start_block: 0 },
        ...{ uuid: seededUuid(index, 'swap'), taker_fee_hash: index.toString(16).padStart(64, 'f') },
      };
      await peer.send('swpwtchr/TAK', { kind: 'watcher', watch: told }, { signer: watch.taker_pub });
    }
  }

  /** The taker's node ends once it has paid and told the watchers, amid what strangers ask for. */
  async function leftAlone(strangers = 0): Promise<string> {
    const uuid = await agreed();
    await flood(strangers / 2);
    expect(await has('taker', { uuid, type: 'WatcherMessageSent' })).toBe(true);
    await pair.parties.taker.node().close();
    await flood(strangers / 2);
    return uuid;
  }

  it('is ended by a watcher during a flood, which claims for the taker and gets nothing for itself', async () => {
    const uuid = await leftAlone(500);
    expect(await has('maker', { uuid, type: 'TakerPaymentSpendConfirmed' })).toBe(true);
    // A watcher leaves the taker some time to come back by itself.
    await pair.until(() => false, 150);
    const { taker } = pair.parties;
    await taker.reopen();
    await taker.activate();
    expect(await has('taker', { uuid, type: 'Finished' })).toBe(true);
    expect(await statusOf('taker', uuid)).toContain('MakerPaymentSpentByWatcher');
    expect((await taker.call({ method: 'my_balance', coin: 'MAK' }))['balance']).toMatch(/^0\.7999\d+$/);
    expect((await pair.watcher?.call({ method: 'my_balance', coin: 'MAK' }))?.['balance']).toBe('0');
    const watches = (await pair.watcher?.node().log.find({ machine: 'watcher' }))?.map(({ stream }) => stream);
    expect(watches).toEqual([`watcher/${uuid}`]);
    await flood(40);
    expect(await pair.watcher?.call({ method: 'disable_coin', coin: 'TAK' })).toMatchObject({
      result: { coin: 'TAK' },
    });
  });

  it('whose maker is down as well, is refunded for the taker by a watcher once its lock has passed', async () => {
    const uuid = await leftAlone();
    await pair.parties.maker.node().close();
    await pair.until(() => false, 330);
    const { taker } = pair.parties;
    await taker.reopen();
    await taker.activate();
    expect(await has('taker', { uuid, type: 'Finished' })).toBe(true);
    expect(await statusOf('taker', uuid)).toContain('TakerPaymentRefundedByWatcher');
    const { balance } = await taker.call({ method: 'my_balance', coin: 'TAK' });
    // Four coins of 7.7 less the fees of the swap: its trading fee and what its transactions paid.
    expect(balance).toMatch(/^30\.79\d+$/);
  });

  it('is not announced to watchers by a node that wants none', async () => {
    const uuid = await agreed({ useWatchers: false });
    expect(await has('taker', { uuid, type: 'Finished' })).toBe(true);
    expect(await statusOf('taker', uuid)).not.toContain('WatcherMessageSent');
    const streams = (await pair.watcher?.node().log.find({}))?.map(({ stream }) => stream.split('/')[0]);
    expect(new Set(streams)).toEqual(new Set(['activation']));
  });
});
