import { afterEach, describe, expect, it } from 'vitest';
import type { PeerLink } from '../../src/peers/libp2p/index.ts';
import { openLibp2pNetwork } from '../../src/peers/libp2p/network.ts';
import type { Seconds } from '../../src/primitives/time.ts';
import { disturbance } from '../support/peers/disturbance.ts';
import type { FrameworkNode } from '../support/peers/framework/node.ts';
import { openFramework } from '../support/peers/framework/open.ts';
import { eventually } from '../support/peers/libp2p-nodes.ts';
import { type ServedSwap, typesOf as toldBy, uuidOf } from '../support/served-swaps.ts';
import { type PairSide, type TradingPair, tradingPair } from '../support/trading-pair.ts';

// Trading nodes behind a relay of the second implementation, which hands on late, out of order and more than once.

const SIDES: readonly PairSide[] = ['maker', 'taker'];
/** Of a delay, in milliseconds: a maker's answer to a taker counts for 30 s, and a taker waits for 3 s for others. */
const LONGEST = 4000;
/** Of a taker's payment, so that nobody waits for hours of the clock. */
const LOCK = 1800 as Seconds;

type World = {
  readonly pair: TradingPair;
  readonly relay: FrameworkNode;
  readonly disturbed: ReturnType<typeof disturbance>['disturbed'];
};

let close: (() => Promise<void>) | null = null;
afterEach(async () => {
  await close?.();
  close = null;
});

async function world(seed: number): Promise<World> {
  let open: { relay: FrameworkNode; disturbed: World['disturbed'] } | null = null;
  const links: (() => readonly PeerLink[])[] = [];
  const pair = await tradingPair(
    { policy: { paymentLocktime: LOCK } },
    {
      watching: true,
      async connected({ signer, clock }) {
        if (open === null) {
          const { disturb, disturbed } = disturbance({ clock, seed, longest: LONGEST });
          open = { disturbed, relay: await openFramework({ role: 'relay', clock, disturb }) };
        }
        const network = await openLibp2pNetwork({ signer, clock, seeds: [open.relay.address] });
        links.push(network.links);
        return network;
      },
    },
  );
  const found = open as { relay: FrameworkNode; disturbed: World['disturbed'] } | null;
  if (found === null) throw new Error('nobody has connected');
  const { relay, disturbed } = found;
  close = async () => {
    await pair.close();
    await relay.close();
  };
  await eventually(() => links.every((list) => list().some((link) => link.relay)) && relay.includedBy().length === 3);
  return { pair, relay, disturbed };
}

const typesOf = async ({ pair }: World, side: PairSide, uuid: string): Promise<readonly string[]> => {
  const { result } = await pair.parties[side].call({ method: 'my_swap_status', params: { uuid } });
  const swap = (result ?? null) as ServedSwap | null;
  return swap === null ? [] : toldBy(swap);
};

const has = (given: World, { side, uuid, type }: { side: PairSide; uuid: string; type: string }): Promise<boolean> =>
  given.pair.until(async () => (await typesOf(given, side, uuid)).includes(type));

async function agreed({ pair }: World): Promise<string> {
  for (const party of [pair.parties.maker, pair.parties.taker, pair.watcher]) await party?.activate();
  const { maker, taker } = pair.parties;
  await maker.call({ method: 'setprice', base: 'MAK', rel: 'TAK', price: '1.25', volume: '2' });
  const asked = { method: 'buy', base: 'MAK', rel: 'TAK', price: '1.25', volume: '0.8' };
  const { result, error } = await taker.call(asked);
  return uuidOf({ result, error });
}

const balanceOf = async ({ pair }: World, who: PairSide | 'watcher', coin: string): Promise<string> => {
  const party = who === 'watcher' ? pair.watcher : pair.parties[who];
  return String((await party?.call({ method: 'my_balance', coin }))?.['balance']);
};

function expectDisturbed({ relay, disturbed: { frames, late, overtaken, repeated } }: World): void {
  expect([late > frames / 2, overtaken > 0, repeated > frames / 3]).toEqual([true, true, true]);
  expect(relay.faults).toEqual([]);
}

describe('over a relay that delivers late, out of order and more than once', () => {
  it.each([1, 2, 3])('a swap ends right on both sides (%d)', async (seed) => {
    const given = await world(seed);
    const uuid = await agreed(given);
    for (const side of SIDES) expect(await has(given, { side, uuid, type: 'Finished' })).toBe(true);
    for (const side of SIDES) {
      const types = await typesOf(given, side, uuid);
      expect([new Set(types).size, types.filter((type) => type.includes('Failed'))]).toEqual([types.length, []]);
    }
    expect(await balanceOf(given, 'taker', 'MAK')).toMatch(/^0\.7999\d+$/);
    expect(Number(await balanceOf(given, 'maker', 'TAK'))).toBeGreaterThan(0.99);
    expectDisturbed(given);
  });

  it('a watcher claims for a taker that is gone once it has paid', async () => {
    const given = await world(4);
    const { taker } = given.pair.parties;
    const uuid = await agreed(given);
    expect(await has(given, { side: 'taker', uuid, type: 'WatcherMessageSent' })).toBe(true);
    await taker.node().close();
    expect(await has(given, { side: 'maker', uuid, type: 'TakerPaymentSpendConfirmed' })).toBe(true);
    await given.pair.until(() => false, 35);
    await taker.reopen();
    await taker.activate();
    expect(await has(given, { side: 'taker', uuid, type: 'Finished' })).toBe(true);
    expect(await typesOf(given, 'taker', uuid)).toContain('MakerPaymentSpentByWatcher');
    expect(await balanceOf(given, 'taker', 'MAK')).toMatch(/^0\.7999\d+$/);
    expect(await balanceOf(given, 'watcher', 'MAK')).toBe('0');
    expectDisturbed(given);
  });

  it('a watcher refunds a payment for a taker that is gone, if the maker is gone too', async () => {
    const given = await world(5);
    const { maker, taker } = given.pair.parties;
    const uuid = await agreed(given);
    expect(await has(given, { side: 'taker', uuid, type: 'WatcherMessageSent' })).toBe(true);
    for (const party of [taker, maker]) await party.node().close();
    await given.pair.until(() => false, 80);
    await taker.reopen();
    await taker.activate();
    expect(await has(given, { side: 'taker', uuid, type: 'Finished' })).toBe(true);
    expect(await typesOf(given, 'taker', uuid)).toContain('TakerPaymentRefundedByWatcher');
    expectDisturbed(given);
  });
});
