import type { Stream } from '@libp2p/interface';
import type { WireStream } from './link.ts';

/** A stream of libp2p in the form that the rooms here need. It never throws. */
export function wireStream(stream: Stream): WireStream {
  // A stream that is paused while it hands over what has arrived meanwhile still grants the other side its window.
  let resuming = false;
  let held: Uint8Array[] = [];
  let hand = (_: Uint8Array): void => {};
  return {
    protocol: stream.protocol,
    send(bytes) {
      if (stream.writeStatus !== 'writable') return false;
      return quietly(() => void stream.send(bytes));
    },
    waiting: () => stream.writeBufferLength,
    onIdle: (idle) => stream.addEventListener('idle', idle),
    read({ bytes, end }) {
      let ended = false;
      const endOnce = (): void => {
        if (ended) return;
        ended = true;
        end();
      };
      hand = (chunk) => {
        if (!ended) bytes(chunk);
      };
      stream.addEventListener('message', ({ data }) => {
        if (resuming) held.push(data.subarray());
        else hand(data.subarray());
      });
      stream.addEventListener('end', endOnce);
      stream.addEventListener('close', endOnce);
      if (stream.status !== 'open') endOnce();
    },
    pause: () => void quietly(() => stream.pause()),
    resume() {
      resuming = true;
      quietly(() => stream.resume());
      resuming = false;
      const chunks = held;
      held = [];
      for (const chunk of chunks) hand(chunk);
    },
    close: () => void stream.close().catch(() => stream.abort(new Error('the stream did not close'))),
    abort: () => void quietly(() => stream.abort(new Error('the stream was ended'))),
  };
}

/** libp2p throws if a stream has ended meanwhile; the reader learns of that separately. */
function quietly(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
