import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectElectrum as connectOver } from '../../../../src/chains/utxo/electrum/connection.ts';
import { systemClock } from '../../../../src/runtime/host/clock-system.ts';
import { builtModule } from '../../../support/built.ts';
import { runCli, scratchFolder } from '../../../support/cli.ts';
import { CERT, KEY } from '../../../support/electrum/certificate.ts';
import { connectElectrum } from '../../../support/electrum/client.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../../../support/utxo/embedded-chain.ts';

let chain: EmbeddedChain;

beforeAll(async () => {
  chain = await startEmbeddedChain();
});
afterAll(() => chain.close());

/** Starts the command in a process of its own. */
async function started(argv: readonly string[]) {
  const child = spawn(process.execPath, [fileURLToPath(builtModule('src/cli/main.js')), 'electrum', ...argv]);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  const first = String((await lines.next()).value);
  return {
    row: JSON.parse(first) as {
      readonly tcp: number | null;
      readonly tls: number;
      readonly ws: number;
      readonly wss: number;
    },
    end: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

describe('electrum', () => {
  it('serves a daemon that its conf file names, on all ports, until a signal ends it', async () => {
    using scratch = scratchFolder({ 'DOC.conf': chain.conf, 'cert.pem': CERT, 'key.pem': KEY });
    const web = ['--ws-port', '0', '--wss-port', '0'];
    const tls = ['--tls-port', '0', '--tls-cert', scratch.file('cert.pem'), '--tls-key', scratch.file('key.pem')];
    const { row, end } = await started(['--conf', scratch.file('DOC.conf'), '--port', '0', ...web, ...tls, '--json']);
    expect(row).toMatchObject({ host: '127.0.0.1', height: 3 });
    for (const address of [{ port: row.tcp ?? 0 }, { port: row.tls, ca: CERT }]) {
      const client = await connectElectrum(address);
      expect(await client.call('server.version', 'a client', ['1.2', '1.4'])).toEqual([expect.anything(), '1.4']);
      expect(await client.call('blockchain.headers.subscribe')).toMatchObject({ height: 3 });
    }
    for (const protocol of ['WS', 'WSS'] as const) {
      const url = `localhost:${row[protocol === 'WS' ? 'ws' : 'wss']}`;
      const over = await connectOver({
        server: { url, protocol, disableCertVerification: protocol === 'WSS', timeoutMs: 5000 },
        clock: systemClock(),
        onNotification() {},
      });
      expect(await over.batch([['server.version', 'a client', ['1.2', '1.4']]])).toEqual([
        { result: [expect.anything(), '1.4'] },
      ]);
      over.close('done');
    }
    expect(await end()).toBe(0);
  });

  it('says what is wrong with its options, and what is missing', async () => {
    using scratch = scratchFolder({ 'DOC.conf': chain.conf, 'nouser.conf': 'rpcport=9\n', 'none.pem': 'none' });
    const conf = ['--conf', scratch.file('DOC.conf')];
    const fails = async (argv: readonly string[], code: number, said: RegExp) => {
      const { code: found, err } = await runCli(['electrum', ...argv]);
      expect([found, err]).toEqual([code, expect.stringMatching(said)]);
      expect(err).not.toContain('secret');
    };
    await fails([], 2, /--conf/);
    await fails(['--conf', scratch.file('nouser.conf')], 2, /doesn't have the rpcuser key/);
    await fails(['--conf', scratch.file('absent.conf')], 2, /No such file or directory/);
    await fails(
      [...conf, '--tls-port', '0'],
      2,
      /TLS needs --tls-port or --wss-port, --tls-cert and --tls-key together/,
    );
    await fails([...conf, '--wss-port', '0'], 2, /TLS needs/);
    await fails([...conf, '--url', 'http://me:secret@127.0.0.1:9'], 2, /without user and/);
    await fails([...conf, '--port', '70000'], 2, /--port/);
    const pem = ['--tls-cert', scratch.file('none.pem'), '--tls-key', scratch.file('none.pem')];
    await fails([...conf, '--tls-port', '0', ...pem], 1, /\[ELECTRUM_CERTIFICATE_INVALID]/);
    await fails([...conf, '--url', 'http://127.0.0.1:9', '--port', '0'], 1, /\[ELECTRUM_DAEMON_SILENT]/);
  });
});
