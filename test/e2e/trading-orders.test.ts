import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../src/primitives/hex.ts';
import type { JsonObject } from '../../src/primitives/json.ts';
import { type PairSide, type TradingPair, tradingPair } from '../support/trading-pair.ts';

type Result = { readonly result: JsonObject & { readonly uuid: string } };

describe('orders of two trading nodes', () => {
  let pair: TradingPair;

  beforeAll(async () => {
    pair = await tradingPair();
    await pair.parties.maker.activate();
    await pair.parties.taker.activate();
  });
  afterAll(() => pair.close());

  const ask = async (side: PairSide, request: object): Promise<Result> =>
    (await pair.parties[side].call(request)) as unknown as Result;
  const ends = (uuid: string) => async (): Promise<boolean> => {
    for (const side of ['maker', 'taker'] as const) {
      const { result } = await ask(side, { method: 'my_swap_status', params: { uuid } });
      if (result?.['is_finished'] !== true) return false;
    }
    return true;
  };

  it('become a swap that both sides end well, by setprice and buy', async () => {
    const made = await ask('maker', {
      method: 'setprice',
      base: 'MAK',
      rel: 'TAK',
      price: '1.25',
      volume: '2',
      min_volume: '0.5',
    });
    expect(Object.keys(made.result)).toEqual([
      'base',
      'rel',
      'price',
      'price_rat',
      'max_base_vol',
      'max_base_vol_rat',
      'min_base_vol',
      'min_base_vol_rat',
      'created_at',
      'updated_at',
      'matches',
      'started_swaps',
      'uuid',
      'conf_settings',
      'base_orderbook_ticker',
      'rel_orderbook_ticker',
    ]);
    expect(made.result).toMatchObject({
      price: '1.25',
      price_rat: [
        [1, [5]],
        [1, [4]],
      ],
      conf_settings: { base_confs: 2, base_nota: false, rel_confs: 1, rel_nota: false },
    });
    const bought = await ask('taker', { method: 'buy', base: 'MAK', rel: 'TAK', price: '1.5', volume: '0.8' });
    const maker = bytesToHex(pair.parties.maker.key.subarray(1));
    const taker = bytesToHex(pair.parties.taker.key.subarray(1));
    const { uuid } = bought.result;
    expect(bought.result).toMatchObject({
      action: 'Buy',
      base_amount: '0.8',
      rel_amount: '1.2',
      sender_pubkey: taker,
      match_by: { type: 'Any' },
      order_type: { type: 'GoodTillCancelled' },
    });
    expect(await pair.until(ends(uuid))).toBe(true);
    for (const side of ['maker', 'taker'] as const) {
      const { result } = await ask(side, { method: 'my_swap_status', params: { uuid } });
      expect(result).toMatchObject({ is_success: true, my_order_uuid: side === 'maker' ? made.result.uuid : uuid });
    }
    const orders = (await ask('maker', { method: 'my_orders' })).result as unknown as {
      maker_orders: Record<string, JsonObject>;
      taker_orders: object;
    };
    expect(orders.maker_orders[made.result.uuid]).toMatchObject({
      started_swaps: [uuid],
      available_amount: '1.2',
      cancellable: true,
    });
    const shown = orders.maker_orders[made.result.uuid] ?? {};
    expect((shown['matches'] as Record<string, JsonObject>)[uuid]).toMatchObject({
      request: { sender_pubkey: taker, method: 'request' },
      reserved: { base_amount: '0.8', rel_amount: '1', sender_pubkey: maker, dest_pub_key: taker },
      connect: { method: 'connect', sender_pubkey: taker },
      connected: { method: 'connected', sender_pubkey: maker },
    });
    expect((await ask('taker', { method: 'my_orders' })).result).toEqual({ maker_orders: {}, taker_orders: {} });
    expect(await ask('maker', { method: 'cancel_order', uuid: made.result.uuid })).toEqual({
      http: 200,
      result: 'success',
    });
    expect(await ask('maker', { method: 'cancel_order', uuid: made.result.uuid })).toEqual({
      http: 404,
      error: `Order with uuid ${made.result.uuid} is not found`,
    });
  });

  it('are refused in the words of the real node', async () => {
    const error = async (side: PairSide, request: object) =>
      String((await pair.parties[side].call(request))['error']).replace(/^rpc:1] RPC call failed: \S+ /, '');
    const sell = { method: 'sell', base: 'TAK', rel: 'MAK', price: '1', volume: '1' };
    expect(await error('taker', { ...sell, rel: 'TAK' })).toBe('Base and rel must be different coins');
    expect(await error('taker', { ...sell, base: 'NONE' })).toBe(
      'Base coin is not found or inactive; NONE: the coins file has no such entry',
    );
    expect(await error('taker', { ...sell, price: '0.000000001' })).toBe('Price is too low, minimum is 0.00000001');
    expect(await error('taker', { ...sell, volume: '0.0000001' })).toMatch(
      /^Base amount 0.0000001 is too low, required: /,
    );
    expect(await error('taker', { ...sell, volume: '1000' })).toMatch(
      /^Not enough TAK for swap: available [\d.]+, required at least 100\d\.\d+, locked by swaps 0$/,
    );
    const price = { method: 'setprice', base: 'MAK', rel: 'TAK', price: '1', volume: '1' };
    expect(await error('maker', { ...price, rel: 'NONE' })).toBe(
      'Rel coin NONE is not found; NONE: the coins file has no such entry',
    );
    expect(await error('maker', { ...price, price: '0' })).toBe('Price 0 is too low, required: 0');
    expect(await error('maker', { ...price, price: undefined })).toBe('missing field `price`');
    expect(await error('maker', { ...price, volume: undefined, vol: '1' })).toBe('volume or max is missing');
    expect(await error('maker', { ...price, max: true })).toBe('both volume and max are set: give only one of them');
  });

  it('end with their coin', async () => {
    const { result } = await ask('maker', { method: 'setprice', base: 'MAK', rel: 'TAK', price: '1', max: true });
    expect(await ask('maker', { method: 'disable_coin', coin: 'MAK' })).toMatchObject({
      result: { coin: 'MAK', cancelled_orders: [result.uuid], passivized: false },
    });
    expect((await ask('maker', { method: 'my_orders' })).result).toEqual({ maker_orders: {}, taker_orders: {} });
  });
});
