import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('become a swap by an offer that was taken while its maker was down', async () => {
    const { maker, taker } = pair.parties;
    const offered = (await maker.call({
      mmrpc: '2.0',
      method: 'swap::offer',
      params: { base: 'MAK', rel: 'TAK', base_amount: '0.70000001', rel_amount: '0.9', expires_in: 7200 },
    })) as unknown as { readonly result: { readonly offer: string; readonly uuid: string } };
    await maker.node().close();
    const take = { mmrpc: '2.0', method: 'swap::take', params: { offer: offered.result.offer } };
    const taken = await ask('taker', take);
    expect(taken.result).toMatchObject({ base_amount: '0.70000001', rel_amount: '0.9' });
    expect((await ask('taker', take)).result.uuid).toBe(taken.result.uuid);
    await pair.until(() => false, 3);
    await maker.reopen();
    await maker.activate();
    expect(await pair.until(ends(taken.result.uuid))).toBe(true);
    for (const side of ['maker', 'taker'] as const) {
      const { result } = await ask(side, { method: 'my_swap_status', params: { uuid: taken.result.uuid } });
      expect(result).toMatchObject({ is_success: true });
    }
    expect(await taker.call(take)).toMatchObject({
      error_type: 'InvalidOffer',
      error: `The offer was already taken, as order and swap ${taken.result.uuid}.`,
    });
  });
});
