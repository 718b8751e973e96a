import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountOf } from '../../src/chains/evm/transaction.ts';
import { type OpenedNode, openTradingNode } from '../../src/cli/serve/trading-node.ts';
import type { JsonObject } from '../../src/primitives/json.ts';
import { EvmTestChain } from '../support/evm/adapter-chain.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { ETHER } from '../support/evm/two-wallets.ts';
import { describeWith } from '../support/optional-part.ts';
import { fencesOf } from './fences.ts';

const PAGE = 'docs/guides/evm-coins.md';
const COLLECTION = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';
const GWEI = 10n ** 9n;

type Entry = JsonObject & {
  readonly coin: string;
  readonly protocol: { readonly protocol_data: { readonly contract_address: string } };
};
type Params = JsonObject & { readonly swap_contract_address: string };
type Call = JsonObject & { readonly params: Params };
type Sent = {
  readonly gas: string;
  readonly maxFeePerGas: string;
  readonly maxPriorityFeePerGas: string;
  readonly value: string;
  readonly to: string;
};

/** The calls of the page go to a node as they stand there, but for what names another host. */
describeWith(ANVIL, PAGE, () => {
  let chain: EvmTestChain;
  let node: OpenedNode;
  let account: string;
  const lines: string[] = [];
  const blocks = fencesOf(PAGE).filter(({ language }) => language === 'json');
  /** A gas station, and a provider of collectibles. */
  const station = createServer(({ url = '' }, response) => {
    const [, account] = /^\/provider\/api\/v2\/(0x[0-9a-f]{40})\/nft\?chain=ETH/.exec(url) ?? [];
    const nft = { token_id: '12', amount: '1', owner_of: account, block_number: '7', contract_type: 'ERC721' };
    const result = [{ token_address: COLLECTION, ...nft }];
    response.end(JSON.stringify(account === undefined ? { average: 860, fast: 1000 } : { result, cursor: null }));
  });

  /** A block with the hosts of this machine in the place of those that it names. */
  function block<T>(place: number): T {
    const { port } = station.address() as AddressInfo;
    const ours: Readonly<Record<string, string>> = {
      'https://node-1.example': chain.url,
      'wss://node-2.example': chain.url.replace('http', 'ws'),
      'https://node-3.example': chain.url.replace('127.0.0.1', 'localhost'),
      'https://station.example/prices': `http://127.0.0.1:${port}/prices`,
      'https://provider.example': `http://127.0.0.1:${port}/provider`,
    };
    const { text = '' } = blocks[place] ?? {};
    return JSON.parse(Object.entries(ours).reduce((said, [theirs, own]) => said.replaceAll(theirs, own), text)) as T;
  }

  /** What stands at one address stands at another one too. */
  async function copyCode(from: string, to: string): Promise<void> {
    await chain.request('anvil_setCode', [to, await chain.request('eth_getCode', [`0x${from}`, 'latest'])]);
  }

  beforeAll(async () => {
    chain = await EvmTestChain.start(['--chain-id=1']);
    await new Promise<void>((resolve) => station.listen(0, '127.0.0.1', resolve));
    const [, token] = block<readonly Entry[]>(0);
    const { swap_contract_address } = block<Call>(1).params;
    await copyCode(chain.contract, swap_contract_address);
    await copyCode(await chain.token({ decimals: 6 }), String(token?.protocol.protocol_data.contract_address));
    const conf = join(mkdtempSync(join(tmpdir(), 'swapfold-page-')), 'MM2.json');
    const config = {
      ...{ passphrase: 'the passphrase of the page', rpc_password: 'change me', rpcport: 0, disable_p2p: true },
      ...{ coins: block(0), dbdir: 'DB' },
    };
    writeFileSync(conf, JSON.stringify(config));
    const say = (message: string): void => void lines.push(message);
    const logger = { debug() {}, info() {}, warn: say, error: say };
    node = await openTradingNode({ conf, compatibility: 'specification', logger, onStop() {} });
    account = accountOf(Buffer.from(node.publicKey, 'hex'));
    await chain.give(account, 2n * ETHER);
    await chain.mine();
  }, 60_000);
  afterAll(async () => {
    await node?.close();
    station.close();
    chain?.stop();
  });

  async function call(request: object): Promise<JsonObject> {
    return (await (await fetch(node.url, { method: 'POST', body: JSON.stringify(request) })).json()) as JsonObject;
  }
  const legacy = (method: string, members: object = {}) => call({ userpass: 'change me', method, ...members });

  /** How a task ends that a request of the page begins. */
  async function ended(request: Call): Promise<unknown> {
    const { task_id } = (await call(request))['result'] as { readonly task_id: number };
    const asked = { ...request, method: 'task::enable_eth::status', params: { task_id, forget_if_finished: false } };
    for (;;) {
      const told = (await call(asked))['result'] as { readonly status: string };
      if (told.status !== 'InProgress') return told;
    }
  }

  it('has only the calls that are made here', () => {
    expect(blocks).toHaveLength(6);
  });

  it('activates the coin of the coins file with its token', async () => {
    const told = await ended(block<Call>(1));
    const balance = { ETH: { spendable: '2', unspendable: '0' }, 'USDC-ERC20': { spendable: '0', unspendable: '0' } };
    expect(told).toMatchObject({ status: 'Ok', details: { ticker: 'ETH', wallet_balance: { balance } } });
    const enabled = (await legacy('get_enabled_coins'))['result'] as readonly { readonly ticker: string }[];
    expect(enabled.map(({ ticker }) => ticker)).toEqual(['ETH', 'USDC-ERC20']);
  });

  it('withdraws for the prices that the call names, and sends nothing before the caller confirms', async () => {
    const withdrawal = block<JsonObject>(5);
    const signed = await call(withdrawal);
    expect(signed).toMatchObject({ tx_hex: expect.any(String) });
    expect(await chain.balance(String(withdrawal['to']).slice(2))).toBe(0n);
    const { tx_hash } = await legacy('send_raw_transaction', { coin: 'ETH', tx_hex: signed['tx_hex'] });
    await chain.mine();
    expect(await chain.balance(String(withdrawal['to']).slice(2))).toBe(ETHER / 4n);
    const id = `0x${String(tx_hash).replace(/^0x/, '')}`;
    const sent = (await chain.request('eth_getTransactionByHash', [id])) as Sent;
    expect([sent.gas, sent.maxFeePerGas, sent.maxPriorityFeePerGas].map(BigInt)).toEqual([
      60_000n,
      40n * GWEI,
      (3n * GWEI) / 2n,
    ]);
  });

  it('makes a coin passive while its token stays, and removes both when it is forced to', async () => {
    expect(await legacy('disable_coin', { coin: 'ETH' })).toMatchObject({ result: { passivized: true } });
    expect(await legacy('disable_coin', { coin: 'ETH', force_disable: true })).toMatchObject({
      result: { coin: 'ETH' },
    });
    expect((await legacy('get_enabled_coins'))['result']).toEqual([]);
  });

  it('enables the coin alone, with the prices of a gas station', async () => {
    expect(await call(block(2))).toMatchObject({ result: 'success', coin: 'ETH', required_confirmations: 3 });
    expect(await legacy('disable_coin', { coin: 'ETH' })).toMatchObject({ result: { passivized: false } });
  });

  it('reports collectibles as the request’s provider lists them', async () => {
    const request = block<Call>(1);
    const told = await ended({ ...request, params: { ...request.params, ...block<JsonObject>(4) } });
    const key = `${COLLECTION.toLowerCase()},12`;
    expect(told).toMatchObject({ status: 'Ok', details: { nfts_infos: { [key]: { chain: 'ETH', amount: '1' } } } });
    await legacy('disable_coin', { coin: 'ETH', force_disable: true });
  });

  it('lets watchers be paid if a request says so', async () => {
    const request = block<Call>(1);
    const members = block<JsonObject>(3);
    expect(await ended({ ...request, params: { ...request.params, ...members } })).toMatchObject({ status: 'Ok' });
    // Nothing is said of a contract without the functions for it; two of the nodes have names without address.
    const silence = 'a node of an EVM chain no longer answers';
    expect(lines.filter((line) => line !== silence)).toEqual([]);
  });
});
