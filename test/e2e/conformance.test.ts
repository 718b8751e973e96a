import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../src/log/memory/index.ts';
import { coinsOf } from '../../src/node/coins-file.ts';
import { walletOfPassphrase } from '../../src/node/keys.ts';
import { type Compatibility, createNode } from '../../src/node/node.ts';
import { createInProcessNetwork } from '../../src/peers/in-process/index.ts';
import type { JsonObject, JsonValue } from '../../src/primitives/json.ts';
import { Secret } from '../../src/primitives/secret.ts';
import { FRAMEWORK_METHODS } from '../../src/rpc/framework/methods.ts';
import { type ElectrumServer, openElectrumServer, withRpc } from '../../src/rpc/index.ts';
import { systemClock } from '../../src/runtime/host/clock-system.ts';
import { describeShared, readShared } from '../support/shared.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../support/utxo/embedded-chain.ts';
import { settled } from '../support/virtual-clock.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROWS = JSON.parse(readFileSync(join(ROOT, 'test/support/conformance.json'), 'utf8')) as readonly {
  readonly spec: string;
  readonly item: string;
  readonly rule: string;
  readonly here: string;
  readonly file?: string;
  readonly title?: string;
}[];
const PASSWORD = 'a password of the suite';
const WALLET = walletOfPassphrase(new Secret('a passphrase of the suite'));
const LOCAL = { address: '127.0.0.1', local: true };
const LOGGER = { debug() {}, info() {}, warn() {}, error() {} };
const UTXO = { mm2: 1, txversion: 4, overwintered: 1, mature_confirmations: 1, protocol: { type: 'UTXO' } };
const ERC20 = { platform: 'ETH', contract_address: '0x9130b257D37A52E52F21054c4DA3450c72f595CE' };

type Answer = { readonly http: number; readonly body: JsonObject };

let chain: EmbeddedChain;
let electrum: ElectrumServer;
type Served = Awaited<ReturnType<typeof nodeOver>>;
let node: Served;
/** The same with `--compatibility kdf`. */
let there: Served;

async function nodeOver(embedded: EmbeddedChain, compatibility: Compatibility) {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-conformance-'));
  const confpath = join(folder, 'native.conf');
  const down = join(folder, 'down.conf');
  writeFileSync(confpath, embedded.conf);
  writeFileSync(down, embedded.conf.replace(/rpcport=\d+/, 'rpcport=9'));
  const entries = [
    { coin: 'DOC', confpath, ...UTXO, required_confirmations: 2, requires_notarization: true },
    { coin: 'BARE', confpath, ...UTXO },
    { coin: 'DOWN', confpath: down, ...UTXO },
    { coin: 'NOMM2', confpath, ...UTXO, mm2: null },
    { coin: 'ETHX', mm2: 1, protocol: { type: 'ETH', protocol_data: { chain_id: 1 } } },
    { coin: 'ETHC', mm2: 1, required_confirmations: 5, protocol: { type: 'ETH', protocol_data: { chain_id: 1 } } },
    { coin: 'TOKX', mm2: 1, protocol: { type: 'ERC20', protocol_data: ERC20 } },
  ];
  const made = createNode({
    ...{ coins: coinsOf(entries, 'the suite'), signer: WALLET, log: createMemoryLog(), clock: systemClock() },
    peers: createInProcessNetwork().peer('a1'.repeat(32)),
    compatibility,
  });
  await made.start();
  return withRpc(made, { password: new Secret(PASSWORD) });
}

beforeAll(async () => {
  chain = await startEmbeddedChain();
  const options = { client: chain.client, clock: systemClock(), logger: LOGGER, software: 'a test', tcp: 0 };
  electrum = await openElectrumServer(options);
  node = await nodeOver(chain, 'specification');
  there = await nodeOver(chain, 'kdf');
  await chain.fund(WALLET.coins.key, { count: 1, value: 123_456_789n });
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  await electrum.look();
});
afterEach(async () => {
  for (const each of [node, there])
    for (const { ticker } of each.coins.active()) await each.disable(ticker, { force: true });
});
afterAll(async () => {
  await node.close();
  await there.close();
  await electrum.close();
  await chain.close();
  outside.close();
});

