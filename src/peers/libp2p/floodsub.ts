import type { WireStream } from './link.ts';

/** The framework ends links to nodes without it. It carries addresses of relays, which this node asks for instead. */
export const FLOOD_PROTOCOL = '/floodsub/1.0.0';

const MOST_PASSED_BYTES = 64 * 1024;

/** Reads what arrives, and drops it. */
export function passOver(stream: WireStream): void {
  let count = 0;
  stream.read({
    bytes(chunk) {
      count += chunk.length;
      if (count > MOST_PASSED_BYTES) stream.abort();
    },
    end: () => stream.close(),
  });
}
