import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { accountStates } from '../../../../src/chains/evm/account-states.ts';
import { connectBatches } from '../../../../src/chains/evm/batches.ts';
import { connectNode, type EvmNode } from '../../../../src/chains/evm/node.ts';
import { BackendSilent } from '../../../../src/chains/evm/reader.ts';
import { ANVIL, type Anvil, startAnvil } from '../../../support/evm/anvil.ts';
import { type CountingProxy, countingProxy, type Instead } from '../../../support/evm/counting-proxy.ts';
import { placeToken, setTokens } from '../../../support/evm/stored-token.ts';
import { describeWith } from '../../../support/optional-part.ts';

const TOKEN = `0x${'70'.repeat(20)}`;
const MOST = 2n ** 256n - 1n;
const accounts = Array.from({ length: 600 }, (_, place) => `0x${(0xc000 + place).toString(16).padStart(40, '0')}`);

describeWith(ANVIL, 'what many accounts of an EVM chain hold', () => {
  let anvil: Anvil;
  let direct: EvmNode;
  const open: CountingProxy[] = [];

  beforeAll(async () => {
    anvil = await startAnvil();
    direct = connectNode({ url: anvil.url });
    await placeToken(direct, TOKEN);
    await direct.request('anvil_setBalance', [accounts[1], '0x7']);
    await direct.request('anvil_setNonce', [accounts[2], '0x5']);
    await setTokens(direct, TOKEN, [accounts[599] ?? '', MOST]);
    await direct.request('evm_mine', []);
  }, 60_000);
  afterAll(() => anvil?.stop());
  afterEach(() => {
    for (const proxy of open.splice(0)) proxy.close();
  });

  async function nodeBehind(instead?: Instead) {
    const proxy = await countingProxy(anvil.url, instead);
    open.push(proxy);
    const { url } = proxy;
    return { requests: proxy.requests, batched: connectBatches({ url }), single: connectNode({ url }) };
  }
  const nothing = { sent: 0, coin: 0n, tokens: [0n] };
  const asked = { accounts, tokens: [TOKEN], sent: true };

  it('is read in as few requests as nodes take', async () => {
    const node = await nodeBehind();
    const states = await accountStates([node], asked);
    expect(states).toHaveLength(600);
    expect(states[1]).toEqual({ ...nothing, coin: 7n });
    expect(states[2]).toEqual({ ...nothing, sent: 5 });
    expect(states[599]).toEqual({ ...nothing, tokens: [MOST] });
    expect(states.filter((_, place) => ![1, 2, 599].includes(place))).toEqual(Array(597).fill(nothing));
    expect(node.requests.map((calls) => calls.length)).toEqual([1000, 800]);
  });

  it('is not counted where nobody asks for it, and there may be no tokens', async () => {
    const node = await nodeBehind();
    const states = await accountStates([node], { accounts: accounts.slice(1, 3), tokens: [], sent: false });
    expect(states).toEqual([
      { sent: null, coin: 7n, tokens: [] },
      { sent: null, coin: 0n, tokens: [] },
    ]);
    expect(node.requests).toEqual([['eth_getBalance', 'eth_getBalance']]);
    expect(await accountStates([node], { ...asked, accounts: [] })).toEqual([]);
  });

  it.each([
    ['refuses them whole', { error: { code: -32_600, message: 'batch too large' } }],
    ['answers with fewer', []],
    ['answers with something else', 'no'],
  ])('is read call by call from a node that, of batches, %s', async (_, said) => {
    const node = await nodeBehind((body) => (Array.isArray(body) ? { text: JSON.stringify(said) } : undefined));
    const states = await accountStates([node], { ...asked, accounts: accounts.slice(0, 3) });
    expect(states).toEqual([nothing, { ...nothing, coin: 7n }, { ...nothing, sent: 5 }]);
    expect(node.requests.map((calls) => calls.length)).toEqual([9, ...Array(9).fill(1)]);
  });

  it.each([
    ['nothing', (): ReturnType<Instead> => ({ status: 500, text: 'down' })],
    [
      'a number that is none',
      (body: unknown) => ({
        text: JSON.stringify(
          [body].flat().map((call) => ({ jsonrpc: '2.0', id: (call as { id: number }).id, result: '0xzz' })),
        ),
      }),
    ],
    [
      'more than a word',
      (body: unknown) => ({
        text: JSON.stringify(
          [body]
            .flat()
            .map((call) => ({ jsonrpc: '2.0', id: (call as { id: number }).id, result: `0x1${'0'.repeat(64)}` })),
        ),
      }),
    ],
  ])('is read from the next node where one says %s, and from nobody where all do', async (_, instead) => {
    const bad = await nodeBehind(instead);
    const good = await nodeBehind();
    const few = { ...asked, accounts: accounts.slice(0, 2) };
    expect(await accountStates([bad, good], few)).toEqual([nothing, { ...nothing, coin: 7n }]);
    await expect(accountStates([bad, bad], few)).rejects.toThrow(BackendSilent);
    await expect(accountStates([], few)).rejects.toThrow(BackendSilent);
  });

  it('is not known of a token that is no contract', async () => {
    const node = await nodeBehind();
    const none = `0x${'71'.repeat(20)}`;
    await expect(accountStates([node], { ...asked, tokens: [none] })).rejects.toThrow(none);
  });

  it('is not waited for once it was ended', async () => {
    const ending = new AbortController();
    const proxy = await countingProxy(anvil.url);
    open.push(proxy);
    const batched = connectBatches({ url: proxy.url, signal: ending.signal });
    ending.abort();
    await expect(accountStates([{ batched, single: batched }], asked)).rejects.toThrow(BackendSilent);
    expect(proxy.requests).toEqual([]);
  });
});
