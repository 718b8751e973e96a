import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { EvmCoin } from '../../../../src/chains/evm/coin.ts';
import type { StoredTransaction } from '../../../../src/events/payloads.ts';
import { decodeRewardCall } from '../../../../src/htlc/evm-reward-calls.ts';
import { decodeEvmTransaction } from '../../../../src/htlc/evm-transaction.ts';
import type { RewardRole } from '../../../../src/htlc/reward-role.ts';
import type { PreparedTransaction } from '../../../../src/ports/chain.ts';
import { type DecimalText, toBaseUnits } from '../../../../src/primitives/decimal.ts';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import { addressOf } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { ETHER, FIRST, goodOf, kindOf, SWAP, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

const REWARDS = { rewards: true };
/** Most of what gas costs is the base fee, as on busy chains. */
const DAY = 20n * 10n ** 9n;

describeWith(ANVIL, 'a watcher of an account, by the balances that the node reports', () => {
  let world: TwoWallets;
  const names = ['sender', 'receiver', 'stranger'] as const;

  beforeAll(async () => {
    world = await TwoWallets.open();
  }, 60_000);
  beforeEach(async () => {
    await atPrice(DAY);
    for (const name of names) await world.chain.give(addressOf(name), 50n * ETHER);
  });
  afterAll(() => world?.chain.stop());

  const atPrice = async (wei: bigint) => {
    await world.chain.request('anvil_setNextBlockBaseFeePerGas', [`0x${wei.toString(16)}`]);
    await world.chain.mine();
  };
  const gasPaid = async ({ tx_hash }: StoredTransaction) => {
    const receipt = (await world.chain.request('eth_getTransactionReceipt', [`0x${tx_hash}`])) as {
      readonly gasUsed: string;
      readonly effectiveGasPrice: string;
    };
    return BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  };
  /** What each has beyond the start, with what its transactions cost it in gas. */
  const gains = async (made: Readonly<Partial<Record<(typeof names)[number], StoredTransaction>>>) => {
    const found: Record<string, bigint> = {};
    for (const name of names) {
      const transaction = made[name];
      const gas = transaction === undefined ? 0n : await gasPaid(transaction);
      found[name] = (await world.chain.balance(addressOf(name))) - 50n * ETHER + gas;
    }
    return found;
  };
  const promised = ({ tx_hex }: PreparedTransaction) => {
    const made = decodeEvmTransaction(hexToBytes(tx_hex));
    const call = made === undefined ? undefined : decodeRewardCall(made);
    if (call === undefined) throw new Error('no payment with a reward');
    return call.reward;
  };

  type Paying = { readonly role: RewardRole; readonly amount?: string; readonly coin?: Partial<EvmCoin> };
  const paid = async (
    { role, amount = '1.000000000000000007', coin = {} }: Paying,
    reward: DecimalText | null = null,
  ) => {
    const { terms: plain, secret } = world.terms(amount, coin);
    const terms = { ...plain, reward: role };
    const sender = world.wallet('sender', { coin: { ...REWARDS, ...coin } });
    const funding = await world.make(sender, { purpose: 'payment', terms, reward, ...FIRST });
    await goodOf(sender.broadcast(funding));
    await world.chain.mine();
    return { terms, secret, funding };
  };
  const acts = async (request: Parameters<TwoWallets['make']>[1], coin: Partial<EvmCoin> = {}) => {
    const watcher = world.wallet('stranger', { coin: { ...REWARDS, ...coin } });
    const call = await world.make(watcher, request);
    await goodOf(watcher.broadcast(call));
    await world.chain.mine();
    return call;
  };

  // By the table of rewards in docs/reference/swap-contract.md.
  const MAKERS = [
    ['of two accounts', { leg: 'maker', otherPays: true }, { target: 0, onClaim: true }],
    ['against outputs', { leg: 'maker', otherPays: false }, { target: 3, onClaim: false }],
  ] as const;
  const TAKERS = [
    ['of two accounts', { leg: 'taker', otherPays: true }, { target: 1, onClaim: false }],
    ['against outputs', { leg: 'taker', otherPays: false }, { target: 2, onClaim: false }],
  ] as const;
  const OWED = 1_000_000_000_000_000_007n;

  it.each(MAKERS)('claims what a maker paid in a swap %s, and gets the reward for it', async (_, role, promise) => {
    const { terms, secret, funding } = await paid({ role });
    const reward = promised(funding);
    expect(reward).toMatchObject(promise);
    const call = await acts({ purpose: 'claimFor', terms, funding, secret, ...FIRST });
    expect(await gains({ sender: funding, stranger: call })).toEqual({
      sender: -OWED - reward.amount,
      receiver: OWED,
      stranger: reward.amount,
    });
    expect(await world.chain.balance(world.chain.contract)).toBe(0n);
  });

  it.each(TAKERS)('refunds what a taker paid in a swap %s, and gets the reward for it', async (_, role, promise) => {
    const { terms, funding } = await paid({ role });
    const reward = promised(funding);
    expect(reward).toMatchObject(promise);
    await world.chain.mineAt(terms.lock);
    const call = await acts({ purpose: 'refundFor', terms, funding, ...FIRST });
    expect(await gains({ sender: funding, stranger: call })).toEqual({
      sender: -reward.amount,
      receiver: 0n,
      stranger: reward.amount,
    });
    expect(await world.chain.balance(world.chain.contract)).toBe(0n);
  });

  it('claims tokens to the last unit, and has its reward in ether', async () => {
    const address = await world.chain.token({ decimals: 6 }, { sender: 9_000_000n });
    const coin = { coin: 'TKN', decimals: 6, token: { address, platform: 'ETH' } };
    for (const [, role] of MAKERS) {
      for (const name of names) await world.chain.give(addressOf(name), 50n * ETHER);
      const before = await world.chain.tokensOf(address, addressOf('receiver'));
      const { terms, secret, funding } = await paid({ role, amount: '2.500007', coin });
      const reward = promised(funding);
      expect(reward).toMatchObject({ target: 0, onClaim: true });
      const call = await acts({ purpose: 'claimFor', terms, funding, secret, ...FIRST }, coin);
      expect((await gains({ stranger: call })).stranger).toBe(reward.amount);
      expect(await world.chain.tokensOf(address, addressOf('receiver'))).toBe(before + 2_500_007n);
    }
    expect(await world.chain.balance(world.chain.contract)).toBe(0n);
  });

  it('makes no call whose gas costs more than the reward, unless ordered to', async () => {
    const [, role] = MAKERS[1];
    const { terms, secret, funding } = await paid({ role });
    const { amount } = promised(funding);
    const request = { purpose: 'claimFor', terms, funding, secret, ...FIRST } as const;
    const watcher = world.wallet('stranger', { coin: REWARDS });
    // A claim uses more than fifty thousand: at this price that is twice the reward.
    const dear = (amount * 2n) / 50_000n;
    await atPrice(dear);
    const answer = await watcher.prepare(request, SWAP);
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'feeTooLow' } });
    const least = answer.ok ? '0' : (answer.fault.leastFee ?? '0');
    expect(toBaseUnits(least as DecimalText, 18)).toBeGreaterThan(2n * amount);
    expect(await kindOf(watcher.prepare({ ...request, unpaid: true }, SWAP))).toBe('ok');
    // With a tip of two gwei above the base fee, to the wei of its price.
    const tip = 2n * 10n ** 9n;
    const gas = toBaseUnits(least as DecimalText, 18) / (dear + tip);
    const paying = amount / gas - tip;
    await atPrice(paying + 1n);
    expect(await kindOf(watcher.prepare(request, SWAP))).toBe('feeTooLow');
    await atPrice(paying);
    expect(await kindOf(watcher.prepare(request, SWAP))).toBe('ok');
    await atPrice(DAY);
  });

  it.each([
    ['too little', '0.000000000000000001', 1n, 2n],
    ['too much', '25', 2n, 1n],
  ] as const)('is promised half to twice the cost of gas, if %s is asked for', async (_, asked, times, parts) => {
    const role = { leg: 'maker', otherPays: true } as const;
    const base = promised((await paid({ role })).funding).amount;
    await atPrice(DAY);
    const found = promised((await paid({ role }, asked as DecimalText)).funding).amount;
    // Seventy thousand gas at twice the base fee and a tip of two gwei.
    expect(base).toBe(70_000n * (2n * DAY + 2n * 10n ** 9n));
    expect(found).toBe((base * times + parts - 1n) / parts);
  });
});
