import { createTrezorWallet } from '../../hardware/trezor/wallet.ts';
import type { Activation, ActivationMethod } from '../../node/activations/events.ts';
import { coinsOf, readCoinsFile } from '../../node/coins-file.ts';
import { type NodeConfig, readNodeConfig } from '../../node/config.ts';
import { type HdWallet, walletOfWords } from '../../node/hd-keys.ts';
import { type KeyWallet, walletOfPassphrase } from '../../node/keys.ts';
import { type Compatibility, createNode, type NodeDevice, type TradingNode } from '../../node/node.ts';
import { openNodeLog } from '../../node/node-log.ts';
import { isAlone, type NodeNetwork, openNodeNetwork } from '../../node/node-network.ts';
import type { LostCoins } from '../../node/tasks/after-restart.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import type { Seconds } from '../../primitives/time.ts';
import { listenWith } from '../../rpc/framework/listen.ts';
import { type NodeRpc, nodeRpc } from '../../rpc/framework/node-rpc.ts';
import { systemClock } from '../../runtime/host/clock-system.ts';
import { packageTime, packageVersion } from '../version.ts';
import { type ServedMetrics, servedMetrics } from './metrics.ts';
import { warningsOf } from './warnings.ts';

export type TradingNodeOptions = {
  /** Path of the configuration file. */
  readonly conf: string;
  /** In the place of the configured one. */
  readonly rpcport?: number;
  readonly compatibility: Compatibility;
  /** Seconds between two looks for news of a coin. @defaultValue 10 */
  readonly poll?: number;
  /** File to which all that goes over the network between nodes is recorded. @defaultValue nothing is */
  readonly recordPeers?: string;
  readonly logger: Logger;
  /** Called when a caller tells the node to stop. */
  readonly onStop: () => void;
  /** @defaultValue the host's */
  readonly clock?: Clock;
};

export type CoinsBefore = { readonly method: ActivationMethod; readonly coins: readonly string[] };

export type OpenedNode = {
  /** Where the RPC is called. */
  readonly url: string;
  /** Of the wallet, in hex. */
  readonly publicKey: string;
  readonly tickers: readonly string[];
  /** The file with the swaps of the wallet. */
  readonly log: string;
  /** Coins that unfinished swaps wait for. */
  readonly needed: readonly string[];
  /** Coins that were active when the node was last ended, and that a request has to activate again, by the method that did. */
  readonly before: readonly CoinsBefore[];
  /** Coins that tasks bring back. */
  readonly again: readonly string[];
  /** Coins of tasks that nothing brings back but a new request, since the log has no secrets of theirs. */
  readonly lost: readonly LostCoins[];
  /** Members of the configuration that have no effect. */
  readonly ignored: readonly string[];
  /** What its operator should look at. */
  readonly warnings: readonly string[];
  /** How it reaches others; null where it does not. */
  readonly network: ShownNetwork | null;
  /** Whether it was told to reach nobody. */
  readonly offline: boolean;
  /** Ends everything in order; what callers are being answered is finished first. */
  readonly close: () => Promise<void>;
};

export type ShownNetwork = {
  readonly netid: number;
  /** Its own id among the nodes. */
  readonly id: string;
  /** Seed nodes that it stays connected to. */
  readonly seeds: readonly string[];
  /** Where it listens as a seed node. */
  readonly addresses: readonly string[];
};

