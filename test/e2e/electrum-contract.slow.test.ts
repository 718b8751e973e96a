import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ElectrumBackend } from '../../src/chains/utxo/electrum/panel.ts';
import { type ElectrumServers, keepServers } from '../../src/chains/utxo/electrum/servers.ts';
import { BackendSilent } from '../../src/ports/silence.ts';
import type { UnixSeconds } from '../../src/primitives/time.ts';
import { type ElectrumServer, openElectrumServer } from '../../src/rpc/electrum/server.ts';
import { systemClock } from '../../src/runtime/host/clock-system.ts';
import { type ChainFixture, chainContract } from '../../src/testing/contracts/chain-contract.ts';
import { CERT, KEY } from '../support/electrum/certificate.ts';
import { rounds } from '../support/litecoin/line.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../support/utxo/embedded-chain.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const POLL = 5;
const LOGGER = { info() {}, warn() {}, error() {} };

const CERTIFICATE = { port: 0, cert: CERT, key: KEY };
type Carried = 'TCP' | 'WSS';

/** A server over the chain's daemon, and the client of a wallet that is connected to it. */
async function serve(
  chain: EmbeddedChain,
  protocol: Carried,
): Promise<{ server: ElectrumServer; servers: ElectrumServers }> {
  const clock = systemClock();
  const port = protocol === 'TCP' ? { tcp: 0 } : { wss: CERTIFICATE };
  const server = await openElectrumServer({
    ...{ client: chain.client, clock, logger: LOGGER, software: 'a test' },
    ...port,
  });
  const url = `localhost:${server.tcpPort ?? server.wssPort}`;
  const servers = keepServers({
    servers: [{ url, protocol, disableCertVerification: protocol === 'WSS', timeoutMs: 5000 }],
    minConnected: 1,
    maxConnected: 1,
    clock,
    client: 'a test',
  });
  return { server, servers };
}

type Given = { readonly chain: EmbeddedChain; readonly server: ElectrumServer; readonly servers: ElectrumServers };

/** One chain and three wallets for all cases; time goes on from case to case. */
async function fixtureOn({ chain, server, servers }: Given): Promise<ChainFixture> {
  await chain.fund('sender', { count: 20, value: 400_000_000n });
  await chain.fund('receiver', { count: 2, value: 300_000_000n });
  await chain.mine(12);
  const clock = virtualClock(chain.now() * 1000);
  let busy = 0;
  let before = async (): Promise<void> => {};
  let believed = 1;
  // The server looks at its daemon from time to time; here it has always just done so.
  const backend: ElectrumBackend = {
    onNews: () => ({ close() {} }),
    async batch(calls) {
      busy += 1;
      try {
        await before();
        await server.look();
        return await servers.batch(calls);
      } finally {
        busy -= 1;
      }
    },
  };
  const doubted: ElectrumBackend = {
    ...backend,
    panel: {
      get quorum() {
        return believed;
      },
      survey: async (calls) => [{ voice: { url: 'one', batch: backend.batch }, answers: await backend.batch(calls) }],
      distrust() {},
    },
  };
  const meanwhile = async (wait: () => Promise<void>) => {
    before = wait;
    return () => {
      before = async () => {};
    };
  };
  const wallet = (name: string) =>
    chain.wallet(name, clock, { servers: name === 'receiver' ? doubted : backend, keyPerSwap: true });
  return {
    sender: wallet('sender'),
    receiver: wallet('receiver'),
    watcher: wallet('watcher'),
    now: () => chain.now() as UnixSeconds,
    finality: chain.coin.finality,
    blockTime: chain.coin.blockTime,
    replaces: false,
    confirm: (blocks) => chain.mine(blocks),
    passTime: async (until) => {
      chain.setTime(Math.max(chain.now(), until) + 1);
      await chain.mine(12);
    },
    restartedSender: () => wallet('sender'),
    nextNews: async () => {
      await clock.advance(POLL * 1000);
      while (busy > 0) await rounds(1);
      await rounds(1);
    },
    slow: () => meanwhile(() => rounds(30)),
    silence: () => meanwhile(() => Promise.reject(new BackendSilent('the connection was refused'))),
    doubt: () => {
      believed = 2;
      return () => {
        believed = 1;
      };
    },
    restartNode: () => chain.restart(),
  };
}

describe.each(['TCP', 'WSS'] as const)(
  'the contract of the chain port holds for the adapter over an Electrum server, by %s',
  (protocol) => {
    let given: Given;
    let made = 0;

    beforeAll(async () => {
      const chain = await startEmbeddedChain({
        finality: 4,
        fees: { rate: 2000n, floor: 1000n, ceiling: 10_000_000n },
      });
      given = { chain, ...(await serve(chain, protocol)) };
    });
    afterAll(async () => {
      given.servers.close();
      await given.server.close();
      await given.chain.close();
    });

    const create = () => {
      made += 1;
      return fixtureOn(given);
    };
    for (const { title, run } of chainContract(create, { shared: true })) it(title, run);

    it('the whole suite used one fixture', () => expect(made).toBe(1));
  },
);
