import { coinsOf, readCoinsFile } from '../../node/coins-file.ts';
import { type NodeConfig, readNodeConfig } from '../../node/config.ts';
import { type HdWallet, walletOfWords } from '../../node/hd-keys.ts';
import { type KeyWallet, walletOfPassphrase } from '../../node/keys.ts';
import { type Compatibility, createNode, type TradingNode } from '../../node/node.ts';
import { openNodeLog } from '../../node/node-log.ts';
import { createInProcessNetwork } from '../../peers/in-process/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Peers } from '../../ports/peers.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { listenWith } from '../../rpc/framework/listen.ts';
import { type NodeRpc, nodeRpc } from '../../rpc/framework/node-rpc.ts';
import { systemClock } from '../../runtime/clock-system.ts';
import { packageTime, packageVersion } from '../version.ts';
import { type ServedMetrics, servedMetrics } from './metrics.ts';

export type TradingNodeOptions = {
  /** Path of the configuration file. */
  readonly conf: string;
  /** In the place of the configured one. */
  readonly rpcport?: number;
  readonly compatibility: Compatibility;
  readonly logger: Logger;
  /** Called when a caller tells the node to stop. */
  readonly onStop: () => void;
  /** How other nodes are reached, by the wallet's key. @defaultValue none is */
  readonly peers?: (wallet: KeyWallet) => Peers;
  /** @defaultValue the host's */
  readonly clock?: Clock;
};

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
  /** Coins that were active when the node was last ended. */
  readonly before: readonly string[];
  /** Members of the configuration that have no effect. */
  readonly ignored: readonly string[];
  /** Ends everything in order; what callers are being answered is finished first. */
  readonly close: () => Promise<void>;
};

/** Opens a node and its RPC. @throws NodeError, RpcListenError; LogError LOG_LOCKED while another node has its swaps */
export async function openTradingNode(options: TradingNodeOptions): Promise<OpenedNode> {
  const config = await readNodeConfig(options.conf);
  const { clock = systemClock() } = options;
  const wallet = walletOf(config);
  try {
    const counted = await servedMetrics();
    const { node, coins, log } = await startNode(config, { ...options, clock, wallet, counted });
    try {
      const rpc = rpcOf(node, config, { ...options, counted });
      const listener = await listenWith(rpc.handle, { clock, ...placeOf(config, options) });
      return {
        url: `http://${listener.host.includes(':') ? `[${listener.host}]` : listener.host}:${listener.port}/`,
        publicKey: bytesToHex(wallet.coins.key),
        tickers: coins.tickers,
        log,
        needed: await node.coinsNeeded(),
        before: node.activeBefore().map(({ coin }) => coin),
        ignored: config.ignored,
        async close() {
          try {
            rpc.closeStreams();
            await listener.close();
            await node.close();
          } finally {
            wallet.close();
          }
        },
      };
    } catch (error) {
      await node.close();
      throw error;
    }
  } catch (error) {
    wallet.close();
    throw error;
  }
}

type Counted = { readonly counted: ServedMetrics | null };

/** With the words of BIP 39 each coin has a key of its own. */
function walletOf({ passphrase, enableHd }: NodeConfig): KeyWallet & Partial<Pick<HdWallet, 'ofPath'>> {
  return enableHd ? walletOfWords(passphrase) : walletOfPassphrase(passphrase);
}

type Opening = TradingNodeOptions & Counted & { readonly clock: Clock; readonly wallet: ReturnType<typeof walletOf> };

async function startNode(config: NodeConfig, opening: Opening) {
  const { conf, clock, wallet, logger, compatibility, peers, counted } = opening;
  const coins = typeof config.coins === 'string' ? await readCoinsFile(config.coins) : coinsOf(config.coins, conf);
  const log = await openNodeLog({ dbdir: config.dbdir, key: wallet.coins.key });
  const node = createNode({
    ...{ coins, signer: wallet, log, clock, logger, compatibility },
    ...(wallet.ofPath === undefined ? {} : { signerOfPath: wallet.ofPath }),
    peers: peers?.(wallet) ?? alone(wallet),
    ...(counted === null ? {} : { metrics: counted.metrics }),
    hide: [config.passphrase.reveal(), config.rpcPassword.reveal()],
  });
  try {
    await node.start();
  } catch (error) {
    await node.close();
    throw error;
  }
  return { node, coins, log: log.file };
}

/** A network of which it is the only node. */
function alone({ coins }: KeyWallet): Peers {
  return createInProcessNetwork().peer(bytesToHex(coins.key.subarray(1)));
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
