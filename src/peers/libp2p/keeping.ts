import type { Clock } from '../../ports/clock.ts';
import type { Millis } from '../../primitives/time.ts';
import type { Link, WireStream } from './link.ts';

/** The size of the framework’s and libp2p’s pings, which come back. */
export const PING_PROTOCOL = '/ipfs/ping/1.0.0';
const PING_BYTES = 32;
const MOST_UNREAD = 4096;

/** Sends back what arrives, for as long as the other side wants. Cuts off a node that does not read the replies. */
export function answerPings(stream: WireStream): void {
  stream.read({
    bytes(chunk) {
      if (stream.waiting() > MOST_UNREAD) stream.abort();
      else stream.send(chunk);
    },
    end: () => stream.close(),
  });
}

export type PingOptions = {
  readonly clock: Clock;
  /** 32 unpredictable bytes. */
  readonly bytes: (count: number) => Uint8Array;
  /** Milliseconds from one ping to the next, and until it must have come back. */
  readonly every: number;
  readonly timeout: number;
  /** Called before each ping. False ends the link. */
  readonly isWell: () => boolean;
};

/** Pings the other side of a link by this node's clock, and ends the link if an answer does not come or differs. */
export function keepPinging(link: Link, { clock, bytes, every, timeout, isWell }: PingOptions): void {
  let cancel = (): void => {};
  let over = false;
  const wait = (pause: number, then: () => void): void => {
    cancel();
    if (!over) cancel = clock.wakeAt((clock.now() + pause) as Millis, then);
  };
  const ping = async (): Promise<void> => {
    if (!isWell()) {
      link.drop();
      return;
    }
    wait(timeout, () => link.drop());
    try {
      await pingOnce(link, bytes(PING_BYTES));
      wait(every, () => void ping());
    } catch {
      link.drop();
    }
  };
  link.onEnd(() => {
    over = true;
    cancel();
  });
  wait(every, () => void ping());
}

async function pingOnce(link: Link, sent: Uint8Array): Promise<void> {
  const stream = await link.open([PING_PROTOCOL]);
  const found = await received(stream, { count: PING_BYTES, ask: () => stream.send(sent) });
  stream.close();
  if (found.length !== PING_BYTES || found.some((byte, index) => byte !== sent[index])) {
    throw new Error('another ping came back');
  }
}

type Receiving = { readonly count: number; readonly ask: () => void };

/** The first bytes of a stream after the question, up to a maximum; fewer if it ends before. */
function received(stream: WireStream, { count, ask }: Receiving): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const found: number[] = [];
    stream.read({
      bytes(chunk) {
        found.push(...chunk.subarray(0, count - found.length));
        if (found.length === count) resolve(Uint8Array.from(found));
      },
      end: () => resolve(Uint8Array.from(found)),
    });
    ask();
  });
}
