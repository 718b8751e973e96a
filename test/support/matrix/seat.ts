import type { EvmChain } from '../../../src/chains/evm/adapter.ts';
import { connectDaemon, type DaemonClient } from '../../../src/chains/utxo/daemon/client.ts';
import type { ElectrumConnection } from '../../../src/chains/utxo/electrum/connection.ts';
import { coinsOf } from '../../../src/node/coins-file.ts';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { createNode, type TradingNode } from '../../../src/node/node.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { Peers } from '../../../src/ports/peers.ts';
import { BackendSilent } from '../../../src/ports/silence.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { millisOf } from '../../../src/primitives/time.ts';
import { watcherKind } from '../../../src/runtime/index.ts';
import type { RuntimeChain } from '../../../src/runtime/loop/gate.ts';
import type { Leg } from './chain.ts';
import { cheated, cheatWith } from './cheats.ts';
import type { EvmAccess } from './evm-node.ts';
import { blockTimeOf, checkCoin, type EvmAccounts, openEvmCoin, throughLine } from './evm-seat.ts';
import type { Past, Pasts } from './past.ts';
import type { Cheat } from './scenario.ts';
import { COINS, LEGS, type Side } from './sides.ts';
import type { Tally } from './tally.ts';
import { openWays, type Ways } from './ways.ts';

/** Where a node sits, as data: another process can open it as well. */
export type SeatTerms = {
  readonly side: Side;
  /** What its keys follow from. */
  readonly passphrase: string;
  /** Of its coins file. */
  readonly entries: readonly JsonObject[];
  /** Where the node of each chain is; servers where it is reached over Electrum, none where by its own RPC. */
  readonly places: Readonly<
    Record<Leg, { readonly url: string; readonly servers: readonly string[]; readonly evm: EvmAccess | null }>
  >;
  readonly cheat: Cheat | null;
  /** Whether it holds its coins of chains of accounts against their chains first. */
  readonly checks: boolean;
  /** How many times as long its pauses between two looks are. */
  readonly pace: number;
};

/** An input or an output of a process. A question is asked of a chain; to `write` is to do so in a transaction that is not committed. */
export type BoundaryKind = 'append' | 'write' | 'broadcast' | 'message' | 'question';

export type SeatPorts = {
  readonly log: EventLog;
  readonly peers: Peers;
  readonly clock: Clock;
  readonly lines: SeatLines;
  /** Told of each question and broadcast, before it and after it. @defaultValue nobody is */
  readonly edge?: (kind: BoundaryKind, when: 'before' | 'after') => void;
  /** Told of each coin of a chain with accounts, past what a plant makes of it. @defaultValue nobody is */
  readonly onCoin?: (leg: Leg, coin: EvmChain) => void;
  /** Makes its chain of accounts another one. @defaultValue it is as it is shipped */
  readonly plant?: Plant | undefined;
  /** Whether the process is over: it asks nothing and hears nothing. @defaultValue it never is */
  readonly isOver?: () => boolean;
};

/** A fault that somebody puts into a chain of accounts; `other` is the same account with another coin of the chain. */
export type Plant = (chain: RuntimeChain, other: (access: Partial<EvmAccess>) => RuntimeChain) => RuntimeChain;

/** Between one node and the node of one chain. */
export type SeatLine = {
  /** Every request waits for so long before it reaches the node. */
  readonly slow: (seconds: number) => void;
  /** What the node is cut off from, or let to again. */
  readonly cut: (isUp: boolean) => void;
  /** Cut off from one of two servers; nothing happens where a node's own RPC is asked. */
  readonly halve: (isHalf: boolean) => void;
  /** Of what time the node of a chain with accounts answers; null for now. */
  readonly past: (past: Past | null) => void;
  readonly pasts: Pasts;
  readonly ways: Ways;
  readonly ask: <T>(work: () => Promise<T>) => Promise<T>;
};
export type SeatLines = Readonly<Record<Leg, SeatLine>>;

/** How deep a spend is final: the parties differ. */
export const FINALITY: Readonly<Record<Side, number>> = { maker: 3, taker: 2, watcher: 4 };
/** Seconds between two looks for news. */
export const POLL: Readonly<Record<Side, number>> = { maker: 27, taker: 33, watcher: 43 };
/** Looks are rarer than usual, for the sake of the test's own time. */
const LOOKS = { confirmationPoll: 25, spendPoll: 35, refundPoll: 65 };
const SILENT = { info() {}, warn() {}, error() {} };

/** The same as a policy, for a node whose pauses are so many times as long. */
export function lookPolicy(pace: number): Partial<typeof LOOKS> {
  return Object.fromEntries(Object.entries(LOOKS).map(([name, pause]) => [name, pause * pace]));
}

export function walletOf(terms: Pick<SeatTerms, 'passphrase'>) {
  return walletOfPassphrase(new Secret(terms.passphrase));
}

