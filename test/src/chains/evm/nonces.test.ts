import { afterAll, beforeAll, expect, it } from 'vitest';
import { AnswerTooLong } from '../../../../src/chains/accounts/silence.ts';
import { madeOf } from '../../../../src/chains/evm/transaction.ts';
import { type Alter, addressOf, CHAIN_ID, PRICES } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { FIRST, goodOf, kindOf, SWAP, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

const GWEI = 10n ** 9n;

type Base = { readonly baseFeePerGas: string };

describeWith(ANVIL, 'the nonces of an account', () => {
  let world: TwoWallets;
  const sender = addressOf('sender');

  beforeAll(async () => {
    world = await TwoWallets.open();
  }, 60_000);
  afterAll(() => world?.chain.stop());

  const nonceOf = (spends: readonly string[]): number => Number(spends[0]?.split(':')[1]);
  const used = async () =>
    Number(await world.chain.request('eth_getTransactionCount', [`0x${sender}`, 'latest'])) as number;

  it('continue after those that the chain has used, one by one, for all coins of one account', async () => {
    const account = world.chain.account('sender');
    const address = await world.chain.token({ decimals: 6 }, { sender: 1_000_000n });
    const coin = { coin: 'TKN', decimals: 6, token: { address, platform: 'ETH' } };
    const [ether, tokens] = [world.wallet('sender', { account }), world.wallet('sender', { account, coin })];
    const next = await used();
    const made = await Promise.all([
      world.fee(ether),
      world.payment(tokens, world.terms('0.5', coin).terms),
      world.fee(tokens),
      world.fee(ether),
    ]);
    // A payment of tokens has its approval before it.
    expect(made.map(({ spends }) => nonceOf(spends))).toEqual([next, next + 2, next + 3, next + 4]);
    for (const one of made) expect(await goodOf(ether.broadcast(one))).toBe('sent');
    await world.chain.mine();
    expect(await used()).toBe(next + 5);
    for (const { tx_hash } of made) expect((await goodOf(ether.transaction(tx_hash))).status).toBe('confirmed');
  });

  it('used by another process with the key are reported as conflicted, with their depth, and are not reused', async () => {
    const [own, other] = [world.wallet('sender'), world.wallet('sender')];
    const { terms } = world.terms('0.5');
    const payment = await world.payment(own, terms);
    const stolen = await world.fee(other, 77n);
    expect(stolen.spends).toEqual(payment.spends);
    await goodOf(other.broadcast(stolen));
    for (const depth of [1, 2, 3, 4]) {
      await world.chain.mine();
      expect(await goodOf(own.transaction(payment.tx_hash))).toEqual({ status: 'conflicted', confirmations: depth });
    }
    expect(await kindOf(own.broadcast(payment))).toBe('nonceUsed');
    expect(await kindOf(own.prepare({ purpose: 'void', target: payment, urgency: 0 }, SWAP))).toBe('nonceUsed');
    const again = await world.make(own, { purpose: 'payment', terms, urgency: 1, replaces: payment });
    expect(nonceOf(again.spends)).toBe(nonceOf(payment.spends) + 1);
    await goodOf(own.broadcast(again));
    await world.chain.mine();
    expect((await goodOf(own.payment({ terms }))).funding?.tx.tx_hash).toBe(again.tx_hash);
  });

  it('used in a block that is too long to be read block no new transaction and can still be known', async () => {
    const tooLong: Alter = ({ method, params, answer }) => {
      if (method === 'eth_getBlockByNumber' && params[1] === true)
        throw new AnswerTooLong('the answer is longer than is read');
      return answer;
    };
    const reader = world.chain.reader(undefined, tooLong);
    const [from, to] = [world.wallet('sender'), world.wallet('receiver', { reader })];
    const { terms, secret } = world.terms('0.5');
    const funding = await world.paid(from, terms);
    const request = { purpose: 'claim', terms, funding, secret } as const;
    const claim = await world.make(to, { ...request, ...FIRST });
    await goodOf(world.wallet('receiver').broadcast(await world.fee(world.wallet('receiver'), 77n)));
    await world.chain.mine();
    expect(await goodOf(to.transaction(claim.tx_hash))).toEqual({ status: 'conflicted', confirmations: 1 });
    expect(await kindOf(to.broadcast(claim))).toBe('nonceUsed');
    const again = await world.make(to, { ...request, urgency: 1, replaces: claim });
    await goodOf(to.broadcast(again));
    await world.chain.mine();
    expect((await goodOf(from.payment({ terms }))).spend).toMatchObject({ how: 'secret', secret });
    // Even if no index knows it: the ids of a block do.
    const lagging: Alter = (said) =>
      ['eth_getTransactionByHash', 'eth_getTransactionReceipt'].includes(said.method) ? null : tooLong(said);
    const account = world.chain.account('receiver', { reader: world.chain.reader(undefined, lagging) });
    const late = world.wallet('receiver', { account });
    late.reserve([again]);
    expect(await goodOf(late.broadcast(again))).toBe('confirmed');
  });

  it('that wait at a node for another process are not assigned', async () => {
    const [own, other] = [world.wallet('sender'), world.wallet('sender')];
    const foreign = await world.fee(other);
    await goodOf(other.broadcast(foreign));
    expect(nonceOf((await world.fee(own)).spends)).toBe(nonceOf(foreign.spends) + 1);
    await world.chain.mine();
  });

  it('of a payment that a reorganization removes stay its own, and it is sent again', async () => {
    const wallet = world.wallet('sender');
    const { terms } = world.terms('0.5');
    const payment = await world.paid(wallet, terms);
    await world.chain.mine();
    expect((await goodOf(wallet.payment({ terms }))).funding?.confirmations).toBe(2);
    await world.chain.request('anvil_reorg', [2, []]);
    const { funding } = await goodOf(wallet.payment({ terms }));
    const { status } = await goodOf(wallet.transaction(payment.tx_hash));
    expect([funding, status]).toEqual([null, 'unknown']);
    expect((await world.fee(wallet)).spends).not.toEqual(payment.spends);
    expect(await goodOf(wallet.broadcast(payment))).toBe('sent');
    await world.chain.mine();
    expect((await goodOf(wallet.payment({ terms }))).funding?.confirmations).toBe(1);
  });

  it('of a claim that a reorganization removes: the spend is no longer reported, until it is there again', async () => {
    const [from, to] = [world.wallet('sender'), world.wallet('receiver')];
    const { terms, secret } = world.terms('0.5');
    const funding = await world.paid(from, terms);
    const claim = await world.make(to, { purpose: 'claim', terms, funding, secret, ...FIRST });
    await goodOf(to.broadcast(claim));
    await world.chain.mine();
    expect((await goodOf(from.payment({ terms }))).spend?.secret).toBe(secret);
    await world.chain.request('anvil_reorg', [1, []]);
    expect((await goodOf(from.payment({ terms }))).spend).toBeNull();
    await goodOf(to.broadcast(claim));
    await world.chain.mine();
    expect((await goodOf(from.payment({ terms }))).spend).toMatchObject({ how: 'secret', secret, confirmations: 1 });
  });

  it('of what a node has dropped stay taken, and it is sent again', async () => {
    const wallet = world.wallet('sender');
    const fee = await world.fee(wallet);
    await goodOf(wallet.broadcast(fee));
    await world.chain.request('anvil_dropTransaction', [`0x${fee.tx_hash}`]);
    expect((await goodOf(wallet.transaction(fee.tx_hash))).status).toBe('unknown');
    expect((await world.fee(wallet)).spends).not.toEqual(fee.spends);
    expect(await goodOf(wallet.broadcast(fee))).toBe('sent');
    await world.chain.mine();
    expect((await goodOf(wallet.transaction(fee.tx_hash))).status).toBe('confirmed');
  });

  it('are used up by a call that runs out of gas: it is reported as reverted, and one with more gas takes effect', async () => {
    const from = world.wallet('sender');
    const to = world.wallet('receiver', { coin: { gas: { claim: 33_000n } } });
    const { terms, secret } = world.terms('0.5');
    const funding = await world.paid(from, terms);
    const common = { purpose: 'claim', terms, funding, secret } as const;
    // Of a claim that cannot wait it is not tried first what it takes.
    const claim = await world.make(to, { ...common, doubtful: true, ...FIRST });
    await goodOf(to.broadcast(claim));
    await world.chain.mine();
    expect(await goodOf(to.transaction(claim.tx_hash))).toMatchObject({ status: 'reverted', confirmations: 1 });
    expect((await goodOf(from.payment({ terms }))).spend).toBeNull();
    const again = await world.make(to, { ...common, urgency: 1, replaces: claim });
    expect(again.spends).not.toEqual(claim.spends);
    await goodOf(to.broadcast(again));
    await world.chain.mine();
    expect((await goodOf(from.payment({ terms }))).spend?.tx?.tx_hash).toBe(again.tx_hash);
  });

  it('are filled if no transaction has them, only after every coin of the account has reported what it had signed', async () => {
    const before = world.wallet('sender');
    const [lost, kept] = [await world.fee(before), await world.fee(before)];
    const account = world.chain.account('sender');
    const [one, two] = [world.wallet('sender', { account }), world.wallet('sender', { account })];
    one.reserve([kept]);
    one.resumed();
    expect(await kindOf(one.broadcast(kept))).toBe('nonceGap');
    await world.chain.mine();
    expect((await goodOf(one.transaction(kept.tx_hash))).status).toBe('mempool');
    two.reserve([lost]);
    two.resumed();
    expect(await goodOf(two.broadcast(lost))).toBe('sent');
    await world.chain.mine();
    for (const { tx_hash } of [lost, kept]) expect((await goodOf(one.transaction(tx_hash))).status).toBe('confirmed');
  });

  it('that are given back below others are filled, at a price that follows the chain’s', async () => {
    const wallet = world.wallet('sender', { prices: { ...PRICES, tip: 2n * GWEI } });
    wallet.resumed();
    const [first, second] = [await world.fee(wallet), await world.fee(wallet)];
    wallet.release([first]);
    await goodOf(wallet.quote());
    await world.chain.request('anvil_setNextBlockBaseFeePerGas', ['0x2540be4000']);
    await world.chain.mine();
    // The base fee has risen: neither the filler nor what waits for it is taken any more.
    const dear = await world.make(wallet, { purpose: 'fee', feeSat: 1n, burnSat: 0n, urgency: 3, replaces: second });
    await wallet.broadcast(dear);
    await world.chain.mine(40);
    expect((await goodOf(wallet.transaction(dear.tx_hash))).status).toBe('confirmed');
    expect((await goodOf(wallet.transaction(first.tx_hash))).status).toBe('conflicted');
    expect((await goodOf(wallet.transaction(second.tx_hash))).status).toBe('conflicted');
  });

  it('are signed for this chain alone', async () => {
    const wallet = world.wallet('sender');
    const fee = await world.fee(wallet);
    expect(madeOf(fee.tx_hex)?.chainId).toBe(CHAIN_ID);
    const elsewhere = world.chain.account('sender', { chainId: 1 });
    const foreign = world.wallet('sender', { account: elsewhere });
    expect(await kindOf(foreign.quote())).toBe('unavailable');
    expect(await kindOf(foreign.prepare({ purpose: 'fee', feeSat: 1n, burnSat: 0n, ...FIRST }, SWAP))).toBe(
      'unavailable',
    );
  });

  it('cost no more than the ceiling, and what it cannot buy is refused with the least sufficient price', async () => {
    const tight = world.wallet('sender', { prices: { ...PRICES, tip: 1n, ceiling: 5n } });
    await world.chain.request('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca00']);
    await world.chain.mine();
    const answer = await tight.prepare({ purpose: 'fee', feeSat: 1n, burnSat: 0n, ...FIRST }, SWAP);
    expect(answer.ok ? null : [answer.fault.kind, Number(answer.fault.leastFee) > 21_000 * 1e-9]).toEqual([
      'feeTooLow',
      true,
    ]);
    // Nor does any swap begin, whose claim could not be paid for either.
    const [tightQuote, enough] = [await tight.quote(), world.wallet('sender', { prices: PRICES })];
    expect(tightQuote.ok ? null : tightQuote.fault).toMatchObject({
      kind: 'feeTooLow',
      message: expect.stringMatching(/^a unit of gas costs \S+ gwei at least now, and max_gas_price .* 0\.000000005: /),
    });
    expect(await kindOf(enough.quote())).toBe('ok');
    const { baseFeePerGas } = (await world.chain.request('eth_getBlockByNumber', ['latest', false])) as Base;
    // A base fee rises by an eighth at the most, and the tip is one wei at least.
    const least = (BigInt(baseFeePerGas) * 9n) / 8n + 2n;
    const kindAt = (ceiling: bigint) => kindOf(world.wallet('sender', { prices: { ...PRICES, ceiling } }).quote());
    expect([await kindAt(least - 1n), await kindAt(least)]).toEqual(['feeTooLow', 'ok']);
    expect(await kindOf(tight.balances())).toBe('ok');
  });
});
