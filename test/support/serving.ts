import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openChainNode } from '../../src/cli/chain/chain-node.ts';
import { peerPort } from '../../src/peers/libp2p/ports.ts';
import type { JsonObject } from '../../src/primitives/json.ts';
import { Secret } from '../../src/primitives/secret.ts';
import { systemClock } from '../../src/runtime/host/clock-system.ts';
import type { Block } from '../../src/smartchain/chain/block.ts';
import { builtModule } from './built.ts';

/** Of the RPC of every node that is served here. */
export const PASSWORD = 'a password of the RPC';
const QUIET = { info() {}, warn() {}, error() {} };

/** A chain that mines every so many milliseconds, for whoever has the passphrase. */
export type ServedChain = {
  readonly entry: JsonObject;
  /** As it stands now. */
  readonly blocks: () => readonly Block[];
  readonly close: () => Promise<void>;
};

export async function servedChain(
  folder: string,
  { coin, passphrase, mineEveryMs }: ServedChainOptions,
): Promise<ServedChain> {
  const chain = await openChainNode({
    ...{ name: coin, folder: join(folder, coin), clock: systemClock(), logger: QUIET, mineEveryMs },
    ...{ compatibility: 'specification', port: 0, seed: new Secret(passphrase), onStop() {} },
    rules: { maturity: 1, reward: 700_000_000n },
  });
  // Where it listens stands in no conf file, since the port is a free one.
  const confpath = join(folder, `${coin}.conf`);
  const conf = readFileSync(chain.files.conf, 'utf8').replace(/^rpcport=.*$/m, '');
  writeFileSync(confpath, `${conf}\nrpcport=${new URL(chain.url).port}\n`);
  const entry = {
    ...{
      coin,
      mm2: 1,
      confpath,
      txversion: 4,
      overwintered: 1,
      mature_confirmations: 1,
    },
    ...{ required_confirmations: 1, protocol: { type: 'UTXO' } },
  };
  return { entry, blocks: () => chain.chain.tree.ledger.blocks, close: () => chain.close() };
}

type ServedChainOptions = { readonly coin: string; readonly passphrase: string; readonly mineEveryMs: number };

/** A process of `swapfold serve`. */
export type Serving = {
  /** What it said when it listened. */
  readonly row: JsonObject;
  readonly call: (request: object) => Promise<JsonObject>;
  /** SIGKILL. */
  readonly kill: () => Promise<void>;
  /** Lets it stand still, as a host that is busy, and go on. */
  readonly halt: (halted: boolean) => void;
  /** Ends it as its owner does. @returns its exit code */
  readonly stop: () => Promise<number | null>;
  /** Lines of its log. */
  readonly lines: readonly string[];
};

export type ServeGiven = {
  readonly name: string;
  readonly coins: readonly JsonObject[];
  readonly config: object;
  /** Bytes that no file of it may exceed, as on a disk that is full; a multiple of 512. @defaultValue the host decides */
  readonly mostBytes?: number;
  /** Milliseconds by which its clock is ahead of the host's. @defaultValue 0 */
  readonly ahead?: number;
};

/** Starts a node over the folder of its name, which keeps what an earlier one has left there. */
export async function serving(folder: string, given: ServeGiven): Promise<Serving> {
  const { name, coins, config, mostBytes, ahead = 0 } = given;
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  const conf = join(home, 'MM2.json');
  writeFileSync(conf, JSON.stringify({ passphrase: passphraseOf(name), rpc_password: PASSWORD, coins, ...config }));
  const bin = fileURLToPath(builtModule('src/cli/main.js'));
  const argv = [
    process.execPath,
    ...clockArgs(ahead),
    bin,
    'serve',
    '--conf',
    conf,
    '--rpcport',
    '0',
    '--poll',
    '1',
    '--json',
  ];
  const limited = ['sh', '-c', `ulimit -f ${(mostBytes ?? 0) / 512}; exec "$0" "$@"`, ...argv];
  const [command = '', ...args] = mostBytes === undefined ? argv : limited;
  const child = spawn(command, args);
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const row = JSON.parse(await firstLine(child, lines)) as JsonObject & { readonly url: string };
  return {
    ...{ row, lines },
    async call(request) {
      const body = JSON.stringify({ userpass: PASSWORD, ...request });
      return (await (await fetch(row.url, { method: 'POST', body })).json()) as JsonObject;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    halt: (halted) => void child.kill(halted ? 'SIGSTOP' : 'SIGCONT'),
    async stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/** The clock of a process is what `Date.now` says there. */
function clockArgs(ahead: number): readonly string[] {
  const code = `const { now } = Date; Date.now = () => now() + ${ahead};`;
  return ahead === 0 ? [] : ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}

function firstLine(child: ChildProcess, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) throw new Error('a process without an output');
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the node ended with ${String(code)}: ${lines.join('\n')}`)));
  });
}

export function passphraseOf(name: string): string {
  return `the passphrase of ${name}`;
}

export function servingFolder(): string {
  return mkdtempSync(join(tmpdir(), 'swapfold-serving-'));
}

/** A network whose port nothing uses. It is below those that systems give to outgoing connections. */
export async function freeNetid(): Promise<number> {
  for (let netid = 1000 + (process.pid % 4000); ; netid += 10) {
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(peerPort(netid), '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (free) return netid;
  }
}

/** Asks again, a few times a second, until the answer is what is wanted. */
export async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await ask();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
