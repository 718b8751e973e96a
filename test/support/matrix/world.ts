import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DaemonClient } from '../../../src/chains/utxo/daemon/client.ts';
import { type ElectrumServer, openElectrumServer } from '../../../src/rpc/electrum/server.ts';
import { rounds } from '../litecoin/line.ts';
import { type VirtualClock, virtualClock } from '../virtual-clock.ts';
import type { Leg, MatrixChain } from './chain.ts';
import { startEmbeddedNode } from './embedded-node.ts';
import { type BothCoins, startEvmNode } from './evm-node.ts';
import { type HeldClock, heldClock } from './host-clock.ts';
import { startLitecoinNode } from './litecoin-node.ts';
import { quickFetch } from './quick-fetch.ts';
import { openTally, type Tally } from './tally.ts';

/**
 * How a coin is reached: our chain by its daemon’s RPC, Litecoin Core by RPC, or Litecoin Core behind our Electrum server; ether on anvil, or a token
 * there, which is as most are, or of another manner; `S` is a token of the very chain whose ether is the other coin.
 */
export type Backend = 'E' | 'L' | 'Q' | 'A' | 'T' | 'U' | 'S';

export type Pair = { readonly maker: Backend; readonly taker: Backend };
export type PairOfChains = Readonly<Record<Leg, MatrixChain>>;
export const OUTPUT_BACKENDS: readonly Backend[] = ['E', 'L', 'Q'];
export const ACCOUNT_BACKENDS: readonly Backend[] = ['A', 'T', 'U', 'S'];

/** Two chains of each kind that have nothing in common, of which a swap takes one for each of its coins. */
export type MatrixWorld = {
  readonly clock: VirtualClock;
  /** For files; it goes with the world. */
  readonly folder: string;
  /** Starts the chains where nobody has yet. */
  readonly chains: (pair: Pair) => Promise<PairOfChains>;
  /** The Electrum server over a leg's Litecoin Core. */
  readonly electrum: (leg: Leg) => Promise<ElectrumServer>;
  /** Has the servers of other legs look at nothing. */
  readonly serve: (legs: readonly Leg[]) => void;
  /** What is under way beside what the world itself asks. */
  readonly busy: Set<Tally>;
  /** What is waited for before that is asked: processes that have not said that they rest. */
  readonly resting: Set<() => Promise<void>>;
  readonly close: () => Promise<void>;
};

const SILENT = { info() {}, warn() {}, error() {} };
const POLL_MS = 15_000;

type Started = MatrixChain & { readonly both?: BothCoins };

function start(leg: Leg, backend: Backend): Promise<Started> {
  const isMaker = leg === 'maker';
  if (backend === 'A')
    return startEvmNode(
      isMaker
        ? { chainId: 31_341, blockTime: 12, token: null, other: { digits: 6, manner: 'strict' }, dynamic: true }
        : { chainId: 31_342, blockTime: 15, token: null, other: { digits: 18, manner: 'standard' }, dynamic: false },
    );
  if (backend === 'T')
    return startEvmNode(
      isMaker
        ? { chainId: 31_351, blockTime: 13, token: { digits: 6, manner: 'standard' }, dynamic: false }
        : { chainId: 31_352, blockTime: 11, token: { digits: 18, manner: 'standard' }, dynamic: true },
    );
  if (backend === 'U')
    return startEvmNode(
      isMaker
        ? { chainId: 31_361, blockTime: 10, token: { digits: 8, manner: 'strict' }, dynamic: true }
        : { chainId: 31_362, blockTime: 14, token: { digits: 8, manner: 'silent' }, dynamic: false },
    );
  if (backend !== 'E') {
    return startLitecoinNode(
      isMaker
        ? { segwit: true, blockTime: 150, txfee: 10_000, decimals: 8 }
        : { segwit: false, blockTime: 75, txfee: 4000, decimals: 7 },
    );
  }
  return startEmbeddedNode(
    isMaker
      ? {
          params: { name: 'EMB' },
          blockTime: 60,
          txfee: 3000,
          decimals: 8,
          entry: { txversion: 4, overwintered: 1, mature_confirmations: 1 },
        }
      : {
          params: { name: 'EMT', saplingHeight: undefined, maturity: 3 },
          blockTime: 45,
          txfee: 2000,
          decimals: 7,
          entry: { txversion: 1, mature_confirmations: 3, dust: 700 },
        },
  );
}

/** No chain is started before it is needed. */
export function matrixWorld(): MatrixWorld {
  const asking = openTally();
  const busy = new Set([asking]);
  const resting = new Set<() => Promise<void>>();
  const clock = virtualClock(START, async () => {
    for (let calm = 0; calm < CALM; ) {
      for (const rest of resting) await rest();
      // Whoever turned round and round meanwhile would take the nodes’ time.
      for (const { idle } of busy) await idle();
      await rounds(1);
      calm = [...busy].every(({ count }) => count() === 0) ? calm + 1 : 0;
    }
  });
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-matrix-'));
  const chains = new Map<string, Promise<Started>>();
  const quick = quickFetch();
  const servers = new Map<Leg, { readonly server: Promise<ElectrumServer>; readonly held: HeldClock }>();
  const chain = (leg: Leg, backend: Backend): Promise<Started> => {
    const key = `${leg} ${backend === 'Q' ? 'L' : backend}`;
    const found = chains.get(key) ?? started(leg, backend);
    chains.set(key, found);
    return found;
  };
  const started = async (leg: Leg, backend: Backend): Promise<Started> => {
    const made = await start(leg, backend);
    if (made.answer !== undefined) quick.serve(made.url, made.answer);
    return made;
  };
  /** Both coins of a chain, the token of which is traded on the leg. */
  const bothWith = async (leg: Leg): Promise<PairOfChains> => {
    const { both } = await chain(leg === 'maker' ? 'taker' : 'maker', 'A');
    if (both === undefined) throw new Error('the chain has no token');
    return leg === 'maker' ? { maker: both.token, taker: both.own } : { maker: both.own, taker: both.token };
  };
  const counted = (client: DaemonClient | null): DaemonClient => ({
    async batch(calls) {
      if (client === null) throw new Error('the chain has no daemon');
      return asking.during(() => client.batch(calls));
    },
  });
  const serve = async (leg: Leg, held: HeldClock): Promise<ElectrumServer> => {
    const client = counted((await chain(leg, 'Q')).client);
    return openElectrumServer({
      client,
      clock: held,
      logger: SILENT,
      software: 'a test',
      tcp: 0,
      pollMs: POLL_MS,
      // Nobody is cut off for a silence of the test's own clock.
      limits: { idleMs: Number.MAX_SAFE_INTEGER },
    });
  };
  return {
    clock,
    folder,
    async chains({ maker, taker }) {
      if (maker === 'S' || taker === 'S') return bothWith(maker === 'S' ? 'maker' : 'taker');
      return { maker: await chain('maker', maker), taker: await chain('taker', taker) };
    },
    busy,
    resting,
    electrum(leg) {
      const held = heldClock(clock);
      const found = servers.get(leg) ?? { held, server: serve(leg, held) };
      servers.set(leg, found);
      return found.server;
    },
    serve(legs) {
      for (const [leg, { held }] of servers) held.hold(!legs.includes(leg));
    },
    async close() {
      for (const { server } of servers.values()) await (await server).close();
      quick.restore();
      for (const made of chains.values()) await (await made).stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Later than any block of the chains as they begin. */
const START = 1_700_200_000_000;
/** Turns of the event loop without anything under way after which nothing comes any more. */
const CALM = 4;
