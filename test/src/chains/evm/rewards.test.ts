import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EvmCoin } from '../../../../src/chains/evm/coin.ts';
import type { StoredTransaction } from '../../../../src/events/payloads.ts';
import { contractSwapId, NO_TOKEN } from '../../../../src/htlc/evm-calls.ts';
import { encodeRewardCall, type Reward } from '../../../../src/htlc/evm-reward-calls.ts';
import { approvalCall } from '../../../../src/htlc/token-calls.ts';
import type { PaymentTerms } from '../../../../src/ports/chain.ts';
import { toBaseUnits } from '../../../../src/primitives/decimal.ts';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import { addressOf } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { FIRST, goodOf, kindOf, SWAP, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

const PRICE = { most: 100n * 10n ** 9n, tip: 2n * 10n ** 9n };
const REWARD = 140_000_000_000_007n;
/** Wallets of a coin whose swap contract is known to part payments as it should. */
const PAYING = { coin: { rewards: true } };

describeWith(ANVIL, 'payments that promise a reward', () => {
  let world: TwoWallets;
  const [sender, receiver] = [addressOf('sender'), addressOf('receiver')];

  beforeAll(async () => {
    world = await TwoWallets.open();
  }, 60_000);
  afterAll(() => world?.chain.stop());

  type Call = { readonly to: string; readonly value: bigint; readonly data: string };
  /** Signs and sends a call by the tests' own hands, in a block of its own. */
  const act = async (name: string, { mined = true, ...call }: Call & { readonly mined?: boolean }) => {
    const account = world.chain.account(name);
    const look = await account.reader.look();
    const [nonce] = (await account.freeNonces(look, 1)) as [number];
    const made = await account.sign({ ...call, nonce, gas: 400_000n, price: PRICE }, { legacy: false });
    expect(await account.reader.send(made.hex)).toBeNull();
    if (mined) await world.chain.mine();
    return { tx_hex: made.hex, tx_hash: made.id };
  };
  type Paying = { readonly terms: PaymentTerms; readonly reward: Reward; readonly amount: bigint };
  const promise = ({ terms, reward, amount }: Paying, { token = NO_TOKEN, value = amount } = {}) => ({
    to: world.chain.contract,
    value,
    data: encodeRewardCall({
      ...{ kind: 'payment', swapId: contractSwapId(terms.lock, hexToBytes(terms.secretHash)) },
      ...{ amount, token, sender: null, receiver, secretHash: terms.secretHash, secret: null },
      lockTime: BigInt(terms.lock),
      reward,
    }),
  });
  const owed = (terms: PaymentTerms, coin: Partial<EvmCoin> = {}) => toBaseUnits(terms.amount, coin.decimals ?? 18);
  const gasPaid = async ({ tx_hash }: StoredTransaction) => {
    const receipt = (await world.chain.request('eth_getTransactionReceipt', [`0x${tx_hash}`])) as {
      readonly gasUsed: string;
      readonly effectiveGasPrice: string;
    };
    return BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  };

  /** With what the receiver gets on its own claim, beyond what it is owed; and what is part of the payment. */
  const KINDS = [
    ['to nobody', { target: 0, onClaim: false, amount: REWARD }, 0n, 0n],
    ['of the contract, sent on a claim', { target: 0, onClaim: true, amount: REWARD }, REWARD, REWARD],
    ['to the contract', { target: 1, onClaim: false, amount: REWARD }, 0n, REWARD],
    ['to the sender', { target: 2, onClaim: false, amount: REWARD }, 0n, REWARD],
    ['to whoever claims', { target: 3, onClaim: false, amount: REWARD }, REWARD, REWARD],
  ] as const;

  it.each(KINDS)(
    '%s: are those of the terms, and the receiver gets exactly the wei that it is owed',
    async (_, reward, beyond, part) => {
      const { terms, secret } = world.terms('1.000000000000000007');
      const to = world.wallet('receiver', PAYING);
      const funding = await act('sender', promise({ terms, reward, amount: owed(terms) + part }));
      const { problem, funding: seen } = await goodOf(to.payment({ terms, claimed: funding.tx_hex }));
      expect([problem, seen?.confirmations]).toEqual([null, 1]);
      const before = await world.chain.balance(receiver);
      const claim = await world.make(to, { purpose: 'claim', terms, funding, secret, ...FIRST });
      await goodOf(to.broadcast(claim));
      await world.chain.mine();
      const got = (await world.chain.balance(receiver)) - before + (await gasPaid(claim));
      expect(got).toBe(owed(terms) + beyond);
      expect((await goodOf(world.wallet('sender', PAYING).payment({ terms }))).spend).toMatchObject({
        how: 'secret',
        secret,
      });
    },
  );

  it.each(KINDS)('%s: return whole to a sender that refunds them itself', async (_, reward, __, part) => {
    const { terms } = world.terms('0.5');
    const from = world.wallet('sender', PAYING);
    const funding = await act('sender', promise({ terms, reward, amount: owed(terms) + part }));
    await world.chain.mineAt(terms.lock);
    const before = await world.chain.balance(sender);
    // The log of another node may know the payment by its id alone.
    const refund = await world.make(from, { purpose: 'refund', terms, funding: { ...funding, tx_hex: '' }, ...FIRST });
    await goodOf(from.broadcast(refund));
    await world.chain.mine();
    expect((await world.chain.balance(sender)) - before + (await gasPaid(refund))).toBe(owed(terms) + part);
    expect((await goodOf(from.payment({ terms }))).spend?.how).toBe('refund');
  });

  it.each([
    ['takes the reward out of what is owed', { target: 3, onClaim: false, amount: REWARD }, 0n],
    ['pays less beside the reward', { target: 2, onClaim: false, amount: REWARD }, REWARD - 1n],
    ['pays a reward that is none', { target: 3, onClaim: false, amount: 0n }, 0n],
    ['pays a reward beyond all prices', { target: 2, onClaim: false, amount: 10n ** 19n }, 10n ** 19n],
    ['promises it twice', { target: 1, onClaim: true, amount: REWARD }, REWARD],
  ] as const)('are not those of the terms if the payer %s', async (_, reward, part) => {
    const { terms } = world.terms('0.5');
    const payment = await act('sender', promise({ terms, reward, amount: owed(terms) + part }));
    const view = await goodOf(world.wallet('receiver', PAYING).payment({ terms, claimed: payment.tx_hex }));
    expect([view.funding?.tx.tx_hash, view.problem === null]).toEqual([payment.tx_hash, false]);
  });

  it('show the sender a waiting claim, whoever made it, and a foreign claim stops no receiver', async () => {
    const { terms, secret } = world.terms('0.5');
    const reward = { target: 3, onClaim: false, amount: REWARD };
    const amount = owed(terms) + REWARD;
    const funding = await act('sender', promise({ terms, reward, amount }));
    const swapId = contractSwapId(terms.lock, hexToBytes(terms.secretHash));
    const parties = { token: NO_TOKEN, sender, receiver, secretHash: null, lockTime: null, secret };
    const claimed = (promised: Reward) => ({
      to: world.chain.contract,
      value: 0n,
      data: encodeRewardCall({ kind: 'claim', swapId, amount, ...parties, reward: promised }),
      mined: false,
    });
    const [from, to] = [world.wallet('sender', PAYING), world.wallet('receiver', PAYING)];
    const vain = await act('stranger', claimed({ ...reward, target: 2 }));
    expect((await goodOf(from.payment({ terms }))).spend).toBeNull();
    await world.chain.request('anvil_dropTransaction', [`0x${vain.tx_hash}`]);
    const good = await act('stranger', claimed(reward));
    expect((await goodOf(from.payment({ terms }))).spend).toMatchObject({ how: 'secret', secret, confirmations: 0 });
    expect((await goodOf(to.payment({ terms }))).spend).toBeNull();
    const claim = to.prepare({ purpose: 'claim', terms, funding, secret, ...FIRST }, SWAP);
    expect(await kindOf(claim)).toBe('ok');
    await world.chain.mine();
    expect((await goodOf(to.payment({ terms }))).spend).toMatchObject({
      tx: { tx_hash: good.tx_hash },
      confirmations: 1,
    });
  });

  it.each([
    ['ether beside them', { target: 2, onClaim: false, amount: REWARD }, 0n, REWARD],
    ['tokens', { target: 3, onClaim: false, amount: 12_345n }, 12_345n, 0n],
  ] as const)('of tokens have it in %s, and are claimed to the last base unit', async (_, reward, part, value) => {
    const address = await world.chain.token({ decimals: 6 }, { sender: 9_000_000n });
    const coin = { coin: 'TKN', decimals: 6, rewards: true, token: { address, platform: 'ETH' } };
    const { terms, secret } = world.terms('2.5', coin);
    const amount = owed(terms, coin) + part;
    await act('sender', { to: address, value: 0n, data: approvalCall(world.chain.contract, amount) });
    const funding = await act('sender', promise({ terms, reward, amount }, { token: address, value }));
    const to = world.wallet('receiver', { coin });
    expect((await goodOf(to.payment({ terms }))).problem).toBeNull();
    const claim = await world.make(to, { purpose: 'claim', terms, funding, secret, ...FIRST });
    await goodOf(to.broadcast(claim));
    await world.chain.mine();
    expect(await world.chain.tokensOf(address, receiver)).toBe(owed(terms, coin) + part);
  });
});
