import { numberToHex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import { AnswerTooLong } from '../../../../src/chains/accounts/silence.ts';
import { createEvmQuorumReader } from '../../../../src/chains/evm/quorum-reader.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { type Alter, addressOf } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { ETHER, FIRST, goodOf, kindOf, SWAP, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

describeWith(ANVIL, 'the view of a payment on an EVM chain', () => {
  let world: TwoWallets;

  beforeAll(async () => {
    world = await TwoWallets.open();
  }, 60_000);
  afterAll(() => world?.chain.stop());

  it('shows no refund that waits: it may revert, and stops no claim', async () => {
    const [from, to] = [world.wallet('sender'), world.wallet('receiver')];
    const { terms, secret } = world.terms('0.5');
    const funding = await world.paid(from, terms);
    const refund = await world.make(from, { purpose: 'refund', terms, funding, ...FIRST });
    await goodOf(from.broadcast(refund));
    expect((await goodOf(to.transaction(refund.tx_hash))).status).toBe('mempool');
    for (const wallet of [to, from]) expect((await goodOf(wallet.payment({ terms }))).spend).toBeNull();
    const claim = await world.make(to, { purpose: 'claim', terms, funding, secret, ...FIRST });
    expect(await goodOf(to.broadcast(claim))).toBe('sent');
    await world.chain.mine();
    expect((await goodOf(to.transaction(refund.tx_hash))).status).toBe('reverted');
    expect((await goodOf(to.payment({ terms }))).spend).toMatchObject({ how: 'secret', secret });
  });

  /** Pays a wei under the id of these terms, as anybody can who knows the lock and the secret's hash. */
  const squat = async (terms: Parameters<typeof world.paid>[1]) => {
    const thief = world.wallet('receiver');
    const [sender, receiver] = [thief.htlcKey(''), world.wallet('stranger').htlcKey('')];
    const made = { ...terms, sender, receiver, amount: '0.000000000000000001' as DecimalText };
    const squatted = await world.payment(thief, made);
    await goodOf(thief.broadcast(squatted));
    return squatted;
  };

  it('does not mistake what the other side pays under its id for the own payment, waiting or in a block', async () => {
    const { terms } = world.terms('0.5');
    const own = world.wallet('sender');
    const squatted = await squat(terms);
    expect(await goodOf(own.payment({ terms }))).toMatchObject({ funding: null, spend: null });
    await world.chain.mine();
    const view = await goodOf(own.payment({ terms }));
    expect([view.funding, view.spend, view.problem === null]).toEqual([null, null, false]);
    expect(await kindOf(own.prepare({ purpose: 'payment', terms, ...FIRST }, SWAP))).toBe('invalid');
    // The other side is told of it, and why it is none.
    const { funding, problem } = await goodOf(world.wallet('receiver').payment({ terms }));
    expect([funding?.tx.tx_hash, problem === null]).toEqual([squatted.tx_hash, false]);
  });

  it('whose id another one took while both waited reports no payment, and only gas is lost', async () => {
    const { terms } = world.terms('0.5');
    const own = world.wallet('sender');
    const payment = await world.payment(own, terms);
    await squat(terms);
    await world.chain.mine();
    const before = await world.chain.balance(addressOf('sender'));
    expect(await goodOf(own.broadcast(payment))).toBe('sent');
    await world.chain.mine();
    expect((await goodOf(own.transaction(payment.tx_hash))).status).toBe('reverted');
    expect((await goodOf(own.payment({ terms }))).funding).toBeNull();
    expect(before - (await world.chain.balance(addressOf('sender')))).toBeLessThan(ETHER / 100n);
  });

  it.each(['payment', 'claim'] as const)(
    'comes again after a gateway reported that no block holds the event of a %s which the contract has',
    async (event) => {
      const { terms, secret } = world.terms('0.5');
      const to = world.wallet('receiver');
      let lags = false;
      const lagging: Alter = ({ method, answer }) => (lags && method === 'eth_getLogs' ? [] : answer);
      const late = world.wallet('sender', { reader: world.chain.reader(undefined, lagging) });
      const funding = await world.paid(world.wallet('sender'), terms);
      if (event === 'claim') expect((await goodOf(late.payment({ terms }))).spend).toBeNull();
      await goodOf(to.broadcast(await world.make(to, { purpose: 'claim', terms, funding, secret, ...FIRST })));
      await world.chain.mine();
      lags = true;
      expect(await kindOf(late.payment({ terms }))).toBe('unknown');
      lags = false;
      expect((await goodOf(late.payment({ terms }))).spend).toMatchObject({ how: 'secret', secret });
    },
  );

  const TOO_LONG = new AnswerTooLong('the answer is too long');

  /** Nodes of which so many say whose event it was that ended the payment, while nobody gives a receipt of that. */
  const unreadable = async ({ nodes, telling }: { readonly nodes: number; readonly telling: number }) => {
    const { terms, secret } = world.terms('0.5');
    const [to, funding] = [world.wallet('receiver'), await world.paid(world.wallet('sender'), terms)];
    const claim = await world.make(to, { purpose: 'claim', terms, funding, secret, ...FIRST });
    await goodOf(to.broadcast(claim));
    await world.chain.mine();
    const reader = (place: number): Alter => {
      return ({ method, params, answer }) => {
        const isOfClaim = params[0] === `0x${claim.tx_hash}`;
        if (isOfClaim && ['eth_getTransactionReceipt', 'eth_getTransactionByHash'].includes(method)) throw TOO_LONG;
        if (method !== 'eth_getLogs' || place < telling) return answer;
        const others = answer as readonly { readonly transactionHash: string }[];
        return others.filter(({ transactionHash }) => transactionHash !== `0x${claim.tx_hash}`);
      };
    };
    const readers = Array.from({ length: nodes }, (_, place) => world.chain.reader(undefined, reader(place)));
    const wallet = world.wallet('sender', { reader: createEvmQuorumReader({ readers, clock: world.clock }) });
    return { wallet, terms, secret, claim };
  };

  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
  ])(
    'reports the secret of a claim whose receipt is too long to be read, by %i nodes, %i of which report it',
    async (nodes, telling) => {
      const { wallet, terms, secret, claim } = await unreadable({ nodes, telling });
      for (let look = 0; look < 2; look += 1) {
        const { spend } = await goodOf(wallet.payment({ terms }));
        expect(spend).toEqual({ how: 'secret', secret, confirmations: 1, tx: { tx_hex: '', tx_hash: claim.tx_hash } });
      }
    },
  );

  it('reports no such claim by fewer nodes than must agree', async () => {
    const { wallet, terms } = await unreadable({ nodes: 3, telling: 1 });
    expect(await kindOf(wallet.payment({ terms }))).toBe('unavailable');
  });

  it.each([
    [new NodeRefusal(-32_600, 'block range is too wide: at most 7 blocks are searched'), 1],
    [new NodeRefusal(-32_005, 'query exceeds max results 7'), 3],
    [TOO_LONG, 2],
  ])('is found by nodes that search few blocks at once, and say: %s', async (error, nodes) => {
    const { terms, secret } = world.terms('0.5');
    const [to, funding] = [world.wallet('receiver'), await world.paid(world.wallet('sender'), terms)];
    await goodOf(to.broadcast(await world.make(to, { purpose: 'claim', terms, funding, secret, ...FIRST })));
    await world.chain.request('anvil_mine', [numberToHex(40)]);
    world.chain.now += 40;
    await world.chain.mine();
    const ranges: number[] = [];
    const limited: Alter = ({ method, params, answer }) => {
      if (method !== 'eth_getLogs') return answer;
      const [{ fromBlock, toBlock }] = params as [Readonly<Record<'fromBlock' | 'toBlock', string>>];
      ranges.push(Number(toBlock) - Number(fromBlock) + 1);
      if (Number(toBlock) - Number(fromBlock) >= 7) throw error;
      return answer;
    };
    const readers = Array.from({ length: nodes }, () => world.chain.reader(undefined, limited));
    const reader = createEvmQuorumReader({ readers, clock: world.clock });
    const wallet = world.wallet('sender', { reader });
    expect((await goodOf(wallet.payment({ terms }))).spend).toMatchObject({ how: 'secret', secret });
    expect(ranges.length).toBeLessThan(40 * nodes);
  });

  it('also comes again if only the newest blocks were missing, and the search continued below them', async () => {
    const { terms } = world.terms('0.5');
    await world.chain.request('anvil_mine', [numberToHex(150)]);
    world.chain.now += 150;
    await world.chain.mine();
    await world.paid(world.wallet('sender'), terms);
    let lags = true;
    const lagging: Alter = ({ method, answer }) => (lags && method === 'eth_getLogs' ? [] : answer);
    const wallet = world.wallet('receiver', {
      reader: world.chain.reader(undefined, lagging),
      coin: { logsBlockRange: 4 },
    });
    expect(await kindOf(wallet.payment({ terms }))).toBe('unknown');
    lags = false;
    expect((await goodOf(wallet.payment({ terms }))).funding?.confirmations).toBe(1);
  });
});
