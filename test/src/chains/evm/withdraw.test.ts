import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EvmAccount } from '../../../../src/chains/evm/account.ts';
import type { Made, Price } from '../../../../src/chains/evm/transaction.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import { type Alter, addressOf } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { goodOf, kindOf, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

const GWEI = 10n ** 9n;
const USUAL: Price = { most: 90n * GWEI, tip: 2n * GWEI };

describeWith(ANVIL, 'what its owner sends from an account', () => {
  let world: TwoWallets;

  beforeAll(async () => {
    world = await TwoWallets.open();
  }, 60_000);
  afterAll(() => world?.chain.stop());

  const next = async () =>
    Number(await world.chain.request('eth_getTransactionCount', [`0x${addressOf('sender')}`, 'latest']));
  const signed = (nonce: number, price = USUAL, signer: EvmAccount = world.chain.account('sender')): Promise<Made> =>
    signer.signOnly({ nonce, to: addressOf('a friend'), value: 7n, data: '', gas: 21_000n, price }, { legacy: false });
  const nonceOf = (spends: readonly string[]): number => Number(spends[0]?.split(':')[1]);

  it('keeps its nonce if no answer came: no swap gets it, and the same bytes go out when it is sent again', async () => {
    let isSilent = true;
    const alter: Alter = ({ method, answer }) => {
      if (isSilent && method === 'eth_sendRawTransaction') throw new BackendSilent('the answer is lost');
      return answer;
    };
    const wallet = world.wallet('sender', { reader: world.chain.reader(undefined, alter) });
    const nonce = await next();
    const made = await signed(nonce);
    const lost = await wallet.send(made.hex);
    expect(lost).toMatchObject({ ok: false, fault: { kind: 'unavailable' } });
    expect(lost.ok || lost.fault.message).toContain(`may pay twice: look for transaction 0x${made.id}`);
    await world.chain.request('anvil_dropTransaction', [`0x${made.id}`]);
    expect(nonceOf((await world.fee(wallet)).spends)).toBe(nonce + 1);
    isSilent = false;
    expect(await goodOf(wallet.send(made.hex))).toBe(made.id);
    await world.chain.mine();
    expect((await goodOf(wallet.transaction(made.id))).status).toBe('confirmed');
  });

  it('keeps its nonce if the node has accepted it and an earlier one is missing', async () => {
    const wallet = world.wallet('sender');
    const nonce = await next();
    const made = await signed(nonce + 1);
    expect(await kindOf(wallet.send(made.hex))).toBe('nonceGap');
    const fees = [await world.fee(wallet), await world.fee(wallet)];
    expect(fees.map(({ spends }) => nonceOf(spends))).toEqual([nonce, nonce + 2]);
    for (const fee of fees) await goodOf(wallet.broadcast(fee));
    await world.chain.mine();
    expect((await goodOf(wallet.transaction(made.id))).status).toBe('confirmed');
  });

  it('gives its nonce back if the node refuses it for good', async () => {
    const wallet = world.wallet('sender');
    const nonce = await next();
    expect(await kindOf(wallet.send((await signed(nonce, { most: 1n, tip: 1n })).hex))).toBe('feeTooLow');
    expect(nonceOf((await world.fee(wallet)).spends)).toBe(nonce);
  });

  it('is refused when it is signed for another chain, and nothing is kept of it', async () => {
    const account = world.chain.account('sender');
    const foreign = await signed(await next(), USUAL, world.chain.account('sender', { chainId: 1 }));
    expect(await kindOf(world.wallet('sender', { account }).send(foreign.hex))).toBe('invalid');
    expect(account.prepared.size).toBe(0);
  });

  it('has as much gas as its receiver takes: a contract, or a chain on which each transfer takes more', async () => {
    // Writes a word of its own, which costs 22,100 gas beside the transfer.
    const greedy = await world.chain.deploy('0x6005600c60003960056000f36001600055');
    const all = { to: greedy, amount: 5n, fee: null };
    const wallet = world.wallet('sender');
    const made = await goodOf(wallet.withdraw(all));
    expect(made.gas).toBeGreaterThan(43_000n);
    expect(await goodOf(wallet.send(made.tx_hex))).toBe(made.tx_hash);
    await world.chain.mine();
    expect((await goodOf(wallet.transaction(made.tx_hash))).status).toBe('confirmed');
    expect((await goodOf(wallet.withdraw({ ...all, to: addressOf('a friend') }))).gas).toBe(21_000n);
    const says =
      (gas: string): Alter =>
      ({ method, answer }) =>
        method === 'eth_estimateGas' ? gas : answer;
    const saying = (gas: string) => world.wallet('sender', { reader: world.chain.reader(undefined, says(gas)) });
    expect((await goodOf(saying('0x100000').withdraw(all))).gas).toBe(1_572_864n);
  });

  it('is refused by name if its receiver refuses it, or takes more gas than any accepted transfer', async () => {
    const refusing = await world.chain.deploy('0x6005600c60003960056000f360006000fd');
    const wallet = world.wallet('sender');
    const refused = await wallet.withdraw({ to: refusing, amount: 5n, fee: null });
    expect(refused).toMatchObject({ ok: false, fault: { kind: 'invalid' } });
    expect(refused.ok || refused.fault.message).toContain(`0x${refusing} refuses it`);
    const says: Alter = ({ method, answer }) => (method === 'eth_estimateGas' ? '0xffffffff' : answer);
    const lied = world.wallet('sender', { reader: world.chain.reader(undefined, says) });
    const beyond = await lied.withdraw({ to: addressOf('a friend'), amount: 5n, fee: null });
    expect(beyond).toMatchObject({ ok: false, fault: { kind: 'feeTooLow' } });
    const price = { most: 40n * GWEI, tip: GWEI };
    const named = { gas: 50_000n, price, legacy: false };
    expect(await kindOf(lied.withdraw({ to: addressOf('a friend'), amount: 5n, fee: named }))).toBe('ok');
  });

  it('leaves out 16 nonces at most, which the account fills at its cost', async () => {
    const account = world.chain.account('sender');
    const wallet = world.wallet('sender', { account });
    wallet.resumed();
    const nonce = await next();
    const far = await signed(nonce + 17);
    expect(await kindOf(wallet.send(far.hex))).toBe('nonceGap');
    expect([account.prepared.size, account.holders(far.nonce).length]).toEqual([0, 0]);
    const made = await signed(nonce + 16);
    expect(await goodOf(wallet.send(made.hex))).toBe(made.id);
    await world.chain.mine();
    expect((await goodOf(wallet.transaction(made.id))).status).toBe('confirmed');
  });
});