async function send(
  request: JsonObject | readonly JsonObject[] | string,
  caller = LOCAL,
  { fetch: asked }: Served = node,
): Promise<Answer> {
  const init = { method: 'POST', body: typeof request === 'string' ? request : JSON.stringify(request) };
  const response = await asked(new Request('http://node/', init), caller);
  return { http: response.status, body: (await response.json()) as JsonObject };
}

const call = (method: string, members: JsonObject = {}) => send({ method, userpass: PASSWORD, ...members });
const v2 = (method: string, params: JsonObject = {}) => send({ method, mmrpc: '2.0', userpass: PASSWORD, params });
const server = () => ({ url: `127.0.0.1:${electrum.tcpPort}` });
const viaServers = (members: JsonObject = {}) => call('electrum', { coin: 'BARE', servers: [server()], ...members });
const enable = (members: JsonObject = {}) => call('enable', { coin: 'BARE', ...members });

/** The activation comes to nothing, with this in its text. */
async function refused(answer: Promise<Answer>, text: string): Promise<void> {
  const { http, body } = await answer;
  expect([http, Object.keys(body)]).toEqual([500, ['error']]);
  expect(String(body['error']).toLowerCase()).toContain(text.toLowerCase());
  expect(node.coins.active()).toEqual([]);
}

/** A node of an EVM chain, and a gas station, as far as an activation asks them. */
const outside = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.end('{"average": 860, "fast": 1000}');
    return;
  }
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { id, method } = JSON.parse(body) as { readonly id: number; readonly method: string };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: EVM_ANSWERS[method] ?? '0x0' }));
});
const EVM_ANSWERS: Readonly<Record<string, JsonValue>> = {
  web3_clientVersion: 'a test',
  eth_chainId: '0x1',
  // No payment is stored, and none was.
  eth_getLogs: [],
  eth_call: `0x${'0'.repeat(3 * 64)}`,
  eth_getBlockByNumber: { number: '0x7', hash: `0x${'7a'.repeat(32)}`, timestamp: '0x65000000' },
};
const outsideUrl = () => `http://127.0.0.1:${(outside.address() as AddressInfo).port}/`;
const DEAD_URL = 'http://127.0.0.1:1';
const enableEth = (members: JsonObject = {}) => call('enable', { coin: 'ETHX', urls: [outsideUrl()], ...members });

const LEAST = { ticker: 'ETHX', erc20_tokens_requests: [], swap_contract_address: `0x${'24'.repeat(20)}` };

/** The real node wants a swap contract. */
const enableThere = (members: JsonObject = {}) => {
  const { swap_contract_address } = LEAST;
  const request = { coin: 'ETHX', urls: [outsideUrl()], swap_contract_address, ...members };
  return send({ method: 'enable', userpass: PASSWORD, ...request }, LOCAL, there);
};

/** How a task ends, by the node that is asked. */
async function ended(asked: Served, members: JsonObject = {}): Promise<JsonObject> {
  const step = async (name: string, params: JsonObject) =>
    (await send({ mmrpc: '2.0', userpass: PASSWORD, method: `task::enable_eth::${name}`, params }, LOCAL, asked)).body;
  const params = { ...LEAST, nodes: [{ url: outsideUrl() }], ...members };
  const { result, ...refusal } = await step('init', params);
  if (result === undefined) return refusal;
  for (;;) {
    const { task_id } = result as { readonly task_id: number };
    const told = (await step('status', { task_id, forget_if_finished: false }))['result'] as JsonObject;
    if (told['status'] !== 'InProgress') return told;
    // The node, its chain and its station share the process.
    await settled();
  }
}

/** What a coin that a task has activated requires. */
async function required(asked: Served, members: JsonObject): Promise<readonly unknown[]> {
  expect(await ended(asked, members)).toMatchObject({ status: 'Ok' });
  const { requiredConfirmations, requiresNotarization } = asked.coins.get(String(members['ticker'] ?? 'ETHX')) ?? {};
  for (const { ticker } of asked.coins.active()) await asked.disable(ticker);
  return [requiredConfirmations, requiresNotarization];
}

/** By request, by coins file, by default; the real node has another default. */
async function taskConfirmations(): Promise<void> {
  for (const [asked, usual] of [
    [node, 3],
    [there, 1],
  ] as const) {
    expect(await required(asked, { ticker: 'ETHC', required_confirmations: 7 })).toEqual([7, false]);
    expect(await required(asked, { ticker: 'ETHC' })).toEqual([5, false]);
    expect(await required(asked, { required_confirmations: null })).toEqual([usual, false]);
  }
}

