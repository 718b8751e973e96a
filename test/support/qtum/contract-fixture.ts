import type { ElectrumBackend } from '../../../src/chains/utxo/electrum/panel.ts';
import { type ElectrumServers, keepServers } from '../../../src/chains/utxo/electrum/servers.ts';
import { BackendSilent } from '../../../src/ports/silence.ts';
import type { UnixSeconds } from '../../../src/primitives/time.ts';
import { type ElectrumServer, openElectrumServer } from '../../../src/rpc/electrum/server.ts';
import { systemClock } from '../../../src/runtime/host/clock-system.ts';
import { type ChainFixture, type ContractCase, chainContract } from '../../../src/testing/contracts/chain-contract.ts';
import { rounds } from '../litecoin/line.ts';
import { virtualClock } from '../virtual-clock.ts';
import { tokenOf, tokenWallet } from './adapter-chain.ts';
import { QTUM_COIN, QtumTestChain } from './chain.ts';

const POLL = 5;
const LOGGER = { info() {}, warn() {}, error() {} };

/** Over what the adapter is held against the contract of the port. */
export type Line = 'daemon' | 'servers';

type Served = { readonly server: ElectrumServer; readonly servers: ElectrumServers };

async function serve(chain: QtumTestChain): Promise<Served> {
  const clock = systemClock();
  const server = await openElectrumServer({ client: chain.client, clock, logger: LOGGER, software: 'a test', tcp: 0 });
  const servers = keepServers({
    servers: [{ url: `localhost:${server.tcpPort}`, protocol: 'TCP', disableCertVerification: false, timeoutMs: 5000 }],
    ...{ minConnected: 1, maxConnected: 1, clock, client: 'a test' },
  });
  return { server, servers };
}

/** One chain and three wallets for all cases; time goes on from case to case. */
async function fixtureOn(chain: QtumTestChain, served: Served | null): Promise<ChainFixture> {
  const coin = await tokenOf(chain, { sender: 60_123_457n, receiver: 7_000_000n }, { strict: true });
  await chain.fund('sender', { count: 60, value: 300_000_000n });
  await chain.fund('receiver', { count: 20, value: 200_000_000n });
  await chain.mine(12);
  const clock = virtualClock(chain.now * 1000);
  let believed = 1;
  let asking = 0;
  // The server looks at its daemon from time to time; here it has always just done so.
  const backendOf = ({ server, servers }: Served): ElectrumBackend => ({
    onNews: () => ({ close() {} }),
    async batch(calls) {
      asking += 1;
      try {
        await chain.before();
        await server.look();
        return await servers.batch(calls);
      } finally {
        asking -= 1;
      }
    },
  });
  const backend = served === null ? null : backendOf(served);
  const doubted = (one: ElectrumBackend): ElectrumBackend => ({
    ...one,
    panel: {
      get quorum() {
        return believed;
      },
      survey: async (calls) => [{ voice: { url: 'one', batch: one.batch }, answers: await one.batch(calls) }],
      distrust() {},
    },
  });
  const wallet = (name: string, depth?: number) =>
    tokenWallet(chain, name, {
      ...{ coin, clock, poll: POLL },
      ...(backend === null ? {} : { servers: name === 'receiver' ? doubted(backend) : backend }),
      ...(depth === undefined ? {} : { depth }),
    });
  const before = async (wait: () => Promise<void>) => {
    chain.before = wait;
    return () => {
      chain.before = async () => undefined;
    };
  };
  return {
    ...{ sender: wallet('sender'), receiver: wallet('receiver'), watcher: wallet('watcher') },
    now: () => chain.now as UnixSeconds,
    finality: QTUM_COIN.finality,
    blockTime: QTUM_COIN.blockTime,
    replaces: false,
    confirm: (blocks) => chain.mine(blocks),
    passTime: (until) => chain.passTime(until),
    restartedSender: () => wallet('sender'),
    nextNews: async () => {
      await clock.advance(POLL * 1000);
      while (chain.busy + asking > 0) await rounds(1);
      await rounds(1);
    },
    slow: () => before(() => rounds(30)),
    silence: () => before(() => Promise.reject(new BackendSilent('the connection was refused'))),
    restartNode: () => chain.restart(),
    ...(backend === null
      ? { shallowReceiver: (depth: number) => wallet('receiver', depth) }
      : {
          doubt: () => {
            believed = 2;
            return () => {
              believed = 1;
            };
          },
        }),
  };
}

export type ContractSuite = {
  readonly open: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly cases: readonly ContractCase[];
  /** How many fixtures the cases have asked for. */
  readonly made: () => number;
};

/** The contract of the chain port for a token on a chain of its own. */
export function contractSuite(line: Line): ContractSuite {
  let chain: QtumTestChain | undefined;
  let served: Served | null = null;
  let made = 0;
  const create = () => {
    made += 1;
    if (chain === undefined) throw new Error('the chain is not open');
    return fixtureOn(chain, served);
  };
  return {
    async open() {
      chain = await QtumTestChain.start();
      served = line === 'servers' ? await serve(chain) : null;
    },
    async close() {
      served?.servers.close();
      await served?.server.close();
      await chain?.close();
    },
    cases: chainContract(create, { shared: true }),
    made: () => made,
  };
}
