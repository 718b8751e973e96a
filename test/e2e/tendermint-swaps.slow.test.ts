import { describe, expect, it } from 'vitest';
import type { SwapRequest } from '../../src/events/journal.ts';
import type { NodeConduct } from '../../src/testing/cometbft/node.ts';
import { ASSET, BLOCK_TIME, IRIS, NUCLEUS } from '../support/tendermint/adapter-chain.ts';
import { expectNear, LOCK, OF_MAKER, OF_TAKER, PAID } from '../support/tendermint/agreed-swap.ts';
import { SIDES, worldOf } from '../support/tendermint/swap-world.ts';

describe('swaps between a chain of outputs and a Tendermint chain, judged by the balances of its blocks', () => {
  it('the taker gives an asset on a chain of Nucleus with its fee, is killed after it paid, and both get it to the last base unit', async () => {
    const request = { ...OF_TAKER, taker_coin: ASSET.coin, taker_amount: '77.7001' } as Partial<SwapRequest>;
    const world = await worldOf({ kind: NUCLEUS, request, coin: ASSET });
    const { until, has, parties, gain, locked } = world;
    expect(await until(has('taker', 'TakerPaymentSent'))).toBe(true);
    parties.taker.die();
    expect(await until(has('maker', 'TakerPaymentSpent'), 30)).toBe(true);
    parties.taker.revive();
    expect(await until(world.finished)).toBe(true);
    expect(gain('maker')).toBe(777_001n);
    expect(gain('taker')).toBe(-777_001n - 1000n);
    expect(locked()).toBe(0);
  });

  it.each([0.6, 1.4])(
    'the maker is gone after both paid, blocks take %s of their time: the chain gives the taker its coins back',
    async (pace) => {
      const request = { ...OF_TAKER, lock_duration: LOCK };
      const { until, has, parties, finished, gain, locked } = await worldOf({ kind: IRIS, request, pace });
      expect(await until(has('taker', 'MakerPaymentWaitConfirmStarted'))).toBe(true);
      expect(await until(has('maker', 'MakerPaymentSent'))).toBe(true);
      parties.maker.die();
      expect(await until(has('taker', 'TakerPaymentRefunded'))).toBe(true);
      expect(await until(has('taker', 'Finished'))).toBe(true);
      parties.maker.revive();
      expect(await until(finished)).toBe(true);
      expect(gain('maker')).toBe(0n);
      expectNear(gain('taker'), -PAID / 777n);
      expect(locked()).toBe(0);
    },
  );

  it.each<[string, NodeConduct]>([
    ['stands still', { shows: () => 3005 }],
    ['answers from the past', { shows: (height) => height - 200 }],
    ['has pruned all but its last blocks', { keeps: 5 }],
    ['has no index of transactions', { hasNoIndex: true }],
  ])('one of three nodes %s: both get what they agreed on', async (_, conduct) => {
    for (const nodes of [
      [conduct, {}, {}],
      [{}, {}, conduct],
    ]) {
      const world = await worldOf({ kind: IRIS, request: OF_MAKER, nodes });
      expect(await world.until(world.finished)).toBe(true);
      for (const [side, share] of [
        [SIDES[0], -PAID],
        [SIDES[1], PAID],
      ] as const)
        expectNear(world.gain(side), share);
    }
  });

  it.each([0.6, 1, 1.4])(
    'a thief of a maker claims in the last block that may hold it, blocks take %s of their time: the taker claims what it was promised',
    async (pace) => {
      const request = { ...OF_TAKER, lock_duration: LOCK };
      const world = await worldOf({ kind: IRIS, request, pace });
      const { chain, until, has, parties, gain } = world;
      expect(await until(has('maker', 'MakerPaymentSent'))).toBe(true);
      parties.maker.die();
      expect(await until(has('taker', 'TakerPaymentSent'))).toBe(true);
      const kept = () => [...chain.chain.tip().state.payments].find(([, { state }]) => state === 'open');
      expect(await until(() => kept() !== undefined)).toBe(true);
      const [id = '', payment] = kept() ?? [];
      const end = Number(payment?.expirationHeight);
      expect(await until(() => end - chain.height < 30)).toBe(true);
      if (end - 2 > chain.height) chain.chain.mine(end - 2 - chain.height, BLOCK_TIME * pace);
      const account = chain.account('maker');
      const look = await account.reader.look();
      const messages = [
        { kind: 'claim', module: IRIS.module, sender: account.address, id, secret: '5e'.repeat(32) },
      ] as const;
      const claim = { messages, memo: '', sequence: 0, timeout: 0, gas: 125_000n, fee: 125_000n };
      expect(await account.reader.send((await account.sign(claim, look)).hex)).toBe(null);
      chain.chain.mine(1, BLOCK_TIME * pace);
      expect(chain.chain.tip().state.payments.get(id)?.state).toBe('completed');
      const before = world.outputsOf('taker');
      expect(await until(has('taker', 'Finished'))).toBe(true);
      expect(has('taker', 'MakerPaymentSpent')()).toBe(true);
      expect(world.outputsOf('taker') - before).toBe(300_000_000n);
      expectNear(gain('taker'), -PAID);
    },
  );

  it('a maker locks as nodes of the framework do: the taker pays nothing against it, and the chain gives the maker its coins back', async () => {
    const of = { maker: { makerLocks: 'framework' } } as const;
    const world = await worldOf({ kind: IRIS, request: { ...OF_MAKER, lock_duration: LOCK }, of });
    const before = world.outputsOf('maker');
    expect(await world.until(world.has('maker', 'MakerPaymentSent'))).toBe(true);
    expect(await world.until(world.finished, 600)).toBe(true);
    expect(world.has('taker', 'TakerPaymentSent')()).toBe(false);
    expect(world.has('maker', 'MakerPaymentRefunded')()).toBe(true);
    expectNear(world.gain('maker'), 0n);
    expect([world.gain('taker'), world.outputsOf('maker') - before, world.locked()]).toEqual([0n, 0n, 0]);
  });

  it.each([30, 120])(
    'the chain stands still for %i minutes once the taker has paid: both swap, or both are back',
    async (minutes) => {
      const request = { ...OF_TAKER, lock_duration: LOCK };
      const world = await worldOf({ kind: IRIS, request });
      const { until, has, stands } = world;
      const outputs = SIDES.map((side) => world.outputsOf(side));
      expect(await until(has('taker', 'TakerPaymentSent'))).toBe(true);
      stands.still = true;
      await until(() => false, minutes);
      stands.still = false;
      expect(await until(world.finished, 900)).toBe(true);
      const [ofMaker, ofTaker] = SIDES.map((side, place) => world.outputsOf(side) - (outputs[place] ?? 0n));
      expect(world.locked()).toBe(0);
      const isSwapped = world.gain('maker') > 0n;
      expectNear(world.gain('maker'), isSwapped ? PAID : 0n);
      expectNear(world.gain('taker'), isSwapped ? -PAID : 0n);
      expect([ofMaker, ofTaker]).toEqual(isSwapped ? [-300_000_000n, 300_000_000n] : [0n, 0n]);
    },
  );
});
