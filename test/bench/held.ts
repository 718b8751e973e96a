import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { heldCalls } from './held-calls.ts';
import type { Held } from './loop-monitor.ts';
import type { Row, SuiteOptions } from './measure.ts';

/** Milliseconds that no call may keep all others waiting. */
const BOUND = 100;

/** A node in a process of its own that tells how long its loop was held. */
export type WatchedNode = {
  readonly post: (body: string) => Promise<string>;
  readonly call: <Result>(method: string, ...params: readonly unknown[]) => Promise<Result>;
  /** Since the last time that this was asked. */
  readonly held: () => Promise<Held>;
};

/**
 * The dearest calls of an authenticated client, and the longest time for which the process of the node did nothing else, in its own CPU time: the
 * clock also counts what other programs do on the machine.
 */
export async function* heldSuite({ rounds }: SuiteOptions): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-bench-'));
  const { node, child } = await startWatched(folder);
  try {
    for await (const { name, run } of heldCalls(node, rounds)) {
      const all: Held[] = [];
      // The first one compiles what the others run, and counts too: a node meets it once.
      for (let round = 0; round < rounds; round++) {
        await node.held();
        await run();
        all.push(await node.held());
      }
      const longest = (what: keyof Held) => Math.max(...all.map((held) => held[what]));
      const row = (unit: string, ours: number): Row => ({ name, unit, ours, reference: BOUND, ratio: ours / BOUND });
      yield row('ms of CPU', longest('cpu'));
      yield { ...row('ms', longest('clock')), name: `${name}, by the clock` };
    }
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

const program = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

async function startWatched(folder: string): Promise<{ readonly node: WatchedNode; readonly child: ChildProcess }> {
  const args = ['chain', '--name', 'BENCH', '--datadir', folder, '--rpcport', '0', '--json'];
  const child = spawn(
    process.execPath,
    ['--import', program('./loop-monitor.js'), program('../../src/cli/main.js'), ...args],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  if (child.stdout === null) throw new Error('the node has no output');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url, files } = JSON.parse(line) as { readonly url: string; readonly files: { readonly conf: string } };
  const conf = readFileSync(files.conf, 'utf8');
  const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(conf)?.[1] ?? '';
  const authorization = `Basic ${btoa(`${setting('rpcuser')}:${setting('rpcpassword')}`)}`;
  const post = async (body: string): Promise<string> =>
    (await fetch(url, { method: 'POST', headers: { authorization }, body })).text();
  const call = async <Result>(method: string, ...params: readonly unknown[]): Promise<Result> => {
    const { result, error } = JSON.parse(await post(JSON.stringify({ id: 1, method, params })));
    if (error !== null) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  const held = async (): Promise<Held> => {
    child.send('held');
    const [answer] = (await once(child, 'message')) as [Held];
    return answer;
  };
  return { node: { post, call, held }, child };
}
