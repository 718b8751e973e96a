import type { Clock } from '../../ports/clock.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import type { Millis } from '../../primitives/time.ts';
import { FLOOD_PROTOCOL } from './floodsub.ts';
import type { Link, WireStream } from './link.ts';
import { EXCHANGE_PROTOCOL } from './relay-exchange.ts';

/** Who opened a stream, or who received bytes. */
export type End = 'here' | 'there';

/** What a recording of the network holds, in the order in which it happened. Moments are in milliseconds UTC. */
export type Captured =
  /** A node began to record; links are numbered from the start again. */
  | { readonly is: 'start'; readonly at: Millis; readonly self: string; readonly relay: boolean }
  | { readonly is: 'link'; readonly at: Millis; readonly link: number; readonly peer: string; readonly dialed: boolean }
  | {
      readonly is: 'stream';
      readonly at: Millis;
      readonly link: number;
      readonly stream: number;
      readonly protocol: string;
      readonly by: End;
    }
  /** What went over a stream, inside the encryption of the link; in hex. */
  | { readonly is: 'bytes'; readonly at: Millis; readonly stream: number; readonly to: End; readonly hex: string }
  | { readonly is: 'end'; readonly at: Millis; readonly link: number }
  /** The end of a recording: the node closed its end of the network, or the recording became too long and misses what followed. */
  | { readonly is: 'stop'; readonly at: Millis; readonly why: 'closed' | 'full' };

export type Capture = (entry: Captured) => void;

/** Sits between libp2p and the node. */
export type Watch = {
  readonly link: (link: Link) => Link;
  /** A stream opened by the other side of the link. */
  readonly stream: (stream: WireStream, link: Link) => WireStream;
};

/** Messages on this topic say where to find nodes. */
const OF_ADDRESSES: ReadonlySet<string> = new Set([EXCHANGE_PROTOCOL, FLOOD_PROTOCOL]);

/**
 * Records what goes over links, and changes nothing. Neither the own identity, nor any other secret, nor an address of another node is
 * among it: what is signed and said here is said to everyone.
 */
export function createWatch({ clock, tell }: { readonly clock: Clock; readonly tell: Capture }): Watch {
  const numbers = new WeakMap<Link, number>();
  let [links, streams] = [0, 0];

  const watched = (stream: WireStream, { link, by }: { readonly link: number; readonly by: End }): WireStream => {
    streams += 1;
    const number = streams;
    tell({ is: 'stream', at: clock.now(), link, stream: number, protocol: stream.protocol, by });
    const note = (to: End, bytes: Uint8Array): void => {
      if (OF_ADDRESSES.has(stream.protocol)) return;
      tell({ is: 'bytes', at: clock.now(), stream: number, to, hex: bytesToHex(bytes) });
    };
    return {
      ...stream,
      send(bytes) {
        const isOut = stream.send(bytes);
        if (isOut) note('there', bytes);
        return isOut;
      },
      read: ({ bytes, end }) =>
        stream.read({
          bytes(chunk) {
            note('here', chunk);
            bytes(chunk);
          },
          end,
        }),
    };
  };
  return {
    link(link) {
      links += 1;
      const number = links;
      tell({ is: 'link', at: clock.now(), link: number, peer: link.id, dialed: link.dialed });
      link.onEnd(() => tell({ is: 'end', at: clock.now(), link: number }));
      const open: Link['open'] = async (protocols) => watched(await link.open(protocols), { link: number, by: 'here' });
      const seen = { ...link, open };
      numbers.set(seen, number);
      return seen;
    },
    stream: (stream, link) => watched(stream, { link: numbers.get(link) ?? 0, by: 'there' }),
  };
}
