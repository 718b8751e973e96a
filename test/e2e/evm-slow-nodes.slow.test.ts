import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SwapRequest } from '../../src/events/journal.ts';
import { EvmTestChain } from '../support/evm/adapter-chain.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { ETHER } from '../support/evm/two-wallets.ts';
import { FUNDS, watchedWorld } from '../support/evm/watched-world.ts';
import { describeWith } from '../support/optional-part.ts';

const PAID = (ETHER * 5n) / 4n;
const FEE = PAID / 777n;
const OF_MAKER = { maker_coin: 'ETH', taker_coin: 'DOC', maker_amount: '1.25', taker_amount: '3', use_watchers: false };
const OF_TAKER = { maker_coin: 'DOC', taker_coin: 'ETH', maker_amount: '3', taker_amount: '1.25', use_watchers: false };
/** The most that is promised ([guarantees](../../docs/explanation/guarantees.md)), and less. */
const DELAYS = [14, 8];

// What everybody is to have follows from the terms and the receipts of the node: no engine is asked.
describeWith(ANVIL, 'swaps over a node of an EVM chain that takes seconds for every answer', () => {
  let chain: EvmTestChain;
  let worlds = 40;

  beforeAll(async () => {
    chain = await EvmTestChain.start();
  }, 60_000);
  afterAll(() => chain?.stop());

  const worldOf = (delay: number, request: object) => {
    worlds += 1;
    return watchedWorld({ chain, name: String(worlds), request: request as Partial<SwapRequest>, delay });
  };
  const held = () => chain.balance(chain.contract);

  it.each(DELAYS)('of %i s: the taker has the ether of the maker', async (delay) => {
    const world = await worldOf(delay, OF_MAKER);
    for (const side of ['maker', 'taker'] as const) {
      expect(await world.until(world.has(side, 'Finished'))).toBe(true);
    }
    expect(await world.balance('maker')).toBe(FUNDS - PAID - (await world.gas('maker')));
    expect(await world.balance('taker')).toBe(FUNDS + PAID - (await world.gas('taker')));
    expect([await world.calls('maker'), await world.calls('taker'), await held()]).toEqual([1, 1, 0n]);
  });

  it.each(DELAYS)('of %i s: the maker has the ether of the taker', async (delay) => {
    const world = await worldOf(delay, OF_TAKER);
    for (const side of ['maker', 'taker'] as const) {
      expect(await world.until(world.has(side, 'Finished'))).toBe(true);
    }
    expect(await world.balance('maker')).toBe(FUNDS + PAID - (await world.gas('maker')));
    expect(await world.balance('taker')).toBe(FUNDS - PAID - FEE - (await world.gas('taker')));
    expect([await world.calls('maker'), await world.calls('taker'), await held()]).toEqual([1, 1, 0n]);
  });

  it.each(DELAYS)('of %i s: the maker refunds its ether from a swap whose taker is gone', async (delay) => {
    const world = await worldOf(delay, OF_MAKER);
    expect(await world.until(world.has('maker', 'MakerPaymentSent'))).toBe(true);
    world.parties.taker.die();
    expect(await world.until(world.has('maker', 'MakerPaymentRefunded'))).toBe(true);
    expect(await world.balance('maker')).toBe(FUNDS - (await world.gas('maker')));
    expect([await world.calls('maker'), await held()]).toEqual([2, 0n]);
  });

  it.each(DELAYS)('of %i s: the taker refunds its ether from a swap whose maker is gone', async (delay) => {
    const world = await worldOf(delay, OF_TAKER);
    expect(await world.until(world.has('taker', 'TakerPaymentSent'))).toBe(true);
    world.parties.maker.die();
    expect(await world.until(world.has('taker', 'TakerPaymentRefunded'))).toBe(true);
    expect(await world.balance('taker')).toBe(FUNDS - FEE - (await world.gas('taker')));
    expect([await world.calls('taker'), await held()]).toEqual([2, 0n]);
  });
});
