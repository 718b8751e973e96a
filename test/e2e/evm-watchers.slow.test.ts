import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SwapRequest } from '../../src/events/journal.ts';
import { addressOf, EvmTestChain } from '../support/evm/adapter-chain.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { ETHER } from '../support/evm/two-wallets.ts';
import { FUNDS, type WatchedWorld, watchedWorld } from '../support/evm/watched-world.ts';
import { describeWith } from '../support/optional-part.ts';

// What everybody is to have follows from the terms, from what the payments promise by their bytes, and from the receipts of the node: no engine is asked.

const PAID = (ETHER * 5n) / 4n;
const FEE = PAID / 777n;
const OF_MAKER = { maker_coin: 'ETH', taker_coin: 'DOC', maker_amount: '1.25', taker_amount: '3' };
const OF_TAKER = { maker_coin: 'DOC', taker_coin: 'ETH', maker_amount: '3', taker_amount: '1.25' };
const TOKENS = 7_770_001n;
const FUNDED = 9_000_001n;

describeWith(ANVIL, 'a swap whose taker is down is ended by a watcher that an EVM chain pays', () => {
  let chain: EvmTestChain;

  beforeAll(async () => {
    chain = await EvmTestChain.start();
  }, 60_000);
  afterAll(() => chain?.stop());

  const tokenFor = async (...owners: readonly string[]) => {
    const address = await chain.token(
      { decimals: 6, strict: true },
      Object.fromEntries(owners.map((owner) => [owner, FUNDED])),
    );
    return { coin: 'USDX', decimals: 6, token: { address, platform: 'ETH' } };
  };
  const etherOf = (contract: string) => chain.balance(contract);
  /** The taker ends when it has paid and has told the watchers. */
  const leftAlone = async (world: WatchedWorld) => {
    expect(await world.until(world.has('taker', 'WatcherMessageSent'))).toBe(true);
    world.parties.taker.die();
  };
  const claimedFor = async (world: WatchedWorld) => {
    await leftAlone(world);
    expect(await world.until(world.has('watcher', 'Stopped'))).toBe(true);
    expect(world.parties.watcher.types()).toContain('MakerPaymentSpent');
    expect(await world.until(world.has('maker', 'Finished'))).toBe(true);
    expect(await world.calls('watcher')).toBe(1);
  };
  const comesBack = async (world: WatchedWorld, type: string) => {
    world.parties.taker.revive();
    expect(await world.until(world.has('taker', 'Finished'))).toBe(true);
    expect(world.parties.taker.types()).toContain(type);
  };
  const promised = async (world: WatchedWorld, who: 'maker' | 'taker', expected: object) => {
    const reward = await world.reward(who);
    expect(reward).toMatchObject(expected);
    return reward?.amount ?? 0n;
  };

  it('claims the ether of the maker for it, against outputs', async () => {
    const world = await watchedWorld({ chain, name: '21', request: OF_MAKER as Partial<SwapRequest> });
    await claimedFor(world);
    const reward = await promised(world, 'maker', { target: 3, onClaim: false });
    expect(await world.balance('taker')).toBe(FUNDS + PAID);
    expect(await world.balance('maker')).toBe(FUNDS - PAID - reward - (await world.gas('maker')));
    expect(await world.balance('watcher')).toBe(FUNDS + reward - (await world.gas('watcher')));
    expect(await world.gas('watcher')).toBeLessThan(reward);
    expect(await etherOf(chain.contract)).toBe(0n);
    await comesBack(world, 'MakerPaymentSpentByWatcher');
    expect(await world.balance('taker')).toBe(FUNDS + PAID);
  });

  it('refunds the ether of the taker after the lock, while the maker is gone too', async () => {
    const world = await watchedWorld({ chain, name: '22', request: OF_TAKER as Partial<SwapRequest> });
    expect(await world.until(world.has('taker', 'WatcherMessageSent'))).toBe(true);
    world.parties.maker.die();
    world.parties.taker.die();
    expect(await world.until(world.has('watcher', 'Stopped'))).toBe(true);
    const reward = await promised(world, 'taker', { target: 2, onClaim: false });
    expect(await world.balance('taker')).toBe(FUNDS - FEE - reward - (await world.gas('taker')));
    expect(await world.balance('watcher')).toBe(FUNDS + reward - (await world.gas('watcher')));
    expect(await world.calls('watcher')).toBe(1);
    expect(await etherOf(chain.contract)).toBe(0n);
    await comesBack(world, 'TakerPaymentRefundedByWatcher');
    expect(await world.balance('taker')).toBe(FUNDS - FEE - reward - (await world.gas('taker')));
  });

  it('claims on a UTXO chain with what the taker signed; the taker, which paid ether, gets its reward back', async () => {
    const world = await watchedWorld({ chain, name: '23', request: OF_TAKER as Partial<SwapRequest> });
    await leftAlone(world);
    expect(await world.until(world.has('watcher', 'Stopped'))).toBe(true);
    expect(await world.until(world.has('maker', 'Finished'))).toBe(true);
    await promised(world, 'taker', { target: 2, onClaim: false });
    expect(await world.balance('taker')).toBe(FUNDS - FEE - PAID - (await world.gas('taker')));
    expect(await world.balance('maker')).toBe(FUNDS + PAID - (await world.gas('maker')));
    expect(await world.calls('watcher')).toBe(0);
    expect(await etherOf(chain.contract)).toBe(0n);
    await comesBack(world, 'MakerPaymentSpentByWatcher');
  });

  it('claims ether that was bought for tokens; the reward of the taker stays in the contract', async () => {
    const token = await tokenFor('taker 24');
    const request = { ...OF_MAKER, taker_coin: 'USDX', taker_amount: '7.770001' } as Partial<SwapRequest>;
    const world = await watchedWorld({ chain, name: '24', request, token });
    await claimedFor(world);
    const [ofMaker, ofTaker] = [
      await promised(world, 'maker', { target: 0, onClaim: true }),
      await promised(world, 'taker', { target: 1, onClaim: false }),
    ];
    expect(await world.balance('taker')).toBe(FUNDS + PAID - ofTaker - (await world.gas('taker')));
    expect(await world.balance('maker')).toBe(FUNDS - PAID - ofMaker - (await world.gas('maker')));
    expect(await world.balance('watcher')).toBe(FUNDS + ofMaker - (await world.gas('watcher')));
    expect(await etherOf(chain.contract)).toBe(ofTaker);
    await chain.give(chain.contract, 0n);
    const { address } = token.token;
    expect(await chain.tokensOf(address, addressOf('maker 24'))).toBe(TOKENS);
    expect(await chain.tokensOf(address, addressOf('taker 24'))).toBe(FUNDED - TOKENS - 10_000n);
    expect(await chain.tokensOf(address, chain.contract)).toBe(0n);
    await comesBack(world, 'MakerPaymentSpentByWatcher');
  });

  it('claims tokens that were bought for ether', async () => {
    const token = await tokenFor('maker 25');
    const request = { ...OF_TAKER, maker_coin: 'USDX', maker_amount: '7.770001' } as Partial<SwapRequest>;
    const world = await watchedWorld({ chain, name: '25', request, token });
    await claimedFor(world);
    const [ofMaker, ofTaker] = [
      await promised(world, 'maker', { target: 0, onClaim: true }),
      await promised(world, 'taker', { target: 1, onClaim: false }),
    ];
    expect(await world.balance('taker')).toBe(FUNDS - PAID - FEE - ofTaker - (await world.gas('taker')));
    expect(await world.balance('maker')).toBe(FUNDS + PAID - ofMaker - (await world.gas('maker')));
    expect(await world.balance('watcher')).toBe(FUNDS + ofMaker - (await world.gas('watcher')));
    expect(await etherOf(chain.contract)).toBe(ofTaker);
    await chain.give(chain.contract, 0n);
    const { address } = token.token;
    expect(await chain.tokensOf(address, addressOf('taker 25'))).toBe(TOKENS);
    expect(await chain.tokensOf(address, addressOf('maker 25'))).toBe(FUNDED - TOKENS);
  });

  it('refunds tokens after the lock, and gets its reward in ether', async () => {
    const token = await tokenFor('taker 26');
    const request = { ...OF_TAKER, taker_coin: 'USDX', taker_amount: '7.770001' } as Partial<SwapRequest>;
    const world = await watchedWorld({ chain, name: '26', request, token });
    expect(await world.until(world.has('taker', 'WatcherMessageSent'))).toBe(true);
    world.parties.maker.die();
    world.parties.taker.die();
    expect(await world.until(world.has('watcher', 'Stopped'))).toBe(true);
    const reward = await promised(world, 'taker', { target: 2, onClaim: false });
    expect(await world.balance('taker')).toBe(FUNDS - reward - (await world.gas('taker')));
    expect(await world.balance('watcher')).toBe(FUNDS + reward - (await world.gas('watcher')));
    expect(await chain.tokensOf(token.token.address, addressOf('taker 26'))).toBe(FUNDED - 10_000n);
  });

  it('is paid nothing, and promised nothing, if the taker wants no watchers', async () => {
    const request = { ...OF_MAKER, use_watchers: false } as Partial<SwapRequest>;
    const world = await watchedWorld({ chain, name: '27', request });
    const finished = () => world.has('taker', 'Finished')() && world.has('maker', 'Finished')();
    expect(await world.until(finished)).toBe(true);
    expect([await world.reward('maker'), world.parties.watcher.types()]).toEqual([null, []]);
    expect(await world.balance('maker')).toBe(FUNDS - PAID - (await world.gas('maker')));
  });
});