/** Opens a node and its RPC. @throws NodeError, RpcListenError; LogError LOG_LOCKED while another node has its swaps */
export async function openTradingNode(options: TradingNodeOptions): Promise<OpenedNode> {
  const config = await readNodeConfig(options.conf);
  const { clock = systemClock() } = options;
  const wallet = walletOf(config);
  try {
    const counted = await servedMetrics();
    const warnings = await warningsOf({ ...config, conf: options.conf, key: wallet.coins.key });
    const { node, coins, log, network, close } = await startNode(config, { ...options, clock, wallet, counted });
    try {
      const rpc = rpcOf(node, config, { ...options, counted });
      const needed = await node.coinsNeeded();
      const listener = await listenWith(rpc.handle, { clock, ...placeOf(config, options) });
      return {
        url: `http://${listener.host.includes(':') ? `[${listener.host}]` : listener.host}:${listener.port}/`,
        publicKey: bytesToHex(wallet.coins.key),
        tickers: coins.tickers,
        log,
        needed,
        before: beforeOf(node.activeBefore()),
        ...node.afterRestart(),
        ignored: config.ignored,
        warnings,
        network: shownNetwork(config, network),
        offline: config.network.disabled,
        async close() {
          try {
            rpc.closeStreams();
            await listener.close();
          } finally {
            await close().finally(() => wallet.close());
          }
        },
      };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    wallet.close();
    throw error;
  }
}

/** By method, in the order in which each was first called. */
function beforeOf(activations: readonly Activation[]): readonly CoinsBefore[] {
  const methods = [...new Set(activations.map(({ method }) => method))];
  return methods.map((method) => ({
    method,
    coins: activations.filter((one) => one.method === method).flatMap(({ coin, tokens }) => [coin, ...tokens]),
  }));
}

type Counted = { readonly counted: ServedMetrics | null };

/** With the words of BIP 39 each coin has a key of its own. */
function walletOf({ passphrase, enableHd }: NodeConfig): KeyWallet & Partial<Pick<HdWallet, 'ofPath' | 'xpubAt'>> {
  return enableHd ? walletOfWords(passphrase) : walletOfPassphrase(passphrase);
}

type Opening = TradingNodeOptions & Counted & { readonly clock: Clock; readonly wallet: ReturnType<typeof walletOf> };

async function startNode(config: NodeConfig, opening: Opening) {
  const { conf, clock, wallet, logger, compatibility, poll, counted, recordPeers } = opening;
  const coins = typeof config.coins === 'string' ? await readCoinsFile(config.coins) : coinsOf(config.coins, conf);
  const log = await openNodeLog({ dbdir: config.dbdir, key: wallet.coins.key });
  const network = await openedNetwork(config, { wallet, clock, logger, recordPeers }).catch(async (error: unknown) => {
    await log.close();
    throw error;
  });
  const { peers, orders } = network;
  const node = createNode({
    ...{ coins, signer: wallet, log, clock, logger, compatibility, peers, orders },
    ...{ watches: config.isWatcher, watchesUnpaid: config.watchesUnpaid, useWatchers: config.useWatchers },
    tradingProtoV2: config.useTradingProtoV2,
    ...(config.paymentLocktime === null ? {} : { policy: { paymentLocktime: config.paymentLocktime } }),
    ...(wallet.ofPath === undefined ? {} : { signerOfPath: wallet.ofPath }),
    ...(wallet.xpubAt === undefined ? {} : { xpubAt: wallet.xpubAt }),
    device: deviceOf(config, clock),
    ...(counted === null ? {} : { metrics: counted.metrics }),
    ...(poll === undefined ? {} : { poll: poll as Seconds }),
    hide: [config.passphrase.reveal(), config.rpcPassword.reveal()],
  });
  const close = async (): Promise<void> => {
    try {
      await node.close();
    } finally {
      await network.close();
    }
  };
  try {
    await node.start();
  } catch (error) {
    await close();
    throw error;
  }
  return { node, coins, log: log.file, network, close };
}

/** Nothing is sent to it before a request wants it. */
function deviceOf({ device: { udpPort, devicePubkey } }: NodeConfig, clock: Clock): NodeDevice {
  const wallet = createTrezorWallet({ clock, port: udpPort });
  return { wallet, ...(devicePubkey === null ? {} : { key: devicePubkey }) };
}

type Reaching = Pick<Opening, 'wallet' | 'clock' | 'logger'> & { readonly recordPeers: string | undefined };

function openedNetwork(config: NodeConfig, { recordPeers: record, ...given }: Reaching): Promise<NodeNetwork> {
  return openNodeNetwork({ ...given, config: config.network, ...(record === undefined ? {} : { record }) });
}

function shownNetwork({ network: config }: NodeConfig, { id, addresses }: NodeNetwork): ShownNetwork | null {
  return id === null || isAlone(config) ? null : { netid: config.netid, id, seeds: config.seeds, addresses };
}

function rpcOf(node: TradingNode, config: NodeConfig, options: TradingNodeOptions & Counted): NodeRpc {
  const { logger, onStop, counted } = options;
  const { rpcPassword, rpcLocalOnly, rpcCors } = config;
  return nodeRpc(node, {
    ...{ password: rpcPassword, localOnly: rpcLocalOnly, logger, stop: onStop },
    ...{ version: packageVersion(), datetime: packageTime() },
    ...(counted === null ? {} : { metrics: counted.view }),
    ...(rpcCors === null ? {} : { cors: rpcCors }),
  });
}

function placeOf({ rpcPort, rpcIp }: NodeConfig, { rpcport }: TradingNodeOptions) {
  return { port: rpcport ?? rpcPort, host: rpcIp };
}
