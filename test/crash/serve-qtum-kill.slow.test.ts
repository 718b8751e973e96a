import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANVIL } from '../support/evm/anvil.ts';
import { describeWith } from '../support/optional-part.ts';
import { type ServedQrc20World, SIDES, type Side, servedQrc20World, since } from '../support/qtum/served-world.ts';
import { until } from '../support/serving.ts';

// Processes of `swapfold serve` are killed with SIGKILL while they swap a QRC20 token over an Electrum server. Both chains go on meanwhile, and what they hold is judged by
// their blocks. With `SWAPFOLD_CRASH=all` at every event of a side and while a broadcast is under way, in swaps of both directions.

const ALL = process.env['SWAPFOLD_CRASH'] === 'all';

describeWith(ANVIL, 'swapfold serve that is killed while it swaps a QRC20 token', () => {
  let world: ServedQrc20World;

  beforeAll(async () => {
    world = await servedQrc20World();
  }, 120_000);
  afterAll(() => world?.close());

  async function killAndStart(side: Side): Promise<void> {
    await world.kill(side);
    await world.start(side);
  }

  /** Kills a side as soon as it is told to have the event, perhaps some steps further on. */
  const atEvent = (side: Side, type: string) => async (uuid: string) => {
    await world.hasEvent(side, { uuid, type });
    await killAndStart(side);
  };

  /** Kills a side whenever it is told to have another event than before. */
  const atEveryEvent = (side: Side) => async (uuid: string) => {
    for (let had = 0, over = false; !over; ) {
      const swap = await until(async () => {
        const told = await world.swapOf(side, uuid);
        return told !== null && told.events.length > had ? told : null;
      });
      had = swap.events.length;
      over = swap.is_finished;
      await killAndStart(side);
    }
  };

  /**
   * Kills a side while the first thing that anybody sends from now on, or from an event on, is on its way to the chain, where it arrives. That must be a thing of
   * this side.
   */
  const inBroadcast = (side: Side, type?: string) => async (uuid: string) => {
    if (type !== undefined) await world.hasEvent(side, { uuid, type });
    world.line.hold();
    await world.line.held();
    await killAndStart(side);
  };

  type Kill = (uuid: string) => Promise<void>;
  const COURSES: readonly (readonly [name: string, gives: Side, kills: readonly Kill[]])[] = [
    [
      'the payment is on its way, and the maker was paid',
      'taker',
      [inBroadcast('taker', 'TakerFeeSent'), atEvent('maker', 'TakerPaymentReceived')],
    ],
    ['the fee is on its way', 'taker', [inBroadcast('taker')]],
    ['every event of the taker', 'taker', [atEveryEvent('taker')]],
    ['every event of the maker', 'taker', [atEveryEvent('maker')]],
    ['the payment is on its way', 'maker', [inBroadcast('maker')]],
    ['every event of the taker', 'maker', [atEveryEvent('taker')]],
    ['every event of the maker', 'maker', [atEveryEvent('maker')]],
  ];

  /** A fee is one part of 777. */
  const BOOKS = {
    taker: {
      maker: ['claim'],
      taker: ['fee', 'pay'],
      scripts: ['pay', 'end'],
      gains: [1_000_000n, -1_000_000n - 1287n],
    },
    maker: { maker: ['pay'], taker: ['claim'], scripts: ['fee', 'pay', 'end'], gains: [-300_000n, 300_000n] },
  };

  it.each(ALL ? COURSES : COURSES.slice(0, 1))(
    '%s, the %s gives the token: one payment, one fee, and each gets what was agreed on',
    async (_, gives, kills) => {
      for (const side of SIDES) await world.start(side);
      const before = await world.books();
      // The taker has of the other coin what the first of them brought it.
      const uuid = await world.begin({ gives, volume: gives === 'taker' ? '0.8' : '0.3' });
      for (const kill of kills) await kill(uuid);
      for (const side of SIDES) {
        const swap = await world.finished(side, uuid);
        expect(swap.is_success, `${side}: ${JSON.stringify(swap.events.map(({ event }) => event.type))}`).toBe(true);
      }
      await world.settle();
      expect(since(before, await world.books())).toEqual(BOOKS[gives]);
      expect(await world.qtum.machine.evm.tokensOf(world.token, world.qtum.swapContract)).toBe(0n);
      expect(await world.stop()).toEqual([0, 0]);
    },
    480_000,
  );
});
