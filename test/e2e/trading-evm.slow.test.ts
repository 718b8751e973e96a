import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../src/primitives/json.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { type EvmSide, type TradingEvm, tradingEvm } from '../support/evm/trading-evm.ts';
import { ETHER } from '../support/evm/two-wallets.ts';
import { describeWith } from '../support/optional-part.ts';

const SIDES = ['maker', 'taker'] as const;
const FUNDS = 20n * ETHER;
/** More than all calls of one swap may cost an account. */
const LITTLE = ETHER / 50n;

describeWith(ANVIL, 'two trading nodes and an EVM chain, judged by the balances that its node tells', () => {
  let pair: TradingEvm;

  beforeAll(async () => {
    pair = await tradingEvm({ SIX: 6 });
    const { evm, outputs, parties, tokens } = pair;
    for (const side of SIDES) await evm.give(parties[side].account, FUNDS);
    await evm.mint(tokens['SIX'] as string, parties.maker.account, 900_000_000n);
    await outputs.fund(parties.taker.key, { count: 4, value: 500_000_000n });
    for (const side of SIDES) await parties[side].activate();
  }, 120_000);
  afterAll(() => pair?.close(), 60_000);

  const ask = async (side: EvmSide, request: object) =>
    (await pair.parties[side].call(request))['result'] as JsonObject & { readonly uuid: string };
  const statusOf = (side: EvmSide, uuid: string) => ask(side, { method: 'my_swap_status', params: { uuid } });
  const eventsOf = async (side: EvmSide, uuid: string): Promise<readonly string[]> => {
    const { events = [] } = ((await statusOf(side, uuid)) ?? {}) as { events?: { event: { type: string } }[] };
    return events.map(({ event }) => event.type);
  };
  const has =
    (side: EvmSide, { uuid, type }: { uuid: string; type: string }) =>
    async () =>
      (await eventsOf(side, uuid)).includes(type);
  const areOver = (uuid: string) => async () => {
    for (const side of SIDES) if ((await statusOf(side, uuid))?.['is_finished'] !== true) return false;
    return true;
  };
  const etherOf = (side: EvmSide) => pair.evm.balance(pair.parties[side].account);
  const sixOf = (side: EvmSide) => pair.evm.tokensOf(pair.tokens['SIX'] as string, pair.parties[side].account);

  it('swap ether against coins of a chain of outputs, over a restart of the taker', async () => {
    const before = { maker: await etherOf('maker'), taker: await etherOf('taker') };
    await ask('maker', { method: 'setprice', base: 'ETH', rel: 'DOC', price: '2.5', volume: '1.25' });
    const { uuid } = await ask('taker', { method: 'buy', base: 'ETH', rel: 'DOC', price: '2.5', volume: '1.25' });
    expect(await pair.until(has('taker', { uuid, type: 'TakerPaymentSent' }))).toBe(true);
    const { taker } = pair.parties;
    await taker.reopen();
    expect((await taker.call({ method: 'coins_needed_for_kick_start' }))['result']).toContain('DOC');
    await taker.activate();
    expect((await taker.call({ method: 'disable_coin', coin: 'ETH', force_disable: true }))['http']).toBe(500);
    expect(await pair.until(areOver(uuid))).toBe(true);
    for (const side of SIDES) expect(await statusOf(side, uuid)).toMatchObject({ is_success: true });
    const paid = (ETHER * 5n) / 4n;
    expect((await etherOf('taker')) - before.taker).toBeLessThanOrEqual(paid);
    expect((await etherOf('taker')) - before.taker).toBeGreaterThan(paid - LITTLE);
    expect((await etherOf('maker')) - before.maker).toBeLessThanOrEqual(-paid);
    expect((await etherOf('maker')) - before.maker).toBeGreaterThan(-paid - LITTLE);
    const shown = await pair.parties.maker.call({ method: 'my_balance', coin: 'DOC' });
    expect(Number(shown['balance'])).toBeGreaterThan(3.12);
  }, 240_000);

  it('swap a token of 6 digits against ether, over a restart of the maker', async () => {
    const before = { maker: await etherOf('maker'), taker: await etherOf('taker') };
    await ask('maker', { method: 'setprice', base: 'SIX', rel: 'ETH', price: '0.002', volume: '250.000001' });
    const { uuid } = await ask('taker', {
      ...{ method: 'buy', base: 'SIX', rel: 'ETH', price: '0.002', volume: '250.000001' },
    });
    expect(await pair.until(has('maker', { uuid, type: 'MakerPaymentSent' }))).toBe(true);
    const { maker } = pair.parties;
    await maker.reopen();
    await maker.activate();
    expect(await pair.until(areOver(uuid))).toBe(true);
    for (const side of SIDES) expect(await statusOf(side, uuid)).toMatchObject({ is_success: true });
    expect([await sixOf('maker'), await sixOf('taker')]).toEqual([649_999_999n, 250_000_001n]);
    const price = (250_000_001n * ETHER) / 500_000_000n;
    const fee = (price * 10n) / 7770n + 1n;
    const [gained, given] = [(await etherOf('maker')) - before.maker, before.taker - (await etherOf('taker'))];
    expect(gained).toBeLessThanOrEqual(price);
    expect(gained).toBeGreaterThan(price - LITTLE);
    expect(given).toBeGreaterThanOrEqual(price + fee - 2n);
    expect(given).toBeLessThan(price + fee + LITTLE);
  }, 240_000);

  const enabled = async (side: EvmSide) => {
    const told = (await pair.parties[side].call({ method: 'get_enabled_coins' }))['result'];
    return (told as { readonly ticker: string }[]).map(({ ticker }) => ticker).sort();
  };
  /** Another process, in which a client enables the coin of outputs alone. */
  const restart = async (side: EvmSide) => {
    await pair.parties[side].reopen();
    expect(await pair.parties[side].call({ method: 'enable', coin: 'DOC' })).toMatchObject({ result: 'success' });
    expect(await pair.until(async () => (await enabled(side)).includes('SIX'), 2)).toBe(true);
    // The coin that was taken out stays out.
    expect(await enabled(side)).toEqual(['DOC', 'SIX']);
  };

  it('swap a token whose platform was removed, over a restart of both that brings only the token back', async () => {
    for (const side of SIDES) {
      const out = await pair.parties[side].call({ method: 'disable_coin', coin: 'ETH' });
      expect(out).toMatchObject({ result: { passivized: true } });
    }
    const before = { maker: await sixOf('maker'), taker: await sixOf('taker') };
    await ask('maker', { method: 'setprice', base: 'SIX', rel: 'DOC', price: '0.01', volume: '120.5' });
    const { uuid } = await ask('taker', { method: 'buy', base: 'SIX', rel: 'DOC', price: '0.01', volume: '120.5' });
    expect(await pair.until(has('taker', { uuid, type: 'TakerPaymentSent' }))).toBe(true);
    for (const side of SIDES) await restart(side);
    expect(await pair.until(areOver(uuid))).toBe(true);
    for (const side of SIDES) expect(await statusOf(side, uuid)).toMatchObject({ is_success: true });
    expect([await sixOf('maker'), await sixOf('taker')]).toEqual([
      before.maker - 120_500_000n,
      before.taker + 120_500_000n,
    ]);
  }, 240_000);
});
