import { connectDaemon, type DaemonCall, type DaemonClient } from '../../../src/chains/utxo/daemon/client.ts';
import { p2pkhScript } from '../../../src/htlc/index.ts';
import type { Logger } from '../../../src/ports/logger.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import {
  type ElectrumServer,
  type ElectrumServerOptions,
  openElectrumServer,
} from '../../../src/rpc/electrum/server.ts';
import type { IdentifiedTransaction } from '../../../src/smartchain/chain/block.ts';
import { tipHeight } from '../../../src/smartchain/chain/ledger.ts';
import { contextOf, nodeOverHttp } from '../node-over-http.ts';
import {
  blockOn,
  coinAt,
  largestCoin,
  mineBlocks,
  reasonOf,
  spend,
  submit,
  type TestChain,
  testChain,
} from '../smart-chain.ts';
import { type VirtualClock, virtualClock } from '../virtual-clock.ts';
import { connectElectrum, type ElectrumClient } from './client.ts';
import type { Ask } from './recount.ts';

/** A smart chain, its daemon over HTTP, and an Electrum server over that, which looks when a test says so. */
export type ServedChain = {
  readonly test: TestChain;
  readonly server: ElectrumServer;
  readonly clock: VirtualClock;
  /** What the server has warned of. */
  readonly warnings: string[];
  /** Asks the daemon, without the server. */
  readonly ask: Ask;
  readonly connect: () => Promise<ElectrumClient>;
  /** Calls of the daemon that the server makes wait for this first; a rejection is a daemon that is silent. */
  gate: (calls: readonly DaemonCall[]) => Promise<void>;
  /** A payment to the scripts of key hashes that waits; from the largest coin, or from an output of what waits. */
  readonly pay: (values: readonly bigint[], from?: IdentifiedTransaction) => IdentifiedTransaction;
  /** The same without giving it to anybody. */
  readonly build: (values: readonly bigint[], from?: IdentifiedTransaction) => IdentifiedTransaction;
  readonly mine: (blocks?: number) => Promise<void>;
  /** A block of one transaction alone. */
  readonly mineOnly: (transaction: IdentifiedTransaction) => Promise<void>;
  /** Takes the last blocks off. */
  readonly takeOff: (blocks: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The script that the n-th output of a payment pays; it is that of one of the chain's keys. */
export function scriptAt({ keys }: TestChain, place: number): Uint8Array {
  return p2pkhScript(hash160((keys[(place + 1) % keys.length] ?? keys[0]).publicKey));
}

export async function serveChain(options: Partial<ElectrumServerOptions> = {}): Promise<ServedChain> {
  const test = await testChain({ params: { name: 'DOC' } });
  await mineBlocks(test, 4);
  const http = await nodeOverHttp(await contextOf(test.chain));
  const direct = connectDaemon({ url: http.url, user: 'user', password: new Secret('password') });
  const clock = virtualClock();
  const warnings: string[] = [];
  const clients: ElectrumClient[] = [];
  const served: Pick<ServedChain, 'gate'> = { gate: async () => {} };
  const client: DaemonClient = { batch: (calls) => served.gate(calls).then(() => direct.batch(calls)) };
  const logger: Logger = { ...SILENT, warn: (message) => void warnings.push(message) };
  const server = await openElectrumServer({ client, clock, logger, software: 'swapfold 0.0', tcp: 0, ...options });
  return Object.assign(served, {
    test,
    server,
    clock,
    warnings,
    ask: async (method: string, ...params: readonly unknown[]) => {
      const [answer] = await direct.batch([[method, ...params]]);
      if (answer === undefined || 'error' in answer) throw new Error(JSON.stringify(answer?.error));
      return answer.result;
    },
    connect: async () => {
      const connected = await connectElectrum({ port: server.tcpPort ?? 0 });
      clients.push(connected);
      return connected;
    },
    pay: (values: readonly bigint[], from?: IdentifiedTransaction) => submit(test, payment(test, values, from)),
    build: (values: readonly bigint[], from?: IdentifiedTransaction) => payment(test, values, from),
    mine: async (blocks = 1) => void (await mineBlocks(test, blocks)),
    async mineOnly(transaction: IdentifiedTransaction) {
      const { ledger, nodes } = test.chain.tree;
      const tip = nodes.get(ledger.blocks.at(-1)?.hash ?? '');
      if (tip === undefined) throw new Error('the chain has no block');
      const answer = await test.chain.submitBlock(blockOn(tip, test.chain, { transactions: [transaction] }));
      if ('refused' in answer) throw new Error(reasonOf(answer.refused));
    },
    async takeOff(blocks: number) {
      const { ledger, nodes } = test.chain.tree;
      const node = nodes.get(ledger.blocks[tipHeight(ledger) - blocks + 1]?.hash ?? '');
      if (node === undefined) throw new Error('the chain has not so many blocks');
      await test.chain.mark(node, 'invalid');
    },
    async close() {
      for (const each of clients) each.close();
      await server.close();
      await http.close();
    },
  });
}

const SILENT: Logger = { info() {}, warn() {}, error() {} };
const FEE = 10_007n;

/** Pays one output each to other keys, and the rest back; the fee is no round number. */
function payment(test: TestChain, values: readonly bigint[], from?: IdentifiedTransaction): IdentifiedTransaction {
  const coin = from === undefined ? largestCoin(test, test.keys[0]) : coinAt(from, 0);
  const outputs = values.map((value, place) => ({ value, script: scriptAt(test, place) }));
  const rest = coin.output.value - FEE - values.reduce((sum, value) => sum + value, 0n);
  return spend(test, { coins: [coin], outputs: [...outputs, { value: rest, script: scriptAt(test, 2) }] });
}
