import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import type { EvmChain } from '../../../../src/chains/evm/adapter.ts';
import type { EvmCoin } from '../../../../src/chains/evm/coin.ts';
import type { PriceRule } from '../../../../src/chains/evm/prices.ts';
import { madeOf } from '../../../../src/chains/evm/transaction.ts';
import { approvalCall, transferCall } from '../../../../src/htlc/token-calls.ts';
import { type DecimalText, toBaseUnits } from '../../../../src/primitives/decimal.ts';
import type { Alter } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { compiled } from '../../../support/evm/compiled.ts';
import { HostileWorld } from '../../../support/evm/hostile-world.ts';
import { ETHER, FIRST, goodOf, kindOf, SWAP } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

// A swap begins with what a quote says of gas, so a wallet that has just that must be able to sign whatever the swap needs of it.

const GWEI = 10n ** 9n;
/** The same price of every block, so that fees can be told to the wei. */
const STEADY: PriceRule = { kind: 'legacy', tip: 100n * GWEI, floor: 1n, ceiling: 100_000n * GWEI };
const PRICE = 100n * GWEI;
const PAID = 2_500_000n;

type Token = Partial<EvmCoin> & Required<Pick<EvmCoin, 'contract' | 'decimals' | 'token'>>;

describeWith(ANVIL, 'a token whose every move takes much gas', () => {
  let world: HostileWorld;

  beforeAll(async () => {
    world = await HostileWorld.open();
  }, 60_000);
  afterAll(() => world?.stop());

  const wei = (text: DecimalText): bigint => toBaseUnits(text, 18);

  /** A token of which the owners have some; the sender has approved what it will pay. */
  async function tokenOf(...owners: readonly ('sender' | 'receiver')[]): Promise<Token> {
    const address = await world.chain.deploy((await compiled()).MoodyToken.bytecode);
    for (const owner of owners) await world.chain.mint(address, world[owner], 1_000_000_000n);
    const coin = { coin: 'TKN', decimals: 6, contract: world.contracts.ours, token: { address, platform: 'ETH' } };
    await world.act('sender', { to: address, data: approvalCall(coin.contract, PAID) });
    return coin;
  }

  /** From now on a move uses so much gas beside what it writes; with 0 no more than that. */
  async function uses({ token }: Token, gas: number): Promise<void> {
    const { DearToken, MoodyToken } = await compiled();
    const dear = DearToken.deployedBytecode.replace('0927c0', gas.toString(16).padStart(6, '0'));
    const code = gas === 0 ? MoodyToken.deployedBytecode : dear;
    await world.chain.request('anvil_setCode', [`0x${token.address}`, code]);
  }

  const walletOf = (name: string, coin: Partial<EvmCoin>, alter?: Alter): EvmChain =>
    world.two.wallet(name, {
      coin,
      prices: STEADY,
      ...(alter === undefined ? {} : { reader: world.chain.reader(undefined, alter) }),
    });

  async function having<T>(account: string, amount: bigint, act: () => Promise<T>): Promise<T> {
    await world.chain.give(account, amount);
    try {
      return await act();
    } finally {
      await world.chain.give(account, 50n * ETHER);
    }
  }

  const DEARNESS = [
    [0, 150_000n],
    [100_000, 225_000n],
    [180_000, 300_000n],
    [300_000, 450_000n],
  ] as const;

  it.each(DEARNESS)('of %i more: a wallet with exactly what was quoted for it claims', async (gas, limit) => {
    const coin = await tokenOf('sender');
    await uses(coin, gas);
    const wallet = walletOf('receiver', coin);
    const { spendFee } = await goodOf(wallet.quote());
    expect(wei(spendFee)).toBe(limit * PRICE);
    await uses(coin, 0);
    const { terms, secret } = world.agreed('2.5', coin);
    const funding = await world.act('sender', world.payment(terms, coin));
    await uses(coin, gas);
    expect((await goodOf(wallet.payment({ terms }))).problem).toBeNull();
    const claim = () => wallet.prepare({ purpose: 'claim', terms, funding, secret, ...FIRST }, SWAP);
    const signed = await having(world.receiver, wei(spendFee), () => goodOf(claim()));
    expect(wei(signed.fee)).toBeLessThanOrEqual(wei(spendFee));
    wallet.release([signed]);
    const short = await having(world.receiver, wei(signed.fee) - 1n, () => kindOf(claim()));
    expect(short).toBe('insufficientFunds');
    await goodOf(wallet.broadcast(await goodOf(claim())));
    await world.chain.mine();
    expect(await world.chain.tokensOf(coin.token.address, world.receiver)).toBe(PAID);
  });

  it.each(DEARNESS)(
    'of %i more: a wallet with just what was quoted for it pays, and gets it back',
    async (gas, limit) => {
      const coin = await tokenOf('sender');
      await uses(coin, gas);
      const wallet = walletOf('sender', coin);
      const { paymentFee } = await goodOf(wallet.quote());
      expect(wei(paymentFee)).toBe((2n * 60_000n + limit + limit) * PRICE);
      const { terms } = world.agreed('2.5', coin);
      const dear = await world.two.payment(wallet, terms);
      expect(wei(dear.refundFee as DecimalText)).toBe(limit * PRICE);
      expect(madeOf(dear.tx_hex)?.gas).toBe(limit);
      wallet.release([dear]);
      const tight = await having(world.sender, wei(dear.fee) + limit * PRICE - 1n, () =>
        kindOf(wallet.prepare({ purpose: 'payment', terms, ...FIRST }, SWAP)),
      );
      expect(tight).toBe('insufficientFunds');
      await uses(coin, 0);
      await world.chain.give(world.sender, wei(paymentFee));
      const payment = await world.two.paid(wallet, terms);
      await uses(coin, gas);
      await world.chain.mineAt(terms.lock);
      const refund = await goodOf(wallet.prepare({ purpose: 'refund', terms, funding: payment, ...FIRST }, SWAP));
      expect(madeOf(refund.tx_hex)?.gas).toBe(limit);
      await goodOf(wallet.broadcast(refund));
      await world.chain.mine();
      await world.chain.give(world.sender, 50n * ETHER);
      expect((await goodOf(wallet.payment({ terms }))).spend?.how).toBe('refund');
      expect(await world.chain.tokensOf(coin.token.address, world.sender)).toBe(1_000_000_000n);
    },
  );

  it('has its trading fee moved with the gas for it, and quoted so', async () => {
    const coin = await tokenOf('sender');
    await uses(coin, 300_000);
    const wallet = walletOf('sender', coin);
    const { dexFeeFee } = await goodOf(wallet.quote());
    const fee = await world.two.fee(wallet);
    expect([wei(dexFeeFee), madeOf(fee.tx_hex)?.gas]).toEqual([420_000n * PRICE, 420_000n]);
    await goodOf(wallet.broadcast(fee));
    await world.chain.mine();
    expect(await goodOf(wallet.transaction(fee.tx_hash))).toMatchObject({ status: 'confirmed' });
    const cheap = await tokenOf('sender');
    expect(wei((await goodOf(walletOf('sender', cheap).quote())).dexFeeFee)).toBe(210_000n * PRICE);
  });

  const TRANSFER = `0x${transferCall('00'.repeat(20), 0n).slice(0, 8)}`;

  /** A node by which the token refuses such moves. */
  const refusing =
    (isRefused: (data: string) => boolean): Alter =>
    ({ method, params, answer }) => {
      const [call] = params as readonly { readonly data?: string }[];
      if (method === 'eth_call' && call?.data?.startsWith(TRANSFER) === true && isRefused(call.data))
        throw new NodeRefusal(3, 'execution reverted');
      return answer;
    };

  const ofNothing = (data: string) => /0{64}$/.test(data);
  const of = (owner: 'receiver' | 'contract', coin: Token) =>
    world.chain.mint(coin.token.address, owner === 'receiver' ? world.receiver : coin.contract, 7n);

  it.each<readonly [by: string, most: bigint, hold: (coin: Token) => Promise<void>, alter: Alter | undefined]>([
    ['a move of nothing and what writing takes, where nobody has any', 300_000n, async () => undefined, undefined],
    ['what the wallet has', 225_000n, (coin) => of('receiver', coin), refusing(ofNothing)],
    ['what the swap contract holds', 225_000n, (coin) => of('contract', coin), refusing(ofNothing)],
  ])('is measured by %s', async (_, most, hold, alter) => {
    const coin = await tokenOf();
    await hold(coin);
    const quoted = async () => wei((await goodOf(walletOf('receiver', coin, alter).quote())).spendFee) / PRICE;
    expect(await quoted()).toBe(150_000n);
    await uses(coin, 110_000);
    expect(await quoted()).toBe(most);
    await uses(coin, 180_000);
    expect(await quoted()).toBe(300_000n);
  });

  it('counts as the dearest if nothing shows what a move takes', async () => {
    const coin = await tokenOf();
    const { spendFee, paymentFee } = await goodOf(
      walletOf(
        'receiver',
        coin,
        refusing(() => true),
      ).quote(),
    );
    expect([wei(spendFee), wei(paymentFee)]).toEqual([450_000n * PRICE, (2n * 60_000n + 150_000n + 450_000n) * PRICE]);
  });

  describe('and a swap that reserves gas for its end', () => {
    it('keeps what that takes, as soon as a quote has shown it', async () => {
      const coin = await tokenOf('sender');
      await uses(coin, 180_000);
      const account = world.chain.account('receiver', { prices: STEADY });
      const wallet = world.two.wallet('receiver', { coin, prices: STEADY, account });
      wallet.hold({ swap: 'one', amount: '0' as DecimalText, fees: '0.000001' as DecimalText, ends: ['claim'] });
      expect(account.holds.wei({ price: PRICE })).toBe(150_000n * PRICE);
      await goodOf(wallet.quote());
      expect(account.holds.wei({ price: PRICE })).toBe(300_000n * PRICE);
    });
  });

  it('does not affect the chain’s own coin, whose claims with too low a limit count as they are sent', async () => {
    const quoted = async (gas: EvmCoin['gas']) => {
      const { spendFee } = await goodOf(walletOf('receiver', gas === undefined ? {} : { gas }).quote());
      return wei(spendFee) / PRICE;
    };
    expect([await quoted(undefined), await quoted({ claim: 33_000n }), await quoted({ claim: 70_000n })]).toEqual([
      65_000n,
      66_000n,
      70_000n,
    ]);
  });
});
