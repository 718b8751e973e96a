import { type Call, connectLitecoind, LITECOIND } from '../support/litecoind.ts';
import { cpuMillisOf } from '../support/process-time.ts';
import { type Served, startEmpty, startOurs, startTheirs, type World } from './http-worlds.ts';
import { load } from './load.ts';
import { assertSame, median, type Row, type SuiteOptions } from './measure.ts';

const CONNECTIONS = 8;
const BATCH = 100;
/** Milliseconds of load on one server before it is the other's turn. */
const TURN = 500;

/** The medians of some rounds on one server. */
type Speed = {
  /** Calls a second. */
  readonly rate: number;
  /** Milliseconds below which half, and 99 of 100, requests were answered. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of the server's CPU time for a call. */
  readonly cpu: number;
};

/**
 * The calls that clients make most, over HTTP, one at a time and in batches, against `litecoind`: both are processes of their own, and
 * this process sends the same bytes to each. Beside them a server that does nothing.
 */
export async function* httpSuite({ rounds }: SuiteOptions): AsyncGenerator<Row> {
  if (!LITECOIND.present) {
    process.stderr.write(`http: ${LITECOIND.absence}\n`);
    return;
  }
  const stops: (() => void)[] = [];
  const started = async <Server extends Served>(starting: Promise<Server>): Promise<Server> => {
    const server = await starting;
    stops.push(server.stop);
    return server;
  };
  try {
    const ours = await started(startOurs());
    const theirs = await started(startTheirs());
    const empty = await started(startEmpty());
    for (const method of ours.calls.keys()) {
      await compared({ ours, theirs }, method);
      for (const calls of [1, BATCH]) yield* rowsOf(method, { calls, rounds, ours, theirs, empty });
    }
  } finally {
    for (const stop of stops) stop();
  }
}

/** Both must give the same kind of answer, or the times mean nothing. Which coins a wallet has left is its own affair. */
async function compared(worlds: { readonly ours: World; readonly theirs: World }, method: string): Promise<void> {
  const kinds = [worlds.ours, worlds.theirs].map(async (world) => {
    const result = await connectLitecoind(world.access).call(...callOf(world, method));
    return Array.isArray(result) ? 'list' : result === null ? 'null' : typeof result;
  });
  const [ours, theirs] = await Promise.all(kinds);
  assertSame(ours, theirs, `what ${method} answers`);
}

type Compared = {
  readonly calls: number;
  readonly rounds: number;
  readonly ours: World;
  readonly theirs: World;
  readonly empty: Served;
};

async function* rowsOf(method: string, { calls, rounds, ours, theirs, empty }: Compared): AsyncGenerator<Row> {
  // What the empty server gets is as long as what ours gets, and it is asked once: nothing but length matters to it.
  const servers = [
    { server: ours, call: callOf(ours, method) },
    { server: theirs, call: callOf(theirs, method) },
    ...(method === 'getblockcount' ? [{ server: empty, call: callOf(ours, method) }] : []),
  ];
  const rounded: Speed[][] = servers.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, { server, call }] of servers.entries()) {
      const speed = await speedOf(server, bodyOf(call, calls), calls);
      if (round >= 0) rounded[index]?.push(speed);
    }
  }
  const [mine, reference, nothing] = rounded.map(medianOf);
  if (mine === undefined || reference === undefined) return;
  const name = `http: ${method}${calls === 1 ? '' : `, batches of ${calls}`}`;
  yield higher(name, mine, reference);
  yield { ...lower(`${name}, p50`, 'ms'), ...costs(mine.p50, reference.p50) };
  yield { ...lower(`${name}, p99`, 'ms'), ...costs(mine.p99, reference.p99) };
  yield { ...lower(`${name}, the server's CPU`, 'µs/call'), ...costs(mine.cpu, reference.cpu) };
  if (nothing === undefined) return;
  yield higher(
    `http: a server that answers nothing${calls === 1 ? '' : `, requests as long as ${calls} calls`}`,
    nothing,
    reference,
  );
}

const lower = (name: string, unit: string) => ({ name, unit });
const costs = (ours: number, reference: number) => ({ ours, reference, ratio: ours / reference });

function higher(name: string, ours: Speed, reference: Speed): Row {
  return { name, unit: 'calls/s', ours: ours.rate, reference: reference.rate, ratio: ours.rate / reference.rate };
}

function callOf({ calls }: World, method: string): Call {
  const call = calls.get(method);
  if (call === undefined) throw new Error(`no call of ${method}`);
  return call;
}

function bodyOf([method, ...params]: Call, calls: number): string {
  const request = (id: number) => ({ jsonrpc: '1.0', id, method, params });
  return JSON.stringify(calls === 1 ? request(0) : Array.from({ length: calls }, (_, id) => request(id)));
}

async function speedOf({ access, pid }: Served, body: string, calls: number): Promise<Speed> {
  const begun = cpuMillisOf(pid);
  const { requests, millis, latencies } = await load(access, body, { connections: CONNECTIONS, millis: TURN });
  const spent = cpuMillisOf(pid) - begun;
  const below = (share: number) => latencies[Math.min(requests - 1, Math.floor(share * requests))] ?? Number.NaN;
  const done = requests * calls;
  return { rate: (1000 * done) / millis, p50: below(0.5), p99: below(0.99), cpu: (1000 * spent) / done };
}

function medianOf(speeds: readonly Speed[]): Speed {
  const of = (name: keyof Speed) => median(speeds.map((speed) => speed[name]));
  return { rate: of('rate'), p50: of('p50'), p99: of('p99'), cpu: of('cpu') };
}
