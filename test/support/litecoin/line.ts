import type { LitecoindClient } from '../litecoind.ts';

/** The line between an adapter and its node. */
export type Line = {
  readonly node: LitecoindClient;
  /** Calls that are under way. */
  readonly busy: () => number;
  /** What every call waits for before it reaches the node. */
  before: () => Promise<void>;
};

export function lineTo(node: LitecoindClient): Line {
  let busy = 0;
  const line: Line = {
    busy: () => busy,
    before: async () => {},
    node: {
      call: (...one) => counted(() => node.call(...one)),
      batch: (calls) => counted(() => node.batch(calls)),
    },
  };
  const counted = async <T>(call: () => Promise<T>): Promise<T> => {
    busy += 1;
    try {
      await line.before();
      return await call();
    } finally {
      busy -= 1;
    }
  };
  return line;
}

/** Lets so many rounds of everything else pass. */
export async function rounds(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
}
