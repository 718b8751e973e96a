import {
  type ConnectionOptions,
  connectElectrum,
  type ElectrumAnswer,
  type ElectrumCall,
  type ElectrumConnection,
} from '../../../src/chains/utxo/electrum/connection.ts';
import { type ElectrumServers, keepServers } from '../../../src/chains/utxo/electrum/servers.ts';
import { ConnectionLost } from '../../../src/chains/utxo/electrum/transport.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { sha256 } from '../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import { numberText } from '../../../src/primitives/json.ts';
import type { ElectrumServer } from '../../../src/rpc/electrum/server.ts';
import { systemClock } from '../../../src/runtime/host/clock-system.ts';

/** What an honest server answers to a call. */
export type Honest = (call: ElectrumCall) => Promise<unknown>;

/** What a server says in its place; undefined for the same. */
export type Twist = (call: ElectrumCall, honest: Honest) => Promise<unknown> | unknown;

/** One of several names of one server: what it says can be altered, held back and counted. */
export type Crooked = {
  up: boolean;
  twist: Twist | null;
  /** Its answers wait for this. */
  until: Promise<void> | null;
  /** Requests that reached it, and calls in them. */
  requests: number;
  readonly calls: ElectrumCall[];
  /** Tells clients something of its own accord. */
  tell: (method: string, params: readonly unknown[]) => void;
  drop: () => void;
};

export type CrookedServers = {
  readonly servers: ElectrumServers;
  readonly at: (name: string) => Crooked;
  readonly alarms: string[];
};

export type CrookedOptions = {
  readonly server: ElectrumServer;
  readonly names: readonly string[];
  /** By which the client waits. */
  readonly clock: Clock;
};

/** Servers of several names in front of one honest one, which looks at its chain before it answers. */
export function crookedServers({ server, names, clock }: CrookedOptions): CrookedServers {
  const all = new Map<string, Crooked>(names.map((name) => [name, newCrooked()]));
  const at = (name: string): Crooked => all.get(name) as Crooked;
  const alarms: string[] = [];
  const servers = keepServers({
    servers: names.map((name) => ({
      url: `${name}:1`,
      protocol: 'TCP',
      disableCertVerification: false,
      timeoutMs: 5000,
    })),
    minConnected: 1,
    maxConnected: names.length,
    clock,
    client: 'a test',
    onAlarm: ({ url, why }) => void alarms.push(`${url} ${why}`),
    connect: (options) => connectCrooked(at(options.server.url.slice(0, -2)), { server, options }),
  });
  return { servers, at, alarms };
}

function newCrooked(): Crooked {
  return { up: true, twist: null, until: null, requests: 0, calls: [], tell() {}, drop() {} };
}

type Connecting = { readonly server: ElectrumServer; readonly options: ConnectionOptions };

async function connectCrooked(crooked: Crooked, { server, options }: Connecting): Promise<ElectrumConnection> {
  if (!crooked.up) throw new ConnectionLost('ECONNREFUSED');
  const url = `127.0.0.1:${server.tcpPort}`;
  const honest = await connectElectrum({
    clock: systemClock(),
    server: { ...options.server, url },
    // Whoever lies says nothing true of its own accord either.
    onNotification: (method, params) => {
      if (crooked.twist === null) options.onNotification(method, params);
    },
  });
  crooked.tell = (method, params) => options.onNotification(method, params as never);
  crooked.drop = () => honest.close('dropped');
  const ask: Honest = async (call) => {
    const [answer] = await honest.batch([call]);
    if (answer === undefined || 'error' in answer) throw new Error(answer?.error.message);
    return answer.result;
  };
  const twisted = async (call: ElectrumCall, answer: ElectrumAnswer): Promise<ElectrumAnswer> => {
    const said = await crooked.twist?.(call, ask);
    return said === undefined ? answer : said instanceof Error ? refusal(said) : { result: said as never };
  };
  return {
    ended: honest.ended,
    close: (reason) => honest.close(reason),
    async batch(calls) {
      crooked.requests += 1;
      crooked.calls.push(...calls);
      await crooked.until;
      await server.look();
      const answers = await honest.batch(calls);
      return Promise.all(calls.map((call, place) => twisted(call, answers[place] as ElectrumAnswer)));
    },
  };
}

function refusal({ message }: Error): ElectrumAnswer {
  return { error: { code: 1, message } };
}

type Entry = { readonly tx_hash: string; readonly height: number };

/** A server whose histories are what `change` makes of them, each with the status that belongs to it. */
export function withHistories(change: (entries: readonly Entry[], script: string) => readonly Entry[]): Twist {
  return async ([method, script], honest) => {
    if (method !== 'blockchain.scripthash.get_history' && method !== 'blockchain.scripthash.subscribe')
      return undefined;
    const told = (await honest(['blockchain.scripthash.get_history', script])) as readonly Entry[];
    const entries = told.map((entry) => ({ ...entry, height: Number(numberText(entry.height)) }));
    const changed = change(entries, String(script));
    if (method === 'blockchain.scripthash.get_history') return changed;
    if (changed.length === 0) return null;
    const text = changed.map(({ tx_hash, height }) => `${tx_hash}:${height}:`).join('');
    return bytesToHex(sha256(new TextEncoder().encode(text)));
  };
}

/** A server that has stood still at a height. */
export function stuckAt(height: number): Twist {
  const histories = withHistories((entries) => entries.filter((entry) => entry.height <= height));
  return async (call, honest) => {
    const [method, first] = call;
    if (method === 'blockchain.headers.subscribe') {
      return { height, hex: await honest(['blockchain.block.header', height]) };
    }
    if (method === 'blockchain.block.header' && Number(first) > height) return new Error('no such block');
    return histories(call, honest);
  };
}

type Forged = { readonly height: number; readonly blocks: number; readonly seconds: number };

/** Of a block's header: where it names the block below it, and its time. */
const BELOW = 4;
const TIME = 100;

/** For the first look a server that tells so many blocks above a height, none of them mined, with times from these seconds on; then an honest one. */
export function forgedOnce({ height, blocks, seconds }: Forged): Twist {
  const headers = new Map<number, string>();
  let looks = 0;
  return async ([method, at], honest) => {
    const isLook = method === 'blockchain.headers.subscribe';
    if (isLook) looks += 1;
    if (looks !== 1) return undefined;
    let below = Buffer.from(String(await honest(['blockchain.block.header', height])), 'hex');
    for (let above = height + 1; above <= height + blocks; above++) {
      const header = Buffer.from(below);
      header.set(sha256(sha256(below)), BELOW);
      header.writeUInt32LE(seconds + above, TIME);
      headers.set(above, header.toString('hex'));
      below = header;
    }
    if (isLook) return { height: height + blocks, hex: headers.get(height + blocks) };
    return method === 'blockchain.block.header' ? headers.get(Number(at)) : undefined;
  };
}
