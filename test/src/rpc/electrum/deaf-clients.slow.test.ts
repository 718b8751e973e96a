import { afterEach, expect, it } from 'vitest';
import type { ElectrumClient } from '../../../support/electrum/client.ts';
import { type ServedChain, serveChain } from '../../../support/electrum/over-chain.ts';

let served: ServedChain;

afterEach(() => served.close());

/** A client that asks for some 5 MB so many times and reads nothing of it. */
const deaf = async (times: number) => {
  await served.mine(60);
  await served.server.look();
  const client = await served.connect();
  await client.call('blockchain.headers.subscribe');
  client.socket.pause();
  const batch = Array.from({ length: 300 }, (_, id) => ({
    id,
    method: 'blockchain.block.headers',
    params: [0, 2016],
  }));
  for (let left = times; left > 0; left--) client.send(`${JSON.stringify(batch)}\n`);
  return client;
};
const pings = async (client: ElectrumClient, count = 500) => {
  for (let left = count; left > 0; left--) await client.call('server.ping');
};

it('a client is cut off when it reads none of its answers, however few', async () => {
  served = await serveChain({ limits: { stallMs: 30_000, idleMs: 1e9 } });
  await deaf(3);
  const other = await served.connect();
  await pings(other);
  await served.clock.advance(25_000);
  expect(served.server.clients()).toBe(2);
  await served.clock.advance(15_000);
  await pings(other);
  expect(served.server.clients()).toBe(1);
});

it('a client is not read any further while it does not read', async () => {
  served = await serveChain();
  const client = await deaf(3);
  const other = await served.connect();
  await pings(other);
  client.send('{"method":"server.ping"}\n'.repeat(800_000));
  await pings(other, 1000);
  expect(client.socket.writableLength).toBeGreaterThan(0);
});

it('a client that does not read is cut off at the limit, and not before', async () => {
  served = await serveChain({ limits: { unread: 100_000 } });
  await deaf(3);
  const other = await served.connect();
  await pings(other);
  expect(served.server.clients()).toBe(2);
  await served.mine();
  await served.server.look();
  await pings(other);
  expect(served.server.clients()).toBe(1);
});

it('a client is cut off if too much is unread for all, and a reading client is not', async () => {
  served = await serveChain({ limits: { mostUnread: 4_000_000 } });
  await deaf(3);
  const other = await served.connect();
  await pings(other);
  expect(served.server.clients()).toBe(1);
  expect(await other.call('server.ping')).toBeNull();
});
