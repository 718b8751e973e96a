import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDaemon } from '../../../src/chains/utxo/daemon/client.ts';
import type { ElectrumConnection } from '../../../src/chains/utxo/electrum/connection.ts';
import { BackendSilent } from '../../../src/chains/utxo/reader.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { coinsOf } from '../../../src/node/coins-file.ts';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { createNode, type TradingNode } from '../../../src/node/node.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { Peers } from '../../../src/ports/peers.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { watcherKind } from '../../../src/runtime/index.ts';
import { type Life, mortalClock, mortalPeers } from '../mortal.ts';
import type { Leg, MatrixChain } from './chain.ts';
import { type HostClock, hostClock } from './host-clock.ts';
import { openWays, type Ways } from './ways.ts';
import { type Backend, LEGS, type MatrixWorld } from './world.ts';

export type Side = Leg | 'watcher';
export const COINS: Readonly<Record<Leg, string>> = { maker: 'MAK', taker: 'TAK' };

export type PlacedChain = { readonly backend: Backend; readonly chain: MatrixChain };
export type PlacedChains = Readonly<Record<Leg, PlacedChain>>;

/** Between one party and one node. */
export type PartyLine = {
  /** What every request waits for before it reaches the node; a rejection is a node that does not answer. */
  before: () => Promise<void>;
  /** What the party's node is cut off from, or let to again. */
  readonly cut: (isUp: boolean) => void;
};

