import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressText } from '../../src/chains/evm/address.ts';
import { openTradingNode } from '../../src/cli/serve/trading-node.ts';
import type { Compatibility } from '../../src/node/node.ts';
import { hexToBytes } from '../../src/primitives/hex.ts';
import { type ElectrumServer, openElectrumServer } from '../../src/rpc/electrum/server.ts';
import { systemClock } from '../../src/runtime/host/clock-system.ts';
import { builtModule } from '../support/built.ts';
import { CERT, KEY } from '../support/electrum/certificate.ts';
import { AUTHORITY, TRUSTED_CERT, TRUSTED_KEY } from '../support/electrum/trusted-certificate.ts';
import { EvmTestChain } from '../support/evm/adapter-chain.ts';
import { createScanner } from '../support/scanner.ts';
import { settledNode } from '../support/settled-node.ts';
import { describeShared, SHARED_DIR } from '../support/shared.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../support/utxo/embedded-chain.ts';

const PASSWORD = 'RPC_UserP@SSW0RD';
const ADDRESS = 'RRnMcSeKiLrNdbp91qNVQwwXx5azD4S4CD';
const WORDS = `${'abandon '.repeat(11)}about`;
const HD_ADDRESS = 'RA3hBB6WxZ8RHJHYPyDzgAgACUT9wAPqGe';
const LOGGER = { debug() {}, info() {}, warn() {}, error() {} };

const UTXO = { mm2: 1, txversion: 4, overwintered: 1, mature_confirmations: 1, protocol: { type: 'UTXO' } };

/** A folder with all that a node is configured by. */
function configure(chain: EmbeddedChain): string {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-node-'));
  const at = (name: string) => join(folder, name);
  writeFileSync(at('native.conf'), chain.conf);
  writeFileSync(at('down.conf'), chain.conf.replace(/rpcport=\d+/, 'rpcport=9'));
  writeFileSync(at('nouser.conf'), 'rpcport=9\n');
  const coins = [
    { coin: 'DOC', confpath: at('native.conf'), required_confirmations: 2, ...UTXO },
    { coin: 'BARE', confpath: at('native.conf'), ...UTXO },
    { coin: 'DOWN', confpath: at('down.conf'), ...UTXO },
    { coin: 'NOUSER', confpath: at('nouser.conf'), ...UTXO },
    { coin: 'NOCONF', confpath: at('absent.conf'), ...UTXO },
    {
      ...{ coin: 'CASH', confpath: at('native.conf'), ...UTXO },
      protocol: { type: 'BCH', protocol_data: { slp_prefix: 'slpreg' } },
      address_format: { format: 'cashaddress', network: 'bchreg' },
      derivation_path: "m/44'/145'",
    },
    { coin: 'KEPT', confpath: at('native.conf'), ...UTXO, wallet_only: true },
    { coin: 'STAKED', confpath: at('native.conf'), ...UTXO, isPoS: 1 },
  ];
  writeFileSync(at('coins'), JSON.stringify(coins));
  const config = { passphrase: 'bob passphrase', rpc_password: PASSWORD, rpcport: 0 };
  writeFileSync(at('MM2.json'), JSON.stringify(config));
  const hd = { ...config, passphrase: WORDS, enable_hd: true, dbdir: 'HD' };
  writeFileSync(at('HD.json'), JSON.stringify(hd));
  return folder;
}

let chain: EmbeddedChain;
let folder: string;

beforeAll(async () => {
  chain = await startEmbeddedChain();
  folder = configure(chain);
});
afterAll(() => chain.close());

