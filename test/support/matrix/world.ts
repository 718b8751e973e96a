import type { DaemonClient } from '../../../src/chains/utxo/daemon/client.ts';
import { type ElectrumServer, openElectrumServer } from '../../../src/rpc/electrum/server.ts';
import { rounds } from '../litecoin/line.ts';
import { type VirtualClock, virtualClock } from '../virtual-clock.ts';
import type { Leg, MatrixChain } from './chain.ts';
import { startEmbeddedNode } from './embedded-node.ts';
import { startEvmNode } from './evm-node.ts';
import { type HeldClock, heldClock } from './host-clock.ts';
import { startLitecoinNode } from './litecoin-node.ts';

/**
 * How a coin is reached: our chain by its daemon’s RPC, Litecoin Core by RPC, or Litecoin Core behind our Electrum server; ether on anvil, or a token
 * there.
 */
export type Backend = 'E' | 'L' | 'Q' | 'A' | 'T';
export const OUTPUT_BACKENDS: readonly Backend[] = ['E', 'L', 'Q'];
export const ACCOUNT_BACKENDS: readonly Backend[] = ['A', 'T'];

/** Two chains of each kind that have nothing in common, of which a swap takes one for each of its coins. */
export type MatrixWorld = {
  readonly clock: VirtualClock;
  /** Starts the chain where nobody has yet. */
  readonly chain: (leg: Leg, backend: Backend) => Promise<MatrixChain>;
  /** The Electrum server over a leg's Litecoin Core. */
  readonly electrum: (leg: Leg) => Promise<ElectrumServer>;
  /** Has the servers of other legs look at nothing. */
  readonly serve: (legs: readonly Leg[]) => void;
  /** What is under way beside what the world itself asks. */
  readonly busy: Set<() => number>;
  /** What is waited for before that is asked: processes that have not said that they rest. */
  readonly resting: Set<() => Promise<void>>;
  readonly close: () => Promise<void>;
};

const SILENT = { info() {}, warn() {}, error() {} };
const POLL_MS = 15_000;

function start(leg: Leg, backend: Backend): Promise<MatrixChain> {
  const isMaker = leg === 'maker';
  if (backend === 'A')
    return startEvmNode(
      isMaker
        ? { chainId: 31_341, blockTime: 12, token: null, dynamic: true }
        : { chainId: 31_342, blockTime: 15, token: null, dynamic: false },
    );
  if (backend === 'T')
    return startEvmNode(
      isMaker
        ? { chainId: 31_351, blockTime: 13, token: 6, dynamic: false }
        : { chainId: 31_352, blockTime: 11, token: 18, dynamic: true },
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
  const busy = new Set<() => number>();
  const resting = new Set<() => Promise<void>>();
  let asking = 0;
  const clock = virtualClock(START, async () => {
    for (let calm = 0; calm < CALM; ) {
      for (const rest of resting) await rest();
      await rounds(1);
      calm = asking === 0 && [...busy].every((count) => count() === 0) ? calm + 1 : 0;
    }
  });
  const chains = new Map<string, Promise<MatrixChain>>();
  const servers = new Map<Leg, { readonly server: Promise<ElectrumServer>; readonly held: HeldClock }>();
  const chain = (leg: Leg, backend: Backend): Promise<MatrixChain> => {
    const key = `${leg} ${backend === 'Q' ? 'L' : backend}`;
    const found = chains.get(key) ?? start(leg, backend);
    chains.set(key, found);
    return found;
  };
  const counted = (client: DaemonClient | null): DaemonClient => ({
    async batch(calls) {
      if (client === null) throw new Error('the chain has no daemon');
      asking += 1;
      try {
        return await client.batch(calls);
      } finally {
        asking -= 1;
      }
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
    chain,
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
      for (const started of chains.values()) await (await started).stop();
    },
  };
}

/** Later than any block of the chains as they begin. */
const START = 1_700_200_000_000;
/** Turns of the event loop without anything under way after which nothing comes any more. */
const CALM = 4;
