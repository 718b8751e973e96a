import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { CanonicalScanner } from '../../../../src/replay/jsonl/canonical-line.ts';
import type { LineError } from '../../../../src/replay/jsonl/errors.ts';
import { createJsonlReader } from '../../../../src/replay/jsonl/reader.ts';
import { createJsonlReplayer, type LineCounts } from '../../../../src/replay/jsonl/scanner.ts';
import type { ScanMemory } from '../../../../src/replay/jsonl/wasm-hex.ts';
import { type ReplayedSwap, replaySwap } from '../../../../src/replay/swaps.ts';

export type Limits = { readonly maxOpenStreams?: number; readonly maxLineBytes?: number };

/** What came out of a file, in order. */
export type Outcome<T> = { readonly swaps: readonly T[]; readonly errors: readonly ErrorRow[] };
export type ErrorRow = Omit<LineError, 'error'> & { readonly code: string; readonly message: string };

function row({ line, stream, seq, error }: LineError): ErrorRow {
  return { line, stream, seq, code: error.code, message: error.message };
}

export function readLogs(chunks: readonly Uint8Array[], limits: Limits = {}): Outcome<SwapLog> {
  const swaps: SwapLog[] = [];
  const errors: ErrorRow[] = [];
  const reader = createJsonlReader({
    ...limits,
    onLog: (log) => swaps.push(log),
    onError: (error) => errors.push(row(error)),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { swaps, errors };
}

/** Replays through the parser alone: the reference. */
export function replayByParser(chunks: readonly Uint8Array[], limits: Limits = {}): Outcome<ReplayedSwap> {
  const { swaps, errors } = readLogs(chunks, limits);
  return { swaps: swaps.map(replaySwap), errors };
}

export function replayByScanner(
  chunks: readonly Uint8Array[],
  { memory, ...limits }: Limits & { readonly memory?: ScanMemory } = {},
): Outcome<ReplayedSwap> & { readonly counts: LineCounts } {
  const swaps: ReplayedSwap[] = [];
  const errors: ErrorRow[] = [];
  const replayer = createJsonlReplayer({
    ...limits,
    ...(memory === undefined ? {} : { scanner: new CanonicalScanner(memory) }),
    onSwap: (swap) => swaps.push(swap),
    onError: (error) => errors.push(row(error)),
  });
  for (const chunk of chunks) replayer.push(chunk);
  replayer.end();
  return { swaps, errors, counts: replayer.counts() };
}

const encoder = new TextEncoder();

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The bytes in pieces that end at the given positions. */
export function cut(bytes: Uint8Array, positions: readonly number[]): Uint8Array[] {
  const ends = [...positions.map((position) => position % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.slice(index === 0 ? 0 : ends[index - 1], end));
}
