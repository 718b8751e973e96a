import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EvmChain } from '../../../../src/chains/evm/adapter.ts';
import type { EvmCoin } from '../../../../src/chains/evm/coin.ts';
import type { PreparedTransaction, PrepareRequest } from '../../../../src/ports/chain.ts';
import { PRICES } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { type SlowLine, slowLine } from '../../../support/evm/slow-line.ts';
import { FIRST, goodOf, SWAP, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

/** With answers that take so many seconds, what a swap asks is answered before it is given up (`callTimeout`). */
const SLOWEST = 8;

/**
 * So many waits for the node, one after another, for so many calls of it, of which over HTTP the last block and the id of the chain take one request. Whoever adds a wait makes claims come later where nodes are slow.
 */
const TAKEN: Readonly<Record<string, readonly [ether: string, token: string]>> = {
  quote: ['2 for 6', '2 for 9'],
  'no payment': ['2 for 4', '2 for 4'],
  fee: ['2 for 7', '2 for 10'],
  payment: ['2 for 7', '2 for 12'],
  'broadcast of the payment': ['3 for 6', '5 for 9'],
  'payment that waits': ['2 for 7', '2 for 7'],
  'the payment, first seen by whoever made it': ['2 for 7', '2 for 7'],
  'the payment, first seen by the other side': ['4 for 7', '4 for 9'],
  'the payment, seen again': ['2 for 7', '2 for 9'],
  claim: ['2 for 8', '2 for 8'],
  'claim in its place': ['2 for 7', '2 for 10'],
  refund: ['2 for 7', '2 for 10'],
  void: ['2 for 7', '2 for 7'],
  'broadcast of the claim': ['3 for 6', '3 for 6'],
  'the claim, first seen': ['4 for 11', '4 for 11'],
  'the claim, seen again': ['2 for 8', '2 for 8'],
  'where it stands': ['2 for 4', '2 for 4'],
};

describeWith(ANVIL, 'questions about an account', () => {
  let world: TwoWallets;
  let line: SlowLine;
  let token: Partial<EvmCoin>;

  beforeAll(async () => {
    world = await TwoWallets.open();
    const address = await world.chain.token({ decimals: 6 }, { sender: 10n ** 12n });
    token = { coin: 'TKN', decimals: 6, token: { address, platform: 'ETH' } };
    line = slowLine(world.chain, SLOWEST);
  }, 60_000);
  afterAll(() => world?.chain.stop());

  /** A wallet over a line of its own, which has asked which chain it is. */
  const walletOf = async (name: string, coin: Partial<EvmCoin>): Promise<EvmChain> => {
    const prices = { ...PRICES, tip: null };
    const wallet = world.wallet(name, { reader: line.reader(), prices, coin: { finalizedTag: true, ...coin } });
    await line.taken(() => Promise.resolve(wallet.quote()));
    return wallet;
  };

  /** All that a swap asks, from its payment to its claim. */
  const swapped = async (coin: Partial<EvmCoin>) => {
    const [from, to] = [await walletOf('sender', coin), await walletOf('receiver', coin)];
    const { terms, secret } = world.terms('0.5', coin);
    const found: Record<string, string> = {};
    const note = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const { value, rounds, calls } = await line.taken(work);
      found[name] = `${rounds} for ${calls.length}`;
      return value;
    };
    const sees = (wallet: EvmChain, shown?: PreparedTransaction) =>
      goodOf(wallet.payment({ terms, ...(shown === undefined ? {} : { claimed: shown.tx_hex }) }));
    const makes = (name: string, wallet: EvmChain, request: PrepareRequest) =>
      note(name, () => goodOf(wallet.prepare(request, SWAP)));
    await note('quote', () => goodOf(from.quote()));
    await note('no payment', () => sees(to));
    const fee = await makes('fee', from, { purpose: 'fee', feeSat: 77n, burnSat: 0n, ...FIRST });
    from.release([fee]);
    const funding = await makes('payment', from, { purpose: 'payment', terms, ...FIRST });
    await note('broadcast of the payment', () => goodOf(from.broadcast(funding)));
    await note('payment that waits', () => sees(to, funding));
    await world.chain.mine();
    await note('the payment, first seen by whoever made it', () => sees(from));
    await note('the payment, first seen by the other side', () => sees(to));
    expect((await note('the payment, seen again', () => sees(to))).problem).toBeNull();
    const claim = await makes('claim', to, { purpose: 'claim', terms, funding, secret, ...FIRST });
    const ends = { terms, funding, urgency: 1 } as const;
    const dearer = await makes('claim in its place', to, { purpose: 'claim', secret, ...ends, replaces: claim });
    const refund = await makes('refund', from, { purpose: 'refund', ...ends, replaces: null });
    await makes('void', from, { purpose: 'void', target: refund, urgency: 0 });
    from.release([refund]);
    await note('broadcast of the claim', () => goodOf(to.broadcast(dearer)));
    await world.chain.mine();
    await note('the claim, first seen', () => sees(from));
    const { spend } = await note('the claim, seen again', () => sees(from));
    expect(spend).toMatchObject({ how: 'secret', secret });
    expect((await note('where it stands', () => goodOf(to.transaction(dearer.tx_hash)))).status).toBe('confirmed');
    return found;
  };

  it('are asked beside those of other swaps: swaps that claim at the same moment do not wait for each other', async () => {
    const [from, to] = [world.wallet('sender'), await walletOf('receiver', {})];
    const swaps = Array.from({ length: 5 }, () => world.terms('0.5'));
    const fundings: PreparedTransaction[] = [];
    for (const { terms } of swaps) fundings.push(await world.paid(from, terms));
    const claims = swaps.map(({ terms, secret }, place) => {
      const funding = fundings[place] as PreparedTransaction;
      return () => goodOf(to.prepare({ purpose: 'claim', terms, funding, secret, ...FIRST }, SWAP));
    });
    const { value, rounds } = await line.taken(() => Promise.all(claims.map((claim) => claim())));
    expect([new Set(value.flatMap(({ spends }) => spends)).size, rounds]).toEqual([5, 2]);
    to.release(value);
  });

  it('of a watcher are asked together too', async () => {
    const coin = { rewards: true };
    const [from, watcher] = [world.wallet('sender', { coin }), await walletOf('stranger', coin)];
    const { terms: plain, secret } = world.terms('1', coin);
    const terms = { ...plain, reward: { leg: 'maker', otherPays: true } } as const;
    const funding = await world.make(from, { purpose: 'payment', terms, reward: null, ...FIRST });
    await goodOf(from.broadcast(funding));
    await world.chain.mine();
    const request = { purpose: 'claimFor', terms, funding, secret, unpaid: true, ...FIRST } as const;
    const { rounds, calls } = await line.taken(() => goodOf(watcher.prepare(request, SWAP)));
    expect([rounds, calls.length]).toEqual([2, 9]);
  });

  it.each([
    ['ether', () => ({})],
    ['a token', () => token],
  ] as const)('of %s are asked together: so many rounds and calls, and no more', async (name, coin) => {
    const place = name === 'ether' ? 0 : 1;
    expect(await swapped(coin())).toEqual(
      Object.fromEntries(Object.entries(TAKEN).map(([operation, taken]) => [operation, taken[place]])),
    );
  });
});
