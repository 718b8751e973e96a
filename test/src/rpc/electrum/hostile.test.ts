import { connect } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { ELECTRUM_METHODS } from '../../../../src/rpc/electrum/methods.ts';
import { openElectrumServer } from '../../../../src/rpc/electrum/server.ts';
import { draws } from '../../../support/draws.ts';
import { CERT, KEY } from '../../../support/electrum/certificate.ts';
import { connectElectrum } from '../../../support/electrum/client.ts';
import { type ServedChain, scriptAt, serveChain } from '../../../support/electrum/over-chain.ts';
import { scripthash } from '../../../support/electrum/recount.ts';

let served: ServedChain;

afterEach(() => served.close());

const hashAt = (place: number) => scripthash(bytesToHex(scriptAt(served.test, place)));
const HASH = 'ab'.repeat(32);

describe('a line that is not a request', () => {
  it.each([
    ['{', -32_700, null],
    ['not JSON', -32_700, null],
    ['[[[[', -32_700, null],
    ['[]', -32_600, null],
    ['7', -32_600, null],
    ['null', -32_600, null],
    ['"server.ping"', -32_600, null],
    ['{"id":3}', -32_600, 3],
    ['{"id":3,"method":7}', -32_600, 3],
    ['{"id":"x","method":"blockchain.scripthash.burn","params":[]}', -32_601, 'x'],
    ['{"id":4,"method":"toString"}', -32_601, 4],
    ['{"id":4,"method":"server.ping","params":[1]}', -32_602, 4],
    ['{"id":4,"method":"server.ping","params":"x"}', -32_602, 4],
    ['{"id":4,"method":"blockchain.scripthash.get_balance","params":[]}', -32_602, 4],
    ['{"id":4,"method":"blockchain.scripthash.get_balance","params":{"address":"x"}}', -32_602, 4],
    ['{"id":4,"method":"blockchain.scripthash.get_balance","params":{"constructor":[]}}', -32_602, 4],
    ['{"id":4,"method":"blockchain.scripthash.get_balance","params":["zz"]}', 1, 4],
    [`{"id":4,"method":"blockchain.scripthash.get_balance","params":["${HASH}00"]}`, 1, 4],
    ['{"id":4,"method":"blockchain.block.header","params":[-1]}', 1, 4],
    ['{"id":4,"method":"blockchain.block.header","params":[1.5]}', 1, 4],
    ['{"id":4,"method":"blockchain.block.header","params":[5]}', 1, 4],
    ['{"id":4,"method":"blockchain.block.header","params":[99999999999999999999]}', 1, 4],
    ['{"id":4,"method":"blockchain.block.header","params":["1"]}', 1, 4],
    ['{"id":4,"method":"blockchain.block.headers","params":[0,-1]}', 1, 4],
    [`{"id":4,"method":"blockchain.transaction.get","params":["${HASH}","yes"]}`, 1, 4],
    ['{"id":4,"method":"blockchain.transaction.broadcast","params":[""]}', 1, 4],
    ['{"id":4,"method":"blockchain.transaction.broadcast","params":["00"]}', 1, 4],
    ['{"id":4,"method":"blockchain.estimatefee","params":[null]}', 1, 4],
  ])('%s is answered by the error %i, and the next one is answered', async (line, code, id) => {
    served = await serveChain();
    const client = await served.connect();
    client.send(`${line}\n`);
    expect(await client.next()).toMatchObject({ error: { code, message: expect.any(String) }, id });
    expect(await client.call('server.ping')).toBeNull();
  });

  it('is answered in a batch beside requests, in the order of the batch', async () => {
    served = await serveChain();
    const client = await served.connect();
    const batch = [
      { id: 2, method: 'server.ping' },
      7,
      { method: 'server.ping' },
      { id: 1, method: 'blockchain.scripthash.get_balance', params: { scripthash: hashAt(0) } },
    ];
    client.send(`${JSON.stringify(batch)}\n`);
    expect(await client.next()).toEqual([
      { jsonrpc: '2.0', result: null, id: 2 },
      { jsonrpc: '2.0', error: { code: -32_600, message: 'a request must be an object' }, id: null },
      { jsonrpc: '2.0', result: { confirmed: 0, unconfirmed: 0 }, id: 1 },
    ]);
    client.send(`${JSON.stringify(Array.from({ length: 1001 }, () => batch[0]))}\n`);
    expect(await client.next()).toMatchObject({
      error: { code: -32_600, message: 'a batch holds at most 1000 requests' },
    });
  });

  it('has no answer if none is wanted', async () => {
    served = await serveChain();
    const client = await served.connect();
    client.send('{"method":"server.ping"}\n{"method":"no.such"}\n[{"method":"server.ping"}]\n\n  \n');
    expect(await client.call('server.ping')).toBeNull();
    expect(client.unread).toEqual([]);
  });

  it('never ends the server: generated lines around the names and arguments of real ones', async () => {
    served = await serveChain();
    const names = [...ELECTRUM_METHODS.keys()].filter((name) => name !== 'server.version');
    const argument = fc.oneof(
      fc.constantFrom<unknown>(hashAt(0), HASH, 0, 4, -1, 2 ** 53, true, null, '00', ''),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const request = fc.record(
      {
        id: fc.jsonValue({ maxDepth: 1 }),
        method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom<unknown>(...names) }, fc.jsonValue()),
        params: fc.oneof({ weight: 9, arbitrary: fc.array(argument, { maxLength: 4 }) }, fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    const text = fc.oneof(
      fc.oneof(request, fc.array(request, { maxLength: 3 }), fc.jsonValue()).map((value) => JSON.stringify(value)),
      fc.string().map((line) => line.replaceAll(/[\r\n]/g, ' ')),
    );
    const client = await served.connect();
    await fc.assert(
      fc.asyncProperty(text, async (line) => {
        client.send(`${line}\n`);
        await client.call('server.ping');
        for (const answer of client.unread.splice(0).flat()) {
          expect(Object.keys(answer as object).filter((key) => /^(?:result|error|method)$/.test(key))).toHaveLength(1);
          expect((answer as { error?: { code: number } }).error?.code).not.toBe(-32_603);
        }
      }),
      { numRuns: draws({ sample: 40, change: 75, release: 150 }) },
    );
    expect(served.warnings).toEqual([]);
  });

  it('may come in any pieces', async () => {
    served = await serveChain();
    const client = await served.connect();
    const text = '{"id":1,"method":"server.ping"}\r\n{"id":2,"method":"server.banner","params":[]}\n';
    for (const byte of text) {
      client.send(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([await client.next(), await client.next()]).toMatchObject([{ id: 1 }, { id: 2 }]);
  });
});

describe('a client that takes too much', () => {
  it('learns that its line is too long, and is cut off, whether the line ends or not', async () => {
    served = await serveChain({ limits: { most: 1000 } });
    const next = await served.connect();
    for (const line of [`${'x'.repeat(1001)}\n`, 'x'.repeat(1001)]) {
      const client = await served.connect();
      client.send(line);
      expect(await client.next()).toMatchObject({ error: { code: -32_600, message: 'a line has at most 1000 bytes' } });
      await client.ended;
    }
    next.send(`{"id":1,"method":"server.ping","params":[]}${' '.repeat(950)}\n`);
    expect(await next.next()).toMatchObject({ id: 1, result: null });
  });

  it('is cut off if all hold too much together, and a client that sends whole lines is not', async () => {
    served = await serveChain({ limits: { most: 1000, mostHeld: 1500 } });
    const clients = [await served.connect(), await served.connect()];
    const honest = await served.connect();
    clients[0]?.send('x'.repeat(900));
    expect(await honest.call('server.ping')).toBeNull();
    clients[1]?.send('x'.repeat(900));
    const cut = clients[1] ?? honest;
    expect(await cut.next()).toMatchObject({
      error: { message: expect.stringContaining('too many unfinished lines') },
    });
    await cut.ended;
    expect(await honest.call('server.ping')).toBeNull();
    clients[0]?.send('\n');
    expect(await clients[0]?.next()).toMatchObject({ error: { code: -32_700 } });
  });

  it('has a limited number of subscriptions, and gets one back for each that it gives up', async () => {
    served = await serveChain({ limits: { subscriptions: 2 } });
    const client = await served.connect();
    const subscribe = (scripthash: string) => client.call('blockchain.scripthash.subscribe', scripthash);
    await subscribe(hashAt(0));
    await subscribe(hashAt(1));
    await subscribe(hashAt(1));
    await expect(subscribe(hashAt(2))).rejects.toThrow('1 too many subscriptions: a connection has at most 2');
    await client.call('blockchain.scripthash.unsubscribe', hashAt(0));
    expect(await subscribe(hashAt(2))).toBeNull();
    const other = await served.connect();
    expect(await other.call('blockchain.scripthash.subscribe', hashAt(2))).toBeNull();
  });

  it('gets a limited number of requests answered at a time, and all of them in the end', async () => {
    served = await serveChain({ limits: { requests: 3 } });
    const client = await served.connect();
    let under = 0;
    let most = 0;
    served.gate = async () => {
      most = Math.max(most, ++under);
      await new Promise((resolve) => setTimeout(resolve, 1));
      under -= 1;
    };
    const answers = Array.from({ length: 20 }, () => client.call('blockchain.relayfee'));
    expect(new Set((await Promise.all(answers)).map(String)).size).toBe(1);
    expect(most).toBe(3);
  });

  it('lets others be answered during a long batch of its own', async () => {
    served = await serveChain();
    const [client, other] = [await served.connect(), await served.connect()];
    const batch = Array.from({ length: 1000 }, (_, id) => ({
      id,
      method: 'blockchain.scripthash.get_history',
      params: [hashAt(0)],
    }));
    client.send(`${JSON.stringify(batch)}\n`);
    await client.call('server.ping');
    await other.call('server.ping');
    expect(client.unread).toEqual([]);
    expect(await client.next()).toHaveLength(1000);
  });

  it('finds no room if there are too many, until one leaves', async () => {
    served = await serveChain({ limits: { connections: 2 } });
    const first = await served.connect();
    await first.call('server.ping');
    const second = await served.connect();
    await second.call('server.ping');
    const third = connect(served.server.tcpPort ?? 0, '127.0.0.1').on('error', () => {});
    await new Promise((resolve) => third.once('close', resolve));
    expect(await first.call('server.ping')).toBeNull();
  });
});

describe('a client that takes too long', () => {
  it('is cut off when it asks nothing, and one that asks is not', async () => {
    served = await serveChain({ limits: { idleMs: 20_000 } });
    const idle = await served.connect();
    const busy = await served.connect();
    await idle.call('server.ping');
    await served.clock.advance(15_000);
    await busy.call('server.ping');
    await served.clock.advance(12_000);
    await idle.ended;
    expect(await busy.call('server.ping')).toBeNull();
  });
});

describe('a daemon that does not answer', () => {
  it('is reported without its address, and what is known is still reported', async () => {
    served = await serveChain();
    const { txid } = served.pay([5_000_000n]);
    await served.server.look();
    const client = await served.connect();
    await client.call('blockchain.scripthash.subscribe', hashAt(0));
    served.gate = () => Promise.reject(new BackendSilent('the daemon at http://10.1.2.3:9 does not answer'));
    await expect(client.call('blockchain.relayfee')).rejects.toThrow(/^2 daemon error: the daemon does not answer$/);
    expect(await client.call('blockchain.scripthash.get_mempool', hashAt(0))).toMatchObject([{ tx_hash: txid }]);
    await served.clock.advance(5000);
    expect(served.warnings).toEqual(['the daemon behind the Electrum server does not answer']);
    served.gate = async () => {};
    await served.mine();
    await served.server.look();
    expect((await client.told('blockchain.scripthash.subscribe'))[0]).toBe(hashAt(0));
  });

  it('loses no news if it falls silent in the middle of them', async () => {
    served = await serveChain();
    const client = await served.connect();
    await client.call('blockchain.headers.subscribe');
    await client.call('blockchain.scripthash.subscribe', hashAt(0));
    served.pay([5_000_000n]);
    await served.mine();
    served.gate = async ([call]) => {
      if (call?.[0] === 'getblockheader') throw new BackendSilent('the daemon does not answer');
    };
    await expect(served.server.look()).rejects.toThrow(BackendSilent);
    expect(client.unread).toEqual([]);
    served.gate = async () => {};
    await served.server.look();
    expect((await client.told('blockchain.headers.subscribe'))[0]).toMatchObject({ height: 5 });
    expect((await client.told('blockchain.scripthash.subscribe'))[0]).toBe(hashAt(0));
  });
});

describe('TLS', () => {
  it('serves the same, beside the port without it', async () => {
    served = await serveChain({ tls: { port: 0, cert: CERT, key: KEY } });
    const client = await connectElectrum({ port: served.server.tlsPort ?? 0, ca: CERT });
    expect(await client.call('server.version', 'a client', ['1.2', '1.4'])).toEqual(['swapfold 0.0', '1.4']);
    await client.call('blockchain.scripthash.subscribe', hashAt(0));
    served.pay([5_000_000n]);
    await served.server.look();
    expect((await client.told('blockchain.scripthash.subscribe'))[0]).toBe(hashAt(0));
    client.close();
  });

  it('cuts off a client that speaks none', async () => {
    served = await serveChain({ tls: { port: 0, cert: CERT, key: KEY } });
    const client = await connectElectrum({ port: served.server.tlsPort ?? 0 });
    client.send('{"id":1,"method":"server.ping"}\n');
    await client.ended;
    expect(await (await served.connect()).call('server.ping')).toBeNull();
  });

  it('does not start with an invalid certificate, and leaves nothing open', async () => {
    served = await serveChain();
    const options = { client: { batch: () => Promise.reject(new BackendSilent('it does not answer')) } };
    const logger = { info() {}, warn() {}, error() {} };
    const terms = { clock: served.clock, logger, software: 'swapfold', tcp: 0 };
    await expect(openElectrumServer({ ...options, ...terms })).rejects.toMatchObject({
      code: 'ELECTRUM_DAEMON_SILENT',
      facts: { reason: 'it does not answer' },
    });
    await expect(serveChain({ tls: { port: 0, cert: 'no certificate', key: KEY } })).rejects.toMatchObject({
      code: 'ELECTRUM_CERTIFICATE_INVALID',
    });
    await expect(serveChain({ tcp: served.server.tcpPort ?? 0 })).rejects.toMatchObject({ code: 'RPC_LISTEN_FAILED' });
  });
});
