import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { PAIR_UUID, type TradingPair, tradingPair } from '../../support/trading-pair.ts';

let pair: TradingPair;

beforeAll(async () => {
  pair = await tradingPair();
});
afterAll(() => pair.close());

describe('J7: a coin that swaps use', () => {
  it('is not removed, and the refusal has the real node’s members', async () => {
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

  it('is released if no swap runs, and can come back', async () => {
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

describe('a swap that would wait for a notarized payment, which this node cannot see', () => {
  const ask = { base: 'MAK', rel: 'TAK', price: '1.25', volume: '0.5' };
  const offer = { mmrpc: '2.0', method: 'swap::offer' };
  const amounts = { base: 'MAK', rel: 'TAK', base_amount: '0.5', rel_amount: '0.625' };
  const text = (ticker: string) => new RegExp(`'${ticker}' requires notarization, .* so it can't be used in orders\\.`);

  it('is refused before there is an order, in the words of the real node’s family', async () => {
    const { maker } = pair.parties;
    for (const [member, ticker] of [['base_nota', 'MAK'] as const, ['rel_nota', 'TAK'] as const]) {
      for (const method of ['setprice', 'buy', 'sell']) {
        const answer = await maker.call({ method, ...ask, [member]: true });
        expect([answer.http, answer['error']]).toEqual([500, expect.stringMatching(text(ticker))]);
      }
      const answer = await maker.call({ ...offer, params: { ...amounts, [member]: true } });
      expect(answer).toMatchObject({
        http: 400,
        error_type: 'InvalidRequest',
        error: expect.stringMatching(text(ticker)),
      });
    }
    expect(await maker.call({ method: 'my_orders' })).toMatchObject({ result: { maker_orders: {}, taker_orders: {} } });
  });

  it('is refused if the coin asks for it, unless the request says otherwise', async () => {
    const { maker, taker } = pair.parties;
    const offered = await maker.call({ ...offer, params: amounts });
    await taker.call({ method: 'enable', coin: 'TAK' });
    await taker.call({ method: 'disable_coin', coin: 'MAK' });
    await taker.call({ method: 'enable', coin: 'MAK', requires_notarization: true });
    const given = (offered as unknown as { readonly result: { readonly offer: string } }).result;
    const taking = await taker.call({ mmrpc: '2.0', method: 'swap::take', params: { offer: given.offer } });
    expect(taking).toMatchObject({
      http: 400,
      error_type: 'InvalidRequest',
      error: expect.stringMatching(text('MAK')),
    });
    const bought = await taker.call({ method: 'buy', ...ask });
    expect(bought['error']).toMatch(text('MAK'));
    const made = await taker.call({ method: 'buy', ...ask, base_nota: false });
    expect(made).toMatchObject({ http: 200, result: { conf_settings: { base_nota: false, rel_nota: false } } });
    const { uuid } = (made as unknown as { readonly result: { readonly uuid: string } }).result;
    await taker.call({ method: 'cancel_order', uuid });
    for (const coin of ['MAK', 'TAK']) await taker.call({ method: 'disable_coin', coin });
    await taker.activate('MAK');
    await maker.call({ method: 'cancel_order', uuid: (offered as never as { result: { uuid: string } }).result.uuid });
  });
});

describe('J6: unfinished swaps are loaded before any coin', () => {
  it('wait for their coins after a restart, and name them', async () => {
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

  it('are not joined by another one in a wallet-only coin, which writes nothing', async () => {
    const { maker } = pair.parties;
    expect((await maker.call({ method: 'enable', coin: 'MAK', mm2: 0 }))['result']).toBe('success');
    const begun = (await maker.node().log.find({ machine: 'maker-swap' })).length;
    await expect(pair.start({ uuid: '6b1ee4a6-9d6c-4c6e-8a52-1f0e5d3c7a92' }, ['maker'])).rejects.toMatchObject({
      code: 'COIN_WALLET_ONLY',
    });
    expect(await maker.node().log.find({ machine: 'maker-swap' })).toHaveLength(begun);
    await maker.call({ method: 'disable_coin', coin: 'MAK' });
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
