import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Call, connectLitecoind, type LitecoindAccess, startLitecoind } from '../support/litecoind.ts';

/** A server in a process of its own. */
export type Served = {
  readonly access: LitecoindAccess;
  readonly pid: number;
  readonly stop: () => void;
};

/** The calls that are measured, by their methods. */
export type Calls = ReadonlyMap<string, Call>;

/** A node with a short chain, and what it can be asked about. */
export type World = Served & { readonly calls: Calls };

/** More than a coinbase needs to be spent. */
const MATURE_BLOCKS = 101;
/** Payments in the block that is asked for. */
const PAYMENTS = 20;

const program = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** `swapfold chain`, with its log on a disk. */
export async function startOurs(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-bench-'));
  const args = ['chain', '--name', 'BENCH', '--datadir', folder, '--rpcport', '0', '--json'];
  const { child, line } = await spawned([program('../../src/cli/main.js'), ...args]);
  const { url, files } = line as { readonly url: string; readonly files: { readonly conf: string } };
  const conf = readFileSync(files.conf, 'utf8');
  const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(conf)?.[1] ?? '';
  const credentials = `${setting('rpcuser')}:${setting('rpcpassword')}`;
  const access = { url, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  const stop = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  return { access, pid: child.pid ?? 0, stop, calls: await settled(access) };
}

/** Litecoin Core over the same history. */
export async function startTheirs(): Promise<World> {
  const node = await startLitecoind();
  await node.call('createwallet', 'bench').catch(() => undefined);
  return { access: node.access, pid: node.pid(), stop: node.stop, calls: await settled(node.access) };
}

/** What Node's own HTTP server costs by itself. */
export async function startEmpty(): Promise<Served> {
  const { child, line } = await spawned([program('./empty-server.js')]);
  const access = { url: (line as { readonly url: string }).url, authorization: '' };
  return { access, pid: child.pid ?? 0, stop: () => void child.kill('SIGKILL') };
}

async function spawned(args: readonly string[]): Promise<{ readonly child: ChildProcess; readonly line: unknown }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${String(code)}`)));
  });
  child.removeAllListeners('exit');
  return { child, line: JSON.parse(line) };
}

/** Mines coins for the wallet, pays to itself, and mines the payments: what both nodes can be asked about in the same words. */
async function settled(access: LitecoindAccess): Promise<Calls> {
  const node = connectLitecoind(access);
  const own = String(await node.call('getnewaddress'));
  await node.call('generatetoaddress', MATURE_BLOCKS, own);
  const txids: unknown[] = [];
  for (let count = 1; count <= PAYMENTS; count++) txids.push(await node.call('sendtoaddress', own, count / 100));
  const [block] = (await node.call('generatetoaddress', 1, own)) as readonly unknown[];
  const [paid] = txids;
  const calls: readonly Call[] = [
    ['getblockcount'],
    ['getbestblockhash'],
    ['getblockhash', 50],
    ['getblock', block],
    ['getblockchaininfo'],
    ['getrawtransaction', paid, 1],
    ['gettransaction', paid],
    ['validateaddress', own],
    ['getbalance'],
    ['listunspent'],
  ];
  return new Map(calls.map((call) => [call[0], call]));
}
