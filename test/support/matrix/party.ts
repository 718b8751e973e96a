import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SwapRequest } from '../../../src/events/journal.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import type { TradingNode } from '../../../src/node/node.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { Peers } from '../../../src/ports/peers.ts';
import { type Life, mortalClock, mortalPeers } from '../mortal.ts';
import type { Leg, MatrixChain } from './chain.ts';
import { hostClock } from './host-clock.ts';
import type { Past } from './past.ts';
import type { Cheat } from './scenario.ts';
import { openSeat, type Plant, type SeatTerms, seatLines, walletOf } from './seat.ts';
import { COINS, LEGS, type Side } from './sides.ts';
import { openTally } from './tally.ts';
import type { Backend, MatrixWorld } from './world.ts';

export type PlacedChain = { readonly backend: Backend; readonly chain: MatrixChain };
export type PlacedChains = Readonly<Record<Leg, PlacedChain>>;

/** Between one party and the node of one chain. */
export type PartyLine = {
  /** Every request waits for so long before it reaches the node. */
  readonly slow: (seconds: number) => void;
  /** What the party is cut off from, or let to again. */
  readonly cut: (isUp: boolean) => void;
  /** The same of one of two servers alone; nothing where there are no two. */
  readonly halve: (isHalf: boolean) => void;
  /** Of what time the node of a chain with accounts answers; null for now. */
  readonly past: (past: Past | null) => void;
};

/** A node of one wallet, in this process or in one of its own. */
export type Party = {
  readonly side: Side;
  /** Of its wallet and its node, 33 bytes. */
  readonly key: Uint8Array;
  /** Has its host's clock stand still from now on, or sets it on by so many milliseconds. */
  readonly host: { readonly freeze: () => void; readonly set: (by: number) => void };
  readonly lines: Readonly<Record<Leg, PartyLine>>;
  readonly startSwap: (request: SwapRequest) => Promise<void>;
  /** The process is over: nothing of it acts any more. */
  readonly die: () => void;
  readonly isDead: () => boolean;
  /** Whether it is dead by itself. */
  readonly fell: () => boolean;
  /** Another process over the same log, or over an empty one. */
  readonly revive: (log?: 'empty') => Promise<void>;
  readonly close: () => Promise<void>;
};

export type PartyOptions = {
  readonly world: MatrixWorld;
  readonly chains: PlacedChains;
  readonly side: Side;
  /** Tells the wallets of one run from those of others. */
  readonly name: string;
  readonly peers: (key: Uint8Array) => Peers;
  /** How it departs from the protocol. @defaultValue it does not */
  readonly cheat?: Cheat | undefined;
  /** Whether it holds its coins of chains of accounts against their chains first, as a node does that activates them. @defaultValue false */
  readonly checks?: boolean;
  /** Whether payments of the swap promise rewards to who watches, on chains of accounts. @defaultValue false */
  readonly watched?: boolean;
  /** A fault in its chains of accounts that nobody knows of. @defaultValue none */
  readonly plant?: Plant | undefined;
  /** How its node is opened. @defaultValue with coins that are built for it */
  readonly seat?: typeof openSeat;
};

/** A party in this process. */
export async function openParty(options: PartyOptions): Promise<Party> {
  const { world, side, peers, seat = openSeat } = options;
  const terms = await seatTerms(options);
  const host = hostClock(world.clock);
  const tally = openTally();
  const lines = seatLines(world.clock, tally);
  const { key } = walletOf(terms).coins;
  const link = peers(key);
  world.busy.add(tally);
  let life: Life = { over: false };
  let log: EventLog = createMemoryLog();
  const open = (): Promise<TradingNode> => {
    const own: Life = { over: false };
    life = own;
    return seat(terms, {
      log: mortalLog(log, own),
      peers: mortalPeers(link, own),
      clock: mortalClock(host, own),
      lines,
      isOver: () => own.over,
      plant: options.plant,
    });
  };
  let node = await open();
  const party: Party = {
    ...{ side, key, host, lines },
    async startSwap(request) {
      await node.runtime.startSwap(request);
    },
    die() {
      life.over = true;
      for (const leg of LEGS) lines[leg].cut(false);
    },
    isDead: () => life.over,
    fell: () => false,
    async revive(other) {
      for (const leg of LEGS) lines[leg].cut(true);
      if (other === 'empty') log = createMemoryLog();
      node = await open();
    },
    async close() {
      if (!life.over) await node.close();
      party.die();
      world.busy.delete(tally);
    },
  };
  return party;
}

/** Blocks of chains with accounts are many: each look finds something new. */
const ACCOUNTS_PACE = 3;

export function passphraseOf(side: Side, name: string): string {
  return `the ${side} of ${name}`;
}

/** What a party's node is opened with. */
export async function seatTerms({
  world,
  chains,
  side,
  name,
  cheat,
  checks = false,
  watched = false,
}: PartyOptions): Promise<SeatTerms> {
  const accessOf = ({ evm }: PartyOptions['chains'][Leg]['chain']) =>
    evm === undefined ? null : watched ? { ...evm, rewards: true } : evm;
  const placeOf = async (leg: Leg) => ({
    url: chains[leg].chain.url,
    evm: accessOf(chains[leg].chain),
    servers: await serversOf(leg, { world, chains }),
  });
  return {
    side,
    passphrase: passphraseOf(side, name),
    entries: entriesOf({ world, chains }),
    places: { maker: await placeOf('maker'), taker: await placeOf('taker') },
    cheat: cheat ?? null,
    checks,
    pace: LEGS.some((leg) => chains[leg].chain.evm !== undefined) ? ACCOUNTS_PACE : 1,
  };
}

type Placed = Pick<PartyOptions, 'world' | 'chains'>;

/** Two names of the server, so that two have to agree. */
async function serversOf(leg: Leg, { world, chains }: Placed): Promise<readonly string[]> {
  if (chains[leg].backend !== 'Q') return [];
  const { tcpPort } = await world.electrum(leg);
  return [`127.0.0.1:${tcpPort}`, `localhost:${tcpPort}`];
}

function entriesOf({ world, chains }: Placed) {
  return LEGS.map((leg) => {
    const { backend, chain } = chains[leg];
    const confpath = join(world.folder, `${leg}-${backend}.conf`);
    writeFileSync(confpath, chain.conf);
    return { ...chain.entry, coin: COINS[leg], confpath };
  });
}

/** A log to which nothing comes from a process that is over. */
function mortalLog(log: EventLog, life: Life): EventLog {
  return new Proxy(log, {
    get(target, member) {
      const value = Reflect.get(target, member, target) as unknown;
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (life.over) return new Promise(() => {});
        // The next process writes on in the same log.
        if (member === 'close') return Promise.resolve();
        return (value as (...all: unknown[]) => unknown).apply(target, given);
      };
    },
  });
}
