import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenedNode, openTradingNode } from '../../../../src/cli/serve/trading-node.ts';
import { FRAMEWORK_METHODS } from '../../../../src/rpc/framework/methods.ts';
import { libp2pNode, type TestNode } from '../../../support/peers/libp2p-nodes.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../../../support/utxo/embedded-chain.ts';
import { BAD_TEXTS } from '../smart-chain/bad-values.ts';

/** `SWAPFOLD_FUZZ=500000` for the long run: some minutes. */
const REQUESTS = Number(process.env['SWAPFOLD_FUZZ'] ?? 3000);
const EACH = 100;
const PASSWORD = 'Th1s_Is-Nobody5';
const PASSPHRASE = 'seven words that no answer may ever hold';

const logged: string[] = [];
const note = (text: string, fields?: unknown) => void logged.push(`${text} ${JSON.stringify(fields)}`);
const LOGGER = { debug: note, info: note, warn: note, error: note };
const COINS = [
  { coin: 'DOC', mm2: 1, txversion: 4, overwintered: 1, protocol: { type: 'UTXO' } },
  { coin: 'LTC', mm2: 1, txversion: 1, decimals: 6, avg_blocktime: 45, protocol: { type: 'UTXO' } },
];

let folder: string;
let chains: readonly EmbeddedChain[];
let relay: TestNode;
let node: OpenedNode;

/** A node as it is served: with other nodes to speak to, and watching for their takers. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'swapfold-attack-'));
  chains = [await startEmbeddedChain(), await startEmbeddedChain({ blockTime: 45 }, { saplingHeight: undefined })];
  const coins = COINS.map((coin, place) => {
    const confpath = join(folder, `${coin.coin}.conf`);
    writeFileSync(confpath, chains[place]?.conf ?? '');
    return { ...coin, confpath };
  });
  writeFileSync(join(folder, 'coins'), JSON.stringify(coins));
  const conf = join(folder, 'MM2.json');
  relay = await libp2pNode('the relay', { relay: true, listen: ['127.0.0.1:0'] });
  const own = { passphrase: PASSPHRASE, rpc_password: PASSWORD, rpcport: 0, dbdir: join(folder, 'DB') };
  writeFileSync(conf, JSON.stringify({ ...own, seednodes: relay.addresses, is_watcher: true }));
  node = await openTradingNode({ conf, compatibility: 'specification', logger: LOGGER, onStop: () => undefined });
  for (const coin of ['DOC', 'LTC']) {
    const { text } = await post(JSON.stringify({ method: 'enable', userpass: PASSWORD, coin }));
    expect(JSON.parse(text)).toMatchObject({ result: 'success' });
  }
});
afterAll(async () => {
  await node?.close();
  await relay?.close();
  for (const chain of chains ?? []) await chain.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Each over a connection of its own: one that is kept may be closed by the node in the moment in which it is used again. */
const post = (body: string) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const sent = httpRequest(node.url, { method: 'POST', agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** The node still serves, and nobody was told what opens it. */
async function expectServing(): Promise<void> {
  const { status, text } = await post(JSON.stringify({ method: 'version' }));
  expect(status).toBe(200);
  expect(JSON.parse(text)).toHaveProperty('result');
}

function expectNoSecret(text: string): void {
  for (const secret of [PASSWORD, PASSPHRASE]) expect(text.includes(secret), text.slice(0, 500)).toBe(false);
}

const NAMES = FRAMEWORK_METHODS.map(({ name }) => name).filter((name) => name !== 'stop');
const MEMBERS = [
  'coin',
  'ticker',
  'uuid',
  'params',
  'servers',
  'limit',
  'filter',
  'swap',
  'swaps',
  'id',
  'mmrpc',
  'amount',
  'base',
  'rel',
  'price',
  'volume',
  'min_volume',
  'to',
  'tx_hex',
  'client_id',
  'streamer_id',
];

const value: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...BAD_TEXTS),
  fc.constantFrom('"DOC"', '"LTC"', '"2.0"', 'null', '{}', '[]', '1e400', '-0', '"\\u0000"'),
  fc.json({ maxDepth: 5 }),
  fc.integer().map(String),
  fc.uuid().map((id) => JSON.stringify(id)),
);
const call: fc.Arbitrary<string> = fc
  .record({
    method: fc.oneof(
      fc.constantFrom(...NAMES).map((name) => JSON.stringify(name)),
      value,
    ),
    members: fc.array(fc.tuple(fc.constantFrom(...MEMBERS), value), { maxLength: 6 }),
    knows: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ method, members, knows }) => {
    const password = knows === 0 ? [] : [`"userpass":${JSON.stringify(PASSWORD)}`];
    return `{${[`"method":${method}`, ...password, ...members.map(([name, text]) => `"${name}":${text}`)].join(',')}}`;
  });

