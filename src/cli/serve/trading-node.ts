import { coinsOf, readCoinsFile } from '../../node/coins-file.ts';
import { type NodeConfig, readNodeConfig } from '../../node/config.ts';
import { walletOfPassphrase } from '../../node/keys.ts';
import { type Compatibility, createNode } from '../../node/node.ts';
import type { Logger } from '../../ports/logger.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { createAccess } from '../../rpc/framework/access.ts';
import { dispatchFramework } from '../../rpc/framework/dispatch.ts';
import { listenFramework } from '../../rpc/framework/listen.ts';
import { frameworkMethods } from '../../rpc/framework/method.ts';
import { FRAMEWORK_METHODS } from '../../rpc/framework/methods.ts';
import { systemClock } from '../../runtime/clock-system.ts';
import { packageTime, packageVersion } from '../version.ts';

export type TradingNodeOptions = {
  /** Path of the configuration file. */
  readonly conf: string;
  /** In the place of the configured one. */
  readonly rpcport?: number;
  readonly compatibility: Compatibility;
  readonly logger: Logger;
  /** Called when a caller tells the node to stop. */
  readonly onStop: () => void;
};

export type OpenedNode = {
  /** Where the RPC is called. */
  readonly url: string;
  /** Of the wallet, in hex. */
  readonly publicKey: string;
  readonly tickers: readonly string[];
  /** Members of the configuration that have no effect. */
  readonly ignored: readonly string[];
  /** Ends everything in order; what callers are being answered is finished first. */
  readonly close: () => Promise<void>;
};

const METHODS = frameworkMethods(FRAMEWORK_METHODS);

/** Opens a node and its RPC. @throws NodeError, RpcListenError */
export async function openTradingNode(options: TradingNodeOptions): Promise<OpenedNode> {
  const config = await readNodeConfig(options.conf);
  const coins =
    typeof config.coins === 'string' ? await readCoinsFile(config.coins) : coinsOf(config.coins, options.conf);
  const clock = systemClock();
  const wallet = walletOfPassphrase(config.passphrase);
  const node = createNode({ coins, signer: wallet, clock, compatibility: options.compatibility });
  const context = { node, version: packageVersion(), datetime: packageTime(), stop: options.onStop };
  const access = createAccess({ password: config.rpcPassword, localOnly: config.rpcLocalOnly });
  const listener = await listenFramework({
    answer: (request) =>
      dispatchFramework(request, { methods: METHODS, node: context, access, logger: options.logger }),
    clock,
    ...reachability(config, options),
  });
  return {
    url: `http://${listener.host.includes(':') ? `[${listener.host}]` : listener.host}:${listener.port}/`,
    publicKey: bytesToHex(wallet.coins.key),
    tickers: coins.tickers,
    ignored: config.ignored,
    async close() {
      await listener.close();
      node.close();
      wallet.close();
    },
  };
}

function reachability({ rpcPort, rpcIp, rpcCors }: NodeConfig, { rpcport }: TradingNodeOptions) {
  return { port: rpcport ?? rpcPort, host: rpcIp, ...(rpcCors === null ? {} : { cors: rpcCors }) };
}
