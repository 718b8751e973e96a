import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvmChain } from '../../../../src/chains/evm/adapter.ts';
import { Holds, type Told } from '../../../../src/chains/evm/holds.ts';
import { type Made, madeOf } from '../../../../src/chains/evm/transaction.ts';
import { transferCall } from '../../../../src/htlc/token-calls.ts';
import { type DecimalText, fromBaseUnits, toBaseUnits } from '../../../../src/primitives/decimal.ts';
import { addressOf, PRICES } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { ETHER, FIRST, goodOf, kindOf, SWAP, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

const TOKEN = 'ab'.repeat(20);
const OTHER = 'cd'.repeat(20);
const ofEther = (amount: bigint, fees = 0n, gas = 0n): Told => ({ token: null, amount, fees, gas });
const ofToken = (amount: bigint, fees: bigint, gas = 0n, token = TOKEN): Told => ({ token, amount, fees, gas });

describe('what swaps hold of an account', () => {
  it('is what the chain’s own coin reports, which includes the fees of its tokens', () => {
    const holds = new Holds();
    holds.set('one', 'ETH', ofEther(1000n, 300n));
    holds.set('one', 'TKN', ofToken(7n, 200n));
    expect([holds.wei({ price: 0n }), holds.tokens(TOKEN), holds.tokens(OTHER)]).toEqual([1000n, 7n, 0n]);
  });

  it('is only the fees of the tokens if that coin reports nothing, and the sum over all swaps', () => {
    const holds = new Holds();
    holds.set('one', 'TKN', ofToken(7n, 200n));
    holds.set('one', 'OTH', ofToken(5n, 30n, 0n, OTHER));
    holds.set('two', 'TKN', ofToken(2n, 4n));
    expect([holds.wei({ price: 0n }), holds.tokens(TOKEN), holds.tokens(OTHER)]).toEqual([234n, 9n, 5n]);
    expect([holds.wei({ price: 0n, except: 'one' }), holds.tokens(TOKEN, { except: 'one' })]).toEqual([4n, 2n]);
    expect(holds.heldTokens()).toEqual([TOKEN, OTHER]);
    holds.forget('TKN');
    expect([holds.wei({ price: 0n }), holds.heldTokens()]).toEqual([30n, [OTHER]]);
  });

  it('is as much as what ends a payment costs now, if prices have risen', () => {
    const holds = new Holds();
    holds.set('one', 'ETH', ofEther(1500n, 500n, 100n));
    expect([4n, 5n, 6n].map((price) => holds.wei({ price }))).toEqual([1500n, 1500n, 1600n]);
    holds.set('one', 'TKN', ofToken(0n, 200n, 50n));
    expect(holds.wei({ price: 6n })).toBe(1500n - 700n + 600n + 300n);
  });

  it('shrinks by what is signed since it was reported, until that is released, and never below the cost of the ends', () => {
    const holds = new Holds();
    holds.set('one', 'ETH', ofEther(1000n, 300n, 10n));
    holds.take('one', 'a', { wei: 600n, token: null, tokens: 0n });
    expect(holds.wei({ price: 1n })).toBe(400n);
    holds.take('one', 'b', { wei: 600n, token: null, tokens: 0n });
    expect(holds.wei({ price: 20n })).toBe(200n);
    holds.giveBack('b');
    holds.giveBack('a');
    expect(holds.wei({ price: 1n })).toBe(1000n);
    holds.take('nobody', 'c', { wei: 600n, token: null, tokens: 0n });
    expect(holds.wei({ price: 0n })).toBe(1000n);
    holds.set('one', 'ETH', ofEther(0n));
    expect(holds.wei({ price: 99n })).toBe(0n);
  });

  it('is never less than what a coin reports for the unsigned ends, whatever was signed', () => {
    const told = fc.record({ amount: fc.bigInt(0n, 900n), fees: fc.bigInt(0n, 90n), gas: fc.bigInt(0n, 9n) });
    fc.assert(
      fc.property(told, told, fc.bigInt(0n, 50n), fc.bigInt(0n, 2000n), (ether, token, price, wei) => {
        const holds = new Holds();
        holds.set('one', 'ETH', { token: null, ...ether });
        holds.set('one', 'TKN', { token: TOKEN, ...token });
        const before = holds.wei({ price });
        expect(before).toBeGreaterThanOrEqual(ether.amount);
        expect(before).toBeGreaterThanOrEqual(ether.fees + token.fees);
        holds.take('one', 'a', { wei, token: null, tokens: 0n });
        expect(holds.wei({ price })).toBeGreaterThanOrEqual((ether.gas + token.gas) * price);
        expect(holds.wei({ price })).toBeGreaterThanOrEqual(before - wei);
      }),
    );
  });
});

describeWith(ANVIL, 'an account whose swaps reserve what ends their payments', () => {
  let world: TwoWallets;
  const sender = addressOf('sender');
  const dec = (wei: bigint): DecimalText => fromBaseUnits(wei, 18);

  beforeAll(async () => {
    world = await TwoWallets.open();
  }, 60_000);
  afterAll(() => world?.chain.stop());

  const all = { to: addressOf('a friend'), amount: null, fee: null };
  /** Withdraws all that is free, and sees it confirmed. */
  const emptied = async (wallet: EvmChain): Promise<void> => {
    const { tx_hex } = await goodOf(wallet.withdraw(all));
    await goodOf(wallet.send(tx_hex));
    await world.chain.mine();
  };

  it('can refund a payment after everything free was withdrawn, even if prices have risen since', async () => {
    await world.chain.give(sender, 50n * ETHER);
    const account = world.chain.account('sender');
    const wallet = world.wallet('sender', { account });
    const { terms } = world.terms('1.5');
    const payment = await world.paid(wallet, terms);
    const refundFee = payment.refundFee as DecimalText;
    wallet.hold({ swap: SWAP.swap, amount: refundFee, fees: refundFee, ends: ['refund'] });
    await world.chain.request('anvil_setNextBlockBaseFeePerGas', ['0x2540be400']);
    await world.chain.mine();
    await emptied(wallet);
    expect(await world.chain.balance(sender)).toBeGreaterThan(2n * toBaseUnits(refundFee, 18));
    await world.chain.passTime(terms.lock);
    const refund = await world.make(wallet, { purpose: 'refund', terms, funding: payment, ...FIRST });
    expect(await goodOf(wallet.broadcast(refund))).toBe('sent');
    await world.chain.mine();
    expect((await goodOf(wallet.payment({ terms }))).spend?.how).toBe('refund');
  });

  it('keeps the gas of a token swap, even if no swap uses its own coin', async () => {
    await world.chain.give(sender, 50n * ETHER);
    const address = await world.chain.token({ decimals: 6 }, { sender: 9_000_000n });
    const coin = { coin: 'TKN', decimals: 6, token: { address, platform: 'ETH' } };
    const account = world.chain.account('sender');
    const [ether, tokens] = [world.wallet('sender', { account }), world.wallet('sender', { account, coin })];
    tokens.hold({ swap: SWAP.swap, amount: '4' as DecimalText, fees: dec(7n * ETHER) });
    await emptied(ether);
    expect(await world.chain.balance(sender)).toBeGreaterThanOrEqual(7n * ETHER);
    expect(await kindOf(ether.withdraw({ ...all, amount: 1n }))).toBe('insufficientFunds');
    tokens.leave();
    expect(await kindOf(ether.withdraw({ ...all, amount: 1n }))).toBe('ok');
  });

  it('spends no tokens that swaps hold for bytes sent through another of its coins', async () => {
    await world.chain.give(sender, 50n * ETHER);
    const address = await world.chain.token({ decimals: 6 }, { sender: 9_000_000n });
    const coin = { coin: 'TKN', decimals: 6, token: { address, platform: 'ETH' } };
    const account = world.chain.account('sender');
    const [ether, tokens] = [world.wallet('sender', { account }), world.wallet('sender', { account, coin })];
    tokens.hold({ swap: SWAP.swap, amount: '4' as DecimalText });
    const price = { most: 40n * 10n ** 9n, tip: 10n ** 9n };
    const moving = async (units: bigint): Promise<Made> => {
      const nonce = Number(await world.chain.request('eth_getTransactionCount', [`0x${sender}`, 'latest']));
      const data = transferCall(addressOf('a friend'), units);
      return account.signOnly({ nonce, to: address, value: 0n, data, gas: 100_000n, price }, { legacy: false });
    };
    expect(await kindOf(ether.send((await moving(5_000_001n)).hex))).toBe('coinsPromised');
    expect(await kindOf(ether.send((await moving(5_000_000n)).hex))).toBe('ok');
  });

  it('pays nothing that it could not pay to refund', async () => {
    const account = world.chain.account('sender', { prices: { ...PRICES, kind: 'legacy', tip: 20n * 10n ** 9n } });
    const wallet = world.wallet('sender', { account });
    const { terms } = world.terms('1');
    const gas = 65_000n * 20n * 10n ** 9n;
    const back = 100_000n * 20n * 10n ** 9n;
    const ask = () => wallet.prepare({ purpose: 'payment', terms, ...FIRST }, SWAP);
    await world.chain.give(sender, ETHER + gas + back - 1n);
    expect(await kindOf(ask())).toBe('insufficientFunds');
    await world.chain.give(sender, ETHER + gas + back);
    expect(await goodOf(ask())).toMatchObject({ fee: dec(gas), refundFee: dec(back) });
  });

  it('keeps what a signed claim takes, that of its newest variant, and as much as the current price needs', async () => {
    await world.chain.give(sender, 50n * ETHER);
    const [from, account] = [world.wallet('sender'), world.chain.account('receiver')];
    const to = world.wallet('receiver', { account });
    const { secret, terms } = world.terms('1.5');
    const funding = await world.paid(from, terms);
    const asked = { purpose: 'claim', terms, funding, secret, urgency: 0 } as const;
    const first = await world.make(to, { ...asked, replaces: null });
    const raised = await world.make(to, { ...asked, urgency: 3, replaces: first });
    const leftAfter = async () => {
      const { spent } = await goodOf(to.withdraw(all));
      return (await world.chain.balance(addressOf('receiver'))) - toBaseUnits(spent, 18);
    };
    expect(await leftAfter()).toBe(toBaseUnits(raised.fee, 18));
    await world.chain.request('anvil_setNextBlockBaseFeePerGas', [`0x${(300n * 10n ** 9n).toString(16)}`]);
    await world.chain.mine();
    // Twice the base fee and the tip, for the gas of the newest variant.
    expect(await leftAfter()).toBe((602n * 10n ** 9n * 65_000n * 5n) / 2n);
  });

  it('keeps from a new payment what raising a signed claim to the needed fee takes', async () => {
    await world.chain.give(sender, 50n * ETHER);
    const [from, account] = [world.wallet('sender'), world.chain.account('receiver')];
    const to = world.wallet('receiver', { account });
    const { secret, terms } = world.terms('1.5');
    const funding = await world.paid(from, terms);
    const claim = await world.make(to, { purpose: 'claim', terms, funding, secret, urgency: 0, replaces: null });
    await world.chain.request('anvil_setNextBlockBaseFeePerGas', [`0x${(300n * 10n ** 9n).toString(16)}`]);
    await world.chain.mine();
    const own = world.terms('1').terms;
    const back = { ...own, sender: own.receiver, receiver: own.sender };
    const asked = (amount: bigint) =>
      to.prepare({ purpose: 'payment', terms: { ...back, amount: fromBaseUnits(amount, 18) }, ...FIRST }, SWAP);
    const tried = await goodOf(asked(ETHER));
    to.release([tried]);
    const fees = toBaseUnits(tried.fee, 18) + toBaseUnits(tried.refundFee as DecimalText, 18);
    const dear = 602n * 10n ** 9n * BigInt(madeOf(claim.tx_hex)?.gas ?? 0n);
    const rest = (await world.chain.balance(addressOf('receiver'))) - fees - dear;
    expect(await kindOf(asked(rest + 1n))).toBe('coinsPromised');
    expect(await kindOf(asked(rest))).toBe('ok');
  });
});