async function serving(compatibility: Compatibility = 'specification', conf = 'MM2.json') {
  let stopped = 0;
  const onStop = () => {
    stopped += 1;
  };
  const scanner = createScanner();
  scanner.hideText('the password of the RPC', PASSWORD);
  scanner.hidePhrase('the phrase of the wallet', 'bob passphrase');
  const line = (message: string, fields?: object) => scanner.see('log', `${message} ${JSON.stringify(fields)}`);
  const logger = { debug: line, info: line, warn: line, error: line };
  const node = await openTradingNode({ conf: join(folder, conf), compatibility, logger, onStop });
  const call = async (request: object): Promise<Record<string, unknown>> => {
    const body = JSON.stringify({ userpass: PASSWORD, ...request });
    const response = await fetch(node.url, { method: 'POST', body });
    const text = await response.text();
    scanner.see('answer', text);
    return { http: response.status, ...(JSON.parse(text) as object) };
  };
  const seeMetrics = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${PASSWORD}` };
    const response = await fetch(new URL('metrics', node.url), { headers });
    expect(response.status).toBe(200);
    scanner.see('metrics', await response.text());
  };
  return { node, call, scanner, seeMetrics, stopped: () => stopped };
}

async function withNode(
  run: (given: Awaited<ReturnType<typeof serving>>) => Promise<void>,
  compatibility?: Compatibility,
  conf?: string,
): Promise<void> {
  const given = await serving(compatibility, conf);
  try {
    await run(given);
    await given.seeMetrics();
  } finally {
    await given.node.close();
  }
  given.scanner.requireNone();
}

describe('a trading node over a smart chain’s daemon', () => {
  it('activates a coin, whose answer has the members of the real node in their order', () =>
    withNode(async ({ call }) => {
      const answer = await call({ method: 'enable', coin: 'DOC' });
      expect(Object.keys(answer)).toEqual([
        'http',
        'result',
        'address',
        'balance',
        'unspendable_balance',
        'coin',
        'required_confirmations',
        'requires_notarization',
        'mature_confirmations',
      ]);
      expect(answer).toMatchObject({
        http: 200,
        result: 'success',
        address: ADDRESS,
        coin: 'DOC',
        required_confirmations: 2,
        requires_notarization: false,
        mature_confirmations: 1,
      });
    }));

  it('prefers the request to the coins file, and the coins file to the default of its compatibility mode', async () => {
    const confirmations = (request: object, compatibility?: Compatibility) => {
      let found: unknown;
      return withNode(async ({ call }) => {
        found = (await call({ method: 'enable', ...request }))['required_confirmations'];
      }, compatibility).then(() => found);
    };
    expect(await confirmations({ coin: 'DOC', required_confirmations: 0 })).toBe(0);
    expect(await confirmations({ coin: 'DOC' })).toBe(2);
    expect(await confirmations({ coin: 'BARE' })).toBe(3);
    expect(await confirmations({ coin: 'BARE' }, 'kdf')).toBe(1);
  });

  it('has a separate key for each coin if its configuration says so', () =>
    withNode(
      async ({ call }) => {
        const { address } = await call({ method: 'enable', coin: 'CASH', address_format: { format: 'standard' } });
        // By another wallet, for m/44'/145'/0'/0/0 with the first bytes of Komodo.
        expect(address).toBe(HD_ADDRESS);
        expect(await call({ method: 'enable', coin: 'DOC' })).toMatchObject({
          ...{ http: 500, error: expect.stringContaining("'derivation_path' field is not found in config") },
        });
      },
      'specification',
      'HD.json',
    ));

  it('trades no wallet-only coin, on either side', () =>
    withNode(async ({ call }) => {
      for (const coin of ['DOC', 'KEPT']) expect(await call({ method: 'enable', coin })).toMatchObject({ http: 200 });
      const pairs = [
        { base: 'KEPT', rel: 'DOC' },
        { base: 'DOC', rel: 'KEPT' },
      ];
      for (const pair of pairs) {
        for (const method of ['setprice', 'buy', 'sell']) {
          const answer = await call({ method, ...pair, price: '1', volume: '0.1' });
          expect(answer['error']).toContain("'KEPT' is a wallet only asset and can't be used in orders.");
        }
        const params = { ...pair, base_amount: '0.1', rel_amount: '0.2' };
        const refused = await call({ mmrpc: '2.0', method: 'swap::offer', params });
        expect(refused).toMatchObject({ http: 400, error_type: 'InvalidRequest' });
      }
      expect((await call({ method: 'my_balance', coin: 'KEPT' }))['http']).toBe(200);
    }));

  it('sees what its address receives, before its activation and after', () =>
    withNode(async ({ node, call }) => {
      const key = hexToBytes(node.publicKey);
      await chain.fund(key, { count: 2, value: 150_000_007n });
      const { balance } = await call({ method: 'enable', coin: 'DOC' });
      expect(balance).toBe('3.00000014');
      await chain.fund(key, { count: 1, value: 99_999_986n });
      const later = await call({ method: 'my_balance', coin: 'DOC' });
      expect(later).toEqual({ http: 200, coin: 'DOC', balance: '4', unspendable_balance: '0', address: ADDRESS });
    }));

  it('activates a coin once, also for two calls in one batch', () =>
    withNode(async ({ node, call }) => {
      const body = JSON.stringify([1, 2].map(() => ({ userpass: PASSWORD, method: 'enable', coin: 'DOC' })));
      const both = (await (await fetch(node.url, { method: 'POST', body })).json()) as {
        result?: string;
        error?: string;
      }[];
      expect(both.filter(({ result }) => result === 'success')).toHaveLength(1);
      // It may be active by then, or not yet.
      expect(both.find(({ error }) => error !== undefined)?.error).toMatch(
        /Coin DOC (?:already initialized|is already being activated by another request)/,
      );
      expect((await call({ method: 'get_enabled_coins' }))['result']).toEqual([{ ticker: 'DOC', address: ADDRESS }]);
    }));

  it('disables a coin, which is then gone and can be activated again', () =>
    withNode(async ({ call }) => {
      await call({ method: 'enable', coin: 'DOC' });
      expect(await call({ method: 'disable_coin', coin: 'DOC' })).toMatchObject({
        result: { coin: 'DOC', cancelled_orders: [], passivized: false },
      });
      expect((await call({ method: 'my_balance', coin: 'DOC' }))['error']).toMatch(
        /No such coin: DOC; it is in the coins file but not active$/,
      );
      expect((await call({ method: 'my_balance', coin: 'doc' }))['error']).toMatch(
        /No such coin: doc; did you mean DOC\?$/,
      );
      expect((await call({ method: 'enable', coin: 'DOC' }))['result']).toBe('success');
    }));

  it.each([
    ['DOWN', 'specification', /DOWN: failed to connect to native daemon: the daemon at http:\/\/127\.0\.0\.1:9 /],
    ['DOWN', 'kdf', /\] the daemon at http:\/\/127\.0\.0\.1:9 does not answer/],
    ['NOUSER', 'specification', /Conf file .*nouser\.conf doesn't have the rpcuser key/],
    ['NOCONF', 'specification', /Error parsing the native wallet configuration '.*absent\.conf': No such file/],
    ['STAKED', 'specification', /cannot be activated here\. member: isPoS/],
  ] as const)('says why %s is not activated (%s), and leaves nothing', (coin, compatibility, text) =>
    withNode(async ({ call }) => {
      for (let left = 2; left > 0; left--) {
        const { http, error } = await call({ method: 'enable', coin });
        expect([http, error]).toEqual([500, expect.stringMatching(text)]);
      }
      expect((await call({ method: 'get_enabled_coins' }))['result']).toEqual([]);
    }, compatibility),
  );

  it.each(['SSL', 'WSS'] as const)(
    'is active over %s servers with a valid certificate, or with checks disabled',
    (protocol) =>
      withNode(async ({ call }) => {
        const certificate = { port: 0, cert: CERT, key: KEY };
        const terms = { client: chain.client, clock: systemClock(), logger: LOGGER, software: 'a test' };
        const electrum = await openElectrumServer({ ...terms, tls: certificate, wss: certificate });
        try {
          const url = `localhost:${protocol === 'SSL' ? electrum.tlsPort : electrum.wssPort}`;
          const enable = (more: object) =>
            call({ method: 'electrum', coin: 'DOC', servers: [{ url, protocol, ...more }] });
          expect(await enable({})).toMatchObject({ http: 500, error: expect.stringContaining('SELF_SIGNED_CERT') });
          expect(electrum.clients()).toBe(0);
          const answer = await enable({ disable_cert_verification: true });
          expect(answer).toMatchObject({ result: 'success', address: ADDRESS, balance: expect.stringMatching(/^\d/) });
          expect(electrum.clients()).toBe(1);
        } finally {
          await electrum.close();
        }
      }),
  );

  it('warns of an Electrum server with invalid proofs, and has its balance from the other one', async () => {
    const options = { client: chain.client, clock: systemClock(), logger: LOGGER, software: 'a test', tcp: 0 };
    const electrum = await openElectrumServer(options);
    const upstream = Number(electrum.tcpPort);
    const liar = createServer((socket) => {
      const line = connect(upstream, '127.0.0.1');
      socket.pipe(line).on('error', () => {});
      line.on('data', (chunk) => socket.write(String(chunk).replace(/"pos":\d+/g, '"pos":7777777')));
      socket.on('error', () => {}).on('close', () => line.destroy());
    });
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
    const urls = [(liar.address() as AddressInfo).port, upstream].map((port) => `127.0.0.1:${port}`);
    const warnings: unknown[] = [];
    const logger = { ...LOGGER, warn: (message: string, fields: object) => void warnings.push({ message, ...fields }) };
    const conf = join(folder, 'MM2.json');
    const node = await openTradingNode({ conf, compatibility: 'specification', logger, onStop() {} });
    try {
      await chain.fund(hexToBytes(node.publicKey), { count: 1, value: 30_000_001n });
      await electrum.look();
      const servers = urls.map((url) => ({ url }));
      const body = JSON.stringify({ userpass: PASSWORD, method: 'electrum', coin: 'DOC', servers });
      const answer = await (await fetch(node.url, { method: 'POST', body })).json();
      expect(answer).toMatchObject({ result: 'success', balance: expect.stringMatching(/\.\d*1$/) });
      const reason = expect.stringMatching(/does not prove that [0-9a-f]{64} is in block \d+$/);
      expect(warnings).toContainEqual({
        message: 'an Electrum server is not believed',
        coin: 'DOC',
        server: urls[0],
        reason,
      });
    } finally {
      await node.close();
      await electrum.close();
      liar.close();
    }
  });

  it('writes and reads cash addresses, unless the request asks for the older form', () =>
    withNode(async ({ node, call }) => {
      await chain.fund(hexToBytes(node.publicKey), { count: 1, value: 70_000_000n });
      const { address } = await call({ method: 'enable', coin: 'CASH' });
      expect(address).toMatch(/^bchreg:q[a-z0-9]{41}$/);
      const wanted = { method: 'withdraw', coin: 'CASH', amount: '0.25' };
      const signed = await call({ ...wanted, to: String(address).slice('bchreg:'.length) });
      expect(signed).toMatchObject({ http: 200, from: [address] });
      expect((await call({ ...wanted, to: ADDRESS }))['error']).toContain('Invalid address');
      await call({ method: 'disable_coin', coin: 'CASH' });
      const again = { method: 'enable', coin: 'CASH' };
      expect(await call({ ...again, address_format: { format: 'segwit' } })).toMatchObject({
        ...{ http: 500, error: expect.stringContaining('must be either Segwit or Standard/CashAddress') },
      });
      expect(await call({ ...again, address_format: { format: 'base58' } })).toMatchObject({ http: 500 });
      expect(await call({ ...again, address_format: { format: 'standard' } })).toMatchObject({
        http: 200,
        address: ADDRESS,
      });
      expect(await call({ ...wanted, amount: '0.1', to: ADDRESS })).toMatchObject({ http: 200 });
    }));

  it('reveals its daemon’s password to nobody', () =>
    withNode(async ({ call }) => {
      const answers = [];
      for (const coin of ['DOWN', 'NOUSER', 'DOC']) answers.push(await call({ method: 'enable', coin }));
      expect(JSON.stringify(answers)).not.toContain('password');
    }));

  it('ends on request, after it has answered', () =>
    withNode(async ({ call, stopped }) => {
      expect(await call({ method: 'stop' })).toEqual({ http: 200, result: 'success' });
      expect(stopped()).toBe(1);
    }));
});

/** Families of cases; the rest is about the activation of coins of Tendermint chains. */
const PARTS =
  '^(env|auth|electrum|enable|disable|balance|swap|recent|active|stats|recover|init|status|out|action|hw|cancel)-';

/** Ids of the cases that the page on compatibility says are not answered as they ask in a mode; it names the mode where it is not both. */
function notAnswered(mode: Compatibility): readonly string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/compatibility.md'), 'utf8');
  const [, section = ''] = page.split('## Acceptance cases that are not answered');
  return [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`(?: \((\w+)\))?/g)].flatMap(([, id, of = mode]) => (of === mode ? [id as string] : [])),
  );
}