/** What a transfer costs, in gwei for each unit of its gas, by a station that says 860 and 1000. */
async function stationPrice(members: JsonObject, by: 'enable' | 'task' = 'enable'): Promise<number> {
  const station = { gas_station_url: outsideUrl(), ...members };
  if (by === 'task') expect(await ended(node, station)).toMatchObject({ status: 'Ok' });
  else expect((await enableEth(station)).body).toMatchObject({ result: 'success' });
  const quote = await node.coins.get('ETHX')?.chain.quote();
  await node.disable('ETHX');
  if (quote?.ok !== true) throw new Error('no quote');
  return Math.round((Number(quote.value.dexFeeFee) * 1e11) / 21_000) / 100;
}

/** With `--compatibility kdf` nobody looks at it. */
async function unseenThere(members: JsonObject): Promise<void> {
  const station = { gas_station_url: DEAD_URL, ...members };
  expect((await enableThere(station)).body).toMatchObject({ result: 'success' });
  await there.disable('ETHX');
  expect(await ended(there, station)).toMatchObject({ status: 'Ok' });
  await there.disable('ETHX');
}

async function noSuchMethod(...methods: readonly string[]): Promise<void> {
  for (const method of methods) {
    expect((await v2(method)).body).toMatchObject({
      error: expect.stringContaining(`No such method: ${method}`),
      error_type: 'NoSuchMethod',
    });
  }
}

/** By request, by coins file, by default, over both backends. */
async function resolved(
  member: string,
  [asked, configured, usual]: readonly [unknown, unknown, unknown],
): Promise<void> {
  const told = async (method: string, members: JsonObject): Promise<unknown> => {
    const { body } = await call(method, { servers: [server()], ...members });
    expect(body['result']).toBe('success');
    await node.disable(String(members['coin']));
    return body[member];
  };
  for (const method of ['enable', 'electrum']) {
    expect(await told(method, { coin: 'DOC', [member]: asked } as JsonObject)).toBe(asked);
    expect(await told(method, { coin: 'DOC' })).toBe(configured);
    expect(await told(method, { coin: 'BARE' })).toBe(usual);
  }
}
const confirmations = () => resolved('required_confirmations', [7, 2, 3]);
const notarization = () => resolved('requires_notarization', [false, true, false]);

/** The answers of both methods, one after the other. */
async function bothAnswers(): Promise<readonly [Answer, Answer]> {
  const light = await viaServers();
  await node.disable('BARE');
  return [light, await enable()];
}

async function member(name: string, shape: unknown): Promise<void> {
  for (const answer of await bothAnswers()) expect([answer.http, answer.body[name]]).toEqual([200, shape]);
}

/** A member of a v2 error. */
async function errorMember(name: string, shape: unknown): Promise<void> {
  const { body } = await v2('my_swap_status', { uuid: NOBODYS });
  expect(body[name]).toEqual(shape);
}

/** The id of no swap and no order. */
const NOBODYS = '5b1ee4a6-9d6c-4c6e-8a52-1f0e5d3c7a91';
const DECIMAL = expect.stringMatching(/^\d+(\.\d+)?$/);
const none = 'invalid type: null';
const minZero = () => refused(viaServers({ min_connected: 0 }), 'min_connected should be greater than 0');
const minAboveMax = () =>
  refused(viaServers({ min_connected: 3, max_connected: 2 }), 'min_connected (3) must be <= max_connected (2)');

/** Two servers, of which one is nowhere. */
const twoServers = (members: JsonObject) => viaServers({ servers: [server(), { url: '127.0.0.1:9' }], ...members });

async function defaultOfMax(): Promise<void> {
  await refused(viaServers({ min_connected: 2 }), 'min_connected (2) must be <= max_connected (1)');
  await refused(twoServers({ min_connected: 3 }), 'min_connected (3) must be <= max_connected (2)');
  expect((await twoServers({ min_connected: 2 })).http).toBe(200);
  await node.disable('BARE');
  expect((await viaServers({ min_connected: 2, max_connected: 5 })).http).toBe(200);
}

async function defaultOfMin(): Promise<void> {
  expect((await viaServers()).http).toBe(200);
  await node.disable('BARE');
  expect((await twoServers({ max_connected: 1 })).http).toBe(200);
}

