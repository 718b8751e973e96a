import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { hexToBytes as bytesOf, keccak256, numberToHex, serializeTransaction } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import type { EvmAccount } from '../../../../src/chains/evm/account.ts';
import type { EvmChain } from '../../../../src/chains/evm/adapter.ts';
import { abiWord } from '../../../../src/htlc/token-calls.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { draws, oneIn } from '../../../support/draws.ts';
import { type Alter, addressOf, CHAIN_ID, signerOf } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { compiled } from '../../../support/evm/compiled.ts';
import { tool } from '../../../support/evm/contract-world.ts';
import { ETHER, kindOf, SWAP, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

const HELD = 4_000_000n;
const FRIEND = addressOf('a friend');

/** What the owner of an account does beside its swaps, with an amount of tokens. */
const WAYS = ['transfer', 'transferFrom', 'approve', 'increaseAllowance', 'pull', 'pull by ether', 'touch'] as const;
type Way = (typeof WAYS)[number];

describeWith(ANVIL, 'bytes that the owner of an account has signed', () => {
  let world: TwoWallets;
  let token: string;
  /** A contract that does what it is told, and may take tokens of the account. */
  let robber: string;
  let account: EvmAccount;
  let wallet: EvmChain;
  const sender = addressOf('sender');

  beforeAll(async () => {
    world = await TwoWallets.open();
    robber = await world.chain.deploy((await compiled()).Actor.bytecode);
  }, 60_000);
  beforeEach(() => fresh());
  afterAll(() => world?.chain.stop());

  /** A token of which the account has nine, four of them held for a swap; its owner let the contract and itself move some before. */
  const fresh = async (alter?: Alter): Promise<void> => {
    await world.chain.give(sender, 50n * ETHER);
    token = await world.chain.token({ decimals: 6 }, { sender: 9_000_000n });
    for (const spender of [robber, sender])
      await world.chain.act({ from: sender, to: token, data: tool('approve', [`0x${spender}`, 9_000_000n]) });
    await world.chain.give(sender, 50n * ETHER);
    account = world.chain.account('sender', { reader: world.chain.reader(undefined, alter) });
    const coin = { coin: 'TKN', decimals: 6, token: { address: token, platform: 'ETH' } };
    wallet = world.wallet('sender', { account });
    world.wallet('sender', { account, coin }).hold({ swap: SWAP.swap, amount: '4' as DecimalText });
  };
  const pulling = (amount: bigint): string =>
    `23b872dd${abiWord(sender)}${abiWord(FRIEND)}${abiWord(amount.toString(16))}`;
  const callOf = async (way: Way, amount: bigint): Promise<{ to: string; data: string; value?: bigint }> => {
    const words = `${abiWord(FRIEND)}${abiWord(amount.toString(16))}`;
    switch (way) {
      case 'transfer':
        return { to: token, data: `a9059cbb${words}` };
      case 'transferFrom':
        return { to: token, data: pulling(amount) };
      case 'approve':
        return { to: token, data: `095ea7b3${words}` };
      case 'increaseAllowance':
        return { to: token, data: `39509351${words}` };
      case 'pull':
        return { to: robber, data: tool('run', [`0x${token}`, 0n, `0x${pulling(amount)}`]).slice(2) };
      case 'pull by ether':
        await world.chain.act({
          from: FRIEND,
          to: robber,
          data: tool('prepare', [`0x${token}`, `0x${pulling(amount)}`]),
        });
        return { to: robber, data: '', value: 1n };
      case 'touch':
        return { to: robber, data: tool('refuse', [false]).slice(2) };
      default:
        return way satisfies never;
    }
  };
  const signed = async ({ to, data, value = 0n }: { to: string; data: string; value?: bigint }) => {
    const nonce = Number(await world.chain.request('eth_getTransactionCount', [`0x${sender}`, 'latest']));
    const price = { most: 400n * 10n ** 9n, tip: 10n ** 9n };
    return account.signOnly({ nonce, to, value, data, gas: 400_000n, price }, { legacy: false });
  };
  const sent = async (way: Way, amount: bigint) => wallet.send((await signed(await callOf(way, amount))).hex);
  /** What the account would have left if whoever may take tokens of it since did. */
  const leftAtWorst = async (): Promise<bigint> => {
    const allowed = await world.chain.read(token, `0xdd62ed3e${abiWord(sender)}${abiWord(FRIEND)}`);
    const left = await world.chain.tokensOf(token, sender);
    return left > allowed ? left - allowed : 0n;
  };

  it('leave what swaps hold, in every way to move tokens or let others move them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...WAYS), fc.bigInt(1n, 9_000_000n), async (way, amount) => {
        await fresh();
        const answer = await sent(way, amount);
        await world.chain.mine();
        const takes = way === 'touch' ? 0n : amount;
        expect([way, answer.ok]).toEqual([way, takes <= 9_000_000n - HELD]);
        expect(await leftAtWorst()).toBeGreaterThanOrEqual(HELD);
      }),
      { numRuns: draws({ sample: 8, change: 25 }) },
    );
  });

  it('count while they wait: the next ones get the rest', async () => {
    expect(await kindOf(sent('pull', 3_000_000n))).toBe('ok');
    const behind = async (amount: bigint) => {
      const { made } = { made: await signed(await callOf('transferFrom', amount)) };
      const { hex } = await account.signOnly({ ...made, nonce: made.nonce + 1, to: token }, { legacy: false });
      return kindOf(wallet.send(hex));
    };
    expect(await behind(2_000_001n)).toBe('coinsPromised');
    expect(await behind(2_000_000n)).toBe('ok');
  });

  it('are refused with what they would take, of how much, and how much of that is held', async () => {
    const answer = await sent('approve', 5_000_001n);
    expect(answer.ok ? null : answer.fault.message).toBe(
      `it may spend 5000001 of the token 0x${token}, of which 9000000 base units are free and 4000000 are held for swaps`,
    );
  });

  it.each([
    ['a function of the token that no standard has', async () => ({ to: token, data: 'deadbeef' })],
    ['a call that has no effect now', async () => callOf('pull', 9_000_001n)],
  ])('are not sent if it is unknown what they take: %s', async (_, call) => {
    const answer = await wallet.send((await signed(await call())).hex);
    expect(answer.ok ? null : answer.fault).toMatchObject({
      kind: 'coinsPromised',
      message: expect.stringContaining('nobody can tell how much it spends') as string,
    });
  });

  it('are not sent to contracts if the node simulates no calls, and are sent to accounts without code', async () => {
    await fresh(({ method, params, answer }) => {
      if (method === 'eth_call' && params.length > 2)
        throw new NodeRefusal(-32_602, 'too many arguments, want at most 2');
      return answer;
    });
    expect(await kindOf(sent('touch', 0n))).toBe('coinsPromised');
    expect(await kindOf(wallet.send((await signed({ to: FRIEND, data: '', value: 7n })).hex))).toBe('ok');
  });

  it('are checked against what swaps hold each time, even if a node refused the same bytes before', async () => {
    const baseFee = async (gwei: bigint) => {
      await world.chain.request('anvil_setNextBlockBaseFeePerGas', [numberToHex(gwei * 10n ** 9n)]);
      await world.chain.mine();
    };
    await baseFee(2000n);
    const { hex } = await signed(await callOf('transfer', 5_000_000n));
    expect(await kindOf(wallet.send(hex))).toBe('feeTooLow');
    const coin = { coin: 'TKN', decimals: 6, token: { address: token, platform: 'ETH' } };
    world.wallet('sender', { account, coin }).hold({ swap: SWAP.swap, amount: '4.000001' as DecimalText });
    await baseFee(1n);
    expect(await kindOf(wallet.send(hex))).toBe('coinsPromised');
    world.wallet('sender', { account, coin }).hold({ swap: SWAP.swap, amount: '4' as DecimalText });
    expect(await kindOf(wallet.send(hex))).toBe('ok');
    expect(await kindOf(wallet.send(hex))).toBe('ok');
  });

  it('leave no payment without its approval, that wait with one further on', async () => {
    const own = world.chain.account('sender');
    const coin = { coin: 'TKN', decimals: 6, token: { address: token, platform: 'ETH' } };
    const tokens = world.wallet('sender', { account: own, coin });
    const approve = await signed({
      to: token,
      data: `095ea7b3${abiWord(world.chain.contract)}${abiWord(5_000_000n.toString(16))}`,
    });
    const { hex } = await own.signOnly({ ...approve, to: token, nonce: approve.nonce + 3 }, { legacy: false });
    expect(await kindOf(tokens.send(hex))).toBe('nonceGap');
    const payment = await world.payment(tokens, world.terms('5', coin).terms);
    tokens.reserve([payment]);
    tokens.resumed();
    expect(await kindOf(tokens.broadcast(payment))).toBe('ok');
    await world.chain.mine();
    expect(await tokens.transaction(payment.tx_hash)).toMatchObject({ value: { status: 'confirmed' } });
  });

  /** A wallet of its own account that trades the token, nothing of which is held, and whose swap contract may take so much. */
  const trading = async (allowed: bigint) => {
    const own = world.chain.account('sender');
    const coin = { coin: 'TKN', decimals: 6, token: { address: token, platform: 'ETH' } };
    const data = tool('approve', [`0x${world.chain.contract}`, allowed]);
    await world.chain.act({ from: sender, to: token, data });
    const tokens = world.wallet('sender', { account: own, coin });
    const bytes = async (call: { to: string; data: string }, ahead = 0) => {
      const made = await signed(call);
      return (await own.signOnly({ ...made, to: call.to, nonce: made.nonce + ahead }, { legacy: false })).hex;
    };
    return { coin, tokens, bytes, ether: world.wallet('sender', { account: own }) };
  };
  const lowering = (): Record<string, string> => {
    const spender = abiWord(world.chain.contract);
    return {
      decreaseAllowance: `a457c2d7${spender}${abiWord(7_000_000n.toString(16))}`,
      'approve for nothing': `095ea7b3${spender}${abiWord('')}`,
      'approve for nothing, with more bytes than it has': `095ea7b3${spender}${abiWord('')}00`,
      'decreaseAllowance with more bytes': `a457c2d7${spender}${abiWord(7_000_000n.toString(16))}00`,
    };
  };

  it('leave no payment without its approval, by whichever function they lower it while it waits behind them', async () => {
    for (const [name, data] of Object.entries(lowering())) {
      await fresh();
      const { tokens, coin, bytes } = await trading(9_000_000n);
      expect([name, await kindOf(tokens.send(await bytes({ to: token, data })))]).toEqual([name, 'ok']);
      const { terms } = world.terms('5', coin);
      if (name.includes('more bytes')) {
        // Nobody can tell what it takes, so that a payment waits for it.
        const asked = tokens.prepare({ purpose: 'payment', terms, urgency: 0, replaces: null }, SWAP);
        expect([name, await kindOf(asked)]).toEqual([name, 'coinsPromised']);
        await world.chain.mine();
      }
      const payment = await world.payment(tokens, terms);
      tokens.reserve([payment]);
      tokens.resumed();
      expect([name, await kindOf(tokens.broadcast(payment))]).toEqual([name, 'ok']);
      await world.chain.mine();
      expect([name, await tokens.transaction(payment.tx_hash)]).toMatchObject([
        name,
        { value: { status: 'confirmed' } },
      ]);
    }
  });

  it('are not sent before a payment that waits for an approval which they may change', async () => {
    const { tokens, coin, bytes, ether } = await trading(9_000_000n);
    expect(
      await kindOf(tokens.send(await bytes({ to: token, data: `a9059cbb${abiWord(FRIEND)}${abiWord('1')}` }, 2))),
    ).toBe('nonceGap');
    const payment = await world.payment(tokens, world.terms('5', coin).terms);
    tokens.reserve([payment]);
    for (const [name, data] of Object.entries(lowering())) {
      const answer = await tokens.send(await bytes({ to: token, data }));
      expect([name, answer.ok ? 'ok' : answer.fault.kind]).toEqual([name, 'coinsPromised']);
      expect(answer.ok ? '' : answer.fault.message).toContain(payment.tx_hash);
    }
    const harmless = `a457c2d7${abiWord(robber)}${abiWord('1')}`;
    expect(await kindOf(tokens.send(await bytes({ to: token, data: harmless })))).toBe('ok');
    tokens.resumed();
    ether.resumed();
    expect(await kindOf(tokens.broadcast(payment))).toBe('ok');
    await world.chain.mine();
    expect(await tokens.transaction(payment.tx_hash)).toMatchObject({ value: { status: 'confirmed' } });
  });

  it('count for what they do once a swap wants the tokens, although nothing was held when they were sent', async () => {
    const free = async (tokens: EvmChain) => {
      const answer = await tokens.quote();
      return answer.ok ? answer.value.spendable : answer.fault.kind;
    };
    for (const way of oneIn(2, WAYS)) {
      await fresh();
      const { tokens, coin, bytes } = await trading(0n);
      expect([way, await free(tokens)]).toEqual([way, '9']);
      const { value, ...call } = await callOf(way, 6_000_000n);
      const hex = value === undefined ? await bytes(call) : (await signed({ ...call, value })).hex;
      expect([way, await kindOf(tokens.send(hex))]).toEqual([way, 'ok']);
      expect([way, await free(tokens)]).toEqual([way, way === 'touch' ? '9' : '3']);
      const { terms } = world.terms('4', coin);
      const asked = tokens.prepare({ purpose: 'payment', terms, urgency: 0, replaces: null }, SWAP);
      expect([way, await kindOf(asked)]).toEqual([way, way === 'touch' ? 'ok' : 'coinsPromised']);
    }
  });

  it('leave nothing for swaps while they wait to let code act for the account', async () => {
    const { tokens, ether } = await trading(0n);
    const nothing = { value: { spendable: '0' } };
    for (const wallet of [tokens, ether]) expect(await wallet.quote()).not.toMatchObject(nothing);
    expect(await kindOf(tokens.send(await delegating()))).toBe('ok');
    for (const wallet of [tokens, ether]) expect(await wallet.quote()).toMatchObject(nothing);
  });

  it('are read as old tokens do, which ignore what precedes an address', async () => {
    const dirty = `23b872dd${'1'.padEnd(24, '0')}${sender}${abiWord(FRIEND)}${abiWord(5_000_001n.toString(16))}`;
    expect(await kindOf(wallet.send((await signed({ to: token, data: dirty })).hex))).toBe('coinsPromised');
  });

  it('are judged by a simulation if they call the swap contract with more than its call says', async () => {
    const amount = 5_000_001n;
    const words = [
      `${'11'.repeat(32)}`,
      abiWord(amount.toString(16)),
      abiWord(token),
      abiWord(FRIEND),
      abiWord(''),
      abiWord('ffff'),
    ];
    const all = `095ea7b3${abiWord(world.chain.contract)}${abiWord(9_000_000n.toString(16))}`;
    expect(await kindOf(wallet.send((await signed({ to: token, data: all })).hex))).toBe('ok');
    await world.chain.mine();
    for (const more of ['', '00', abiWord('')]) {
      const answer = await wallet.send(
        (await signed({ to: world.chain.contract, data: `9b415b2a${words.join('')}${more}` })).hex,
      );
      expect([more, answer.ok ? 'ok' : answer.fault.kind]).toEqual([more, 'coinsPromised']);
    }
  });

  /** A transaction that makes an account run code, by anybody's authorization. */
  const delegating = async (): Promise<string> => {
    const nonce = Number(await world.chain.request('eth_getTransactionCount', [`0x${sender}`, 'latest']));
    const authorization = {
      address: `0x${robber}`,
      chainId: CHAIN_ID,
      nonce: 0,
      r: '0x01',
      s: '0x01',
      yParity: 0,
    } as const;
    const unsigned = {
      ...({ type: 'eip7702', chainId: CHAIN_ID, nonce, to: `0x${FRIEND}`, value: 0n, gas: 100_000n } as const),
      ...{ maxFeePerGas: 400n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n, authorizationList: [authorization] },
    };
    const hash = bytesOf(keccak256(serializeTransaction(unsigned)));
    const { key, sign } = signerOf('sender');
    const { r, s } = secp256k1.Signature.fromBytes(await sign(hash), 'der');
    const yParity = [0, 1].find(
      (one) => bytesToHex(new secp256k1.Signature(r, s, one).recoverPublicKey(hash).toBytes(true)) === bytesToHex(key),
    );
    const signature = { r: numberToHex(r, { size: 32 }), s: numberToHex(s, { size: 32 }), yParity: yParity ?? 0 };
    return serializeTransaction(unsigned, signature).slice(2);
  };

  it('are not sent if they let code act for accounts while swaps hold anything, nor with blobs', async () => {
    const hex = await delegating();
    expect(await kindOf(wallet.send(hex))).toBe('coinsPromised');
    expect(await kindOf(wallet.send(`03${hex.slice(2)}`))).toBe('unsupported');
    const other = world.chain.account('sender');
    expect(await kindOf(world.wallet('sender', { account: other }).send(hex))).not.toBe('coinsPromised');
  });
});
