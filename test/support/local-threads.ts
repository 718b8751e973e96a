import type { RangeRunner } from '../../src/log/files/range-threads.ts';
import { createBatchWriter } from '../../src/log/files/swap-batch.ts';
import type { ThreadOptions } from '../../src/log/files/thread-options.ts';
import type { ByteRange } from '../../src/replay/jsonl/ranges.ts';
import { createJsonlReplayer } from '../../src/replay/jsonl/scanner.ts';

/** What the threads do, on this one: the order of results and their joining are what is tested here. */
export function localThreads(bytes: Uint8Array) {
  return ({ maxLineBytes }: ThreadOptions): RangeRunner => ({
    async *run(ranges: readonly ByteRange[]) {
      for (const range of ranges) {
        const batch = createBatchWriter();
        let errors = 0;
        let skipped = 0;
        const replayer = createJsonlReplayer({
          maxLineBytes,
          maxOpenStreams: 0,
          onSwap: (swap, facts) => batch.add({ swap, facts }),
          onError: () => errors++,
          onSkipped: () => skipped++,
        });
        replayer.push(bytes.subarray(range.start, range.end));
        replayer.end();
        yield { range, report: { ...replayer.counts(), batch: errors > 0 ? '' : batch.text(), errors, skipped } };
      }
    },
    stop: async () => undefined,
  });
}
