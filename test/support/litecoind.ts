import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseJson } from '../../src/primitives/json.ts';
import type { OptionalPart } from './optional-part.ts';

const BINARY = process.env['SWAPFOLD_LITECOIND'] ?? '/usr/lib/litecoin/litecoind';

/** Litecoin Core, a node of Bitcoin's family that Debian ships. */
export const LITECOIND: OptionalPart = {
  present: existsSync(BINARY),
  absence: `no ${BINARY} (apt-get install --no-install-recommends litecoind installs it, SWAPFOLD_LITECOIND names another)`,
};

/** What its clock shows, seconds since 1970: blocks and their ids are the same in every run. */
const START = 1_700_000_000;
const WARMING_UP = -28;
const MOST_WAIT_MS = 30_000;
const BATCH = 500;

export type Call = readonly [method: string, ...params: unknown[]];

/** What a call brings: its result, or the node's error. */
export type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

/** What asks a node. */
export type LitecoindClient = {
  /** The result of one call; throws the node's error. */
  call(...call: Call): Promise<unknown>;
  /** Answers in the order of the calls. Amounts are exact: see {@link parseJson}. */
  batch(calls: readonly Call[]): Promise<readonly Answer[]>;
};

/** Where a node listens, and what it lets in. */
export type LitecoindAccess = { readonly url: string; readonly authorization: string };

export type Litecoind = LitecoindClient & {
  readonly access: LitecoindAccess;
  /** Shuts the node down and starts it again over the same folder, with other options of its own; waits until it answers. */
  restart(options?: readonly string[]): Promise<void>;
  /** Of the process that runs now. */
  pid(): number;
  /** Kills the process and removes its folder. */
  stop(): void;
};

/** Starts a regression-test chain of its own in a folder of its own, on a free port of the loopback, and waits until it answers. */
export async function startLitecoind(options: readonly string[] = []): Promise<Litecoind> {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-litecoind-'));
  const port = await freePort();
  const password = randomBytes(16).toString('hex');
  // After the usual 30 s of silence it would let go a connection that a test, busy with its own sums, then writes to.
  const rpc = ['-server', '-rpcworkqueue=64', '-rpcservertimeout=900'];
  const own = [...rpc, '-listen=0', '-txindex=1', '-fallbackfee=0.0001', '-printtoconsole=0'];
  const entry = [`-rpcport=${port}`, '-rpcuser=swapfold', `-rpcpassword=${password}`];
  // Without the last one mining stops at height 431, where a fork that the test chain does not know begins.
  const chain = ['-regtest', `-datadir=${folder}`, `-mocktime=${START}`, '-vbparams=mweb:-2:0'];
  const authorization = `Basic ${Buffer.from(`swapfold:${password}`).toString('base64')}`;
  const access = { url: `http://127.0.0.1:${port}/`, authorization };
  const post = postTo(access);
  let child: ChildProcess | undefined;
  const stop = () => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  const start = async (given: readonly string[]) => {
    const started = spawn(BINARY, [...chain, ...own, ...entry, ...given], { stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    let complaint = '';
    started.stderr?.on('data', (text) => {
      complaint += String(text);
    });
    try {
      await untilReady({ child: started, post, complaint: () => complaint });
    } catch (error) {
      stop();
      throw error;
    }
  };
  const restart = async (given: readonly string[] = options) => {
    const gone = new Promise((resolve) => child?.once('exit', resolve));
    await post({ method: 'stop', params: [], id: 0 });
    await gone;
    await start(given);
  };
  await start(options);
  const pid = () => child?.pid ?? 0;
  return { ...clientOf(post), access, restart, pid, stop };
}

/** Asks a node that somebody else has started. */
export function connectLitecoind(access: LitecoindAccess): LitecoindClient {
  return clientOf(postTo(access));
}

function postTo({ url, authorization }: LitecoindAccess): Post {
  return (body) => fetch(url, { method: 'POST', headers: { authorization }, body: JSON.stringify(body) });
}

type Post = (body: unknown) => Promise<Response>;

function clientOf(post: Post): LitecoindClient {
  const batch = async (calls: readonly Call[]): Promise<readonly Answer[]> => {
    const answers: Answer[] = [];
    for (let from = 0; from < calls.length; from += BATCH) {
      const part = calls.slice(from, from + BATCH);
      const response = await post(part.map(([method, ...params], id) => ({ method, params, id })));
      answers.push(...(parseJson(await response.text()) as Answer[]).map(plainAnswer));
    }
    return answers;
  };
  const call = async (...one: Call) => {
    const [answer] = await batch([one]);
    if (answer !== undefined && 'result' in answer) return answer.result;
    throw new Error(`${one[0]}: ${JSON.stringify(answer)}`);
  };
  return { call, batch };
}

/** Both members are always there on the wire, one of them null. */
function plainAnswer(answer: Answer): Answer {
  return 'error' in answer && answer.error !== null
    ? { error: answer.error }
    : { result: (answer as { result: unknown }).result };
}

async function untilReady(node: { child: ChildProcess; post: Post; complaint: () => string }): Promise<void> {
  const { child, post, complaint } = node;
  const end = performance.now() + MOST_WAIT_MS;
  while (performance.now() < end) {
    if (child.exitCode !== null) throw new Error(`litecoind ended with ${child.exitCode}: ${complaint()}`);
    // Before it listens the connection is refused; then it answers that it warms up.
    const code = await post({ method: 'getblockcount', params: [], id: 0 })
      .then(async (response) => ((await response.json()) as { error: { code: number } | null }).error?.code)
      // A page of HTML before the calls are served.
      .catch(() => WARMING_UP);
    if (code !== WARMING_UP) return;
    await pause(25);
  }
  throw new Error(`litecoind does not answer within ${MOST_WAIT_MS} ms: ${complaint()}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
