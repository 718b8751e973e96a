import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTradingNode } from '../../src/cli/serve/trading-node.ts';
import type { PaymentQuery } from '../../src/ports/chain.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import type { Height, UnixSeconds } from '../../src/primitives/time.ts';
import { serveChain } from '../support/electrum/over-chain.ts';
import { type PairSide, tradingPair } from '../support/trading-pair.ts';
import { startEmbeddedChain } from '../support/utxo/embedded-chain.ts';
import { virtualClock } from '../support/virtual-clock.ts';
import { benchSwap } from './data.ts';
import { assertSame, measure, median, type Row, type SuiteOptions } from './measure.ts';
import { AT_ONCE, emptyServer, REQUESTS, requests } from './rpc.ts';

const LOGGER = { debug() {}, info() {}, warn() {}, error() {} };
const PASSWORD = 'RPC_UserP@SSW0RD';

/** What a trading node answers, does and watches, over real connections to chains in this process. */
export async function* tradingSuite(options: SuiteOptions): AsyncGenerator<Row> {
  yield* polls(options);
  yield* swapsAtOnce(options);
  yield* watched(options);
  yield* electrum(options);
}

async function* polls({ rounds }: SuiteOptions): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-bench-'));
  writeFileSync(join(folder, 'coins'), '[]');
  const config = { passphrase: 'a passphrase of a benchmark', rpc_password: PASSWORD, rpcport: 0 };
  writeFileSync(join(folder, 'MM2.json'), JSON.stringify(config));
  const node = await openTradingNode({
    conf: join(folder, 'MM2.json'),
    compatibility: 'specification',
    logger: LOGGER,
    onStop() {},
  });
  const empty = await emptyServer();
  try {
    const { uuid, head, events } = benchSwap(7);
    const ask = async (request: object): Promise<{ readonly result: unknown }> => {
      const response = await fetch(node.url, { method: 'POST', body: JSON.stringify(request) });
      return (await response.json()) as { readonly result: unknown };
    };
    const saved = { ...head, uuid, events: events.map(({ at, ...event }) => ({ timestamp: at, event })) };
    const imported = await ask({ userpass: PASSWORD, method: 'import_swaps', swaps: [saved] });
    assertSame(imported.result, { imported: [uuid], skipped: {} }, 'the swap is there');
    const methods = {
      my_swap_status: { method: 'my_swap_status', params: { uuid } },
      active_swaps: { method: 'active_swaps' },
      version: { method: 'version' },
    };
    for (const [name, request] of Object.entries(methods)) {
      const body = JSON.stringify({ userpass: PASSWORD, ...request });
      const candidate = (url: string) => async () => {
        await Promise.all(Array.from({ length: AT_ONCE }, () => requests(url, { body })));
        return REQUESTS;
      };
      const { ours, reference } = await measure(
        { ours: candidate(node.url), reference: candidate(empty.url) },
        { rounds },
      );
      yield {
        name: `trading: ${name} over HTTP vs an empty handler`,
        unit: 'requests/s',
        ours: 1e9 / ours,
        reference: 1e9 / reference,
        ratio: reference / ours,
      };
    }
  } finally {
    await node.close();
    empty.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const SIDES: readonly PairSide[] = ['maker', 'taker'];

type Ran = {
  /** Milliseconds of this machine for a swap, both sides and both chains. */
  readonly each: number;
  /** Calls of the daemons for a waiting swap and minute of the nodes' clock. */
  readonly asked: number;
  /** Megabytes of the process at the most. */
  readonly resident: number;
};

async function run(count: number): Promise<Ran> {
  let calls = 0;
  const pair = await tradingPair(
    {},
    {
      unwatched: true,
      funds: { maker: 2 * count, taker: 3 * count },
      onRequest: (asked) => {
        calls += asked;
      },
    },
  );
  try {
    for (const side of SIDES) await pair.parties[side].activate();
    const before = calls;
    const begun = performance.now();
    const from = pair.clock.now();
    for (let index = 0; index < count; index++) await pair.start({ uuid: randomUUID() });
    let resident = 0;
    const over = () => {
      resident = Math.max(resident, process.memoryUsage.rss() / 1e6);
      return SIDES.every((side) => pair.parties[side].node().runtime.sizes().runners === 0);
    };
    assertSame(await pair.until(over, 24 * 60), true, 'every swap comes to its end');
    const minutes = (pair.clock.now() - from) / 60_000;
    for (const side of SIDES) {
      const { result } = (await pair.parties[side].call({ method: 'my_recent_swaps', limit: count })) as {
        readonly result?: { readonly swaps: readonly { readonly is_success?: boolean }[] };
      };
      const done = result?.swaps.filter(({ is_success }) => is_success === true).length;
      assertSame(done, count, `every swap of the ${side} is a success`);
    }
    return { each: (performance.now() - begun) / count, asked: (calls - before) / (2 * count * minutes), resident };
  } finally {
    await pair.close();
  }
}

async function* swapsAtOnce({ swaps = 1_000 }: SuiteOptions): AsyncGenerator<Row> {
  const few = Math.max(1, Math.min(10, Math.floor(swaps / 10)));
  const reference = await run(few);
  const ours = await run(swaps);
  const of = (what: string) => `trading: ${what}, ${swaps.toLocaleString('en-GB')} swaps at once vs ${few}`;
  const row = (what: string, unit: string, member: keyof Ran): Row => ({
    name: of(what),
    unit,
    ours: ours[member],
    reference: reference[member],
    ratio: ours[member] / reference[member],
  });
  yield row('a swap', 'ms', 'each');
  yield row('calls of a daemon for a swap and minute', 'calls', 'asked');
  yield row('memory', 'MB', 'resident');
}

const WATCHED = 10_000;
const FEW = 100;

async function* watched({ rounds }: SuiteOptions): AsyncGenerator<Row> {
  const chain = await startEmbeddedChain();
  try {
    const clock = virtualClock(chain.now() * 1000);
    const wallet = chain.wallet('watcher', clock);
    const queries = Array.from({ length: WATCHED }, (_, index) => queryOf(index));
    const look = async (count: number): Promise<number> => {
      const answers = await Promise.all(queries.slice(0, count).map((query) => wallet.payment(query)));
      assertSame(answers.filter(({ ok }) => ok).length, count, 'every payment is looked for');
      return count;
    };
    const times: Record<'ours' | 'reference', number[]> = { ours: [], reference: [] };
    await look(WATCHED);
    for (let round = 0; round < rounds; round++) {
      for (const [name, count] of [['reference', FEW] as const, ['ours', WATCHED] as const]) {
        await chain.mine(1);
        const begun = performance.now();
        await look(count);
        times[name].push(((performance.now() - begun) * 1000) / count);
      }
    }
    const [ours, reference] = [median(times.ours), median(times.reference)];
    const name = `trading: a look at a payment after a block, ${WATCHED.toLocaleString('en-GB')} watched vs ${FEW}`;
    yield { name, unit: 'µs', ours, reference, ratio: ours / reference };
  } finally {
    await chain.close();
  }
}

/** Terms that no two of them share; nothing pays them. */
function queryOf(index: number): PaymentQuery {
  const digits = (index + 1).toString(16);
  return {
    terms: {
      lock: (1_800_000_000 + index) as UnixSeconds,
      secretHash: digits.padStart(40, '5'),
      sender: `02${digits.padStart(64, '7')}`,
      receiver: `03${digits.padStart(64, '9')}`,
      amount: '1.5' as DecimalText,
      contract: null,
    },
    from: 1 as Height,
  };
}

const LINES = 20_000;
const IN_FLIGHT = 64;

/** Calls of one client that keeps so many under way. */
function lines(port: number, line: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let answered = 0;
    let sent = 0;
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      for (const byte of chunk) if (byte === 10) answered += 1;
      const more = Math.min(LINES - sent, answered + IN_FLIGHT - sent);
      if (more > 0) {
        sent += more;
        socket.write(line.repeat(more));
      }
      if (answered < LINES) return;
      socket.destroy();
      resolve(LINES);
    });
    sent = IN_FLIGHT;
    socket.write(line.repeat(IN_FLIGHT));
  });
}

async function echo(): Promise<{ readonly port: number; readonly server: Server }> {
  const answer = '{"jsonrpc":"2.0","id":1,"result":null}\n';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      let count = 0;
      for (const byte of chunk) if (byte === 10) count += 1;
      socket.write(answer.repeat(count));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { port: (server.address() as AddressInfo).port, server };
}

async function* electrum({ rounds }: SuiteOptions): AsyncGenerator<Row> {
  const served = await serveChain();
  const empty = await echo();
  try {
    const calls = {
      'blockchain.block.header': [3],
      'blockchain.scripthash.get_history': ['ab'.repeat(32)],
      'blockchain.estimatefee': [2],
    };
    for (const [method, params] of Object.entries(calls)) {
      const line = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`;
      const { ours, reference } = await measure(
        { ours: () => lines(served.server.tcpPort ?? 0, line), reference: () => lines(empty.port, line) },
        { rounds },
      );
      yield {
        name: `trading: Electrum ${method} vs an empty answer`,
        unit: 'requests/s',
        ours: 1e9 / ours,
        reference: 1e9 / reference,
        ratio: reference / ours,
      };
    }
  } finally {
    await served.close();
    empty.server.close();
  }
}
