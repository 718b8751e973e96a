import { tendermintAccount, tendermintAddress } from '../../../src/htlc/tendermint-address.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { type CoinsFile, coinsOf } from '../../../src/node/coins-file.ts';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { createNode, type NodeOptions } from '../../../src/node/node.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { type ListeningNode, listenCometNode } from '../../../src/testing/cometbft/server.ts';
import { virtualClock } from '../virtual-clock.ts';
import { ASSET, IRIS, TendermintTestChain } from './adapter-chain.ts';

const WALLET = walletOfPassphrase(new Secret('a passphrase of the suite'));
export const OWNER_KEY = WALLET.coins.key;
export const OWNER = tendermintAddress('iaa', tendermintAccount(OWNER_KEY) ?? '');

const info = { decimals: 6, denom: IRIS.denom, account_prefix: 'iaa', chain_id: IRIS.chainId };
const OTHER_DENOM = 'ibc/0000000000000000000000000000000000000000000000000000000000000001';
const asset = (denom: string, decimals: number): JsonObject => ({
  type: 'TENDERMINTTOKEN',
  protocol_data: { platform: 'NYAN', decimals, denom },
});

export const ENTRIES: readonly JsonObject[] = [
  { coin: 'NYAN', mm2: 1, avg_blocktime: 5, protocol: { type: 'TENDERMINT', protocol_data: info } },
  { coin: 'ATOM-IBC', mm2: 1, protocol: asset(ASSET.denom, ASSET.decimals) },
  { coin: 'OSMO-IBC', mm2: 1, protocol: asset(OTHER_DENOM, 6) },
];

/** Processes of one node, one after the other over one log, on a chain that stays. */
export class TendermintProcesses {
  readonly test = new TendermintTestChain(IRIS);
  readonly log: EventLog = createMemoryLog();
  readonly clock = virtualClock();
  /** Warnings and errors of all processes. */
  readonly lines: string[] = [];
  listening: ListeningNode;

  private constructor(listening: ListeningNode, test: TendermintTestChain) {
    this.listening = listening;
    this.test = test;
  }

  static async start(): Promise<TendermintProcesses> {
    const test = new TendermintTestChain(IRIS);
    test.chain.fund(OWNER, [
      { denom: IRIS.denom, amount: 7_620_000n },
      { denom: ASSET.denom, amount: 5n },
      { denom: OTHER_DENOM, amount: 2_000_000n },
    ]);
    return new TendermintProcesses(await listenCometNode(test.node().own, { sockets: false }), test);
  }

  /** The chain's node falls silent, or answers again. */
  async away(): Promise<void> {
    await this.listening.close();
  }

  async back(): Promise<void> {
    const port = Number(new URL(this.listening.url).port);
    this.listening = await listenCometNode(this.test.node().own, { sockets: false, port });
  }

  /** A process of the node. */
  async node(more: Partial<NodeOptions> = {}, file: CoinsFile = coinsOf(ENTRIES, 'coins')) {
    const say = (text: string, fields: object = {}) => void this.lines.push(`${text} ${JSON.stringify(fields)}`);
    const node = createNode({
      ...{ coins: file, signer: WALLET, clock: this.clock, hide: ['hunter2'] },
      logger: { info() {}, warn: say, error: say },
      // The log outlives its processes.
      log: Object.create(this.log, { close: { value: () => {} } }) as EventLog,
      peers: createInProcessNetwork().peer('a1'.repeat(32)),
      ...more,
    });
    await node.start();
    return {
      node,
      active: () =>
        node.coins
          .active()
          .map(({ ticker }) => ticker)
          .sort(),
      enable: (members: object = {}) =>
        node.enableTendermint({ ticker: 'NYAN', nodes: [{ url: this.listening.url }], tokens_params: [], ...members }),
    };
  }

  async types(id: number): Promise<readonly string[]> {
    return (await this.log.read(`enable-tendermint/${id}`)).map(({ type }) => type);
  }
}

export function withAssets(...tickers: readonly string[]) {
  return { tokens_params: tickers.map((ticker) => ({ ticker })) };
}