/** A client that follows the node's events, and what it was told. */
async function follower() {
  const stopping = new AbortController();
  const headers = { Authorization: `Bearer ${PASSWORD}` };
  const response = await fetch(new URL('event-stream', node.url), { headers, signal: stopping.signal });
  expect(response.status).toBe(200);
  let told = '';
  const following = (async () => {
    try {
      for await (const chunk of response.body ?? []) told += Buffer.from(chunk).toString();
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
    }
  })();
  const end = async () => {
    stopping.abort();
    await following;
    return told;
  };
  return { end };
}

/** Megabytes in use once what nobody holds was let go. */
function memory() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: Math.round(heapUsed / 2 ** 20), rss: Math.round(rss / 2 ** 20) };
}

const TIMEOUT = Math.max(900_000, REQUESTS * 30);

it('every request gets an answer in JSON that holds no key, and the node continues to serve', {
  timeout: TIMEOUT,
}, async () => {
  const [since, before] = [performance.now(), memory()];
  const client = await follower();
  const statuses = new Map<number, number>();
  let slowest = 0;
  for (let done = 0; done < REQUESTS; done += EACH) {
    const bodies = fc.sample(call, { seed: done + 1, numRuns: Math.min(EACH, REQUESTS - done) });
    if (process.env['SWAPFOLD_FUZZ'] !== undefined && done % 10_000 === 0) {
      const seconds = (performance.now() - since) / 1000;
      process.stdout.write(`${JSON.stringify({ done, seconds, slowest, ...memory() })}\n`);
    }
    for (let from = 0; from < bodies.length; from += 10) {
      const begun = performance.now();
      const answers = await Promise.all(bodies.slice(from, from + 10).map(post));
      slowest = Math.max(slowest, performance.now() - begun);
      for (const { status, text } of answers) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect(() => JSON.parse(text), text.slice(0, 500)).not.toThrow();
        expectNoSecret(text);
      }
    }
  }
  await expectServing();
  const told = await client.end();
  expect(told).toContain('HEARTBEAT');
  expectNoSecret(told);
  for (const line of logged) expectNoSecret(line);
  expect(statuses.get(200) ?? 0).toBeGreaterThan(0);
  if (process.env['SWAPFOLD_FUZZ'] !== undefined) {
    process.stdout.write(
      `${JSON.stringify({
        ...{ statuses: Object.fromEntries(statuses), slowest, logged: logged.length },
        ...{ seconds: (performance.now() - since) / 1000, before, after: memory() },
      })}\n`,
    );
  }
});

it('a body of 100 MB and one of a million keys are answered or cut off, and the node keeps serving', async () => {
  const part = Buffer.alloc(1024 * 1024, 0x20);
  const refused = await new Promise<number | string>((resolve) => {
    const client = httpRequest(node.url, { method: 'POST' }, ({ statusCode }) => resolve(statusCode ?? 0));
    client.on('error', () => resolve('cut off'));
    for (let left = 100; left > 0; left--) client.write(part);
    client.end();
  });
  expect([413, 'cut off']).toContain(refused);
  const keys = Array.from({ length: 1_000_000 }, (_, place) => `"k${place}":${place}`).join(',');
  const many = await post(`{"method":"version","userpass":"${PASSWORD}",${keys}}`);
  expect(() => JSON.parse(many.text)).not.toThrow();
  await expectServing();
});

it('a thousand connections that say half of a request leave the node serving', async () => {
  const { hostname, port } = new URL(node.url);
  const sockets: Socket[] = [];
  try {
    for (let count = 0; count < 1000; count++) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      sockets.push(socket);
      await new Promise<void>((resolve) => socket.once('connect', resolve));
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n');
    }
    await expectServing();
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  await expectServing();
});
