import { describe, expect, it } from 'vitest';
import type { TendermintRefusal } from '../../../../src/chains/tendermint/reader.ts';
import { madeOf } from '../../../../src/chains/tendermint/transaction.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
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

  it('takes no more than is free, and for an asset its fee from the coin that pays fees', async () => {
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

  it('is not sent in place of what a swap has signed, nor with what a swap holds', async () => {
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

  it('that was given back once is no longer marked: it leaves what swaps hold, and its sequence is its own', async () => {
    const world = new TwoWallets();
    const own = world.test.reader();
    let refusal: TendermintRefusal | null = { code: 13, codespace: 'sdk', message: 'insufficient fee' };
    const reader = { ...own, send: async (hex: string) => refusal ?? own.send(hex) };
    const wallet = world.wallet('sender', { reader });
    const to = world.test.addressOf('receiver');
    const made = await goodOf(wallet.withdraw({ to, amount: 40n * UNIT, memo: '' }));
    expect(await kindOf(wallet.send(made.tx_hex))).toBe('feeTooLow');
    refusal = null;
    wallet.hold(HELD);
    expect(await kindOf(wallet.send(made.tx_hex))).toBe('coinsPromised');
    wallet.hold({ ...HELD, amount: '0' as DecimalText, fees: '0' as DecimalText });
    expect(await kindOf(wallet.send(made.tx_hex))).toBe('ok');
    expect(madeOf((await world.fee(wallet)).tx_hex)?.sequence).toBe(1);
  });

  it('far ahead of the next sequence is not sent, since the account would pay for every one between', async () => {
    const world = new TwoWallets();
    const account = world.test.account('sender');
    const wallet = world.wallet('sender', { account });
    wallet.resumed();
    const look = await world.test.reader().look();
    const [own, to] = ['sender', 'receiver'].map((name) => world.test.addressOf(name)) as [string, string];
    const ahead = async (sequence: number) => {
      const messages = [{ kind: 'send', from: own, to, coins: [{ denom: 'unyan', amount: 5n }] }] as const;
      const content = { messages, memo: '', sequence, timeout: 0, gas: 125_000n, fee: 40_000n };
      return (await account.signOnly(content, look)).hex;
    };
    for (const far of [17, 5000]) {
      const answer = await wallet.send(await ahead(far));
      expect(answer).toMatchObject({
        fault: {
          kind: 'nonceGap',
          message: `sequence ${far} is too far ahead: the next one is 0, and at most 16 may be skipped`,
        },
      });
    }
    expect(world.test.chain.waiting()).toEqual([]);
    // What fills the gap costs as well.
    wallet.hold({ ...HELD, amount: '49.6' as DecimalText });
    expect(await kindOf(wallet.send(await ahead(16)))).toBe('coinsPromised');
    wallet.hold({ ...HELD, amount: '40' as DecimalText });
    expect(await kindOf(wallet.send(await ahead(16)))).toBe('ok');
    world.mine();
    expect(world.test.chain.tip().transactions.map(({ result }) => result.code)).toEqual(new Array(17).fill(0));
  });

  it('a gap that no node lets fill is not filled on behind it', async () => {
    const world = new TwoWallets();
    let asked = 0;
    const send = async (hex: string): Promise<TendermintRefusal> => {
      asked += 1;
      const isFiller = madeOf(hex)?.sequence !== 3;
      const message = isFiller ? 'insufficient funds' : 'expected 0, got 3';
      return { code: isFiller ? 5 : 32, codespace: 'sdk', message };
    };
    const reader = { ...world.test.reader(), send };
    const account = world.test.account('sender', { reader });
    const wallet = world.wallet('sender', { account });
    wallet.resumed();
    const look = await reader.look();
    const messages = [{ kind: 'send', from: account.address, to: account.address, coins: [] }] as const;
    const made = await account.signOnly({ messages, memo: '', sequence: 3, timeout: 0, gas: 1n, fee: 1n }, look);
    expect(await kindOf(wallet.send(made.hex))).not.toBe('ok');
    // The bytes, what was to fill the gap, and the bytes once more.
    expect(asked).toBe(3);
    expect([0, 1, 2].flatMap((sequence) => account.holders(sequence))).toEqual([]);
  });

  it('says whose sequence it would take, and that a new one may pay twice if a node may have it', async () => {
    const world = new TwoWallets();
    const wallet = world.wallet('sender');
    const to = world.test.addressOf('receiver');
    const made = await goodOf(wallet.withdraw({ to, amount: UNIT, memo: '' }));
    const other = await goodOf(wallet.withdraw({ to, amount: 2n * UNIT, memo: '' }));
    await goodOf(wallet.send(other.tx_hex));
    expect(await wallet.send(made.tx_hex)).toMatchObject({
      fault: { message: expect.stringContaining(`sequence 0 belongs to transaction ${other.tx_hash}`) },
    });
    expect(await wallet.send(made.tx_hex)).toMatchObject({
      fault: {
        message: expect.stringMatching(/an earlier withdrawal.*; withdraw again, which takes a sequence of its own$/),
      },
    });
    const away = new TwoWallets();
    const reader = away.test.reader();
    const lone = away.wallet('sender', {
      reader: { ...reader, send: () => Promise.reject(new BackendSilent('late')) },
    });
    const sent = await goodOf(lone.withdraw({ to, amount: UNIT, memo: '' }));
    const answer = await lone.send(sent.tx_hex);
    expect(answer).toMatchObject({ fault: { kind: 'unavailable', message: expect.stringContaining('may pay twice') } });
    expect(answer).toMatchObject({ fault: { message: expect.stringContaining(sent.tx_hash) } });
  });
});
