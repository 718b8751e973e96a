import { describe, expect, it } from 'vitest';
import type {
  ConnectionOptions,
  ElectrumAnswer,
  ElectrumCall,
  ElectrumConnection,
} from '../../../../../src/chains/utxo/electrum/connection.ts';
import type { ElectrumServerEntry } from '../../../../../src/chains/utxo/electrum/server.ts';
import { keepServers, type ServersOptions } from '../../../../../src/chains/utxo/electrum/servers.ts';
import { ConnectionLost } from '../../../../../src/chains/utxo/electrum/transport.ts';
import type { JsonValue } from '../../../../../src/primitives/json.ts';
import { millisOf } from '../../../../../src/primitives/time.ts';
import { virtualClock } from '../../../../support/virtual-clock.ts';

type Fake = {
  up: boolean;
  /** When it lets a new connection go; null for when a test says so. */
  flaps: ((letGo: () => void) => void) | null;
  version: unknown;
  dials: number;
  readonly open: Set<ElectrumConnection>;
  readonly heard: string[];
};

/** Servers by name, each up until a test says otherwise. */
function fakes(names: readonly string[]) {
  const all = new Map<string, Fake>(
    names.map((name) => [name, { up: true, flaps: null, version: ['x', '1.4'], dials: 0, open: new Set(), heard: [] }]),
  );
  const at = (name: string): Fake => all.get(`${name}`) as Fake;
  const connect = async ({ server, onNotification }: ConnectionOptions): Promise<ElectrumConnection> => {
    const fake = at(server.url.split(':')[0] as string);
    fake.dials += 1;
    if (!fake.up) throw new ConnectionLost(`${server.url}: ECONNREFUSED`);
    let end = (_: string): void => {};
    const ended = new Promise<string>((resolve) => {
      end = resolve;
    });
    const connection: ElectrumConnection = {
      ended,
      close(reason) {
        fake.open.delete(connection);
        end(reason);
      },
      async batch(calls: readonly ElectrumCall[]): Promise<readonly ElectrumAnswer[]> {
        if (!fake.open.has(connection)) throw new ConnectionLost('closed');
        fake.heard.push(...calls.map(([method]) => method));
        if (calls.some(([method]) => method === 'news')) onNotification('blockchain.headers.subscribe', []);
        return calls.map(([method]) => {
          if (method === 'server.version' && fake.version instanceof Error)
            return { error: { code: 1, message: fake.version.message } };
          const isGreeting = method === 'server.version';
          return { result: isGreeting ? (fake.version as JsonValue) : fake === at('a') ? 'a' : 'other' };
        });
      },
    };
    fake.open.add(connection);
    fake.flaps?.(() => connection.close('it lets go'));
    return connection;
  };
  const drop = (name: string): void => {
    for (const connection of [...at(name).open]) connection.close('the server went away');
  };
  return { at, connect, drop };
}

const serverAt = (name: string, changes: Partial<ElectrumServerEntry> = {}): ElectrumServerEntry => ({
  url: `${name}:50001`,
  protocol: 'TCP',
  disableCertVerification: false,
  timeoutMs: 20_000,
  ...changes,
});

function kept(names: readonly string[], changes: Partial<ServersOptions> = {}) {
  const clock = virtualClock();
  const fake = fakes(names);
  const start = () =>
    keepServers({
      servers: names.map((name) => serverAt(name)),
      minConnected: 1,
      maxConnected: names.length,
      clock,
      client: 'test',
      connect: fake.connect,
      ...changes,
    });
  return { clock, ...fake, start };
}

const urls = (...names: readonly string[]) => names.map((name) => `${name}:50001`);

