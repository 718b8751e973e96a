import { afterAll, beforeAll, expect, it } from 'vitest';
import { paysWatchers } from '../../../../src/chains/evm/check-coin.ts';
import { keepsRewards } from '../../../../src/chains/evm/reward-trial.ts';
import { type Alter, addressOf } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { HostileWorld } from '../../../support/evm/hostile-world.ts';
import { describeWith } from '../../../support/optional-part.ts';

describeWith(ANVIL, 'what a swap contract does with rewards', () => {
  let world: HostileWorld;

  beforeAll(async () => {
    world = await HostileWorld.open();
  }, 60_000);
  afterAll(() => world?.stop());

  const lookBy = async (alter?: Alter) => (await world.chain.reader(undefined, alter)).look();

  it('is tried before it pays watchers: ours splits payments as it should; of others, one pays rewards out of what all have paid, and one lets a sender refuse', async () => {
    const look = await lookBy();
    const { ours, other, loose } = world.contracts;
    expect(await keepsRewards(look, ours)).toBe(true);
    expect([await keepsRewards(look, other), await keepsRewards(look, loose)]).toEqual([false, false]);
    // Where there is ether of others the claim is done all the same.
    await world.chain.give(loose, 10n ** 18n);
    await world.chain.give(ours, 10n ** 18n);
    expect([await keepsRewards(look, loose), await keepsRewards(await lookBy(), loose)]).toEqual([false, false]);
    expect(await keepsRewards(await lookBy(), ours)).toBe(true);
    await world.chain.give(ours, 0n);
    expect(await keepsRewards(look, addressOf('stranger'))).toBe(false);
    const pays = async (...contracts: readonly string[]) => paysWatchers(await lookBy(), contracts);
    expect([await pays(ours), await pays(ours, ours), await pays(ours, loose)]).toEqual([true, true, false]);
  });

  it('is unknown, and it pays no watchers, if a node cannot try that', async () => {
    const deaf: Alter = ({ method, answer }) => (method === 'eth_call' ? '0x' : answer);
    expect(await keepsRewards(await lookBy(deaf), world.contracts.ours)).toBe(false);
  });
});
