import { openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { ByteRange } from '../../replay/jsonl/ranges.ts';
import { createJsonlReplayer } from '../../replay/jsonl/scanner.ts';
import { foldedEnd } from '../../replay/payment-ends.ts';
import { readRangeSync } from './read-range.ts';
import { createBatchWriter } from './swap-batch.ts';

/** What a thread is started with. */
export type ReplayTask = { readonly path: string; readonly maxLineBytes: number; readonly ends: boolean };

/** What a thread answers for a range. */
export type RangeReport = {
  /** The swaps, as a batch text; empty where a line could not be read. */
  readonly batch: string;
  readonly lines: number;
  readonly events: number;
  readonly parsed: number;
  /** Lines that could not be read. Errors name the number of their line in the file, which a thread does not know. */
  readonly errors: number;
  /** Streams that are no swaps. Their chains of hashes can be followed in the whole file only. */
  readonly skipped: number;
};

const CHUNK_BYTES = 1024 * 1024;

// The body of a worker thread: replays one range of the file for each message.
const port = parentPort;
if (port !== null) {
  const { path, maxLineBytes, ends } = workerData as ReplayTask;
  const file = openSync(path, 'r');
  port.on('message', (range: ByteRange) => {
    const batch = createBatchWriter();
    let errors = 0;
    let skipped = 0;
    const replayer = createJsonlReplayer({
      maxLineBytes,
      ...(ends ? { endOf: foldedEnd } : {}),
      // Each stream is handed on as soon as it is left: whether it goes on elsewhere is judged where all results meet.
      maxOpenStreams: 0,
      onSwap: (swap, facts) => batch.add({ swap, facts }),
      onError: () => {
        errors++;
      },
      onSkipped: () => {
        skipped++;
      },
    });
    readRangeSync({ file, range, chunkBytes: CHUNK_BYTES }, replayer);
    replayer.end();
    const report: RangeReport = { ...replayer.counts(), batch: errors > 0 ? '' : batch.text(), errors, skipped };
    port.postMessage(report);
  });
}
