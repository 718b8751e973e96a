import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../src/primitives/json.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { type EvmSide, type TradingEvm, tradingEvm } from '../support/evm/trading-evm.ts';
import { ETHER } from '../support/evm/two-wallets.ts';
import { describeWith } from '../support/optional-part.ts';

describeWith(ANVIL, 'a token whose platform was removed', () => {
  let pair: TradingEvm;

  beforeAll(async () => {
    pair = await tradingEvm({ SIX: 6 }, { paymentLocktime: 1800 });
    const { evm, outputs, parties, tokens } = pair;
    await evm.give(parties.maker.account, 20n * ETHER);
    await evm.give(parties.taker.account, 20n * ETHER);
    await evm.mint(tokens['SIX'] as string, parties.maker.account, 900_000_000n);
    await outputs.fund(parties.taker.key, { count: 1, value: 500_000_000n });
    for (const party of Object.values(parties)) {
      await party.activate();
      await party.call({ method: 'disable_coin', coin: 'ETH' });
    }
  }, 120_000);
  afterAll(() => pair?.close(), 60_000);

  const ask = async (side: EvmSide, request: object) =>
    (await pair.parties[side].call(request))['result'] as JsonObject & { readonly uuid: string };

  it('is refunded from its payment after a restart, when the other side is gone', async () => {
    const { maker, taker } = pair.parties;
    const held = () => pair.evm.tokensOf(pair.tokens['SIX'] as string, maker.account);
    await ask('maker', { method: 'setprice', base: 'SIX', rel: 'DOC', price: '0.01', volume: '77' });
    const { uuid } = await ask('taker', { method: 'buy', base: 'SIX', rel: 'DOC', price: '0.01', volume: '77' });
    const swap = () => ask('maker', { method: 'my_swap_status', params: { uuid } });
    const eventsOf = async () =>
      ((await swap())?.['events'] as { event: { type: string } }[] | undefined)?.map(({ event }) => event.type);
    expect(await pair.until(async () => (await eventsOf())?.includes('MakerPaymentSent') === true)).toBe(true);
    await taker.node().close();
    await maker.reopen();
    expect(await maker.call({ method: 'enable', coin: 'DOC' })).toMatchObject({ result: 'success' });
    expect(await held()).toBe(823_000_000n);
    expect(await pair.until(async () => (await swap())['is_finished'] === true, 480)).toBe(true);
    expect(await eventsOf()).toContain('MakerPaymentRefunded');
    expect(await held()).toBe(900_000_000n);
    const enabled = (await maker.call({ method: 'get_enabled_coins' }))['result'] as { ticker: string }[];
    expect(enabled.map(({ ticker }) => ticker).sort()).toEqual(['DOC', 'SIX']);
  }, 240_000);
});
