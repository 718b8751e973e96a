import type { Seconds } from '../../../primitives/time.ts';
import type { StreamChoice } from './event-stream.ts';

/** Why a client cannot enable or disable something, in the words of the real node. */
export type ClientFault = 'UnknownClient' | 'ClientAlreadyListening' | 'StreamerNotFound';

export type EnableTerms = {
  /** What it is to tell of, where that can go away: for another one of the same name it is enabled anew. */
  readonly of?: object;
  /** Between two heartbeats. @defaultValue 5 */
  readonly interval?: Seconds;
};

/** A client's side of one of its streams. */
export type OpenedClient = StreamChoice & { readonly close: () => void };

export type StreamClients = {
  /** A stream of the client is there. `comesBack`: it goes on with what its client had enabled. */
  readonly open: (id: number, comesBack: boolean) => OpenedClient;
  /** Null when it is done. */
  readonly enable: (id: number, streamer: string, terms?: EnableTerms) => ClientFault | null;
  /** Null when it is done. */
  readonly disable: (id: number, streamer: string) => ClientFault | null;
};

export type StreamClientsOptions = {
  /** Clients without a stream whose choices are kept, beside those that have one. @defaultValue 64 */
  readonly kept?: number;
};

export const HEARTBEAT = 'HEARTBEAT';

/** Of the real node. */
export const USUAL_INTERVAL: Seconds = 5;

const KEPT = 64;

type Enabled = {
  /** Whether it was enabled before the latest stream was opened: whoever enables anew at every connection may do so. */
  carriedOver: boolean;
  of: WeakRef<object> | null;
};

type Client = {
  readonly enabled: Map<string, Enabled>;
  readonly streams: Set<{ told: () => void }>;
  interval: Seconds | null;
};

/**
 * What each client of the event stream has enabled, for as long as the process runs.
 *
 * - J15: nothing is kept of a client that never had a stream, and of those that have none any more the choices of the latest few; a client
 *   enables what exists, each once.
 */
export function streamClients({ kept = KEPT }: StreamClientsOptions = {}): StreamClients {
  const here = new Map<number, Client>();
  /** The longest away first. */
  const away = new Map<number, Client>();

  const leave = (id: number, client: Client): void => {
    here.delete(id);
    if (client.enabled.size === 0) return;
    away.set(id, client);
    const [longest] = away.keys();
    if (away.size > kept && longest !== undefined) away.delete(longest);
  };
  return {
    open(id, comesBack) {
      const client = here.get(id) ?? (comesBack ? away.get(id) : undefined) ?? newClient();
      away.delete(id);
      here.set(id, client);
      for (const enabled of client.enabled.values()) enabled.carriedOver = true;
      const stream = { told: () => {} };
      client.streams.add(stream);
      return {
        carries: (type) => client.enabled.has(type),
        heartbeat: () => client.interval,
        isEmpty: () => client.enabled.size === (client.interval === null ? 0 : 1),
        onChange(told) {
          stream.told = told;
        },
        close() {
          if (client.streams.delete(stream) && client.streams.size === 0) leave(id, client);
        },
      };
    },
    enable(id, streamer, { of, interval = USUAL_INTERVAL } = {}) {
      const client = here.get(id);
      if (client === undefined) return 'UnknownClient';
      const known = client.enabled.get(streamer);
      if (known?.carriedOver === false && known.of?.deref() === of) return 'ClientAlreadyListening';
      client.enabled.set(streamer, { carriedOver: false, of: of === undefined ? null : new WeakRef(of) });
      if (streamer === HEARTBEAT) client.interval = interval;
      tell(client);
      return null;
    },
    disable(id, streamer) {
      const client = here.get(id);
      if (client === undefined) return 'UnknownClient';
      if (!client.enabled.delete(streamer)) return 'StreamerNotFound';
      if (streamer === HEARTBEAT) client.interval = null;
      tell(client);
      return null;
    },
  };
}

function newClient(): Client {
  return { enabled: new Map(), streams: new Set(), interval: null };
}

function tell({ streams }: Client): void {
  for (const { told } of streams) told();
}
