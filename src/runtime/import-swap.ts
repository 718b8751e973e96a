import { isJournalType } from '../events/journal.ts';
import { IMPORTED, streamOf, toEnvelopes } from '../events/jsonl.ts';
import type { SwapLog } from '../events/saved-swap.ts';
import { decodeSwapsText } from '../events/wrappers.ts';
import type { Envelope } from '../primitives/envelope.ts';
import { SwapfoldError } from '../primitives/error.ts';
import { canonicalJson } from '../primitives/json.ts';
import type { Engine } from './engine.ts';
import { contested, draining, runnerFailed, swapExists, swapUnreadable } from './errors.ts';
import type { Started } from './start-swap.ts';
import { beginStream, open, readStream } from './streams.ts';

/** What became of each swap of a text. */
export type ImportReport = {
  /** Uuids of those that were written and are driven, or are over. */
  readonly imported: readonly string[];
  /** Uuids of those whose events were there already. */
  readonly known: readonly string[];
  /** Those that were refused, each with the reason; `uuid` is null where the text names none. */
  readonly skipped: readonly { readonly uuid: string | null; readonly error: SwapfoldError }[];
};

const MOST_TRIES = 3;

/**
 * Takes over a swap from elsewhere: its head and all its events in one batch, then drives it at once. A log that the stream
 * begins with already is known, also when the swap has gone on since.
 *
 * @throws RuntimeError SWAP_UNREADABLE, SWAP_EXISTS, LOG_UNAVAILABLE, RUNTIME_DRAINING
 */
export async function importSwap(engine: Engine, log: SwapLog): Promise<Started> {
  const stream = streamOf(log);
  const unknown = log.events.find(({ known }) => !known);
  if (unknown !== undefined) throw swapUnreadable(stream, unknownEvent(unknown.type));
  const records = toEnvelopes(log);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (engine.draining) throw draining();
    const stored = await readStream(engine, stream);
    if (stored.length > 0) {
      if (!beginsWith(publicOf(stored), publicOf(records))) throw swapExists(stream);
      open(engine, stream);
      return { stream, known: true };
    }
    // What it holds may belong to a swap of the log that is over.
    await engine.claims.complete();
    if (engine.draining) throw draining();
    if (await beginStream(engine, stream, records)) return { stream, known: false };
  }
  throw contested(stream);
}

function unknownEvent(type: string): SwapfoldError {
  return new SwapfoldError('The log holds an event that this version does not know.', {
    code: 'UNKNOWN_EVENT',
    facts: { event: type.slice(0, 100) },
  });
}

function publicOf(records: readonly Envelope[]): readonly Envelope[] {
  return records.filter(({ type }) => type !== IMPORTED && !isJournalType(type));
}

function beginsWith(stored: readonly Envelope[], given: readonly Envelope[]): boolean {
  if (given.length > stored.length) return false;
  return given.every((record, index) => contentOf(record) === contentOf(stored[index] as Envelope));
}

function contentOf({ type, at, data }: Envelope): string {
  return canonicalJson([type, at, data ?? null]);
}

/** Takes over every swap of a text in a form of the real node. One that is refused does not keep the others out. */
export async function importText(engine: Engine, text: string): Promise<ImportReport> {
  const imported: string[] = [];
  const known: string[] = [];
  const skipped: { uuid: string | null; error: SwapfoldError }[] = [];
  for (const swap of decodeSwapsText(text)) {
    if (!swap.ok) {
      skipped.push({ uuid: swap.uuid, error: swap.error });
      continue;
    }
    const { uuid } = swap.log;
    try {
      const { known: isKnown } = await importSwap(engine, swap.log);
      (isKnown ? known : imported).push(uuid);
    } catch (error) {
      skipped.push({ uuid, error: error instanceof SwapfoldError ? error : runnerFailed(streamOf(swap.log), error) });
    }
  }
  return { imported, known, skipped };
}
