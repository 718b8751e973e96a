import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/index.ts';
import type { LogEntry } from '../../src/ports/event-log.ts';
import { createRpcClient, type NodeEvent } from '../../src/rpc/client/index.ts';
import { messageReader } from '../../src/rpc/framework/stream/message.ts';
import { builtModule } from '../support/built.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../support/utxo/embedded-chain.ts';

const PASSWORD = 'a password of the RPC';
const UTXO = { mm2: 1, txversion: 4, overwintered: 1, mature_confirmations: 1, protocol: { type: 'UTXO' } };

let chain: EmbeddedChain;
let conf: string;
let served: ChildProcess | undefined;

beforeAll(async () => {
  chain = await startEmbeddedChain();
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-stream-'));
  writeFileSync(join(folder, 'native.conf'), chain.conf);
  const coins = ['DOC', 'CAT'].map((coin) => ({ coin, confpath: join(folder, 'native.conf'), ...UTXO }));
  conf = join(folder, 'MM2.json');
  writeFileSync(conf, JSON.stringify({ passphrase: 'bob passphrase', rpc_password: PASSWORD, rpcport: 0, coins }));
});
afterAll(async () => {
  served?.kill('SIGKILL');
  await chain.close();
});

type Started = {
  readonly url: string;
  readonly publicKey: string;
  readonly log: string;
  readonly before: readonly string[];
};

async function start(): Promise<Started> {
  const argv = [fileURLToPath(builtModule('src/cli/main.js')), 'serve', '--json', '--conf', conf];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  served = child;
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as Started;
  throw new Error('the node ended before it listened');
}

async function kill(): Promise<void> {
  const child = served;
  const gone = new Promise((resolve) => child?.once('exit', resolve));
  child?.kill('SIGKILL');
  await gone;
}

/** What the log holds, and what of it clients are told, by position. */
async function durable(file: string) {
  const log = await openSqliteLog({ path: file });
  const entries: LogEntry[] = [];
  const end = log.end();
  if (end > 0) {
    await new Promise<void>((resolve) => {
      const subscription = log.subscribe({ after: 0 }, (entry) => {
        entries.push(entry);
        if (entry.position < end) return;
        subscription.close();
        resolve();
      });
    });
  }
  const read = messageReader({ log, compatibility: 'specification' });
  const told = new Map<number, unknown>();
  for (const entry of entries) {
    const message = await read(entry);
    if (message !== null) told.set(entry.position, message.message);
  }
  await log.close();
  return told;
}

it('J12: a node that is killed has reported nothing that its log lacks, and reports the rest after a restart', async () => {
  const seen: NodeEvent[] = [];
  let lastId: string | number = 0;
  const follow = async (url: string, enough: () => boolean): Promise<void> => {
    const events = createRpcClient({ url, userpass: PASSWORD }).events({ lastEventId: lastId });
    for await (const event of events) {
      lastId = event.id ?? lastId;
      if (event.type !== 'HEARTBEAT') seen.push(event);
      if (enough()) return;
    }
  };
  const work = async (url: string): Promise<void> => {
    const client = createRpcClient({ url, userpass: PASSWORD });
    for (const coin of ['DOC', 'CAT']) await client.call('enable', { coin });
    for (let round = 1; ; round += 1) {
      await client.call('setprice', { base: 'DOC', rel: 'CAT', price: `1.${round}`, volume: '0.01' });
    }
  };
  // The moments of the kill: in the activation, between orders, and later.
  for (const count of [2, 9, 14]) {
    const { url, publicKey, log, before } = await start();
    if (count > 2) expect(before).toContain('DOC');
    await chain.fund(Buffer.from(publicKey, 'hex'), { count: 1, value: 100_000_000n });
    const goal = seen.length + count;
    // It works until it is killed, and is then refused in the middle of something.
    const working = work(url).catch((error: unknown) => (error as { readonly code?: string }).code);
    await follow(url, () => seen.length >= goal);
    await kill();
    expect(await working).toBe('RPC_UNANSWERED');
    const told = await durable(log);
    for (const { id, message } of seen) expect(told.get(Number(id)), `position ${id}`).toEqual(message);
  }
  const { log } = await start();
  // Read while nobody writes: the node has done nothing but start.
  await kill();
  const expected = [...(await durable(log)).keys()];
  const again = await start();
  await follow(again.url, () => Number(seen.at(-1)?.id) >= Number(expected.at(-1)));
  expect(seen.map(({ id }) => Number(id))).toEqual(expected);
});
