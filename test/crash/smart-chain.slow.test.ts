import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/index.ts';
import { millisOf } from '../../src/primitives/time.ts';
import { readConf } from '../../src/rpc/smart-chain/conf.ts';
import { type Rng, xorshift32 } from '../../src/sim/xorshift.ts';
import { promisedCoins } from '../../src/smartchain/chain/sent.ts';
import { openSmartChain } from '../../src/smartchain/node.ts';
import { walletFile } from '../../src/smartchain/wallet/file-store.ts';
import { openWallet } from '../../src/smartchain/wallet/wallet.ts';
import { builtModule } from '../support/built.ts';
import { scratchFolder } from '../support/cli.ts';
import { draws } from '../support/draws.ts';
import { ledgerDigest, rebuiltLedger } from '../support/ledger-digest.ts';

// A process that serves a chain is killed with SIGKILL while callers mine, pay, make keys and give blocks up. What an answer told
// must be there when the folder is opened again.

const LANES = 2;
const KILLS = draws({ change: 6, release: 20 });
const MOST_ANSWERS = 40;

let main: string;
beforeAll(() => {
  main = fileURLToPath(builtModule('src/cli/main.js'));
}, 120_000);

/** What answers told, over all lives of one chain. */
type Told = {
  readonly blocks: Set<string>;
  readonly addresses: Set<string>;
  /** Ids of what was sent. */
  readonly sent: Set<string>;
  /** Blocks and whether they were given up last; absent while that is being changed. */
  readonly givenUp: Map<string, boolean>;
  answers: number;
};

type Call = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

/** Starts the process on a folder, and gives how it is called. */
async function start(folder: string): Promise<{ child: ChildProcess; call: Call; said: readonly string[] }> {
  const argv = [main, 'chain', '--name', 'KILL', '--datadir', folder, '--rpcport', '0', '--json', '--maturity', '1'];
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SWAPFOLD_SEED: 'killed again and again' },
  });
  const said: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const first = (async () => {
    for await (const line of lines) return line;
    throw new Error('the chain did not start');
  })();
  const { url } = JSON.parse(await first) as { url: string };
  const conf = await readConf(join(folder, 'KILL.conf'));
  const Authorization = `Basic ${Buffer.from(`${conf?.user}:${conf?.password.reveal()}`).toString('base64')}`;
  return {
    child,
    said,
    async call(method, ...params) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { Authorization },
        body: JSON.stringify({ method, params }),
      });
      const { result, error } = (await response.json()) as { result: unknown; error: { message: string } | null };
      if (error === null) return result;
      throw new Refused(`${method}: ${error.message}`);
    },
  };
}

/** The node answered with an error; anything else means that it is gone. */
class Refused extends Error {}

/** Calls until the process is gone; each answer is told to `answered`. */
async function caller(act: () => Promise<void>, answered: () => void): Promise<void> {
  for (;;) {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Refused)) return;
    }
    answered();
  }
}

function actsOf(call: Call, { told, rng }: { told: Told; rng: Rng }): readonly (() => Promise<void>)[] {
  const mine = async () => {
    for (const hash of (await call('generate', 1 + rng.below(2))) as string[]) told.blocks.add(hash);
  };
  const pay = async () => {
    const address = (await call('getnewaddress')) as string;
    told.addresses.add(address);
    told.sent.add((await call('sendtoaddress', address, '0.01')) as string);
  };
  const makeToken = async () => {
    const { hex } = (await call('tokencreate', 'KITE', '0.00001')) as { hex: string };
    told.sent.add((await call('sendrawtransaction', hex)) as string);
  };
  const giveUp = async () => {
    const hash = (await call('getbestblockhash')) as string;
    told.givenUp.delete(hash);
    await call('invalidateblock', hash);
    told.givenUp.set(hash, true);
    if (rng.below(2) === 0) await mine();
    told.givenUp.delete(hash);
    await call('reconsiderblock', hash);
    told.givenUp.set(hash, false);
  };
  return [mine, mine, pay, makeToken, giveUp];
}

/** One life: many callers at once, and the end at a moment that nobody chose. */
async function live(folder: string, { told, rng }: { told: Told; rng: Rng }): Promise<void> {
  const { child, call, said } = await start(folder);
  const closed = once(child, 'close');
  const last = told.answers + 1 + rng.below(MOST_ANSWERS);
  // The block that was being given up when the process was killed may be either.
  const unsure = [...told.givenUp.entries()].filter(([, given]) => given);
  for (const [hash] of unsure) {
    told.givenUp.delete(hash);
    await call('reconsiderblock', hash);
  }
  const answered = () => {
    told.answers++;
    if (told.answers === last) setImmediate(() => child.kill('SIGKILL'));
  };
  await Promise.all(actsOf(call, { told, rng }).map((act) => caller(act, answered)));
  expect((await closed)[1]).toBe('SIGKILL');
  expect(said).toEqual([]);
}

/** Opens what the process left, and holds it against what answers told. */
async function compare(folder: string, told: Told): Promise<number> {
  const log = await openSqliteLog({ path: join(folder, 'KILL.db') });
  try {
    expect({ recovery: log.opening.recovery, apart: log.quarantined() }).toEqual({ recovery: undefined, apart: [] });
    const chain = await openSmartChain({
      log,
      now: () => millisOf(Date.now()),
      params: { name: 'KILL', maturity: 1 },
    });
    const { tree, params, sent } = chain;
    expect([...told.sent].filter((txid) => !sent.all.has(txid))).toEqual([]);
    // What neither waits nor is mined spends coins of a block that was given up.
    const lost = [...sent.open].filter((txid) => !chain.mempool().entries.has(txid));
    const view = { sent, tree, mempool: chain.mempool() };
    expect([lost.length > sent.all.size / 2, [...promisedCoins(view)]]).toEqual([false, []]);
    expect([...told.blocks].filter((hash) => !tree.nodes.has(hash))).toEqual([]);
    for (const [hash, given] of told.givenUp) expect([hash, tree.nodes.get(hash)?.failed]).toEqual([hash, given]);
    expect(ledgerDigest(tree.ledger)).toBe(ledgerDigest(rebuiltLedger(tree.ledger)));
    const random = { bytes: (length: number) => new Uint8Array(length).fill(1) };
    const wallet = await openWallet({
      prefixes: params.prefixes,
      random,
      store: walletFile(join(folder, 'KILL.wallet.json')),
    });
    const held = new Set([...wallet.ring.keys.values()].map(({ address }) => address));
    expect([...told.addresses].filter((address) => !held.has(address))).toEqual([]);
    return tree.nodes.size;
  } finally {
    await log.close();
  }
}

describe('a chain whose process is killed', () => {
  it('W1, W3: keeps every block, every mark of a block, every key and every payment that an answer reported', async () => {
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      using scratch = scratchFolder();
      const told: Told = { blocks: new Set(), addresses: new Set(), sent: new Set(), givenUp: new Map(), answers: 0 };
      const rng = xorshift32(lane + 1);
      let blocks = 0;
      // Which calls are answered before a kill is the machine's choice: it lives on until enough of each kind were.
      for (let kill = 0; kill < KILLS || Math.min(told.blocks.size, told.addresses.size) <= KILLS; kill++) {
        await live(scratch.path, { told, rng });
        blocks = await compare(scratch.path, told);
      }
      return { blocks, told: told.blocks.size };
    });
    for (const { blocks, told } of await Promise.all(lanes)) expect(blocks).toBeGreaterThanOrEqual(told);
  });
});
