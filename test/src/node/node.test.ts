import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { PAIR_UUID, type TradingPair, tradingPair } from '../../support/trading-pair.ts';

let pair: TradingPair;

beforeAll(async () => {
  pair = await tradingPair();
});
afterAll(() => pair.close());

describe('J7: a coin that swaps use', () => {
  it('is not taken out, and the refusal has the real node’s members', async () => {
    const { maker } = pair.parties;
    await maker.activate();
    await pair.start({}, ['maker']);
    const answer = await maker.call({ method: 'disable_coin', coin: 'TAK' });
    expect(answer).toEqual({
      http: 500,
      error: 'There are currently matching orders, active swaps',
      orders: { matching: [], cancelled: [] },
      active_swaps: [PAIR_UUID],
    });
    const forced = await maker.call({ method: 'disable_coin', coin: 'TAK', force_disable: true });
    expect(forced['active_swaps']).toEqual([PAIR_UUID]);
    expect(maker.node().coins.get('TAK')).toBeDefined();
  });

  it('is let go where no swap runs, and can come back', async () => {
    const { taker } = pair.parties;
    await taker.activate('MAK');
    expect(await taker.call({ method: 'disable_coin', coin: 'MAK' })).toEqual({
      http: 200,
      result: { coin: 'MAK', cancelled_orders: [], passivized: false },
    });
    expect(await taker.call({ method: 'disable_coin', coin: 'MAK' })).toMatchObject({
      http: 500,
      error: 'No such coin: MAK',
      active_swaps: [],
    });
    await taker.activate('MAK');
    expect(taker.node().runtime.sizes().chains).toHaveProperty('MAK');
  });
});

describe('J6: unfinished swaps are there before any coin', () => {
  it('wait for their coins after a restart, and tell which', async () => {
    const { maker } = pair.parties;
    expect(await maker.node().coinsNeeded()).toEqual([]);
    await maker.reopen();
    expect(await maker.node().coinsNeeded()).toEqual(['MAK', 'TAK']);
    await maker.activate('TAK');
    expect(await maker.node().coinsNeeded()).toEqual(['MAK']);
    expect(await maker.node().runtime.status(PAIR_UUID)).toMatchObject({
      runner: 'waitingForCoin',
      waiting: { for: 'coin', text: 'Waits until MAK can be asked again.' },
    });
  });

  it('let a coin go while the other one is missing', async () => {
    const { maker } = pair.parties;
    expect((await maker.call({ method: 'disable_coin', coin: 'TAK' })).http).toBe(200);
    expect(await maker.node().coinsNeeded()).toEqual(['MAK', 'TAK']);
    await expect(pair.start({ uuid: '6b1ee4a6-9d6c-4c6e-8a52-1f0e5d3c7a92' }, ['maker'])).rejects.toMatchObject({
      code: 'COIN_NOT_ACTIVE',
    });
  });

  it('are loaded once', async () => {
    const { maker } = pair.parties;
    expect(await maker.node().start()).toEqual({ resumed: 1, failed: [], quarantined: [] });
  });
});

describe('a node that was closed', () => {
  it('gives the same answer again, and activates nothing any more', async () => {
    const { taker } = pair.parties;
    const node = taker.node();
    const [first, second] = await Promise.all([node.close(), node.close()]);
    expect([first, second]).toEqual([
      { clean: true, abandoned: 0 },
      { clean: true, abandoned: 0 },
    ]);
    const answer = await taker.call({ method: 'enable', coin: 'TAK' });
    expect(answer['error']).toMatch(/stop|drain/i);
    await expect(pair.start({ maker_amount: '1' as DecimalText }, ['taker'])).rejects.toMatchObject({
      code: 'RUNTIME_DRAINING',
    });
  });
});
