import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EvmChain } from '../../../../src/chains/evm/adapter.ts';
import { PRICES } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { goodOf, kindOf, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

describeWith(ANVIL, 'gaps between the nonces of an account', () => {
  let world: TwoWallets;

  beforeAll(async () => {
    world = await TwoWallets.open();
  }, 60_000);
  afterAll(() => world?.chain.stop());

  const gap = async () => {
    const before = world.wallet('sender');
    return [await world.fee(before), await world.fee(before)] as const;
  };

  it('are left open again from the moment in which another coin joins, until that has told too', async () => {
    const [lost, kept] = await gap();
    const account = world.chain.account('sender');
    const one = world.wallet('sender', { account });
    one.resumed();
    const two = world.wallet('sender', { account });
    one.reserve([kept]);
    expect(await kindOf(one.broadcast(kept))).toBe('nonceGap');
    two.reserve([lost]);
    two.resumed();
    expect(await goodOf(two.broadcast(lost))).toBe('sent');
    await world.chain.mine();
    for (const { tx_hash } of [lost, kept]) expect((await goodOf(one.transaction(tx_hash))).status).toBe('confirmed');
  });

  it('are filled though another coin joined and left without a word, and not before it has left', async () => {
    const account = world.chain.account('sender');
    const one = world.wallet('sender', { account });
    one.resumed();
    const two = world.wallet('sender', { account });
    const [lost, kept] = [await world.fee(one), await world.fee(one)];
    one.release([lost]);
    expect(await kindOf(one.broadcast(kept))).toBe('nonceGap');
    two.leave();
    two.leave();
    expect(await goodOf(one.broadcast(kept))).toBe('known');
    await world.chain.mine();
    const standing = async (id: string) => (await goodOf(one.transaction(id))).status;
    expect([await standing(lost.tx_hash), await standing(kept.tx_hash)]).toEqual(['conflicted', 'confirmed']);
  });

  it('wait for a coin that has not told, whatever one does that told and left, and for ever where none tells', async () => {
    const [lost, kept] = await gap();
    const account = world.chain.account('sender');
    const [one, two, three] = [1, 2, 3].map(() => world.wallet('sender', { account })) as [
      EvmChain,
      EvmChain,
      EvmChain,
    ];
    one.reserve([kept]);
    three.leave();
    two.resumed();
    two.leave();
    expect(await kindOf(one.broadcast(kept))).toBe('nonceGap');
    const silent = world.chain.account('sender');
    const [last, only] = [1, 2].map(() => world.wallet('sender', { account: silent })) as [EvmChain, EvmChain];
    last.reserve([kept]);
    only.leave();
    last.leave();
    await last.broadcast(kept);
    await world.chain.mine();
    expect((await goodOf(last.transaction(kept.tx_hash))).status).toBe('mempool');
    one.reserve([lost]);
    one.resumed();
    expect(await goodOf(one.broadcast(lost))).toBe('sent');
    await world.chain.mine();
    for (const { tx_hash } of [lost, kept]) expect((await goodOf(one.transaction(tx_hash))).status).toBe('confirmed');
  });

  it('are filled at no more than the ceiling', async () => {
    const [, kept] = await gap();
    const ceiling = 3n * 10n ** 9n;
    const account = world.chain.account('sender', { prices: { ...PRICES, ceiling } });
    const wallet = world.wallet('sender', { account });
    wallet.reserve([kept]);
    wallet.resumed();
    await world.chain.request('anvil_setNextBlockBaseFeePerGas', ['0xacda7d00']);
    await world.chain.mine();
    expect(await goodOf(wallet.broadcast(kept))).toBe('sent');
    const fillers = [...account.prepared.values()].filter(({ id }) => id !== kept.tx_hash);
    expect(fillers.map(({ price }) => price.most <= ceiling)).toEqual([true]);
  });
});
