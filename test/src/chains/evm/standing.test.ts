import { numberToHex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Alter, FINALITY } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { goodOf, kindOf, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

describeWith(ANVIL, 'a transaction that an index does not know yet', () => {
  let world: TwoWallets;

  beforeAll(async () => {
    world = await TwoWallets.open();
  }, 60_000);
  afterAll(() => world?.chain.stop());

  const lag: { ids: readonly string[] } = { ids: [] };
  const lagging: Alter = ({ method, params, answer }) =>
    method.startsWith('eth_getTransaction') && lag.ids.includes(String(params[0])) ? null : answer;

  it('is not reported as conflicted by the nonce that it has used itself, and counts as confirmed when it is sent again', async () => {
    const wallet = world.wallet('sender', { reader: world.chain.reader(undefined, lagging) });
    const fee = await world.fee(wallet);
    await goodOf(wallet.broadcast(fee));
    await world.chain.mine(2);
    lag.ids = [`0x${fee.tx_hash}`];
    expect(await kindOf(wallet.transaction(fee.tx_hash))).toBe('unavailable');
    expect(await goodOf(wallet.broadcast(fee))).toBe('confirmed');
    const again = { purpose: 'fee', feeSat: 1234n, burnSat: 0n, urgency: 1, replaces: fee } as const;
    expect(await kindOf(wallet.prepare(again, { swap: 'a' }))).toBe('nonceUsed');
    lag.ids = [];
    expect(await goodOf(wallet.transaction(fee.tx_hash))).toMatchObject({ status: 'confirmed', confirmations: 2 });
  });

  it('is reported as conflicted if the block that used its nonce holds another one', async () => {
    const [own, other] = [world.wallet('sender'), world.wallet('sender')];
    const fee = await world.fee(own);
    await goodOf(other.broadcast(await world.fee(other, 77n)));
    await world.chain.mine(2);
    expect(await goodOf(own.transaction(fee.tx_hash))).toEqual({ status: 'conflicted', confirmations: 2 });
    expect(await kindOf(own.broadcast(fee))).toBe('nonceUsed');
  });

  it('is conflicted for good, and paid again, only once the nodes also call final what used its nonce', async () => {
    let final = 0;
    const reader = world.chain.reader(undefined, ({ method, params, answer }) =>
      method === 'eth_getBlockByNumber' && params[0] === 'finalized'
        ? { ...(answer as object), number: numberToHex(final) }
        : answer,
    );
    const [own, other] = [
      world.wallet('sender', { reader, coin: { finalizedTag: 'ifKnown' } }),
      world.wallet('sender'),
    ];
    const fee = await world.fee(own);
    await goodOf(other.broadcast(await world.fee(other, 77n)));
    await world.chain.mine(1);
    const { height } = await goodOf(own.quote());
    await world.chain.mine(20);
    const again = { purpose: 'fee', feeSat: 1234n, burnSat: 0n, urgency: 1, replaces: fee } as const;
    expect(await goodOf(own.transaction(fee.tx_hash))).toEqual({ status: 'conflicted', confirmations: FINALITY - 1 });
    expect(await kindOf(own.prepare(again, { swap: 'a' }))).toBe('nonceUsed');
    final = height;
    expect(await goodOf(own.transaction(fee.tx_hash))).toEqual({ status: 'conflicted', confirmations: 21 });
    await goodOf(own.prepare(again, { swap: 'a' }));
  });
});
