import { describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { ASSET, UNIT } from '../../../support/tendermint/adapter-chain.ts';
import { goodOf, kindOf, TwoWallets } from '../../../support/tendermint/two-wallets.ts';

const HELD = { swap: 'another', amount: '30' as DecimalText, fees: '0.1' as DecimalText };

describe('a withdrawal from an account of a Tendermint chain', () => {
  it('of all that is free leaves what swaps hold, and nothing else', async () => {
    const world = new TwoWallets();
    const wallet = world.wallet('sender');
    wallet.hold(HELD);
    const to = world.test.addressOf('receiver');
    const made = await goodOf(wallet.withdraw({ to, amount: null, memo: 'a memo' }));
    expect(await goodOf(wallet.send(made.tx_hex))).toBe(made.tx_hash);
    world.mine();
    expect(world.test.balance('sender')).toBe(30n * UNIT);
    expect([made.spent, made.fee]).toEqual(['20', '0.03125']);
  });

  it('takes no more than is free, and of an asset its fee from the coin that pays fees', async () => {
    const world = new TwoWallets();
    world.test.give('sender', 777n, ASSET.denom);
    const account = world.test.account('sender');
    const [own, asset] = [world.wallet('sender', { account }), world.wallet('sender', { account, coin: ASSET })];
    const to = world.test.addressOf('receiver');
    own.hold({ ...HELD, amount: '49.99' as DecimalText });
    expect(await kindOf(own.withdraw({ to, amount: UNIT, memo: '' }))).toBe('insufficientFunds');
    expect(await asset.withdraw({ to, amount: 777n, memo: '' })).toMatchObject({ fault: { part: 'spendFee' } });
    own.hold({ ...HELD, amount: '0' as DecimalText, fees: '0' as DecimalText });
    await goodOf(asset.send((await goodOf(asset.withdraw({ to, amount: 777n, memo: '' }))).tx_hex));
    world.mine();
    expect(world.test.balance('receiver', ASSET.denom)).toBe(777n);
  });

  it('is not sent in the place of what a swap has signed, nor with what a swap holds', async () => {
    const world = new TwoWallets();
    const wallet = world.wallet('sender');
    const to = world.test.addressOf('receiver');
    const made = await goodOf(wallet.withdraw({ to, amount: 40n * UNIT, memo: '' }));
    wallet.hold(HELD);
    expect(await kindOf(wallet.send(made.tx_hex))).toBe('coinsPromised');
    wallet.hold({ ...HELD, amount: '0' as DecimalText, fees: '0' as DecimalText });
    await world.fee(wallet);
    expect(await kindOf(wallet.send(made.tx_hex))).toBe('coinsPromised');
    expect(await kindOf(wallet.send('00'))).toBe('invalid');
  });
});