describe('servers that are kept connected', () => {
  it('are the best ones, up to the maximum', async () => {
    const { start, clock, at } = kept(['a', 'b', 'c'], { maxConnected: 2 });
    const servers = start();
    await clock.advance(0);
    expect(servers.connected()).toEqual(urls('a', 'b'));
    expect(at('c').dials).toBe(0);
    servers.close();
    expect([at('a').open.size, at('b').open.size]).toEqual([0, 0]);
  });

  it('make way for a better one that comes back', async () => {
    const { start, clock, at } = kept(['a', 'b'], { maxConnected: 1, quorum: 1 });
    at('a').up = false;
    const servers = start();
    await clock.advance(0);
    expect(servers.connected()).toEqual(urls('b'));
    at('a').up = true;
    await clock.advance(300_000);
    expect(servers.connected()).toEqual(urls('a'));
    expect(at('b').open.size).toBe(0);
    servers.close();
  });

  it('are looked for every second while too few are there, and every five minutes otherwise', async () => {
    const { start, clock, at } = kept(['a', 'b'], { quorum: 1 });
    at('a').up = false;
    at('b').up = false;
    const servers = start();
    await clock.advance(3500);
    expect(at('a').dials).toBe(4);
    at('b').up = true;
    await clock.advance(1000);
    const dials = at('a').dials;
    await clock.advance(200_000);
    expect(at('a').dials).toBe(dials);
    servers.close();
  });

  it('one that closes the connection is avoided for longer each time, unless there is no other', async () => {
    const { start, clock, at, drop } = kept(['a', 'b'], { minConnected: 1 });
    const servers = start();
    await clock.advance(0);
    drop('a');
    await clock.advance(5000);
    expect(servers.connected()).toEqual(urls('b'));
    await clock.advance(300_000);
    expect(servers.connected()).toEqual(urls('a', 'b'));
    at('b').up = false;
    drop('b');
    drop('a');
    await clock.advance(1000);
    expect(servers.connected()).toEqual(urls('a'));
    servers.close();
  });

  it('are all back a minute after an outage of hours, if as many must agree', async () => {
    const { start, at, drop, clock } = kept(['a', 'b', 'c']);
    const servers = start();
    await clock.advance(0);
    for (const name of ['a', 'b', 'c']) {
      at(name).up = false;
      drop(name);
    }
    const askFor = async (minutes: number): Promise<void> => {
      for (let asked = 0; asked < 4 * minutes; asked++) {
        await servers.batch([['any']]).catch(() => undefined);
        await clock.advance(15_000);
      }
    };
    await askFor(150);
    for (const name of ['b', 'c']) at(name).up = true;
    await askFor(2);
    expect(servers.connected()).toEqual(['b:50001', 'c:50001']);
    servers.close();
  });

  it('one that lied or lagged often is asked again within a minute or two if the others are too few', async () => {
    const { start, clock, drop, at } = kept(['a', 'b', 'c']);
    const servers = start();
    await clock.advance(0);
    for (let times = 0; times < 7; times++) {
      servers.panel.distrust('b:50001', 'lies');
      await clock.advance(3_600_000);
    }
    servers.panel.distrust('b:50001', 'lies');
    await clock.advance(600_000);
    expect(servers.connected()).toEqual(['a:50001', 'c:50001']);
    at('a').up = false;
    drop('a');
    await clock.advance(90_000);
    expect(servers.connected()).toEqual(['b:50001', 'c:50001']);
    servers.close();
  });

  it('one that is gone for good is tried once a minute if the others are too few', async () => {
    const { start, at, clock } = kept(['a', 'b']);
    at('b').up = false;
    const servers = start();
    await clock.advance(3_600_000);
    const before = at('b').dials;
    await clock.advance(3_600_000);
    expect(at('b').dials - before).toBeGreaterThanOrEqual(55);
    expect(at('b').dials - before).toBeLessThanOrEqual(61);
    servers.close();
  });

  it('a single one that greets and disconnects is tried once a second', async () => {
    const { start, at, clock } = kept(['a']);
    at('a').flaps = (letGo) => void clock.wakeAt(millisOf(clock.now() + 50), letGo);
    const servers = start();
    await clock.advance(10_400);
    expect(at('a').dials).toBe(10);
    servers.close();
  });

  it('one that greets and disconnects is left alone for longer each time, and as briefly as at first once a connection has lasted', async () => {
    const { start, at, drop, clock } = kept(['a', 'b', 'c']);
    at('a').flaps = (letGo) => void clock.wakeAt(millisOf(clock.now() + 50), letGo);
    const servers = start();
    await clock.advance(12 * 3_600_000);
    expect(servers.connected()).toEqual(urls('b', 'c'));
    // 10 s and twice as long each time, looked for every five minutes.
    expect(at('a').dials).toBeGreaterThan(5);
    expect(at('a').dials).toBeLessThan(20);
    at('a').flaps = null;
    await clock.advance(12 * 3_600_000);
    expect(servers.connected()).toEqual(urls('a', 'b', 'c'));
    drop('a');
    await clock.advance(301_000);
    expect(servers.connected()).toEqual(urls('a', 'b', 'c'));
    servers.close();
  });

  it('with another version of the protocol is not asked again', async () => {
    const { start, clock, at } = kept(['a', 'b']);
    at('a').version = ['x', '2.0'];
    const servers = start();
    await clock.advance(900_000);
    expect(servers.connected()).toEqual(urls('b'));
    expect(at('a').dials).toBe(1);
    servers.close();
  });

  it.each([
    ['excessive resource usage', true],
    ['server busy - request timed out', true],
    ['internal error', true],
    ['unsupported protocol version: 1.2', false],
    ['server.version already sent; client requested version 1.4', false],
  ])('one that answers “%s” to the greeting is tried again: %s', async (words, isTried) => {
    const { start, clock, at } = kept(['a', 'b']);
    at('a').version = new Error(words);
    const servers = start();
    await clock.advance(0);
    expect(servers.connected()).toEqual(urls('b'));
    at('a').version = ['x', '1.4'];
    await clock.advance(600_000);
    expect(servers.connected()).toEqual(isTried ? urls('a', 'b') : urls('b'));
    servers.close();
  });

  it('with an impossible address is reported by its name', async () => {
    const servers = kept(['a'], {
      servers: [serverAt('x', { url: 'nowhere' })],
    }).start();
    await expect(servers.batch([['blockchain.headers.subscribe']])).rejects.toThrow(
      'nowhere: nowhere does not have the form host:port',
    );
    servers.close();
  });

  it('of two with one url the later one counts', async () => {
    const { clock, start } = kept(['a', 'b'], { servers: [serverAt('a'), serverAt('b'), serverAt('a')] });
    const servers = start();
    await clock.advance(0);
    expect(servers.connected()).toEqual(urls('b', 'a'));
    servers.close();
  });
});

