import { mnemonicToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { EvmHomes } from '../../../../src/node/evm/homes.ts';
import { walletOfWords } from '../../../../src/node/hd-keys.ts';
import type { ActivatedEvm } from '../../../../src/ports/evm-activator.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { activating, madeOf, OWN } from '../../../support/evm/activating.ts';
import { EvmTestChain } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { BREAKS, type Manner, type ManneredNode, manneredNode } from '../../../support/evm/mannered-node.ts';
import { ETHER } from '../../../support/evm/two-wallets.ts';
import { WORDS } from '../../../support/hardware.ts';
import { describeWith } from '../../../support/optional-part.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const DEAD = 'http://127.0.0.1:1';
const PATH = { derivation_path: "m/44'/60'" };
const accountAt = (addressIndex: number) => mnemonicToAccount(WORDS, { addressIndex }).address;

describeWith(ANVIL, 'nodes of an EVM chain, and whose answers count', () => {
  let chain: EvmTestChain;
  const opened: ActivatedEvm[] = [];
  const nodes: ManneredNode[] = [];

  beforeAll(async () => {
    chain = await EvmTestChain.start();
    await chain.give(OWN, 7n * ETHER);
    await chain.give(accountAt(3).slice(2).toLowerCase(), 2n * ETHER);
  }, 60_000);
  afterEach(async () => {
    for (const { close } of opened.splice(0)) close();
    for (const node of nodes.splice(0)) await node.close();
  });
  afterAll(() => chain?.stop());

  const nodeOf = async (manner?: Manner) => {
    const node = await manneredNode(chain.url, manner);
    nodes.push(node);
    return node;
  };
  const over = async (urls: readonly string[], bench = activating(chain)) => {
    const made = madeOf((await bench.activate({ nodes: urls.map((url) => ({ url })) })).result);
    opened.push(made);
    return made;
  };
  const quote = async ({ coins }: ActivatedEvm) => {
    const answer = await coins[0]?.chain.quote();
    return answer?.ok === true ? 'settled' : answer?.fault.message;
  };
  const words = walletOfWords(new Secret(WORDS));
  const hd = () => activating(chain, { own: PATH, parts: { paths: { signerOf: words.ofPath, xpubAt: words.xpubAt } } });

  it('have one voice for one host, however often it is named, and are tried in turn', async () => {
    const node = await nodeOf(({ path }, answer) => (path.startsWith('/dead') ? BREAKS : answer));
    const named = [`${node.url}/dead`, `${node.url}/v3/key`, `${node.url.replace('127.0.0.1', 'localhost')}/dead/2`];
    expect(await quote(await over(named))).toBe('settled');
    // Three times the same voice does not make up for the other one.
    expect(await quote(await over([...named, DEAD]))).toBe(
      '1 of the 2 nodes that must agree answered: 127.0.0.1:1 uses a port that HTTP clients block',
    );
    expect(await quote(await over([...named, (await nodeOf()).url]))).toBe('settled');
  });

  it('are logged once each when they fall silent and when they are back', async () => {
    const [first, second] = [await nodeOf(), await nodeOf()];
    const clock = virtualClock(1_700_000_000_000);
    const lines: unknown[] = [];
    const tell = (level: string) => (message: string, fields: object) => void lines.push([level, message, fields]);
    const homes = new EvmHomes(clock, { info: tell('info'), warn: tell('warn'), error: tell('error') });
    const quiet = activating(chain, { parts: { homes } });
    const made = await over([first.url, second.url], quiet);
    expect([await quote(made), lines]).toEqual(['settled', []]);
    second.manner = () => BREAKS;
    for (const _ of [1, 2, 3]) expect(await quote(made)).toContain('1 of the 2 nodes');
    const node = `this host:${new URL(second.url).port}`;
    const reason = `${new URL(second.url).host} closed the connection`;
    const fallen = ['warn', 'a node of an EVM chain no longer answers', { chain: 31_337, node, reason }];
    expect(lines.splice(0)).toEqual([fallen]);
    second.manner = (_call, answer) => answer;
    // Soon after, nobody is told of who comes and goes.
    expect([await quote(made), lines]).toEqual(['settled', []]);
    clock.jump(60_000);
    expect(await quote(made)).toBe('settled');
    expect(lines).toEqual([['info', 'a node of an EVM chain answers again', { chain: 31_337, node }]]);
  });

  it('are too few with one away to agree on the digits of a token, unless the coins file says them', async () => {
    const six = await chain.token({ decimals: 6 });
    await chain.mint(six, OWN, 5n);
    const node = await nodeOf();
    const nodes = [{ url: node.url }, { url: DEAD }];
    const asked = { nodes, erc20_tokens_requests: [{ ticker: 'SIX' }] };
    const { result } = await activating(chain, { tokens: { SIX: { contract: six } } }).activate(asked);
    const data =
      'SIX: 1 of the 2 nodes that must agree answered: 127.0.0.1:1 uses a port that HTTP clients ' +
      'block; with decimals in the coins file, one node that answers is enough';
    expect(result).toEqual({ ok: false, fault: { type: 'Transport', data, passing: true } });
    const made = madeOf(
      (await activating(chain, { tokens: { SIX: { contract: six, decimals: 6 } } }).activate(asked)).result,
    );
    opened.push(made);
    expect(made.coins.map(({ ticker }) => ticker)).toEqual(['ETH', 'SIX']);
  });

  it('are another way to a voice that the account already has, whose first way is gone', async () => {
    const node = await nodeOf();
    const bench = activating(chain);
    const first = await over([`${node.url}/first`], bench);
    node.manner = ({ path }, answer) => (path === '/first' ? BREAKS : answer);
    expect(await quote(first)).toContain('no node answers: 127.0.0.1:');
    const second = await over([`${node.url}/second`], bench);
    expect([await quote(second), await quote(first)]).toEqual(['settled', 'settled']);
  });

  it('must prove their chain again whenever they come back, and do not count until then', async () => {
    const node = await nodeOf();
    const made = await over([node.url]);
    expect(await quote(made)).toBe('settled');
    node.manner = () => BREAKS;
    expect(await quote(made)).toContain('no node answers: 127.0.0.1:');
    node.manner = ({ method }, answer) => (method === 'eth_chainId' ? '0x1' : answer);
    expect(await quote(made)).toContain('no node answers: 127.0.0.1:');
    expect((await made.coins[0]?.balances())?.ok).toBe(false);
    node.manner = (_call, answer) => answer;
    expect(await quote(made)).toBe('settled');
  });

  it('that lied about what was shown are avoided by swaps too: all coins share what is known of them', async () => {
    const liar = await nodeOf(({ method }, answer) => (method === 'eth_getBalance' ? '0x1' : answer));
    const urls = [(await nodeOf()).url, liar.url, (await nodeOf()).url];
    // By this order the second is asked first.
    const random = { bytes: (count: number) => new Uint8Array(count) };
    const made = await over(urls, activating(chain, { parts: { random } }));
    expect(made.wallet).toMatchObject({ balances: { ETH: { spendable: '7' } } });
    expect(liar.asked.filter(({ method }) => method === 'eth_getBalance')).toHaveLength(1);
    const before = liar.asked.length;
    expect(await made.coins[0]?.balances()).toMatchObject({ value: { spendable: '7' } });
    expect(await quote(made)).toBe('settled');
    expect(liar.asked.length).toBe(before);
  });

  const POOR: Manner = ({ method }, answer) =>
    method === 'eth_getBalance' || method === 'eth_getTransactionCount' ? '0x0' : answer;
  const spread = (made: ActivatedEvm) =>
    made.wallet.kind === 'hd' ? made.wallet.accounts.map(({ addresses, total }) => [addresses.length, total]) : null;
  const found = [[4, { ETH: { spendable: '2', unspendable: '0' } }]];

  it('are outvoted about the accounts of a wallet, which addresses are used and what they hold', async () => {
    const urls = [(await nodeOf(POOR)).url, (await nodeOf()).url, (await nodeOf()).url];
    for (let round = 0; round < 3; round += 1) expect(spread(await over(urls, hd()))).toEqual(found);
  });

  it('are not trusted if two contradict one another about them, and nothing of it is kept', async () => {
    const liar = await nodeOf(POOR);
    const bench = hd();
    const request = { nodes: [{ url: liar.url }, { url: (await nodeOf()).url }] };
    expect((await bench.activate(request)).result).toMatchObject({ fault: { type: 'Transport', passing: true } });
    liar.manner = (_call, answer) => answer;
    const again = madeOf((await bench.activate(request)).result);
    opened.push(again);
    expect(spread(again)).toEqual(found);
  });

  it('do not decide alone which addresses are used, if two are named, but say what known ones hold', async () => {
    const other = await nodeOf();
    const bench = hd();
    const request = { nodes: [{ url: chain.url }, { url: other.url }] };
    other.manner = () => BREAKS;
    expect((await bench.activate(request)).result).toMatchObject({ fault: { type: 'Transport', passing: true } });
    other.manner = (_call, answer) => answer;
    const first = madeOf((await bench.activate(request)).result);
    expect(spread(first)).toEqual(found);
    first.close();
    other.manner = () => BREAKS;
    const later = madeOf((await bench.activate(request)).result);
    opened.push(later);
    expect(spread(later)).toEqual(found);
  });

  it('that answer from the past are outvoted too', async () => {
    const old = Number(await chain.request('eth_blockNumber'));
    await chain.mine(2);
    await chain.give(accountAt(5).slice(2).toLowerCase(), ETHER);
    await chain.mine(1);
    const past = await chain.request('eth_getBlockByNumber', [`0x${old.toString(16)}`, false]);
    const behind: Manner = ({ method, params }, answer) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest' ? past : answer;
    const urls = [(await nodeOf(behind)).url, (await nodeOf()).url, (await nodeOf()).url];
    expect(spread(await over(urls, hd()))).toEqual([[6, { ETH: { spendable: '3', unspendable: '0' } }]]);
    await chain.give(accountAt(5).slice(2).toLowerCase(), 0n);
    await chain.mine(1);
  });
});
