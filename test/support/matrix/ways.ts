import {
  type ConnectionOptions,
  connectElectrum,
  type ElectrumConnection,
} from '../../../src/chains/utxo/electrum/connection.ts';
import { ConnectionLost } from '../../../src/chains/utxo/electrum/transport.ts';
import { systemClock } from '../../../src/runtime/host/clock-system.ts';
import type { Tally } from './tally.ts';

/**
 * What stands between a party and the Electrum servers of one coin: it counts, delays and cuts. What waits for `before` is not counted.
 */
export type Ways = {
  readonly connect: (options: ConnectionOptions) => Promise<ElectrumConnection>;
  /** What every request waits for. */
  before: () => Promise<void>;
  /** Ends all connections, and refuses new ones until told otherwise. */
  readonly cut: (isUp: boolean) => void;
  /** The same of one of the two servers alone. */
  readonly halve: (isHalf: boolean) => void;
};

/** Of two names of one server. */
function isSecond(url: string): boolean {
  return url.startsWith('localhost');
}

export function openWays(tally: Tally): Ways {
  const open = new Map<ElectrumConnection, string>();
  let up = true;
  let isHalf = false;
  const ways: Ways = {
    before: async () => {},
    cut(isUp) {
      up = isUp;
      if (!up) for (const connection of open.keys()) connection.close('cut off');
    },
    halve(half) {
      isHalf = half;
      for (const [connection, url] of open) if (isHalf && isSecond(url)) connection.close('cut off');
    },
    async connect({ server, onNotification }) {
      if (!up || (isHalf && isSecond(server.url))) throw new ConnectionLost('ECONNREFUSED');
      const host = server.url.replace('localhost', '127.0.0.1');
      // Its patience is that of the machine: a slow one must not look like a silent server.
      const inner = await tally.during(() =>
        connectElectrum({ clock: systemClock(), server: { ...server, url: host }, onNotification }),
      );
      open.set(inner, server.url);
      void inner.ended.then(() => open.delete(inner));
      return {
        ended: inner.ended,
        close: (reason) => inner.close(reason),
        async batch(calls) {
          await ways.before();
          return tally.during(() => inner.batch(calls));
        },
      };
    },
  };
  return ways;
}
