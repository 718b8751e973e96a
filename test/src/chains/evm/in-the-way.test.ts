import { numberToHex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EvmChain } from '../../../../src/chains/evm/adapter.ts';
import { PRICES } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { FIRST, goodOf, kindOf, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

describeWith(ANVIL, 'transactions that block a claim', () => {
  let world: TwoWallets;

  beforeAll(async () => {
    world = await TwoWallets.open();
  }, 60_000);
  afterAll(() => world?.chain.stop());

  const GWEI = 10n ** 9n;
  const RULE = { ...PRICES, tip: 2n * GWEI };

  /** A payment to the account that has the fees before it. */
  const payable = async (prices = RULE) => {
    const [payer, own] = [world.wallet('stranger'), world.wallet('sender', { prices })];
    const { terms: given, secret } = world.terms('0.5');
    const terms = { ...given, sender: payer.htlcKey(''), receiver: own.htlcKey('') };
    const funding = await world.paid(payer, terms);
    const claim = (replaces = FIRST.replaces, urgency = 0) =>
      world.make(own, { purpose: 'claim', terms, funding, secret, urgency, replaces });
    return { own, terms, claim };
  };
  const raiseBaseFee = async (wei: bigint) => {
    await world.chain.request('anvil_setNextBlockBaseFeePerGas', [numberToHex(wei)]);
    await world.chain.mine();
  };
  const isClaimed = async (own: EvmChain, terms: Awaited<ReturnType<typeof payable>>['terms']) =>
    (await goodOf(own.payment({ terms }))).spend?.confirmations === 1;

  it('is offered again at a price that will do: a fee that waits below what blocks take', async () => {
    const { own, terms, claim } = await payable();
    const fee = await world.fee(own, 4242n);
    await goodOf(own.broadcast(fee));
    await raiseBaseFee(40n * GWEI);
    expect(await goodOf(own.broadcast(await claim()))).toBe('sent');
    await world.chain.mine();
    expect(await isClaimed(own, terms)).toBe(true);
    // It is the same fee, paid once.
    expect((await goodOf(own.transaction(fee.tx_hash))).status).toBe('conflicted');
    expect(
      await kindOf(
        own.prepare({ purpose: 'fee', feeSat: 4242n, burnSat: 0n, urgency: 1, replaces: fee }, { swap: 'a' }),
      ),
    ).toBe('nonceUsed');
  });

  it('is also sent again if the claim already waits', async () => {
    const { own, terms, claim } = await payable();
    await goodOf(own.broadcast(await world.fee(own)));
    await raiseBaseFee(400n * GWEI);
    // What another process sent, which knew nothing of what is in its way.
    const made = await claim();
    await world.chain.request('eth_sendRawTransaction', [`0x${made.tx_hex}`]);
    expect(await goodOf(own.broadcast(made))).toBe('known');
    await world.chain.mine();
    expect(await isClaimed(own, terms)).toBe(true);
  });

  it('is sent again if no node has it any more', async () => {
    const { own, terms, claim } = await payable();
    const fee = await world.fee(own);
    await goodOf(own.broadcast(fee));
    await world.chain.request('anvil_dropTransaction', [`0x${fee.tx_hash}`]);
    await goodOf(own.broadcast(await claim()));
    await world.chain.mine();
    expect(await isClaimed(own, terms)).toBe(true);
    expect((await goodOf(own.transaction(fee.tx_hash))).status).toBe('confirmed');
  });

  it('is never sent before it was requested: no log may hold it', async () => {
    const { own, terms, claim } = await payable();
    const fee = await world.fee(own);
    const made = await claim();
    expect(await kindOf(own.broadcast(made))).toBe('nonceGap');
    expect((await goodOf(own.transaction(fee.tx_hash))).status).toBe('unknown');
    await goodOf(own.broadcast(fee));
    await world.chain.mine();
    expect(await isClaimed(own, terms)).toBe(true);
  });

  it('cost no more than the ceiling, and one that waits at a sufficient price is left alone', async () => {
    const { own, terms, claim } = await payable();
    const fee = await world.fee(own);
    await goodOf(own.broadcast(fee));
    await goodOf(own.broadcast(await claim()));
    await world.chain.mine();
    expect(await isClaimed(own, terms)).toBe(true);
    expect((await goodOf(own.transaction(fee.tx_hash))).status).toBe('confirmed');
    await raiseBaseFee(GWEI);
    const prices = { ...RULE, ceiling: 5n * GWEI };
    const tight = await payable(prices);
    const cheap = await world.fee(tight.own);
    await goodOf(tight.own.broadcast(cheap));
    await raiseBaseFee(4n * GWEI);
    await goodOf(tight.own.broadcast(await tight.claim()));
    const offered = await world.chain.request('eth_getBlockByNumber', ['pending', true]);
    const { transactions } = offered as { readonly transactions: readonly { readonly maxFeePerGas: string }[] };
    expect(transactions.map(({ maxFeePerGas }) => BigInt(maxFeePerGas))).toEqual([prices.ceiling, prices.ceiling]);
    await world.chain.mine();
    expect(await isClaimed(tight.own, tight.terms)).toBe(true);
  });
});
