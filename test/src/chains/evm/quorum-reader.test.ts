import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectEvmNode } from '../../../../src/chains/evm/node.ts';
import { createEvmNodeReader } from '../../../../src/chains/evm/node-reader.ts';
import { createEvmQuorumReader } from '../../../../src/chains/evm/quorum-reader.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import { draws } from '../../../support/draws.ts';
import type { Alter } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { FIRST, goodOf, kindOf, SWAP, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { fromPast, type Pasts } from '../../../support/matrix/past.ts';
import { describeWith } from '../../../support/optional-part.ts';

const PAYMENTS = '0x0716326d';

describeWith(ANVIL, 'several nodes of an EVM chain', () => {
  let world: TwoWallets;

  beforeAll(async () => {
    world = await TwoWallets.open();
  }, 60_000);
  afterAll(() => world?.chain.stop());

  const honest: Alter = ({ answer }) => answer;
  const dead = Symbol('dead');
  /** A wallet over nodes of these manners, of which two must say the same. */
  const walletOf = (name: string, manners: readonly (Alter | typeof dead)[]) => {
    const asked = manners.map(() => 0);
    const readers = manners.map((manner, place) =>
      world.chain.reader(
        async () => {
          asked[place] = (asked[place] ?? 0) + 1;
          if (manner === dead) throw new BackendSilent('the connection was refused');
        },
        manner === dead ? honest : manner,
      ),
    );
    const { clock } = world;
    return { wallet: world.wallet(name, { reader: createEvmQuorumReader({ readers, clock }) }), asked };
  };
  /** Says that a claimed payment is still there, or that one is there that is not. */
  const liar =
    (state: string): Alter =>
    ({ method, params, answer }) => {
      const [call] = params as readonly { readonly data?: string }[];
      if (method !== 'eth_call' || call?.data?.startsWith(PAYMENTS) !== true) return answer;
      return `${String(answer).slice(0, -1)}${state}`;
    };
  /** Answers from so many blocks before. */
  const past =
    (blocks: number): Alter =>
    async ({ method, params, answer }) => {
      if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest') return answer;
      const number = Number((answer as { readonly number: string }).number) - blocks;
      return world.chain.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
    };

  it('are outvoted by two that agree: what one of them makes up is not reported, and that node is ignored', async () => {
    const { terms } = world.terms('0.5');
    const { wallet, asked } = walletOf('receiver', [liar('2'), honest, honest]);
    await world.paid(world.wallet('sender'), terms);
    const view = await goodOf(wallet.payment({ terms }));
    expect([view.funding?.confirmations, view.problem, view.spend]).toEqual([1, null, null]);
    const before = asked[0];
    await goodOf(wallet.payment({ terms }));
    expect(asked[0]).toBe(before);
  });

  it('that contradict one another without a majority give no answer', async () => {
    const { terms } = world.terms('0.5');
    await world.paid(world.wallet('sender'), terms);
    const { wallet } = walletOf('receiver', [honest, liar('3')]);
    expect(await kindOf(wallet.payment({ terms }))).toBe('disagreement');
  });

  it('one of which is behind are asked as of the block that two have, without that node', async () => {
    const { terms } = world.terms('0.5');
    const payment = await world.paid(world.wallet('sender'), terms);
    const { wallet } = walletOf('receiver', [past(1), honest, honest]);
    expect((await goodOf(wallet.payment({ terms }))).funding?.confirmations).toBe(1);
    const { wallet: slow } = walletOf('receiver', [past(1), honest]);
    // Two are needed: as of the block that both have, there is none; and it waits for no one.
    expect((await goodOf(slow.payment({ terms }))).funding?.tx.tx_hash ?? null).toBeNull();
    await world.chain.mine();
    expect((await goodOf(slow.payment({ terms }))).funding).toMatchObject({
      tx: { tx_hash: payment.tx_hash },
      confirmations: 1,
    });
  });

  it('that all fall back far behind what was settled are not believed, for a minute', async () => {
    let blocks = 0;
    const falling: Alter = (said) => past(blocks)(said);
    const { wallet } = walletOf('receiver', [falling, falling]);
    const { height } = await goodOf(wallet.quote());
    blocks = 2;
    expect((await goodOf(wallet.quote())).height).toBe(height - 2);
    blocks = 3;
    expect(await kindOf(wallet.quote())).toBe('unavailable');
    await world.clock.advance(60_000);
    expect((await goodOf(wallet.quote())).height).toBe(height - 3);
  });

  it('behind one address, one of which is far behind, answer by the others, and its answer does not count for a minute', async () => {
    let blocks = 0;
    const mixed: Alter = (said) => past(blocks)(said);
    const { wallet } = walletOf('receiver', [mixed]);
    const { height } = await goodOf(wallet.quote());
    const told: string[] = [];
    for (const turn of [4, 4, 0, 4, 0, 4]) {
      blocks = turn;
      const answer = await wallet.quote();
      told.push(answer.ok ? String(answer.value.height - height) : answer.fault.kind);
      await world.clock.advance(5000);
    }
    expect(told).toEqual(['unavailable', 'unavailable', '0', 'unavailable', '0', 'unavailable']);
  });

  it('behind one address, one of which lags, answer each question by one that does not', async () => {
    const { terms } = world.terms('0.5');
    await world.paid(world.wallet('sender'), terms);
    const inner = connectEvmNode({ url: world.chain.url, timeout: 10 });
    const pasts: Pasts = { now: null };
    const mixed = { name: inner.name, request: fromPast((method, params) => inner.request(method, params), pasts) };
    const chainId = Number(await world.chain.request('eth_chainId', []));
    const reader = createEvmQuorumReader({ readers: [createEvmNodeReader(mixed, chainId)], clock: world.clock });
    const wallet = world.wallet('receiver', { reader });
    for (let block = 0; block < 20; block += 1) await world.chain.mine();
    await goodOf(wallet.quote());
    pasts.now = { seconds: 120, mixed: true };
    for (let look = 0; look < draws({ sample: 12, change: 40 }); look += 1) {
      const { height } = await goodOf(wallet.quote());
      expect((await goodOf(wallet.payment({ terms }))).funding?.confirmations).toBeGreaterThan(20);
      expect(height).toBeGreaterThanOrEqual(Number(await world.chain.request('eth_blockNumber', [])) - 2);
      await world.clock.advance(5000);
    }
    inner.close();
  }, 60_000);

  it('continue while one of three is gone, and report that too few answer while two are', async () => {
    const { terms, secret } = world.terms('0.5');
    const funding = await world.paid(world.wallet('sender'), terms);
    const { wallet } = walletOf('receiver', [dead, honest, honest]);
    expect((await goodOf(wallet.payment({ terms }))).funding?.confirmations).toBe(1);
    const { wallet: doubting } = walletOf('receiver', [dead, honest, dead]);
    const answer = await doubting.payment({ terms });
    expect(answer.ok ? null : [answer.fault.kind, answer.fault.doubtful?.funding?.confirmations]).toEqual([
      'unavailable',
      1,
    ]);
    const request = { purpose: 'claim', terms, funding, secret, ...FIRST } as const;
    expect(await kindOf(doubting.prepare(request, SWAP))).toBe('unavailable');
    const refund = { purpose: 'refund', terms, funding, doubtful: true, ...FIRST } as const;
    expect(await kindOf(walletOf('sender', [dead, honest, dead]).wallet.prepare(refund, SWAP))).toBe('unavailable');
    const claim = await goodOf(doubting.prepare({ ...request, doubtful: true }, SWAP));
    expect(await kindOf(doubting.broadcast(claim))).toBe('unavailable');
    expect(await goodOf(doubting.broadcast(claim, { doubtful: true }))).toBe('sent');
    await world.chain.mine();
    expect((await goodOf(world.wallet('sender').payment({ terms }))).spend?.secret).toBe(secret);
  });

  it.each([0, 1, 2])(
    'are outvoted by two where one makes up in which transaction an event was (node %i)',
    async (at) => {
      const invents: Alter = ({ method, answer }) =>
        method === 'eth_getLogs'
          ? (answer as readonly object[]).map((log) => ({ ...log, transactionHash: `0x${'ee'.repeat(32)}` }))
          : answer;
      const { terms, secret } = world.terms('0.5');
      const { wallet } = walletOf(
        'sender',
        [0, 1, 2].map((place) => (place === at ? invents : honest)),
      );
      const to = world.wallet('receiver');
      const funding = await world.paid(world.wallet('sender'), terms);
      expect((await goodOf(wallet.payment({ terms }))).funding?.tx.tx_hash).toBe(funding.tx_hash);
      await goodOf(to.broadcast(await world.make(to, { purpose: 'claim', terms, funding, secret, ...FIRST })));
      await world.chain.mine();
      expect((await goodOf(wallet.payment({ terms }))).spend).toMatchObject({ how: 'secret', secret });
    },
  );

  it('of another chain do not count', async () => {
    const foreign: Alter = ({ method, answer }) => (method === 'eth_chainId' ? '0x1' : answer);
    expect(await kindOf(walletOf('receiver', [foreign, honest]).wallet.quote())).toBe('unavailable');
    expect(await kindOf(walletOf('receiver', [foreign, honest, honest]).wallet.quote())).toBe('ok');
  });

  it('cannot cause a nonce to be assigned that waits forever', async () => {
    const ahead: Alter = ({ method, answer }) => (method === 'eth_getTransactionCount' ? '0x3e7' : answer);
    const one = await world.fee(walletOf('sender', [honest, honest, honest]).wallet);
    for (const manners of [
      [ahead, honest, honest],
      [honest, honest, ahead],
    ])
      expect((await world.fee(walletOf('sender', manners).wallet)).spends).toEqual(one.spends);
    expect(
      await kindOf(
        walletOf('sender', [ahead, honest]).wallet.prepare({ purpose: 'fee', feeSat: 1n, burnSat: 0n, ...FIRST }, SWAP),
      ),
    ).toBe('disagreement');
  });
});
