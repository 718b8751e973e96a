import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import { checkEvmCoins } from '../../../../src/chains/evm/check-coin.ts';
import type { EvmCoin } from '../../../../src/chains/evm/coin.ts';
import { createEvmNodeReader } from '../../../../src/chains/evm/node-reader.ts';
import { madeOf } from '../../../../src/chains/evm/transaction.ts';
import { approvalCall } from '../../../../src/htlc/token-calls.ts';
import { oneIn } from '../../../support/draws.ts';
import { CHAIN_ID } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { type Compiled, compiled } from '../../../support/evm/compiled.ts';
import { MANNERS, type Manner, tool } from '../../../support/evm/contract-world.ts';
import { HostileWorld } from '../../../support/evm/hostile-world.ts';
import { describeWith } from '../../../support/optional-part.ts';

// As of payments: what the receiver's wallet calls good must be worth to it, by the balances that the token tells, what was agreed.

const OWNED = 1_000_000_000n;
const PAID = 2_500_000n;
const REWARD = 140_000_000_000_007n;

describeWith(ANVIL, 'tokens that misbehave', () => {
  let world: HostileWorld;

  beforeAll(async () => {
    world = await HostileWorld.open();
  }, 60_000);
  afterAll(() => world?.stop());

  type Kind = 'MoodyToken' | 'DigitsToken';
  const tokenOf = async (kind: Kind, contract: string): Promise<Token> => {
    const address = await world.chain.deploy((await compiled())[kind].bytecode);
    await world.chain.mint(address, world.sender, OWNED);
    return { coin: 'TKN', decimals: 6, contract, token: { address, platform: 'ETH' } };
  };
  const does = (coin: Token, manner: Manner) =>
    world.act('stranger', { to: coin.token.address, data: tool('behave', [MANNERS.indexOf(manner)]).slice(2) });
  const seize = (coin: Token, owner: string, amount: bigint) =>
    world.act('stranger', { to: coin.token.address, data: tool('seize', [`0x${owner}`, amount]).slice(2) });
  const becomes = async (coin: Token, code: keyof Compiled | null) => {
    const bytes = code === null ? '0x' : (await compiled())[code].deployedBytecode;
    await world.chain.request('anvil_setCode', [`0x${coin.token.address}`, bytes]);
  };
  const approved = (coin: Token, amount: bigint) =>
    world.act('sender', { to: coin.token.address, data: approvalCall(coin.contract, amount) });

  type Conduct = readonly [name: string, good: boolean, act: (coin: Token) => Promise<unknown>];
  const CONDUCTS: readonly Conduct[] = [
    ['does nothing', true, async () => undefined],
    ['gives more than it is asked for', true, (coin) => does(coin, 'adds a bonus')],
    ['is stopped', false, (coin) => does(coin, 'reverts')],
    ['is stopped without a word', false, (coin) => does(coin, 'reverts silently')],
    ['stops, and says that it was done', false, (coin) => does(coin, 'reverts with true')],
    ['returns false', false, (coin) => does(coin, 'returns false')],
    ['returns two', false, (coin) => does(coin, 'returns two')],
    ['returns a byte', false, (coin) => does(coin, 'returns one byte')],
    ['moves nothing', false, (coin) => does(coin, 'moves nothing')],
    ['takes a fee', false, (coin) => does(coin, 'takes a fee')],
    ['shrinks', false, (coin) => seize(coin, coin.contract, 1n)],
    ['is another one by a new code, which is sound', true, (coin) => becomes(coin, 'PlainToken')],
    [
      'is another one by a new code, which takes more gas than a claim may use',
      false,
      (coin) => becomes(coin, 'DearToken'),
    ],
    ['is no contract any more', false, (coin) => becomes(coin, null)],
    ['becomes an account with code', false, (coin) => becomes(coin, 'Actor')],
  ];

  /** What a contract that measures nothing might do otherwise by. */
  const OF_OTHERS = new Set(['does nothing', 'takes a fee', 'shrinks']);

  describe.each(['ours', 'loose'] as const)('in a payment by the contract %s', (of) => {
    it.each(oneIn(4, of === 'ours' ? CONDUCTS : CONDUCTS.filter(([name]) => OF_OTHERS.has(name))))(
      'one that %s after the payment: it is good only where it is worth what was agreed',
      async (_, good, conduct) => {
        const coin = await tokenOf('MoodyToken', world.contracts[of]);
        await approved(coin, PAID);
        const agreed = world.agreed('2.5', coin);
        const funding = await world.act('sender', world.payment(agreed.terms, coin));
        const wallet = world.two.wallet('receiver', { coin });
        expect((await world.judged(agreed, coin)).problem).toBeNull();
        await wallet.payment({ terms: agreed.terms });
        await conduct(coin);
        const judged = await world.judged(agreed, coin, funding);
        const again = await wallet.payment({ terms: agreed.terms });
        const gained = await gainOf(world.gained(agreed, coin, funding));
        if (judged.good) expect(gained).toBeGreaterThanOrEqual(PAID);
        expect([judged.good, again]).toMatchObject([
          good,
          { ok: true, value: { problem: good ? null : expect.any(String) } },
        ]);
      },
    );
  });

  it.each([
    ['a fee is taken', 'takes a fee'],
    ['nothing is moved', 'moves nothing'],
  ] as const)('are no payment if %s already by it, although the contract does not check', async (_, manner) => {
    const coin = await tokenOf('MoodyToken', world.contracts.loose);
    await approved(coin, PAID);
    await does(coin, manner);
    const agreed = world.agreed('2.5', coin);
    const funding = await world.act('sender', world.payment(agreed.terms, coin));
    await does(coin, 'sound');
    expect(await world.judged(agreed, coin, funding)).toMatchObject({
      good: false,
      funding: { tx_hash: funding.tx_hash },
    });
    expect(await world.gained(agreed, coin, funding)).toBe(0n);
  });

  it.each([
    ['takes more gas than a claim may use', 'to move them the token takes more gas than a claim may use', 'DearToken'],
    ['is no token', 'the token does not let the swap contract move them', 'Actor'],
  ] as const)('are no payment, and it is said why: one that %s', async (_, why, code) => {
    const coin = await tokenOf('MoodyToken', world.contracts.ours);
    await approved(coin, PAID);
    const agreed = world.agreed('2.5', coin);
    await world.act('sender', world.payment(agreed.terms, coin));
    await becomes(coin, code);
    const told = await world.two.wallet('receiver', { coin }).payment({ terms: agreed.terms });
    const problem = `Payment of ${PAID} base units cannot be claimed: ${why}`;
    expect(told).toMatchObject({ ok: true, value: { problem } });
  });

  it('are also claimed by the replacement of a first claim, with no less gas than that one had', async () => {
    const coin = await tokenOf('MoodyToken', world.contracts.ours);
    await approved(coin, PAID);
    const agreed = world.agreed('2.5', coin);
    const funding = await world.act('sender', world.payment(agreed.terms, coin));
    const dear = (await compiled()).DearToken.deployedBytecode;
    // 250,000 of gas in the place of 600,000: more than the second step of urgency gives.
    const bytes = dear.replace('0927c0', '03d090');
    expect(bytes).not.toBe(dear);
    await world.chain.request('anvil_setCode', [`0x${coin.token.address}`, bytes]);
    const wallet = world.two.wallet('receiver', { coin });
    expect(await wallet.payment({ terms: agreed.terms })).toMatchObject({ ok: true, value: { problem: null } });
    const request = { purpose: 'claim', terms: agreed.terms, funding, secret: agreed.secret } as const;
    const first = await world.two.make(wallet, { ...request, urgency: 0, replaces: null });
    await wallet.broadcast(first);
    const second = await world.two.make(wallet, { ...request, urgency: 1, replaces: first });
    await wallet.broadcast(second);
    // Too few nodes to try it by do not take that from it either.
    const doubtful = await world.two.make(wallet, { ...request, urgency: 1, replaces: null, doubtful: true });
    expect([first, second, doubtful].map(({ tx_hex }) => madeOf(tx_hex)?.gas)).toEqual([375_000n, 375_000n, 375_000n]);
    wallet.release([doubtful]);
    await world.chain.mine();
    expect(await wallet.transaction(second.tx_hash)).toMatchObject({ ok: true, value: { status: 'confirmed' } });
    expect(await world.chain.tokensOf(coin.token.address, world.receiver)).toBe(PAID);
  });

  // A claim may use 450,000 of gas at the most, and some 65,000 of it go to the contract.
  it.each([
    [300_000, true],
    [390_000, false],
  ])('whose moves take %i of gas are valid only if a claim has room for that', async (gas, good) => {
    const coin = await tokenOf('MoodyToken', world.contracts.ours);
    await approved(coin, PAID);
    const agreed = world.agreed('2.5', coin);
    const funding = await world.act('sender', world.payment(agreed.terms, coin));
    const dear = (await compiled()).DearToken.deployedBytecode;
    const bytes = dear.replace('0927c0', gas.toString(16).padStart(6, '0'));
    await world.chain.request('anvil_setCode', [`0x${coin.token.address}`, bytes]);
    expect((await world.judged(agreed, coin, funding)).good).toBe(good);
    expect(await world.gained(agreed, coin, funding)).toBe(good ? PAID : 0n);
  });

  it('that return nothing, as those of the first years, are good and claimed', async () => {
    const coin = await tokenOf('MoodyToken', world.contracts.ours);
    await does(coin, 'returns nothing');
    await approved(coin, PAID);
    const agreed = world.agreed('2.5', coin);
    const funding = await world.act('sender', world.payment(agreed.terms, coin));
    expect((await world.judged(agreed, coin, funding)).good).toBe(true);
    expect(await world.gained(agreed, coin, funding)).toBe(PAID);
  });

  it('of the same name at another address are no payment', async () => {
    const [coin, other] = [
      await tokenOf('MoodyToken', world.contracts.ours),
      await tokenOf('MoodyToken', world.contracts.ours),
    ];
    await approved(other, PAID);
    const agreed = world.agreed('2.5', coin);
    const shown = await world.act('sender', world.payment(agreed.terms, other));
    expect((await world.judged(agreed, coin, shown)).good).toBe(false);
    expect(await world.gained(agreed, coin, shown)).toBe(0n);
  });

  it('without their reward are no payment, if the contract does not check and pays it from the payments of others', async () => {
    const coin = { ...(await tokenOf('MoodyToken', world.contracts.loose)), rewards: true };
    const reward = { target: 0, onClaim: true, amount: REWARD };
    for (const [value, good] of [
      [REWARD, true],
      [REWARD - 1n, false],
      [0n, false],
    ] as const) {
      await approved(coin, PAID);
      const agreed = world.agreed('2.5', coin);
      const funding = await world.act('sender', world.payment(agreed.terms, coin, { reward, value }));
      const judged = await world.judged(agreed, coin, funding);
      const gained = await world.gained(agreed, coin, funding);
      if (judged.good) expect(gained).toBe(PAID);
      expect(judged.good).toBe(good);
    }
  });

  it('that do not report their digits as numbers are refused, unless they report none and the coin says them', async () => {
    const coin = await tokenOf('DigitsToken', world.contracts.ours);
    const look = () => world.chain.account('sender').reader.look();
    const check = async (decimals = 6) =>
      checkEvmCoins({ coins: [world.chain.coin({ ...coin, decimals })], look: await look(), account: world.sender });
    const tells = (digits: string) =>
      world.act('stranger', { to: coin.token.address, data: tool('tell', [`0x${digits}`]).slice(2) });
    await check();
    await tells(`36${'00'.repeat(31)}`);
    await expect(check()).rejects.toMatchObject({ code: 'EVM_TOKEN_DECIMALS' });
    await tells('06'.padStart(64, '0'));
    await check();
    await expect(check(18)).rejects.toMatchObject({ code: 'EVM_TOKEN_DECIMALS' });
  });

  it('are judged by what the contract holds if a node simulates no transfers', async () => {
    const coin = await tokenOf('MoodyToken', world.contracts.ours);
    await approved(coin, PAID);
    const agreed = world.agreed('2.5', coin);
    await world.act('sender', world.payment(agreed.terms, coin));
    const tries = (params: readonly unknown[]) => {
      const [call] = params as readonly [{ readonly from?: string } | undefined];
      return call?.from === `0x${coin.contract}` || params.length > 2;
    };
    let refused = 0;
    const reader = createEvmNodeReader(
      {
        name: 'a node without trials',
        request(method, params) {
          if (method !== 'eth_call' || !tries(params)) return world.chain.node.request(method, params);
          refused += 1;
          throw new NodeRefusal(-32602, 'too many arguments, or sender is a contract');
        },
      },
      CHAIN_ID,
    );
    const wallet = world.two.wallet('receiver', { coin, reader });
    expect(await wallet.payment({ terms: agreed.terms })).toMatchObject({ ok: true, value: { problem: null } });
    expect(refused).toBe(2);
  });
});

type Token = Partial<EvmCoin> & Required<Pick<EvmCoin, 'contract' | 'decimals' | 'token'>>;

/** A token that is none answers nothing of balances. */
function gainOf(gained: Promise<bigint>): Promise<bigint> {
  return gained.catch(() => 0n);
}