/** With 0 no order is made with the coin; with 1 it is the other coin that is missing. */
async function tradable(activate: (mm2: number) => Promise<Answer>): Promise<void> {
  for (const [mm2, refusal] of [
    [0, 'wallet only asset'],
    [1, 'Not enough'],
  ] as const) {
    expect((await activate(mm2)).http).toBe(200);
    await enable();
    const order = { base: 'NOMM2', rel: 'BARE', price: '1', volume: '1000' };
    expect((await call('setprice', order)).body['error']).toContain(refusal);
    for (const coin of ['NOMM2', 'BARE']) await node.disable(coin);
  }
}

async function twice(): Promise<void> {
  expect((await enable()).body['result']).toBe('success');
  for (const again of [await enable(), await viaServers()]) {
    expect(again.http).toBe(500);
    expect(again.body['error']).toContain('The coin BARE is already activated');
  }
}

const CHECKS: Readonly<Record<string, () => Promise<void>>> = {
  '4.3 legacy request': async () => {
    expect((await call('my_balance', { coin: 'BARE' })).body['error']).toMatch(/No such coin: BARE; it is in/);
    expect(
      (await send({ method: 'my_balance', userpass: PASSWORD, coin: 'BARE' }, LOCAL, there)).body['error'],
    ).toMatch(/No such coin: BARE$/);
    expect(
      (await send({ method: 'my_balance', userpass: PASSWORD, params: { coin: 'BARE' } })).body['error'],
    ).toContain("No 'coin' field");
  },
  '4.3 legacy answer': async () => {
    await enable();
    const { body } = await call('my_balance', { coin: 'BARE' });
    expect(Object.keys(body)).toEqual(['coin', 'balance', 'unspendable_balance', 'address']);
  },
  '4.3 v2 request': async () => {
    const request = { method: 'get_enabled_coins', userpass: PASSWORD, params: {} };
    expect((await send({ ...request, mmrpc: '2.0' })).body).toEqual({ mmrpc: '2.0', result: { coins: [] }, id: null });
    expect((await send({ ...request, mmrpc: '1.0' })).body).toMatchObject({ error_type: 'InvalidMmRpcVersion' });
  },
  '4.4 coin': () => refused(call('electrum', { servers: [] }), "No 'coin' field"),
  '4.4 servers': () => refused(call('electrum', { coin: 'BARE' }), `${none}, expected a sequence`),
  '4.4 servers.url': () => refused(viaServers({ servers: [{ protocol: 'TCP' }] }), 'missing field `url`'),
  '4.4 servers.protocol': async () => {
    await refused(
      viaServers({ servers: [{ ...server(), protocol: 'UDP' }] }),
      'unknown variant `UDP`, expected one of `TCP`, `SSL`, `WS`, `WSS`',
    );
    expect((await viaServers({ servers: [{ ...server(), protocol: 'TCP' }] })).http).toBe(200);
  },
  '4.4 max_connected': defaultOfMax,
  '4.4 min_connected': async () => {
    await minZero();
    await defaultOfMin();
  },
  '4.4 mm2': async () => {
    await refused(call('electrum', { coin: 'NOMM2', servers: [server()] }), 'mm2 param is not set');
    await tradable((mm2) => call('electrum', { coin: 'NOMM2', servers: [server()], mm2 }));
  },
  '4.4 required_confirmations': confirmations,
  '4.4 requires_notarization': notarization,
  '4.4 utxo_merge_params': () => refused(viaServers({ utxo_merge_params: {} }), 'missing field `merge_at`'),
  '4.4 answer: address': () => member('address', expect.stringMatching(/^R\w{33}$/)),
  '4.4 answer: balance': () => member('balance', '1.23456789'),
  '4.4 answer: coin': () => member('coin', 'BARE'),
  '4.4 answer: required_confirmations': () => member('required_confirmations', 3),
  '4.4 answer: requires_notarization': () => member('requires_notarization', false),
  '4.4 answer: result': () => member('result', 'success'),
  '4.4 answer: unspendable_balance': () => member('unspendable_balance', DECIMAL),
  '4.4 answer: mature_confirmations': () => member('mature_confirmations', 1),
  '4.5 coin': () => refused(call('enable', { coin: 5 }), "No 'coin' field"),
  '4.5 gas_station_decimals': async () => {
    expect(await stationPrice({ gas_station_decimals: 9 })).toBe(1023);
    expect(await stationPrice({ gas_station_decimals: 9 }, 'task')).toBe(1023);
    await refused(enableEth({ gas_station_decimals: 'x' }), 'expected u8');
    await unseenThere({ gas_station_decimals: 'x' });
  },
  '4.5 gas_station_policy.policy': async () => {
    expect(await stationPrice({})).toBe(102.3);
    expect(await stationPrice({ gas_station_policy: { policy: 'Average' } })).toBe(94.6);
    expect(await stationPrice({ gas_station_policy: { policy: 'Average' } }, 'task')).toBe(94.6);
    await refused(enableEth({ gas_station_policy: { policy: 'Dear' } }), 'unknown variant `Dear`');
    await unseenThere({ gas_station_policy: { policy: 'Dear' } });
  },
  '4.5 gas_station_url': async () => {
    expect(await stationPrice({})).toBe(102.3);
    await refused(enableEth({ gas_station_url: 'no url' }), 'gas_station_url');
    await unseenThere({});
  },
  '4.5 urls': async () => {
    await refused(enableEth({ urls: null }), 'expected a sequence');
    await refused(enableEth({ urls: [] }), 'must have at least 1 node URL');
    expect((await enableEth({ urls: [DEAD_URL, outsideUrl()] })).body).toMatchObject({ result: 'success' });
  },
  '4.5 answer: locked_by_swaps': async () => {
    expect((await enableEth()).body).toMatchObject({ locked_by_swaps: '0', balance: '0' });
    const { body } = await enableThere();
    expect([body['result'], Object.keys(body)]).toEqual(['success', expect.not.arrayContaining(['locked_by_swaps'])]);
  },
  '4.5 mm2': async () => {
    await refused(call('enable', { coin: 'NOMM2' }), 'mm2 param is not set');
    await refused(call('enable', { coin: 'nomm2' }), 'is not supported: the coins file has no entry for nomm2');
    await tradable((mm2) => call('enable', { coin: 'NOMM2', mm2 }));
    expect((await call('enable', { coin: 'DOC', mm2: 0 })).http).toBe(200);
    expect(node.coins.get('DOC')?.walletOnly).toBe(true);
  },
  '4.5 required_confirmations': confirmations,
  '4.5 requires_notarization': notarization,
  '4.5 tx_history': async () => {
    expect((await enable({ tx_history: true })).http).toBe(200);
    await noSuchMethod('my_tx_history');
  },
  '4.5 answer': async () => {
    const [light, native] = await bothAnswers();
    expect(native).toEqual(light);
  },
  '4.5 native daemon': async () => {
    expect(chain.conf).not.toMatch(/logevents|txindex|addressindex/);
    expect((await enable()).body['balance']).toBe('1.23456789');
  },
  '4.6 required_confirmations': taskConfirmations,
  '4.6 requires_notarization: effect': async () =>
    expect(await required(node, { requires_notarization: true })).toEqual([3, false]),
  '4.6 gas_station_url: effect': async () => {
    expect(await stationPrice({}, 'task')).toBe(102.3);
    const text = 'Error on platform coin ETHX creation: failed to get gas price from station: 127.0.0.1:';
    const error = expect.stringContaining(text);
    expect(await ended(node, { gas_station_url: DEAD_URL })).toMatchObject({
      status: 'Error',
      details: { result: { error_type: 'CoinCreationError', error } },
    });
  },
  '5 interface B: userpass': async () => {
    const names = FRAMEWORK_METHODS.map(({ name }) => name);
    for (const method of names) {
      for (const envelope of [{}, { mmrpc: '2.0', params: {} }]) {
        const { http, body } = await send({ method, ...envelope });
        const isAsked = String(body['error'] ?? '').includes('Userpass is not set!');
        expect([method, isAsked]).toEqual([method, method !== 'version' && method !== 'stats_swap_status']);
        if (isAsked) expect(http).toBe('mmrpc' in envelope ? 403 : 500);
      }
    }
    expect((await send({ method: 'my_orders', userpass: 'a guess' })).body['error']).toContain('Userpass is invalid!');
    expect((await call('my_orders')).http).toBe(200);
  },
  '7 legacy error': async () => {
    expect((await call('my_balance', { coin: 'NONE' })).body).toEqual({ error: expect.any(String) });
  },
  '7 mm2 set nowhere': () => refused(call('enable', { coin: 'NOMM2' }), 'assuming that coin is not supported'),
  '7 min_connected less than 1': minZero,
  '7 min_connected greater than max_connected': minAboveMax,
  '7 no electrum server reachable': () =>
    refused(
      viaServers({ servers: [{ url: '127.0.0.1:9' }] }),
      'all electrum servers for the coin BARE are unavailable',
    ),
  '7 native daemon unreachable': () => refused(call('enable', { coin: 'DOWN' }), 'failed to connect to native daemon'),
  '7 coin already activated': twice,
  '7 gas price cannot be fetched': () =>
    refused(enableEth({ gas_station_url: DEAD_URL }), 'failed to get gas price from station'),
  '7 EVM node urls unreachable': () =>
    refused(enableEth({ urls: [DEAD_URL] }), 'all RPC servers for the chain of ETHX are unavailable'),
  '7 v2 error: mmrpc': () => errorMember('mmrpc', '2.0'),
  '7 v2 error: error': () => errorMember('error', expect.stringContaining('No swap with uuid')),
  '7 v2 error: error_path': () => errorMember('error_path', 'my-swap-status'),
  '7 v2 error: error_trace': () => errorMember('error_trace', expect.stringMatching(/^my-swap-status:\d+\]$/)),
  '7 v2 error: error_type': () => errorMember('error_type', 'NoSwapWithUuid'),
  '7 v2 error: error_data': () => errorMember('error_data', NOBODYS),
  '7 v2 error: id': () => errorMember('id', null),
  '7 HTTP status of errors': async () => {
    expect((await call('my_balance', { coin: 'NONE' })).http).toBe(500);
    expect((await call('cancel_order', { uuid: NOBODYS })).http).toBe(404);
    expect((await v2('nothing')).http).toBe(400);
    expect((await send({ method: 'my_swap_status', mmrpc: '2.0', params: {} })).http).toBe(403);
    await refused(call('my_swap_status', { uuid: NOBODYS }), 'params.uuid: invalid type: null, expected a string');
    expect((await v2('withdraw', { coin: 'NONE', to: 'nobody', amount: '1' })).http).toBe(404);
    const amounts = { coin: 'NONE', to: 'nobody', amount: '0' };
    expect((await v2('withdraw', amounts)).body['error']).toBe('amount must be above 0');
    expect((await v2('withdraw', { ...amounts, amount: '1', max: true })).body['error']).toBe(
      'amount is 1, but max is set too: give only one of them',
    );
  },
  '8 min_connected': async () => {
    await minZero();
    await defaultOfMin();
  },
  '8 min_connected vs max_connected': minAboveMax,
  '8 max_connected': defaultOfMax,
  '8 required_confirmations': async () => {
    await confirmations();
    await taskConfirmations();
  },
  '8 requires_notarization': async () => {
    await notarization();
    expect(await required(node, {})).toEqual([3, false]);
  },
  '8 gas_station_decimals': async () => {
    expect(await stationPrice({})).toBe(await stationPrice({ gas_station_decimals: 8 }));
    expect(await stationPrice({}, 'task')).toBe(await stationPrice({ gas_station_decimals: 8 }, 'task'));
  },
  '8 tx_history': async () => {
    for (const tx_history of [false, true]) {
      expect((await enable({ tx_history })).http).toBe(200);
      await node.disable('BARE');
      expect(await ended(node, { tx_history })).toMatchObject({ status: 'Ok' });
      await node.disable('ETHX');
    }
  },
  '8 Sessions': async () => {
    await twice();
    // Whatever activated it first.
    const active = { error_type: 'PlatformIsAlreadyActivated', error: 'ETHX', error_data: 'ETHX' };
    expect((await enableEth()).http).toBe(200);
    expect(await ended(node)).toMatchObject(active);
    await node.disable('ETHX');
    expect(await ended(node)).toMatchObject({ status: 'Ok' });
    expect(await ended(node)).toMatchObject(active);
    expect((await enableEth()).body['error']).toContain('The coin ETHX is already activated');
  },
  '8 Rate and size limits': async () => {
    const guesser = { address: '127.0.0.9', local: true };
    const guesses: unknown[] = [];
    for (let left = 11; left > 0; left--) {
      guesses.push((await send({ method: 'my_orders', userpass: 'a guess' }, guesser)).body['error']);
    }
    expect(guesses.at(-2)).toContain('attempts left: 0');
    expect(guesses.at(-1)).toContain('Your IP is banned.');
    const version = { method: 'version' };
    const most = 32 * 1024 * 1024;
    const padded = (bytes: number): string => JSON.stringify(version).padEnd(bytes, ' ');
    expect((await send(padded(most))).http).toBe(200);
    expect((await send(padded(most + 1))).http).toBe(413);
    const batch = (calls: number) => send(Array.from({ length: calls }, () => version));
    expect((await batch(1000)).http).toBe(200);
    expect((await batch(1001)).body['error']).toContain('must not hold more than 1000 requests');
    const together = await Promise.all(Array.from({ length: 257 }, () => send(version)));
    expect(together.map(({ http }) => http).filter((http) => http !== 200)).toEqual([503]);
  },
};