export type Party = {
  readonly side: Side;
  readonly key: Uint8Array;
  readonly host: HostClock;
  readonly lines: Readonly<Record<Leg, PartyLine>>;
  readonly log: EventLog;
  readonly node: () => TradingNode;
  /** The process is over: nothing of it acts any more. */
  readonly die: () => void;
  readonly isDead: () => boolean;
  /** Another process over the same log, or over an empty one. */
  readonly revive: (log?: EventLog) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type PartyOptions = {
  readonly world: MatrixWorld;
  readonly chains: PlacedChains;
  readonly side: Side;
  /** Tells the wallets of one run from those of others. */
  readonly name: string;
  readonly peers: (key: Uint8Array) => Peers;
  /** Told of each input and output, before it and after it: an append, a broadcast, a message. It may be the party's last moment. */
  readonly onBoundary?: () => void;
  /** Changes a node before its first swap. */
  readonly onOpen?: (node: TradingNode) => void;
};

/** How deep a spend is final: the parties differ. */
const FINALITY: Readonly<Record<Side, number>> = { maker: 3, taker: 2, watcher: 4 };
const POLL: Readonly<Record<Side, number>> = { maker: 27, taker: 33, watcher: 43 };
/** Looks are rarer than usual, for the sake of the test's own time. */
const POLICY = { confirmationPoll: 25, spendPoll: 35, refundPoll: 65 };
const SILENT = { info() {}, warn() {}, error() {} };

/** A trading node of its own wallet, with both coins active. */
export async function openParty({
  world,
  chains,
  side,
  name,
  peers,
  onBoundary = () => {},
  onOpen,
}: PartyOptions): Promise<Party> {
  const wallet = walletOfPassphrase(new Secret(`the ${side} of ${name}`));
  const { key } = wallet.coins;
  const host = hostClock(world.clock);
  const ways = { maker: openWays(), taker: openWays() };
  const urls = { maker: await urlsOf('maker', { world, chains }), taker: await urlsOf('taker', { world, chains }) };
  const lines = { maker: lineOver(ways.maker), taker: lineOver(ways.taker) };
  const coins = coinsFileOf(chains);
  const link = peers(key);
  let asking = 0;
  const count = (): number => asking + ways.maker.busy() + ways.taker.busy();
  world.busy.add(count);
  let life: Life = { over: false };
  let log: EventLog = createMemoryLog();
  const open = async (): Promise<TradingNode> => {
    const own: Life = { over: false };
    life = own;
    const edge = async (): Promise<void> => {
      onBoundary();
      if (own.over) await new Promise(() => {});
    };
    const between: Between = async (work) => {
      await edge();
      const found = await work();
      await edge();
      return found;
    };
    const node = createNode({
      ...{
        coins,
        signer: wallet,
        log: mortalLog(log, { life: own, between }),
        peers: peersAt(mortalPeers(link, own), between),
        logger: SILENT,
      },
      clock: mortalClock(host, own),
      finality: FINALITY[side],
      poll: POLL[side],
      policy: POLICY,
      ...(side === 'watcher' ? { kinds: [watcherKind()] } : {}),
      connectServer: (options) => {
        const leg = LEGS.find((each) => urls[each].includes(options.server.url)) ?? 'maker';
        return ways[leg].connect(options).then((connection) => serversAt(connection, between));
      },
      connect(access) {
        const client = connectDaemon(access);
        const leg = LEGS.find((each) => access.url.includes(`:${new URL(chains[each].chain.url).port}`)) ?? 'maker';
        return {
          async batch(calls) {
            // Whoever is dead asks nothing and hears nothing.
            if (own.over) return new Promise(() => {});
            await lines[leg].before();
            const ask = async () => {
              asking += 1;
              try {
                return await client.batch(calls);
              } finally {
                asking -= 1;
              }
            };
            const answers = await (calls.some(([method]) => method === 'sendrawtransaction') ? between(ask) : ask());
            return own.over ? new Promise(() => {}) : answers;
          },
        };
      },
    });
    await node.start();
    for (const leg of LEGS) await activate(node, { coin: COINS[leg], urls: urls[leg] });
    onOpen?.(node);
    return node;
  };
  let node = await open();
  const party: Party = {
    side,
    key,
    host,
    lines,
    get log() {
      return log;
    },
    node: () => node,
    die() {
      life.over = true;
      for (const leg of LEGS) lines[leg].cut(false);
    },
    isDead: () => life.over,
    async revive(other = log) {
      for (const leg of LEGS) lines[leg].cut(true);
      log = other;
      node = await open();
    },
    async close() {
      if (!life.over) await node.close();
      party.die();
      world.busy.delete(count);
    },
  };
  return party;
}

type Activation = { readonly coin: string; readonly urls: readonly string[] };

async function activate(node: TradingNode, { coin, urls }: Activation): Promise<void> {
  if (urls.length === 0) await node.enable({ method: 'enable', coin });
  else await node.electrum({ method: 'electrum', coin, servers: urls.map((url) => ({ url, protocol: 'TCP' })) });
}

type Placed = Pick<PartyOptions, 'world' | 'chains'>;

/** Two names of the server, so that two have to agree. */
async function urlsOf(leg: Leg, { world, chains }: Placed): Promise<readonly string[]> {
  if (chains[leg].backend !== 'Q') return [];
  const { tcpPort } = await world.electrum(leg);
  return [`127.0.0.1:${tcpPort}`, `localhost:${tcpPort}`];
}

function lineOver(ways: Ways): PartyLine {
  let before = async (): Promise<void> => {};
  let isUp = true;
  return {
    get before() {
      return async () => {
        if (!isUp) throw new BackendSilent('the node is down');
        await before();
      };
    },
    set before(given) {
      before = given;
      ways.before = given;
    },
    cut(up) {
      isUp = up;
      ways.cut(up);
    },
  };
}

function coinsFileOf(chains: PlacedChains) {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-matrix-'));
  const entries = LEGS.map((leg) => {
    const confpath = join(folder, `${leg}.conf`);
    writeFileSync(confpath, chains[leg].chain.conf);
    return { ...chains[leg].chain.entry, coin: COINS[leg], confpath };
  });
  return coinsOf(entries, 'the coins of the matrix');
}

/** Does something between two moments at each of which the process may end. */
type Between = <T>(work: () => Promise<T>) => Promise<T>;

type Mortal = { readonly life: Life; readonly between: Between };

/** A log to which nothing comes from a process that is over. */
function mortalLog(log: EventLog, { life, between }: Mortal): EventLog {
  return new Proxy(log, {
    get(target, member) {
      const value = Reflect.get(target, member, target) as unknown;
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (life.over) return new Promise(() => {});
        // The next process writes on in the same log.
        if (member === 'close') return Promise.resolve();
        const call = () => (value as (...all: unknown[]) => unknown).apply(target, given);
        return member === 'append' ? between(async () => call()) : call();
      };
    },
  });
}

function peersAt(peers: Peers, between: Between): Peers {
  return {
    self: peers.self,
    subscribe: (topic, onMessage) => peers.subscribe(topic, onMessage),
    send: (topic, message, options) => between(async () => peers.send(topic, message, options)),
  };
}

function serversAt(connection: ElectrumConnection, between: Between): ElectrumConnection {
  return {
    ended: connection.ended,
    close: (reason) => connection.close(reason),
    batch(calls) {
      const ask = () => connection.batch(calls);
      return calls.some(([method]) => method === 'blockchain.transaction.broadcast') ? between(ask) : ask();
    },
  };
}