/** A trading node of its own wallet, with both coins active; what its log has left open goes on. */
export async function openSeat(terms: SeatTerms, ports: SeatPorts): Promise<TradingNode> {
  const { side, entries, places, cheat, checks, pace } = terms;
  const {
    log,
    peers,
    clock,
    lines,
    edge = () => {},
    onCoin = () => {},
    isOver = () => false,
    plant = (chain) => chain,
  } = ports;
  const between = async <T>(kind: BoundaryKind, work: () => Promise<T>): Promise<T> => {
    edge(kind, 'before');
    const found = await work();
    edge(kind, 'after');
    return found;
  };
  const node = createNode({
    ...{ log, peers, clock, logger: SILENT },
    coins: coinsOf(entries, 'the coins of the matrix'),
    signer: walletOf(terms),
    finality: FINALITY[side],
    poll: POLL[side] * pace,
    policy: lookPolicy(pace),
    // Gas costs little there but what is given on top, which may be more on another day than when the reward was promised.
    ...(side === 'watcher' ? { kinds: [watcherKind({ unpaid: true })] } : {}),
    connectServer: (options) => {
      const leg = LEGS.find((each) => places[each].servers.includes(options.server.url)) ?? 'maker';
      return lines[leg].ways.connect(options).then((connection) => serversAt(connection, between));
    },
    connect(access) {
      const client = connectDaemon(access);
      const leg = LEGS.find((each) => access.url.includes(`:${new URL(places[each].url).port}`)) ?? 'maker';
      const batch: DaemonClient['batch'] = async (calls) => {
        // Whoever is dead asks nothing and hears nothing.
        if (isOver()) return new Promise(() => {});
        const kind = calls.some(([method]) => method === 'sendrawtransaction') ? 'broadcast' : 'question';

        const answers = await lines[leg].ask(() => between(kind, () => client.batch(calls)));
        return isOver() ? new Promise(() => {}) : answers;
      };
      return { batch };
    },
  });
  await node.start();
  const accounts: EvmAccounts = new Map();
  for (const leg of LEGS) {
    const { evm, url, servers } = places[leg];
    if (evm === null) await activate(node, { coin: COINS[leg], servers });
    else {
      const request = throughLine(lines[leg], { between, isOver });
      const coin = { coin: COINS[leg], blockTime: blockTimeOf(entries[LEGS.indexOf(leg)]), finality: FINALITY[side] };
      const platform = LEGS.find((each) => each !== leg && places[each].evm?.chainId === evm.chainId);
      const given = {
        url,
        coin,
        platform: platform === undefined ? 'FUEL' : COINS[platform],
        signer: walletOf(terms).coins,
        clock,
        poll: POLL[side] * pace,
        request,
      };
      const opened = (access: EvmAccess): EvmChain => openEvmCoin({ ...given, access }, accounts);
      if (checks) await checkCoin({ ...given, access: evm }, accounts);
      const own = opened(evm);
      onCoin(leg, own);
      const chain = plant(own, (access) => opened({ ...evm, ...access }));
      node.runtime.addChain(cheat?.side === side && COINS[cheat.side] === coin.coin ? cheated(chain, cheat) : chain);
    }
  }
  if (cheat !== null && node.coins.get(COINS[cheat.side]) !== undefined) cheatWith(cheat)(node);
  return node;
}

type Activation = { readonly coin: string; readonly servers: readonly string[] };

async function activate(node: TradingNode, { coin, servers }: Activation): Promise<void> {
  if (servers.length === 0) await node.enable({ method: 'enable', coin });
  else await node.electrum({ method: 'electrum', coin, servers: servers.map((url) => ({ url, protocol: 'TCP' })) });
}

/** Both lines of a node, by its world's clock. What they wait for is counted. */
export function seatLines(clock: Clock, tally: Tally): SeatLines {
  return { maker: seatLine(clock, tally), taker: seatLine(clock, tally) };
}

function seatLine(clock: Clock, tally: Tally): SeatLine {
  const ways = openWays(tally);
  const pasts: Pasts = { now: null };
  let before = async (): Promise<void> => {};
  let isUp = true;
  return {
    ways,
    pasts,
    past(past) {
      pasts.now = past;
    },
    slow(seconds) {
      before =
        seconds === 0
          ? async () => {}
          : () => new Promise((resolve) => void clock.wakeAt(millisOf(clock.now() + seconds * 1000), resolve));
      ways.before = before;
    },
    cut(up) {
      isUp = up;
      ways.cut(up);
    },
    halve: ways.halve,
    async ask(work) {
      if (!isUp) throw new BackendSilent('the node is down');
      await before();
      return tally.during(work);
    },
  };
}

type Between = <T>(kind: BoundaryKind, work: () => Promise<T>) => Promise<T>;

function serversAt(connection: ElectrumConnection, between: Between): ElectrumConnection {
  return {
    ended: connection.ended,
    close: (reason) => connection.close(reason),
    batch: (calls) =>
      between(calls.some(([method]) => method === 'blockchain.transaction.broadcast') ? 'broadcast' : 'question', () =>
        connection.batch(calls),
      ),
  };
}