describe('what the specification says of the interface', () => {
  const own = ROWS.filter(({ file }) => file === undefined);

  it.each(own.map((row) => [row.spec, row.item] as const))('%s %s', async (spec, item) => {
    const check = CHECKS[`${spec} ${item}`];
    expect(check, 'a test of this row').toBeDefined();
    await check?.();
  });

  it('has no check without a row, and no row without a rule, an answer and an existing test', () => {
    const ids = own.map(({ spec, item }) => `${spec} ${item}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(CHECKS).filter((id) => !ids.includes(id))).toEqual([]);
    for (const { rule, here, file, title } of ROWS) {
      expect([rule === '', here === '']).toEqual([false, false]);
      if (file === undefined) continue;
      expect(existsSync(join(ROOT, file)), file).toBe(true);
      expect(readFileSync(join(ROOT, file), 'utf8'), `${file}: ${title}`).toContain(`'${title}'`);
    }
  });

  it('is on its page as in the rows', () => {
    const page = readFileSync(join(ROOT, 'docs/reference/conformance.md'), 'utf8');
    const missing = ROWS.filter(({ item, rule, here }) => !page.includes(`| ${item} | ${rule} | ${here} |`));
    expect(missing, 'npm run docs').toEqual([]);
    const lines = page.split('\n').filter((line) => /^\| (?!what|---)/.test(line));
    expect(lines).toHaveLength(ROWS.length);
  });
});

describeShared('the specification itself', () => {
  const [text] = [readSpecification()];
  const section = (from: string, to: string): string => text.slice(text.indexOf(`\n${from}`), text.indexOf(`\n${to}`));
  const firstCells = (part: string): readonly string[] =>
    [...part.matchAll(/^\| ([^|]+?) \|/gm)]
      .map(([, cell = '']) => cell.replaceAll('`', ''))
      .filter((cell) => !/^(---.*|Field|Condition|Limit|error_type|Value|From)$/.test(cell));

  it.each([
    ['3.2', '### 3.2', '### 3.3', 12],
    ['4.6', '### 4.6', '### 4.7', 21],
    ['4.4', '### 4.4', '### 4.5', 18],
    ['4.5', '### 4.5', '### 4.6', 11],
    ['4.10', '### 4.10', '## 5.', 16],
    ['7', '## 7.', '## 8.', 25],
    ['8', '## 8.', '## 9.', 14],
  ] as const)('has no field, error or limit of section %s that is not in the table', (spec, from, to, most) => {
    const items = ROWS.filter((row) => row.spec === spec).map(({ item }) => plain(item));
    const stated = firstCells(section(from, to)).map(plain);
    expect(stated.length).toBeGreaterThanOrEqual(most - 3);
    const unknown = stated.filter((cell) => !items.some((item) => item === cell || SAME[cell] === item));
    expect(unknown).toEqual([]);
  });
});

function plain(cell: string): string {
  return cell.replace(/^answer: /, '').trim();
}

/** Rows that the table names more shortly. */
const SAME: Readonly<Record<string, string>> = {
  'mm2 set neither in the coins file nor in the request': 'mm2 set nowhere',
  'gas price cannot be fetched from the station': 'gas price cannot be fetched',
  'Confirmations treated as confirmed on chains without the notarization service': 'txnotarizedconfirmed',
  'Unconfirmed-ancestor limit of the remote chain, reported in a sample failure': 'Unconfirmed-ancestor limit',
};

function readSpecification(): string {
  try {
    return readShared('spec/000_2eb808b4cf6e7839.txt');
  } catch {
    return '';
  }
}
