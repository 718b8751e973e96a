import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { publicKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { addressText } from '../../../../src/chains/evm/address.ts';
import type { ActivatedEvm } from '../../../../src/ports/evm-activator.ts';
import { draws } from '../../../support/draws.ts';
import { activating, madeOf, OWN, WALLET } from '../../../support/evm/activating.ts';
import { addressOf, EvmTestChain } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { countingProxy, type Instead } from '../../../support/evm/counting-proxy.ts';
import { ETHER } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

const DEAD = 'http://127.0.0.1:1';
/** Tokens of one activation. */
const MANY = draws({ sample: 12, change: 30 });

describeWith(ANVIL, 'coins of an EVM chain, over its node', () => {
  let chain: EvmTestChain;
  const opened: ActivatedEvm[] = [];
  const keep = (made: ActivatedEvm) => {
    opened.push(made);
    return made;
  };

  beforeAll(async () => {
    chain = await EvmTestChain.start();
    await chain.give(OWN, 7n * ETHER + 1n);
  }, 60_000);
  afterEach(() => {
    for (const { close } of opened.splice(0)) close();
  });
  afterAll(() => chain?.stop());

  it('are activated with many tokens in as many requests as with few, also over a node that accepts no batches', async () => {
    const tokens: Record<string, { readonly contract: string }> = {};
    for (let index = 0; index < MANY; index += 1)
      tokens[`T${index}`] = { contract: await chain.token({ decimals: 6 + (index % 13) }) };
    const activated = async (count: number, instead?: Instead) => {
      const proxy = await countingProxy(chain.url, instead);
      const { activate } = activating(chain, { tokens });
      const wanted = Object.keys(tokens).slice(0, count);
      const { result } = await activate({
        ...{ nodes: [{ url: proxy.url }], erc20_tokens_requests: wanted.map((ticker) => ({ ticker })) },
      });
      const { coins } = keep(madeOf(result));
      proxy.close();
      expect(coins.map(({ chain: { traits } }) => traits.decimals)).toEqual([
        18,
        ...wanted.map((_, index) => 6 + (index % 13)),
      ]);
      return proxy.requests.length;
    };
    expect(await activated(MANY)).toBe(await activated(2));
    const noBatches = (body: unknown) => (Array.isArray(body) ? { status: 400, text: 'no' } : undefined);
    expect(await activated(MANY, noBatches)).toBeGreaterThan(3 * MANY);
  });

  it('are active with their tokens, one of which is asked for its digits, and report what the chain reports', async () => {
    const [six, eight] = [await chain.token({ decimals: 6 }), await chain.token({ decimals: 8 })];
    await chain.mint(six, OWN, 1_234_567n);
    await chain.mint(eight, OWN, 700_000_000n);
    const tokens = { SIX: { contract: six }, EIGHT: { contract: eight, decimals: 8, required_confirmations: 9 } };
    const { activate } = activating(chain, { tokens, own: { required_confirmations: 2, avg_blocktime: 0.3 } });
    const second = await countingProxy(chain.url);
    const { result, steps } = await activate({
      erc20_tokens_requests: [{ ticker: 'SIX' }, { ticker: 'EIGHT' }],
      nodes: [{ url: DEAD }, { url: chain.url }, { url: second.url }],
    });
    const { wallet, block, coins } = keep(madeOf(result));
    second.close();
    expect(steps).toEqual(['RequestingWalletBalance', 'Finishing']);
    const height = Number(await chain.request('eth_blockNumber'));
    const pubkey = (wallet as { readonly pubkey: string }).pubkey;
    expect(wallet).toMatchObject({
      kind: 'address',
      address: publicKeyToAddress(`0x${pubkey}` as const),
      balances: {
        ETH: { spendable: '7.000000000000000001', unspendable: '0' },
        SIX: { spendable: '1.234567', unspendable: '0' },
        EIGHT: { spendable: '7', unspendable: '0' },
      },
    });
    expect(block).toBe(height);
    expect(
      coins.map(({ ticker, platform, requiredConfirmations, chain: { traits } }) => [
        ticker,
        platform,
        requiredConfirmations,
        traits.decimals,
        traits.blockTime,
      ]),
    ).toEqual([
      ['ETH', null, 2, 18, 1],
      ['SIX', 'ETH', 2, 6, 1],
      ['EIGHT', 'ETH', 9, 8, 1],
    ]);
    expect(coins.map(({ chain: { htlcKey } }) => htlcKey('any'))).toEqual(
      Array(3).fill(Buffer.from(WALLET.coins.key).toString('hex')),
    );
  });

  it.each([
    ['specification', {}, [false, true]],
    ['specification', { mm2: 0 }, [true, true]],
    ['specification', { mm2: 1 }, [false, true]],
    ['kdf', { mm2: 0 }, [false, false]],
  ] as const)(
    'are for the wallet alone where mm2 is 0, under %s asked with %j',
    async (compatibility, asked, expected) => {
      const tokens = { SIX: { contract: await chain.token({ decimals: 6 }), mm2: 0 } };
      const { activate } = activating(chain, { compatibility, tokens, own: { mm2: 1 } });
      const { result } = await activate({ ...asked, erc20_tokens_requests: [{ ticker: 'SIX' }] });
      expect(keep(madeOf(result)).coins.map(({ walletOnly }) => walletOnly)).toEqual(expected);
    },
  );

  it('J19: of one account assign no nonce twice, even if they were activated one by one', async () => {
    const bench = activating(chain);
    const first = keep(madeOf((await bench.activate()).result));
    const second = keep(madeOf((await bench.activate()).result));
    const pay = async (made: ActivatedEvm, swap: string) => {
      const answer = await made.coins[0]?.chain.prepare(
        { purpose: 'fee', feeSat: 5n, burnSat: 0n, urgency: 0, replaces: null },
        { swap },
      );
      return answer?.ok === true ? answer.value.spends : answer;
    };
    expect(await pay(first, 'a')).not.toEqual(await pay(second, 'b'));
    first.close();
    expect((await second.coins[0]?.balances())?.ok).toBe(true);
  });

  it('report a token that is already active, of the same account only, and leave it as it is', async () => {
    const contract = await chain.token({ decimals: 6 });
    await chain.mint(contract, OWN, 2_500_000n);
    const six = (address: string) => ({
      tokens: { SIX: { contract } },
      kept: { SIX: { decimals: 6, address } },
    });
    const asked = { erc20_tokens_requests: [{ ticker: 'SIX' }] };
    const { coins, wallet } = keep(madeOf((await activating(chain, six(addressText(OWN))).activate(asked)).result));
    expect(coins.map(({ ticker }) => ticker)).toEqual(['ETH']);
    expect(wallet).toMatchObject({ balances: { SIX: { spendable: '2.5', unspendable: '0' } } });
    const other = activating(chain, six(addressText(addressOf('somebody else'))));
    const error = expect.stringContaining('SIX is active for the account');
    expect((await other.activate(asked)).result).toMatchObject({
      ok: false,
      fault: { data: { ticker: 'ETH', error } },
    });
    expect(other.homes.size).toBe(0);
  });

  it('are only tokens if their coin was removed, with the confirmations of the token’s request', async () => {
    const [six, eight] = [await chain.token({ decimals: 6 }), await chain.token({ decimals: 8 })];
    await chain.mint(six, OWN, 4_500_000n);
    const kept = { EIGHT: { decimals: 8, address: addressText(OWN) } };
    const tokens = { SIX: { contract: six }, EIGHT: { contract: eight } };
    const bench = activating(chain, { tokens, kept, passive: true, own: { required_confirmations: 2 } });
    const asked = { required_confirmations: 7, erc20_tokens_requests: [{ ticker: 'SIX' }, { ticker: 'EIGHT' }] };
    const { coins, wallet, close } = keep(madeOf((await bench.activate(asked)).result));
    expect(coins.map(({ ticker, requiredConfirmations }) => [ticker, requiredConfirmations])).toEqual([['SIX', 7]]);
    expect(wallet).toMatchObject({
      address: addressText(OWN),
      balances: { ETH: { spendable: '7.000000000000000001' }, SIX: { spendable: '4.5' }, EIGHT: { spendable: '0' } },
    });
    expect(await coins[0]?.balances()).toMatchObject({ ok: true, value: { spendable: '4.5' } });
    expect(await coins[0]?.chain.quote()).toMatchObject({ ok: true });
    close();
    expect(bench.homes.size).toBe(0);
  });

  it('are active if one of two named nodes answers, which alone is then not trusted about money', async () => {
    const { coins, wallet } = keep(
      madeOf((await activating(chain).activate({ nodes: [{ url: DEAD }, { url: chain.url }] })).result),
    );
    expect(wallet).toMatchObject({ balances: { ETH: { spendable: '7.000000000000000001' } } });
    expect(await coins[0]?.balances()).toMatchObject({ ok: true, value: { spendable: '7.000000000000000001' } });
    const answer = await coins[0]?.chain.quote();
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'unavailable' } });
    expect(JSON.stringify(answer)).toContain('1 of the 2 nodes that must agree answered');
    const bench = activating(chain, { tokens: { SIX: { contract: await chain.token({ decimals: 6 }) } } });
    const erc20_tokens_requests = [{ ticker: 'SIX' }];
    const { result } = await bench.activate({ erc20_tokens_requests, nodes: [{ url: DEAD }, { url: chain.url }] });
    expect(result).toMatchObject({ ok: false, fault: { type: 'Transport' } });
    expect(bench.homes.size).toBe(0);
  });

  it.each(['/', '/#again'])('are not reached by two nodes if one is named twice (%s)', async (end) => {
    const spelled = `${chain.url.replace(/\/$/, '').replace('http', 'HTTP')}${end}`;
    const { coins } = keep(
      madeOf((await activating(chain).activate({ nodes: [{ url: chain.url }, { url: spelled }] })).result),
    );
    expect(await coins[0]?.chain.quote()).toMatchObject({ ok: true });
    const both = [{ url: DEAD }, { url: `${DEAD}${end}` }, { url: chain.url }, { url: spelled }];
    const alone = keep(madeOf((await activating(chain).activate({ nodes: both })).result));
    expect(await alone.coins[0]?.chain.quote()).toMatchObject({ ok: false, fault: { kind: 'unavailable' } });
  });

  it.each([
    [
      'specification',
      'Transport',
      'Failed to get client version for all nodes: 127.0.0.1:1 uses a port that HTTP clients block',
    ],
    ['kdf', 'Transport', 'Failed to get client version for all nodes'],
  ] as const)('are not active if no node answers (%s)', async (compatibility, type, data) => {
    const { result } = await activating(chain, { compatibility }).activate({ nodes: [{ url: DEAD }] });
    expect(result).toEqual({ ok: false, fault: { type, data, passing: true } });
  });

  it.each([
    ['specification', 'Transport'],
    ['kdf', 'Internal'],
  ] as const)('are not active if a node gives its chain but no block (%s)', async (compatibility, type) => {
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { id, method } = JSON.parse(body) as { readonly id: number; readonly method: string };
      const told: Readonly<Record<string, string>> = { web3_clientVersion: 'a test', eth_chainId: '0x7a69' };
      const error = { code: -32_000, message: 'not now' };
      const answer = told[method] === undefined ? { error } : { result: told[method] };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { activate, homes } = activating(chain, { compatibility });
    expect((await activate({ nodes: [{ url }] })).result).toMatchObject({ ok: false, fault: { type, passing: true } });
    expect(homes.size).toBe(0);
    server.close();
  });

  it.each([
    ['specification', 'CoinCreationError'],
    ['kdf', 'PlatformCoinCreationError'],
  ] as const)('are not active over a node of another chain (%s)', async (compatibility, type) => {
    const { result } = await activating(chain, { compatibility }).activate({ ticker: 'FAR' });
    const error = expect.stringMatching(/id 31337, but the coins file says 5$/);
    expect(result).toEqual({ ok: false, fault: { type, data: { ticker: 'FAR', error }, passing: true } });
  });

  it('are not active if one token has other digits than stated, and nothing is connected then', async () => {
    const token = await chain.token({ decimals: 6 });
    const { activate, homes } = activating(chain, { tokens: { TOK: { contract: token, decimals: 8 } } });
    const { result } = await activate({ erc20_tokens_requests: [{ ticker: 'TOK' }] });
    expect(result).toMatchObject({ ok: false, fault: { type: 'CoinCreationError' } });
    expect(JSON.stringify(result)).toContain('coin decimals: 8');
    expect(homes.size).toBe(0);
  });

  it('are not active if there is no swap contract at the address', async () => {
    const { result } = await activating(chain).activate({ swap_contract_address: `0x${addressOf('nobody')}` });
    const text = `There is no swap contract at this address. contract: ${addressText(addressOf('nobody'))}`;
    expect(JSON.stringify(result)).toContain(text);
  });

  it('ask the gas station of the request, which must answer, and in the other mode do not', async () => {
    let asked = 0;
    let told: object = { average: 860, fast: 900 };
    const station = createServer((_request, response) => {
      asked += 1;
      response.end(JSON.stringify(told));
    });
    await new Promise<void>((resolve) => station.listen(0, '127.0.0.1', resolve));
    const gas_station_url = `http://127.0.0.1:${(station.address() as AddressInfo).port}/`;
    try {
      const { coins } = keep(madeOf((await activating(chain).activate({ gas_station_url })).result));
      expect(asked).toBe(1);
      const answer = await coins[0]?.chain.quote();
      // 88 gwei and a tenth more, for each unit of gas of a transfer.
      expect(answer?.ok === true && answer.value.dexFeeFee).toBe(String((21_000 * 96.8) / 1e9));
      told = {};
      expect((await activating(chain).activate({ gas_station_url })).result).toMatchObject({
        ok: false,
        fault: { data: { error: 'failed to get gas price from station: the answer names no price' } },
      });
      const before = asked;
      keep(madeOf((await activating(chain, { compatibility: 'kdf' }).activate({ gas_station_url })).result));
      expect(asked).toBe(before);
    } finally {
      station.close();
    }
  });

  it('give up soon once nobody waits for them', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const ending = new AbortController();
    const { activate, homes } = activating(chain);
    const under = activate({ nodes: [{ url }] }, ending);
    await new Promise<void>((resolve) => silent.once('connection', () => resolve()));
    ending.abort();
    expect((await under).result.ok).toBe(false);
    expect(homes.size).toBe(0);
    await new Promise((resolve) => silent.close(resolve));
  });

  it('are reached over a websocket too', async () => {
    const url = chain.url.replace('http:', 'ws:');
    const { wallet } = keep(
      madeOf((await activating(chain).activate({ nodes: [{ url }], get_balances: false })).result),
    );
    expect(wallet).toMatchObject({ kind: 'address', balances: null });
  });
});
