import { createInProcessNetwork, createOrderNetwork } from '../peers/in-process/index.ts';
import { type CaptureFile, captureStopLine, openCaptureFile } from '../peers/libp2p/capture-file.ts';
import { openLibp2pNetwork } from '../peers/libp2p/network.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Orders } from '../ports/orders.ts';
import type { Peers } from '../ports/peers.ts';
import { bytesToHex } from '../primitives/hex.ts';
import type { KeyWallet } from './keys.ts';
import type { NetworkConfig } from './network-config.ts';

export type NodeNetworkOptions = {
  readonly config: NetworkConfig;
  readonly wallet: Pick<KeyWallet, 'coins' | 'identity' | 'ofKey'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** File to which all that goes over the network is recorded. @defaultValue nothing is */
  readonly record?: string;
};

/** What a node speaks to others on. */
export type NodeNetwork = {
  readonly peers: Peers;
  readonly orders: Orders;
  /** Peer id; null where it reaches nobody. */
  readonly id: string | null;
  /** Where it listens as a seed node. */
  readonly addresses: readonly string[];
  readonly close: () => Promise<void>;
};

/**
 * Opens the network that a configuration names. A node that is no seed node and knows none reaches nobody; it needs no package for that.
 *
 * @throws PackageMissingError; PeerNetworkError PEER_LISTEN, PEER_CAPTURE_FILE
 */
export async function openNodeNetwork(options: NodeNetworkOptions): Promise<NodeNetwork> {
  const { config, wallet, clock, logger, record } = options;
  const { netid, seeds, listen } = config;
  if (isAlone(config)) return alone(wallet);
  const file = record === undefined ? null : recording(record, logger);
  try {
    const network = await openLibp2pNetwork({
      ...{ netid, seeds, clock, logger, signer: wallet.coins, signerOf: wallet.ofKey },
      ...(listen === null ? {} : { listen: [listen], relay: true, identity: wallet.identity() }),
      ...(file === null ? {} : { capture: file.tell }),
    });
    return { ...network, close: () => network.close().finally(() => file?.close()) };
  } catch (error) {
    file?.close();
    throw error;
  }
}

function recording(path: string, logger: Logger): CaptureFile {
  return openCaptureFile(path, {
    onStop(stop) {
      const { message, fields } = captureStopLine(path, stop);
      logger.warn(message, fields);
    },
  });
}

/** Whether nobody can be reached. */
export function isAlone({ seeds, listen, disabled }: NetworkConfig): boolean {
  return disabled || (seeds.length === 0 && listen === null);
}

function alone({ coins }: Pick<KeyWallet, 'coins'>): NodeNetwork {
  const self = bytesToHex(coins.key.subarray(1));
  return {
    peers: createInProcessNetwork().peer(self),
    orders: createOrderNetwork().node(self),
    id: null,
    addresses: [],
    close: async () => {},
  };
}
