import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OpenedNode, openTradingNode } from '../../src/cli/serve/trading-node.ts';
import { hexToBytes } from '../../src/primitives/hex.ts';
import { createRpcClient } from '../../src/rpc/client/index.ts';
import { requireDescribed } from '../support/described.ts';
import { type FrameReader, frameReader } from '../support/event-frames.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../support/utxo/embedded-chain.ts';

const PASSWORD = 'a password of the streams';
const LOGGER = { debug() {}, info() {}, warn() {}, error() {} };
const UTXO = { mm2: 1, txversion: 4, overwintered: 1, mature_confirmations: 1, protocol: { type: 'UTXO' } };

let chain: EmbeddedChain;
let conf: string;
let node: OpenedNode;
const stops: (() => unknown)[] = [];

const serve = () => openTradingNode({ conf, compatibility: 'specification', logger: LOGGER, onStop() {} });

beforeAll(async () => {
  chain = await startEmbeddedChain();
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-streams-'));
  writeFileSync(join(folder, 'native.conf'), chain.conf);
  const coins = ['DOC', 'CAT'].map((coin) => ({ coin, confpath: join(folder, 'native.conf'), ...UTXO }));
  conf = join(folder, 'MM2.json');
  writeFileSync(conf, JSON.stringify({ passphrase: 'bob passphrase', rpc_password: PASSWORD, rpcport: 0, coins }));
  node = await serve();
  await chain.fund(hexToBytes(node.publicKey), { count: 2, value: 100_000_000n });
  await enableCoins();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(async () => {
  await node.close();
  await chain.close();
});

type Said = { readonly http: number; readonly [member: string]: unknown };

async function post(request: object): Promise<readonly Said[]> {
  const response = await fetch(node.url, { method: 'POST', body: JSON.stringify(request) });
  const body = (await response.json()) as object | readonly object[];
  return (Array.isArray(body) ? body : [body]).map((said) => ({ http: response.status, ...said }));
}

const v2Request = (method: string, params: object) => ({ userpass: PASSWORD, mmrpc: '2.0', method, params });

async function v2(method: string, params: object = {}): Promise<Said> {
  const request = v2Request(method, params);
  const [said] = await post(request);
  const { http, ...body } = said as Said;
  requireDescribed(request, { status: http, body });
  return { http, ...body };
}

async function enableCoins(): Promise<void> {
  for (const coin of ['DOC', 'CAT']) {
    expect(await post({ userpass: PASSWORD, method: 'enable', coin })).toMatchObject([{ result: 'success' }]);
  }
}

/** Makes an order, which replaces the one before: two events of orders. */
async function order(): Promise<void> {
  const asked = { method: 'setprice', base: 'DOC', rel: 'CAT', price: '1.5', volume: '0.01', cancel_previous: false };
  expect(await post({ userpass: PASSWORD, ...asked })).toMatchObject([{ http: 200 }]);
}

type Follower = {
  /** Waits for a frame, and gives the id of the one that it is. */
  readonly until: (type: string, count?: number) => Promise<string>;
  readonly told: () => readonly string[];
  readonly lastId: () => string | null;
  readonly raw: () => string;
  readonly cut: () => Promise<void>;
};

async function follow(query: string, lastId?: string): Promise<Follower> {
  const headers = { authorization: `Bearer ${PASSWORD}`, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) };
  const response = await fetch(new URL(`event-stream${query}`, node.url), { headers });
  expect(response.status).toBe(200);
  return followed(frameReader(response.body as ReadableStream<Uint8Array>));
}

function followed(reader: FrameReader): Follower {
  const types: string[] = [];
  stops.push(() => reader.cut());
  return {
    async until(type, count = 1) {
      let left = count - types.filter((each) => each === type).length;
      while (left > 0) {
        const frames = await reader.next();
        if (frames === null) throw new Error('the stream ended');
        types.push(...frames.map(({ data }) => data._type));
        left -= frames.filter(({ data }) => data._type === type).length;
      }
      return reader.lastId() ?? '';
    },
    told: () => types,
    lastId: reader.lastId,
    raw: reader.raw,
    cut: () => reader.cut(),
  };
}

/** The client has a stream from the moment in which the answer's head is there. */
const swaps = (client_id?: unknown) => v2('stream::swap_status::enable', client_id === undefined ? {} : { client_id });
const orders = (client_id: unknown) => v2('stream::order_status::enable', { client_id });
const beats = (client_id: unknown, config?: unknown) => v2('stream::heartbeat::enable', { client_id, config });
const disable = (client_id: unknown, streamer_id: unknown) => v2('stream::disable', { client_id, streamer_id });

const fault = (error_type: string, error_data: string) =>
  expect.objectContaining({ http: 400, error_type, error_data });

describe('a client that names itself', () => {
  it('gets only what it enables, from then on', async () => {
    const stream = await follow('?id=7');
    await order();
    expect(await orders(7)).toEqual({ http: 200, mmrpc: '2.0', result: { streamer_id: 'ORDER_STATUS' }, id: null });
    await order();
    expect(await v2('stream::balance::enable', { client_id: 7, coin: 'DOC', config: null })).toMatchObject({
      result: { streamer_id: 'BALANCE:DOC' },
    });
    expect((await beats(7, { stream_interval_seconds: 1 }))['result']).toEqual({ streamer_id: 'HEARTBEAT' });
    await stream.until('HEARTBEAT', 2);
    expect(stream.told()).toEqual(['ORDER_STATUS', 'HEARTBEAT', 'HEARTBEAT']);
    await chain.fund(hexToBytes(node.publicKey), { count: 1, value: 1_000_000n });
    await v2('get_enabled_coins');
    await post({ userpass: PASSWORD, method: 'my_balance', coin: 'DOC' });
    await stream.until('BALANCE:DOC');
    expect(stream.told().filter((type) => type.startsWith('BALANCE') && type !== 'BALANCE:DOC')).toEqual([]);
  });

  it('receives nothing more of what it disables during the stream', async () => {
    const stream = await follow('?id=9007199254740991');
    const most = Number.MAX_SAFE_INTEGER;
    await orders(most);
    await order();
    await stream.until('ORDER_STATUS');
    expect(await disable(most, 'ORDER_STATUS')).toMatchObject({ http: 200, result: { result: 'Success' } });
    await order();
    await orders(most);
    await beats(most);
    await stream.until('HEARTBEAT');
    await order();
    await stream.until('ORDER_STATUS', 2);
    expect(stream.told().filter((type) => type === 'ORDER_STATUS')).toHaveLength(2);
  });

  it('is refused as the real node refuses: without a stream, twice, and if not enabled', async () => {
    expect(await orders(11)).toEqual(fault('EnableError', 'UnknownClient'));
    expect(await disable(11, 'ORDER_STATUS')).toEqual(fault('DisableError', 'UnknownClient'));
    await follow('?id=11');
    expect(await disable(11, 'ORDER_STATUS')).toEqual(fault('DisableError', 'StreamerNotFound'));
    expect(await disable(11, 'x'.repeat(1_000_000))).toEqual(fault('DisableError', 'StreamerNotFound'));
    expect((await orders(11)).http).toBe(200);
    expect(await orders(11)).toEqual(fault('EnableError', 'ClientAlreadyListening'));
    expect(await orders(12)).toEqual(fault('EnableError', 'UnknownClient'));
    const balance = (params: object) => v2('stream::balance::enable', { client_id: 11, ...params });
    expect(await balance({ coin: 'NONE' })).toMatchObject({ http: 404, error_type: 'CoinNotFound' });
    expect(await balance({ coin: 'DOC', config: {} })).toEqual(
      fault('EnableError', 'Invalid config provided. No config needed'),
    );
    for (const seconds of [0, 0.999, -5, 3600.1, 1e15]) {
      const config = { stream_interval_seconds: seconds };
      expect(await beats(11, config)).toMatchObject({ http: 400, error_type: 'EnableError' });
    }
    expect(await beats(11, { every: 5 })).toMatchObject({ http: 400, error_type: 'InvalidRequest' });
  });

  it('cannot have an invalid id', async () => {
    const status = async (query: string) => {
      const headers = { authorization: `Bearer ${PASSWORD}` };
      const response = await fetch(new URL(`event-stream${query}`, node.url), { headers });
      await response.body?.cancel();
      return response.status;
    };
    for (const bad of ['', 'x', '-1', '1.5', '1e3', '9007199254740992', '18446744073709551615', '1'.repeat(5000)]) {
      expect([bad, await status(`?id=${bad}`)]).toEqual([bad, 400]);
    }
    for (const bad of [-1, 1.5, '7', null, [], 9_007_199_254_740_992]) {
      expect([bad, await orders(bad)]).toEqual([bad, expect.objectContaining({ error_type: 'InvalidRequest' })]);
    }
    expect(await v2('stream::disable', { streamer_id: 'HEARTBEAT' })).toMatchObject({ error_type: 'InvalidRequest' });
  });

  it('may have two streams, which carry the same', async () => {
    const [first, second] = [await follow('?id=21'), await follow('?id=21')];
    await orders(21);
    await order();
    expect(await first.until('ORDER_STATUS')).toBe(await second.until('ORDER_STATUS'));
    await first.cut();
    await order();
    await second.until('ORDER_STATUS', 2);
  });
});

describe('a client that names itself and comes back', () => {
  it('continues with what it had enabled, and may enable it again', async () => {
    const first = await follow('?id=31');
    await orders(31);
    await order();
    const seen = await first.until('ORDER_STATUS');
    await first.cut();
    await order();
    const back = await follow('?id=31', seen);
    expect(await back.until('ORDER_STATUS')).toBe(String(Number(seen) + 1));
    expect((await orders(31)).http).toBe(200);
    expect(await orders(31)).toEqual(fault('EnableError', 'ClientAlreadyListening'));
    await order();
    expect(await back.until('ORDER_STATUS', 2)).toBe(String(Number(seen) + 2));
  });

  it('of a node that was restarted misses nothing, if it enables again or names the types', async () => {
    const first = await follow('?id=41');
    await orders(41);
    await order();
    const seen = await first.until('ORDER_STATUS');
    await node.close();
    await expect(first.until('ORDER_STATUS', 99)).rejects.toThrow('the stream ended');
    node = await serve();
    await enableCoins();
    await order();
    const end = await (await follow('', seen)).until('ORDER_STATUS');
    const waiting = await follow('?id=41', seen);
    expect(await orders(42)).toEqual(fault('EnableError', 'UnknownClient'));
    await beats(41, { stream_interval_seconds: 1 });
    await waiting.until('HEARTBEAT', 2);
    expect(waiting.lastId()).toBe(seen);
    expect((await orders(41)).http).toBe(200);
    const said = await post([
      v2Request('stream::balance::enable', { client_id: 41, coin: 'DOC' }),
      v2Request('stream::balance::enable', { client_id: 41, coin: 'CAT' }),
    ]);
    expect(said.map(({ result }) => result)).toEqual([{ streamer_id: 'BALANCE:DOC' }, { streamer_id: 'BALANCE:CAT' }]);
    expect(await waiting.until('ORDER_STATUS')).toBe(end);
    // What was told before the order, of coins that became active again.
    expect(
      waiting
        .told()
        .filter((type) => type !== 'HEARTBEAT')
        .at(-1),
    ).toBe('ORDER_STATUS');
    const named = await follow('?id=43&types=ORDER_STATUS', seen);
    expect(await named.until('ORDER_STATUS')).toBe(end);
    expect(named.raw()).not.toContain('ACTIVATION');
  });
});

describe('a client that does not name itself', () => {
  it('receives everything, whatever is enabled, and counts as client 0', async () => {
    const stream = await follow('');
    expect((await swaps()).http).toBe(200);
    expect(await swaps(0)).toEqual(fault('EnableError', 'ClientAlreadyListening'));
    expect((await disable(0, 'SWAP_STATUS')).http).toBe(200);
    await order();
    await stream.until('ORDER_STATUS');
    expect(stream.told()[0]).toBe('HEARTBEAT');
    const zero = await follow('?id=0');
    await orders(0);
    await order();
    await zero.until('ORDER_STATUS');
    expect(zero.told()).toEqual(['ORDER_STATUS']);
  });
});

describe('a typed client', () => {
  it('enables by its types, and learns where to resume before anything happens', async () => {
    const client = createRpcClient({ url: node.url, userpass: PASSWORD });
    const events = client.events({ clientId: 51 });
    const place = await events.next();
    expect(place.value).toMatchObject({ type: 'POSITION', id: expect.stringMatching(/^\d+$/) });
    expect(await client.callV2('stream::order_status::enable', { client_id: 51 })).toEqual({
      streamer_id: 'ORDER_STATUS',
    });
    await order();
    expect((await events.next()).value).toMatchObject({ type: 'ORDER_STATUS' });
    expect(await client.callV2('stream::disable', { client_id: 51, streamer_id: 'ORDER_STATUS' })).toEqual({
      result: 'Success',
    });
    await events.return(undefined);
  });
});

describe('streams of the real node that this node does not have', () => {
  it.each([
    ['network', {}, 400, 'EnableError', 'metrics'],
    ['orderbook', { client_id: 0, base: 'DOC', rel: 'CAT' }, 400, 'EnableError', 'stream::order_status'],
    ['shutdown_signal', {}, 400, 'EnableError', 'ends properly'],
    ['tx_history', { coin: 'DOC' }, 501, 'CoinNotSupported', 'stream::balance'],
    ['tx_history', { coin: 'NONE' }, 404, 'CoinNotFound', 'activate it'],
    ['fee_estimator', { coin: 'CAT', config: {} }, 501, 'CoinNotSupported', 'withdraw'],
    ['fee_estimator', { coin: 'NONE', config: {} }, 404, 'CoinNotFound', 'activate it'],
  ] as const)('%s is refused by its name, with what to do: %o', async (kind, params, http, error_type, text) => {
    const error = expect.stringContaining(text);
    expect(await v2(`stream::${kind}::enable`, params)).toMatchObject({ http, error_type, error });
  });
});

// The last one: the node hears of the ends of so many connections a moment later.
describe('a client', () => {
  it('is one of a limited number, whatever it calls itself', async () => {
    const request = Array.from({ length: 1000 }, (_, place) =>
      v2Request('stream::swap_status::enable', { client_id: 50_000 + place }),
    );
    for (let left = 10; left > 0; left--) {
      const said = await post(request);
      expect(new Set(said.map(({ error_data }) => error_data))).toEqual(new Set(['UnknownClient']));
    }
    const open = async (id: number) => {
      const response = await fetch(new URL(`event-stream?id=${id}`, node.url), {
        headers: { authorization: `Bearer ${PASSWORD}` },
      });
      stops.push(() => response.body?.cancel());
      return response.status;
    };
    const statuses: number[] = [];
    for (let id = 0; id < 66; id++) statuses.push(await open(50_000 + id));
    expect(statuses.filter((status) => status !== 200).length).toBeGreaterThanOrEqual(2);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });
});
