import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DaemonClient } from '../../../../../src/chains/utxo/daemon/client.ts';
import type { Qrc20Chain } from '../../../../../src/chains/utxo/qrc20/adapter.ts';
import type { Qrc20Token } from '../../../../../src/chains/utxo/qrc20/token.ts';
import type { PaymentTerms } from '../../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import { hash160, sha256 } from '../../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../../src/primitives/hex.ts';
import type { JsonObject } from '../../../../../src/primitives/json.ts';
import type { UnixSeconds } from '../../../../../src/primitives/time.ts';
import { answerOf } from '../../../../../src/testing/contracts/chain/scene.ts';
import { oneIn } from '../../../../support/draws.ts';
import { ANVIL } from '../../../../support/evm/anvil.ts';
import { compiled } from '../../../../support/evm/compiled.ts';
import { type Manner, tool } from '../../../../support/evm/contract-world.ts';
import { describeWith } from '../../../../support/optional-part.ts';
import { tokenOf, tokenWallet } from '../../../../support/qtum/adapter-chain.ts';
import { accountOf, QtumTestChain } from '../../../../support/qtum/chain.ts';
import { type VirtualClock, virtualClock } from '../../../../support/virtual-clock.ts';

// What the receiver's wallet calls good must be worth to it, by the balances that the token tells, what was agreed.

const SWAP = { swap: '8a7e1d7c-3f5e-4a51-9d0b-6f6f1a2b3c4d' } as const;
const FIRST = { urgency: 0, replaces: null } as const;
const PAID = 2_500_000n;
const STRANGER = '57'.repeat(20);