/** A node in a process of its own, once it has said where it listens. */
async function startNode(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<string>((resolve) => child.once('exit', (code) => resolve(`it ended with ${code}`)));
  const line = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  const { url } = JSON.parse(await Promise.race([line, ended])) as { readonly url: string };
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

describeShared('what others say that a node answers', () => {
  let electrum: ElectrumServer;
  let evm: EvmTestChain;
  let slow: Server;
  const at = (name: string) => join(folder, name);

  beforeAll(async () => {
    evm = await EvmTestChain.start(['--chain-id=1337']);
    const token = addressText(await evm.token({ decimals: 8 }));
    slow = createHttpServer((_request, response) => void setTimeout(() => response.end('{}'), 10_000).unref());
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const examples = readFileSync(join(SHARED_DIR, 'interface-b/coins.example.json'), 'utf8')
      .replaceAll('CONF_DIR', folder)
      .replace(/<checksummed address[^>]*>/, token);
    writeFileSync(at('examples'), examples);
    const config = { passphrase: 'bob passphrase', rpc_password: PASSWORD, rpcport: 0, coins: 'examples' };
    // A process of its own for some cases; two nodes never share a folder, nor do two modes.
    for (const mode of ['spec', 'kdf']) {
      writeFileSync(at(`cases-${mode}.json`), JSON.stringify({ ...config, dbdir: `CASES-${mode}` }));
      writeFileSync(at(`fresh-${mode}.json`), JSON.stringify({ ...config, dbdir: `FRESH-${mode}` }));
    }
    electrum = await openElectrumServer({
      client: chain.client,
      clock: systemClock(),
      logger: LOGGER,
      software: 'a test',
      tcp: 0,
      tls: { port: 0, cert: CERT, key: KEY },
      wss: { port: 0, cert: TRUSTED_CERT, key: TRUSTED_KEY },
    });
    writeFileSync(at('authority.pem'), AUTHORITY);
    const { subs } = JSON.parse(readFileSync(join(SHARED_DIR, 'interface-b/subs.example.json'), 'utf8')) as {
      subs: object;
    };
    const servers = {
      ELECTRUM_TCP: `127.0.0.1:${electrum.tcpPort}`,
      ELECTRUM_SSL: `localhost:${electrum.tlsPort}`,
      ELECTRUM_WSS: `localhost:${electrum.wssPort}`,
      EVM_URL: evm.url,
      EVM_SLOW: `http://127.0.0.1:${(slow.address() as AddressInfo).port}`,
      SWAP_CONTRACT: addressText(evm.contract),
      SWAP_CONTRACT_LOWER: `0x${evm.contract}`,
      ERC20_CONTRACT: token,
    };
    const saved = readFileSync(
      join(SHARED_DIR, 'swaps/taker-5acb0e63-MakerPaymentSpendConfirmed-Finished-v2.json'),
      'utf8',
    );
    const swap = JSON.parse(saved) as { readonly uuid: string };
    const electrums = ['electrum-utxo', 'electrum-ssl', 'electrum-wss'];
    const chains = ['utxo-daemon', ...electrums, 'anvil', 'evm-slow'];
    const available = ['imported-swap', ...chains, 'seed:bob passphrase'];
    writeFileSync(
      at('subs.json'),
      JSON.stringify({
        subs: { ...subs, ...servers, SAVED_SWAP: { type: 'Taker', ...swap }, SWAP_UUID: swap.uuid },
        available,
      }),
    );
  }, 120_000);
  afterAll(async () => {
    await electrum.close();
    slow.close();
    evm.stop();
  });

  // Most of a mode's time is spent in waits that its cases ask for.
  it.concurrent.each([
    ['spec', 'specification', 159, 11],
    ['kdf', 'kdf', 180, 11],
  ] as const)(
    'in the mode %s',
    async (mode, compatibility, passing, listedHere) => {
      const bin = fileURLToPath(builtModule('src/cli/main.js'));
      const serve = [bin, 'serve', '--json', '--compatibility', compatibility];
      const fresh = [process.execPath, ...serve, '--conf', at(`fresh-${mode}.json`)].join(' ');
      // The node trusts an authority of its operator's, as a process learns it.
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: at('authority.pem') };
      const node = await startNode([...serve, '--conf', at(`cases-${mode}.json`)], env);
      const settled = await settledNode(node.url);
      const runner = join(SHARED_DIR, 'interface-b/run.mjs');
      const options = ['--mode', mode, '--only', PARTS, '--fresh', fresh, '--json', at(`${mode}.json`)];
      const child = spawn(process.execPath, [runner, settled.url, at('subs.json'), ...options], { stdio: 'ignore' });
      await new Promise((resolve) => child.once('exit', resolve));
      settled.close();
      await node.stop();
      const { report } = JSON.parse(readFileSync(at(`${mode}.json`), 'utf8')) as {
        readonly report: readonly { readonly id: string; readonly verdict: string; readonly why: readonly string[] }[];
      };
      const of = (wanted: string) => report.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
      const reasons = report
        .filter(({ verdict }) => verdict === 'fail')
        .map(({ id, why }) => `${id}: ${why.join('; ')}`);
      const listed = notAnswered(compatibility);
      expect(
        of('fail').filter((id) => !listed.includes(id)),
        reasons.join('\n'),
      ).toEqual([]);
      // What is listed and answered all the same, or left out of the list and of the run, is a page that is out of date.
      expect(of('pass').filter((id) => listed.includes(id))).toEqual([]);
      expect(of('skip').filter((id) => !listed.includes(id))).toEqual([]);
      expect([of('pass').length, of('fail').length + of('skip').length]).toEqual([passing, listedHere]);
    },
    600_000,
  );
});
