import { numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import { EvmAccount } from '../../../../src/chains/evm/account.ts';
import type { EvmChain } from '../../../../src/chains/evm/adapter.ts';
import type { EvmNode } from '../../../../src/chains/evm/node.ts';
import { createEvmNodeReader } from '../../../../src/chains/evm/node-reader.ts';
import { type Made, madeOf } from '../../../../src/chains/evm/transaction.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import { CHAIN_ID, PRICES, signerOf } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { goodOf, kindOf, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

describe('a dearer variant of a payment that is refused', () => {
  const day = { legacy: false, baseFee: 7n, tip: 1n, ceiling: 10n ** 14n };
  const price = { most: 90n, tip: 3n };
  const silent = async (): Promise<never> => {
    throw new BackendSilent('nobody is asked');
  };
  const accountOf = () =>
    new EvmAccount({
      ...{ reader: { look: silent, send: silent }, signer: signerOf('sender'), prices: PRICES },
      chainId: CHAIN_ID,
    });
  const content = (nonce: number) => ({ nonce, to: 'ab'.repeat(20), value: 0n, data: 'aa', gas: 50_000n, price });

  it('leaves its approvals to the payment that remains', async () => {
    const account = accountOf();
    const approval = await account.sign(content(4), day);
    const payment = await account.sign(content(5), day);
    account.approve(payment, [approval]);
    const dearer = await account.signDearer(payment, { most: 180n, tip: 6n }, day);
    account.giveBack(dearer);
    expect([4, 5].map((nonce) => account.holders(nonce).map(({ id }) => id))).toEqual([[approval.id], [payment.id]]);
    expect(account.isOut(approval)).toBe(true);
    account.giveBack(payment);
    expect([4, 5].map((nonce) => account.holders(nonce))).toEqual([[], []]);
  });

  it('gives back the dearer approvals that were made for it alone', async () => {
    const account = accountOf();
    const cheap = await account.sign(content(4), day);
    const payment = await account.sign(content(5), day);
    account.approve(payment, [cheap]);
    const above = { most: 180n, tip: 6n };
    const dear = await account.sign({ ...content(4), price: above }, day);
    const dearer = await account.sign({ ...content(5), price: above }, day);
    account.approve(dearer, [dear]);
    account.giveBack(dearer);
    expect([4, 5].map((nonce) => account.holders(nonce).map(({ id }) => id))).toEqual([[cheap.id], [payment.id]]);
  });
});

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

  it('are left open again from the moment at which another coin joins, until that one has reported too', async () => {
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

  it('wait for a coin that has not reported, whatever one that reported and left does, and forever if none reports', async () => {
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

  it('are filled by the older helper if a dearer one is refused: it is still sent', async () => {
    const [, kept] = await gap();
    let dearest = 10n ** 30n;
    const sent: string[] = [];
    const request: EvmNode['request'] = async (method, params) => {
      const made = method === 'eth_sendRawTransaction' ? madeOf(String(params[0]).slice(2)) : null;
      if (made !== null) sent.push(made.id);
      if (made !== null && made.price.most > dearest) throw new NodeRefusal(-32_000, 'txpool is full');
      return world.chain.request(method, params);
    };
    const account = world.chain.account('sender', { reader: createEvmNodeReader({ name: 'full', request }, CHAIN_ID) });
    const wallet = world.wallet('sender', { account });
    wallet.reserve([kept]);
    wallet.resumed();
    await goodOf(wallet.broadcast(kept));
    const [filler] = [...account.prepared.values()].filter(({ id }) => id !== kept.tx_hash) as [Made];
    dearest = filler.price.most;
    await world.chain.request('anvil_setNextBlockBaseFeePerGas', [numberToHex(dearest * 2n)]);
    await world.chain.request('anvil_dropTransaction', [`0x${filler.id}`]);
    await world.chain.request('anvil_dropTransaction', [`0x${kept.tx_hash}`]);
    await world.chain.mine();
    const fill = async () => account.fillGaps(await account.reader.look());
    await fill();
    expect(sent.length).toBeGreaterThan(2);
    expect(account.holders(filler.nonce).map(({ id }) => id)).toEqual([filler.id]);
    sent.length = 0;
    await fill();
    expect(sent).toContain(filler.id);
    // Down again, so that it is included.
    await world.chain.request('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca00']);
    await world.chain.mine();
  });

  it('are filled by dearer variants of what was sent beside swaps, which spend as many tokens as before', async () => {
    const [own, kept] = (await gap()).map(({ tx_hex }) => madeOf(tx_hex) as Made) as [Made, Made];
    const account = world.chain.account('sender');
    world.wallet('sender', { account }).resumed();
    const token = 'ab'.repeat(20);
    account.adopt(own, new Map([[token, 7n]]));
    account.take(kept);
    await world.chain.request('anvil_setNextBlockBaseFeePerGas', [numberToHex(own.price.most * 2n)]);
    await world.chain.mine();
    await account.fillGaps(await account.reader.look());
    const newest = account.holders(own.nonce).at(-1) as Made;
    expect(newest.price.most).toBeGreaterThan(own.price.most);
    expect(account.tokensTaken(newest, token)).toBe(7n);
    await world.chain.request('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca00']);
    await world.chain.mine();
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