describe('servers that share a vote', () => {
  /** Ports of the hosts a and b; `a` has three. */
  function ports(changes: Partial<ServersOptions> = {}) {
    const listed = ['a', 'a2', 'a3', 'b'];
    return kept(listed, { voiceOf: (url) => url.slice(0, 1), ...changes });
  }

  it('are connected to one at a time, and the next replaces one that goes', async () => {
    const { start, clock, at, drop } = ports({ minConnected: 4 });
    const servers = start();
    await clock.advance(0);
    expect([servers.connected(), servers.panel.quorum]).toEqual([urls('a', 'b'), 2]);
    at('a').up = false;
    drop('a');
    await clock.advance(2000);
    expect(servers.connected()).toEqual(urls('a2', 'b'));
    at('a').up = true;
    await clock.advance(600_000);
    expect(servers.connected()).toEqual(urls('a', 'b'));
    // As many as there are voices are enough: nobody is dialled in vain.
    const dials = at('a2').dials;
    await clock.advance(60_000);
    expect([at('a2').dials, at('a3').dials]).toEqual([dials, 0]);
    servers.close();
  });

  it('do not make up for another voice, whichever of them are asked', async () => {
    const { start, clock, at, drop } = ports();
    const servers = start();
    await clock.advance(0);
    at('b').up = false;
    drop('b');
    for (let round = 0; round < 20; round += 1) {
      const told = await servers.panel.survey([['x']], round % 2 === 0 ? 'all' : 'quorum');
      expect(told.map(({ voice }) => voice.url)).toEqual(urls('a'));
      await servers.batch([['x']]);
      await clock.advance(7000);
    }
    servers.close();
  });

  it('speak for one another if the connection of the first has died unnoticed', async () => {
    const { start, clock, at } = ports();
    const servers = start();
    await clock.advance(0);
    for (const name of ['a', 'b']) {
      at(name).open.clear();
      at(name).up = false;
    }
    const told = await servers.panel.survey([['x']], 'all');
    expect(told.map(({ voice }) => voice.url)).toEqual(urls('a2'));
    servers.close();
  });

  it('are all avoided if one of them lied, and still asked if there is no other', async () => {
    const { start, clock, at } = ports();
    const servers = start();
    await clock.advance(0);
    servers.panel.distrust('a:50001', 'lies');
    await clock.advance(30_000);
    expect([servers.connected(), at('a2').dials, at('a3').dials]).toEqual([urls('b'), 0, 0]);
    servers.close();
    const alone = kept(['a', 'a2'], { voiceOf: () => 'a' });
    const others = alone.start();
    await alone.clock.advance(0);
    expect([others.panel.quorum, others.connected()]).toEqual([1, urls('a')]);
    others.panel.distrust('a:50001', 'lies');
    expect(others.connected()).toEqual(urls('a'));
    others.close();
  });
});

describe('a question', () => {
  it('goes to the best one, and to the next when that does not answer', async () => {
    const { start, clock, drop, at } = kept(['a', 'b']);
    const servers = start();
    await clock.advance(0);
    expect(await servers.batch([['x']])).toEqual([{ result: 'a' }]);
    at('a').up = false;
    drop('a');
    expect(await servers.batch([['x']])).toEqual([{ result: 'other' }]);
    servers.close();
  });

  it('asked before there is a connection waits for the first that answers', async () => {
    const { start, at } = kept(['a', 'b']);
    at('a').up = false;
    const servers = start();
    expect(await servers.batch([['x']])).toEqual([{ result: 'other' }]);
    servers.close();
  });

  it('without an answer says why for each server', async () => {
    const { start, at } = kept(['a', 'b']);
    at('a').up = false;
    at('b').up = false;
    const servers = start();
    await expect(servers.batch([['x']])).rejects.toThrow(
      'no Electrum server answers (a:50001: ECONNREFUSED; b:50001: ECONNREFUSED)',
    );
    servers.close();
  });

  it('is not asked once the panel is closed', async () => {
    const { start, at } = kept(['a']);
    const servers = start();
    servers.close();
    await expect(servers.batch([['x']])).rejects.toThrow('no Electrum server answers');
    expect(at('a').open.size).toBe(0);
  });
});

it('news of a server, and a change of servers, reach all listeners', async () => {
  const { start, clock, drop } = kept(['a', 'b']);
  const servers = start();
  await clock.advance(0);
  let told = 0;
  const listening = servers.onNews(() => {
    told += 1;
  });
  await servers.batch([['news']]);
  expect(told).toBe(1);
  drop('a');
  await clock.advance(0);
  expect(told).toBe(2);
  listening.close();
  await servers.batch([['news']]);
  expect(told).toBe(2);
  servers.close();
});
