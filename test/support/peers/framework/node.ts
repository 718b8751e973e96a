import type { Clock } from '../../../../src/ports/clock.ts';
import type { Published, Rpc } from './rpc.ts';
import type { KnownPeer } from './side-protocols.ts';

// The other end of the network, as the framework's source and its descriptions have it: nothing here is shared with what it tests but the
// clock's shape and libp2p itself. This is how tests see it.

export type FrameworkOptions = {
  readonly role: 'relay' | 'light';
  readonly clock: Clock;
  /** Seconds that it takes for now. @defaultValue those of the clock */
  readonly now?: () => number;
  /** @defaultValue a free port of this host, for a relay */
  readonly listen?: string;
  /** What it tells others who ask for relays. @defaultValue none */
  readonly known?: readonly KnownPeer[];
  /** What becomes of a frame with messages on its way out. @defaultValue it goes out */
  readonly disturb?: (frame: Buffer, write: (frame: Buffer) => void) => void;
};

export type FrameworkNode = {
  readonly id: string;
  readonly idBytes: Buffer;
  /** `host:port` where it listens. */
  readonly address: string;
  /** Messages that reached its application. */
  readonly heard: readonly Published[];
  /** Every frame that came, in order. */
  readonly frames: readonly { readonly from: string; readonly rpc: Rpc }[];
  /** Why it ended links. */
  readonly faults: readonly string[];
  readonly links: () => readonly string[];
  /** Relays in its own mesh, and nodes that have it in theirs. */
  readonly mesh: () => readonly string[];
  readonly includedBy: () => readonly string[];
  readonly subscribe: (topic: string) => void;
  readonly unsubscribe: (topic: string) => void;
  readonly publish: (topic: string, data: Buffer, given?: Partial<Published>) => void;
  /** Sends to one node what a frame says, or bytes as they are. */
  readonly say: (to: string, rpc: Partial<Rpc> | Buffer) => void;
  readonly askForPeers: (from: string) => Promise<readonly KnownPeer[] | null>;
  /** Asks whether a node is there; its answer is among {@link FrameworkNode.healthy}. */
  readonly askForHealth: (of: string) => Promise<void>;
  /** Nodes that told that they are there. */
  readonly healthy: readonly string[];
  readonly dial: (address: string) => Promise<string>;
  readonly close: () => Promise<void>;
};