describeWith(ANVIL, 'QRC20 tokens that misbehave', () => {
  let chain: QtumTestChain;
  let clock: VirtualClock;
  let made = 0;

  beforeAll(async () => {
    chain = await QtumTestChain.start();
    for (const name of ['payer', 'taker']) await chain.fund(name, { count: 40, value: 300_000_000n });
    clock = virtualClock(chain.now * 1000);
  }, 60_000);
  afterAll(() => chain?.close());

  type Trade = {
    readonly coin: Qrc20Token;
    readonly payer: Qrc20Chain;
    readonly taker: Qrc20Chain;
    readonly terms: PaymentTerms;
    readonly secret: string;
  };

  /** Of a token of its own, which is sound at first. */
  async function trade(manner: { readonly tax?: bigint } = {}): Promise<Trade> {
    made += 1;
    const coin = await tokenOf(chain, { payer: 9_000_000n }, manner);
    const [payer, taker] = ['payer', 'taker'].map((name) => tokenWallet(chain, name, { coin, clock })) as [
      Qrc20Chain,
      Qrc20Chain,
    ];
    const secret = bytesToHex(sha256(Uint8Array.of(0xde, made)));
    const terms = {
      lock: (chain.now + 7200) as UnixSeconds,
      secretHash: bytesToHex(hash160(hexToBytes(secret))),
      sender: payer.htlcKey(''),
      receiver: taker.htlcKey(''),
      amount: '2.5' as DecimalText,
      contract: coin.contract,
    };
    return { coin, payer, taker, terms, secret };
  }

  async function paid({ payer, terms }: Trade) {
    const payment = await answerOf(payer.prepare({ purpose: 'payment', terms, ...FIRST }, SWAP));
    await answerOf(payer.broadcast(payment));
    await chain.mine();
    return payment;
  }

  /** What the receiver has more of the token behind its claim. */
  async function gained({ coin, taker, terms, secret }: Trade, funding: Awaited<ReturnType<typeof paid>>) {
    const claim = await answerOf(taker.prepare({ purpose: 'claim', terms, funding, secret, ...FIRST }, SWAP));
    await answerOf(taker.broadcast(claim));
    await chain.mine();
    // A token that is none answers nothing of balances.
    return chain.machine.evm.tokensOf(coin.token, accountOf('taker')).catch(() => 0n);
  }

  const problemOf = async ({ taker, terms }: Trade) => (await answerOf(taker.payment({ terms }))).problem;
  const act = (coin: Qrc20Token, data: string) =>
    chain.machine.apart(() => chain.machine.evm.act({ from: STRANGER, to: coin.token, data }));
  const becomes = (coin: Qrc20Token, code: string) =>
    chain.machine.apart(() => chain.machine.evm.request('anvil_setCode', [`0x${coin.token}`, code]));
  const codeOf = async (token: string) =>
    (await chain.machine.evm.request('eth_getCode', [`0x${token}`, 'latest'])) as string;

  /** From now on it is one that tells nobody of anything. */
  async function moody(coin: Qrc20Token, manner: Manner): Promise<void> {
    await becomes(coin, (await compiled()).MoodyToken.deployedBytecode);
    await chain.machine.apart(() => chain.machine.evm.behave(coin.token, manner));
  }

  /** A move uses so much gas beside what it writes. */
  async function dear(coin: Qrc20Token, gas: number): Promise<void> {
    const { deployedBytecode } = (await compiled()).DearToken;
    await becomes(coin, deployedBytecode.replace('0927c0', gas.toString(16).padStart(6, '0')));
  }

  async function taxed(coin: Qrc20Token): Promise<void> {
    const { token } = await tokenOf(chain, {}, { tax: 1n });
    await becomes(coin, await codeOf(token));
  }

  async function seized(coin: Qrc20Token): Promise<void> {
    const sound = await codeOf(coin.token);
    await moody(coin, 'sound');
    await act(coin, tool('seize', [`0x${coin.contract}`, 1n]));
    await becomes(coin, sound);
  }

  const STAYS = 'Payment of 2500000 base units cannot be claimed: the token does not let the swap contract move them';
  const DEAR =
    'Payment of 2500000 base units cannot be claimed: to move them the token takes more gas than a claim may use';
  type Conduct = readonly [name: string, problem: string | null, act: (coin: Qrc20Token) => Promise<unknown>];
  const CONDUCTS: readonly Conduct[] = [
    ['does nothing', null, async () => undefined],
    ['takes a fee', 'Payment of 2500000 base units brings 2499999: the token moves another amount than', taxed],
    ['shrinks', STAYS, seized],
    ['is stopped', STAYS, (coin) => moody(coin, 'reverts')],
    ['stops, and says that it was done', STAYS, (coin) => moody(coin, 'reverts with true')],
    ['returns false', STAYS, (coin) => moody(coin, 'returns false')],
    ['returns two', STAYS, (coin) => moody(coin, 'returns two')],
    ['moves nothing', 'brings 0', (coin) => moody(coin, 'moves nothing')],
    ['takes more gas than a claim has', DEAR, (coin) => dear(coin, 600_000)],
    // Of the 200,000 of a claim some 65,000 go to the contract.
    ['takes less gas than a claim has, but more than its contract leaves', DEAR, (coin) => dear(coin, 140_000)],
    ['is no contract any more', STAYS, (coin) => becomes(coin, '0x')],
  ];

  it.each(oneIn(4, CONDUCTS))(
    'are good in a payment only where it is worth what was agreed: one that %s',
    async (...of) => {
      const [, problem, conduct] = of;
      const agreed = await trade();
      const funding = await paid(agreed);
      expect(await problemOf(agreed)).toBeNull();
      await conduct(agreed.coin);
      const told = await problemOf(agreed);
      if (problem === null) expect(told).toBeNull();
      else expect(told).toContain(problem);
      const gain = await gained(agreed, funding);
      expect(gain === PAID).toBe(told === null);
    },
  );

  it('are judged for their receiver only: the payer sees its payment stand', async () => {
    const agreed = await trade();
    await paid(agreed);
    await moody(agreed.coin, 'reverts');
    expect((await answerOf(agreed.payer.payment({ terms: agreed.terms }))).problem).toBeNull();
    expect(await problemOf(agreed)).toBe(STAYS);
  });

  it('are judged by their answer alone if a server does not pass on their events', async () => {
    const agreed = await trade();
    await paid(agreed);
    const silent: DaemonClient = {
      batch: async (calls) =>
        (await chain.client.batch(calls)).map((answer) => {
          if (!('result' in answer)) return answer;
          const { transactionReceipt: _, ...rest } = answer.result as JsonObject;
          return Array.isArray(answer.result) || rest['executionResult'] === undefined ? answer : { result: rest };
        }),
    };
    const taker = tokenWallet(chain, 'taker', { coin: agreed.coin, clock, client: silent });
    expect((await answerOf(taker.payment({ terms: agreed.terms }))).problem).toBeNull();
    await moody(agreed.coin, 'reverts');
    expect((await answerOf(taker.payment({ terms: agreed.terms }))).problem).toBe(STAYS);
  });

  describe('and would report no moves', () => {
    const MOVES: readonly (readonly [name: string, message: string, act: Conduct[2]])[] = [
      ['tells nobody', 'reports 0 base units where', (coin) => moody(coin, 'returns nothing')],
      ['takes a fee', 'so nobody would accept them as paid', taxed],
    ];

    it.each(MOVES)('are not paid, neither as a fee nor for a swap: one that %s', async (_, message, conduct) => {
      const { coin, payer, terms } = await trade();
      await conduct(coin);
      const refused = { ok: false, fault: { kind: 'unsupported', message: expect.stringContaining(message) } };
      const fee = { purpose: 'fee', feeSat: 12_345n, burnSat: 0n, ...FIRST } as const;
      expect(await payer.prepare(fee, SWAP)).toMatchObject(refused);
      expect(await payer.prepare({ purpose: 'payment', terms, ...FIRST }, SWAP)).toMatchObject(refused);
    });

    it('replace what was sent when they still reported them', async () => {
      const { coin, payer } = await trade();
      const request = { purpose: 'fee', feeSat: 12_345n, burnSat: 0n } as const;
      const fee = await answerOf(payer.prepare({ ...request, ...FIRST }, SWAP));
      await answerOf(payer.broadcast(fee));
      await moody(coin, 'returns nothing');
      expect((await answerOf(payer.prepare({ ...request, urgency: 1, replaces: fee }, SWAP))).tx_hash).not.toBe(
        fee.tx_hash,
      );
      await chain.mine();
    });
  });
});
