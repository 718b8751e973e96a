import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TradingPair, tradingPair } from '../support/trading-pair.ts';

let pair: TradingPair;

beforeAll(async () => {
  pair = await tradingPair();
});
afterAll(() => pair.close());

const waiting = async (): Promise<readonly unknown[]> => {
  const [answer] = await pair.chains.MAK.client.batch([['getrawmempool']]);
  return answer !== undefined && 'result' in answer ? (answer.result as unknown[]) : [];
};

it('a node merges the outputs of an address at the pace of the request, until the coin is disabled', async () => {
  const { maker } = pair.parties;
  const enable = (merge_at: number) =>
    maker.call({ method: 'enable', coin: 'MAK', utxo_merge_params: { merge_at, check_every: 15 } });
  expect(await enable(1)).toMatchObject({ http: 500, error: expect.stringContaining('merge_at is 1') });
  expect(await enable(4)).toMatchObject({ result: 'success', balance: '29.62962963' });
  await pair.clock.advance(60_000);
  expect(await waiting()).toEqual([]);
  await maker.call({ method: 'disable_coin', coin: 'MAK' });
  expect(await enable(3)).toMatchObject({ result: 'success' });
  await pair.clock.advance(14_000);
  expect(await waiting()).toEqual([]);
  await pair.clock.advance(2000);
  expect(await waiting()).toHaveLength(1);
  expect(maker.lines).toContain('info merged coins into one output {"coin":"MAK","coins":3}');
  await maker.call({ method: 'disable_coin', coin: 'MAK' });
  await pair.chains.MAK.mine(1);
  await maker.call({ method: 'enable', coin: 'MAK' });
  expect((await maker.call({ method: 'my_balance', coin: 'MAK' }))['balance']).toMatch(/^29\.6296\d+$/);
});
