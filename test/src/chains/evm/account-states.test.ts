import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { accountStates } from '../../../../src/chains/evm/account-states.ts';
import { connectBatches, mergedNode } from '../../../../src/chains/evm/batches.ts';
import { connectEvmNode, type EvmNode } from '../../../../src/chains/evm/node.ts';
import { createEvmNodeReader } from '../../../../src/chains/evm/node-reader.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import { ANVIL, type Anvil, startAnvil } from '../../../support/evm/anvil.ts';
import { type CountingProxy, countingProxy, type Instead } from '../../../support/evm/counting-proxy.ts';
import { placeToken, setTokens } from '../../../support/evm/stored-token.ts';
import { describeWith } from '../../../support/optional-part.ts';

const TOKEN = '70'.repeat(20);
const MOST = 2n ** 256n - 1n;
const accounts = Array.from({ length: 600 }, (_, place) => (0xc000 + place).toString(16).padStart(40, '0'));

describeWith(ANVIL, 'what many accounts of an EVM chain hold', () => {
  let anvil: Anvil;
  let direct: EvmNode;
  const open: CountingProxy[] = [];

  beforeAll(async () => {
    anvil = await startAnvil();
    direct = connectEvmNode({ url: anvil.url });
    await placeToken(direct, `0x${TOKEN}`);
    await direct.request('anvil_setBalance', [`0x${accounts[1]}`, '0x7']);
    await direct.request('anvil_setNonce', [`0x${accounts[2]}`, '0x5']);
    await setTokens(direct, `0x${TOKEN}`, [`0x${accounts[599]}`, MOST]);
    await direct.request('evm_mine', []);
  }, 60_000);
  afterAll(() => anvil?.stop());
  afterEach(() => {
    for (const proxy of open.splice(0)) proxy.close();
  });

  async function readerBehind(instead?: Instead) {
    const proxy = await countingProxy(anvil.url, instead);
    open.push(proxy);
    const { url } = proxy;
    const node = mergedNode({ batched: connectBatches({ url }), single: connectEvmNode({ url }) });
    const reader = createEvmNodeReader(node, 31_337);
    await reader.look();
    const before = proxy.requests.length;
    return { reader, requests: () => proxy.requests.slice(before).map((calls) => calls.length) };
  }
  const nothing = { sent: 0, coin: 0n, tokens: [0n] };
  const asked = { accounts, tokens: [TOKEN], sent: true };

  it('is read in as few requests as nodes take', async () => {
    const { reader, requests } = await readerBehind();
    const look = await reader.look();
    const states = await accountStates(look, asked);
    expect(states).toHaveLength(600);
    expect(states[1]).toEqual({ ...nothing, coin: 7n });
    expect(states[2]).toEqual({ ...nothing, sent: 5 });
    expect(states[599]).toEqual({ ...nothing, tokens: [MOST] });
    expect(states.filter((_, place) => ![1, 2, 599].includes(place))).toEqual(Array(597).fill(nothing));
    expect([...requests()].sort((left, right) => left - right)).toEqual([2, 800, 1000]);
  });

  it('is not counted if it is not requested, and there may be no tokens', async () => {
    const { reader, requests } = await readerBehind();
    const look = await reader.look();
    const states = await accountStates(look, { accounts: accounts.slice(1, 3), tokens: [], sent: false });
    expect(states).toEqual([
      { sent: null, coin: 7n, tokens: [] },
      { sent: null, coin: 0n, tokens: [] },
    ]);
    expect(requests()).toEqual([2, 2]);
    expect(await accountStates(look, { ...asked, accounts: [] })).toEqual([]);
  });

  it.each([
    ['refuses them whole', { error: { code: -32_600, message: 'batch too large' } }],
    ['answers with fewer', []],
    ['answers with something else', 'no'],
  ])('is read call by call from a node that, of batches, %s', async (_, said) => {
    const { reader, requests } = await readerBehind((body) =>
      Array.isArray(body) && body.length > 1 ? { text: JSON.stringify(said) } : undefined,
    );
    const states = await accountStates(await reader.look(), { ...asked, accounts: accounts.slice(0, 3) });
    expect(states).toEqual([nothing, { ...nothing, coin: 7n }, { ...nothing, sent: 5 }]);
    expect(requests()).toEqual([2, 1, 1, 9, ...Array(9).fill(1)]);
  });

  it('is all as of one block, whatever comes meanwhile', async () => {
    const { reader } = await readerBehind();
    const look = await reader.look();
    await direct.request('evm_mine', []);
    await direct.request('anvil_setBalance', [`0x${accounts[5]}`, '0x9']);
    await direct.request('evm_mine', []);
    const few = { ...asked, accounts: accounts.slice(5, 6) };
    expect([await accountStates(look, few), await accountStates(await reader.look(), few)]).toEqual([
      [nothing],
      [{ ...nothing, coin: 9n }],
    ]);
  });

  it.each(['0xzz', `0x1${'0'.repeat(64)}`])('is unknown if a node answers %s', async (result) => {
    const { reader } = await readerBehind((body) => {
      const calls = [body].flat() as { readonly id: number; readonly method: string }[];
      if (!calls.some(({ method }) => method === 'eth_getBalance')) return undefined;
      return { text: JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result }))) };
    });
    const few = { ...asked, accounts: accounts.slice(0, 2) };
    await expect(accountStates(await reader.look(), few)).rejects.toThrow(BackendSilent);
  });

  it('is unknown for a token that is not a contract', async () => {
    const { reader } = await readerBehind();
    const none = '71'.repeat(20);
    const few = { ...asked, accounts: accounts.slice(0, 2), tokens: [none] };
    await expect(accountStates(await reader.look(), few)).rejects.toThrow(none);
  });
});
