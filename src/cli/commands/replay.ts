import type { SwapLog } from '../../events/saved-swap.ts';
import { FileError } from '../../log/file-error.ts';
import { STDIN } from '../../log/files/inputs.ts';
import { replayJsonlFile } from '../../log/files/replay-file.ts';
import { outcomeEnd, type PaymentEnd } from '../../replay/payment-ends.ts';
import { type ReplayedSwap, replaySwap } from '../../replay/swaps.ts';
import { toldFunds } from '../../replay/told-funds.ts';
import { moment } from '../arguments.ts';
import { eachSwap, type ReadableSwap, type RecordsHandlers, type SwapResult, type UnreadSwap } from '../each-swap.ts';
import { needsLook } from '../findings.ts';
import type { CliIo, ExitCode } from '../io.ts';
import { addSwap, emptyTotals, replayLines, replaySummary, type Span } from '../render/replay.ts';
import { count } from '../render/text.ts';
import { replayRow, unreadReplayRow } from '../rows.ts';
import type { SelectionOptions } from '../selection.ts';
import { swapError } from '../unexpected.ts';
import { stepOf } from '../unsure.ts';

export type ReplayOptions = SelectionOptions & { readonly json?: boolean; readonly workers?: number };

/**
 * `swapfold replay`: every swap on a line, as it comes, then what was found.
 *
 * A file of event records is replayed without its logs being built, where nothing but the verdict is printed (`--json`)
 * or threads are asked for; lines of text then lack the time of the swap.
 */
export function replayCommand(
  inputs: readonly string[],
  { io, json = false, workers, ...selection }: ReplayOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  const totals = emptyTotals();
  // A file is named with the first of its swaps.
  let latest: string | undefined;
  const result = (file: string, swap: ReplayedSwap, { span, end }: Looked = {}): SwapResult => {
    addSwap(totals, swap, end);
    const from = {
      span,
      ...(end === undefined ? {} : { end }),
      ...(file === latest || file === STDIN ? {} : { file }),
    };
    latest = file;
    return {
      row: json ? replayRow(file, swap, end) : undefined,
      text: (style) => replayLines(swap, from, style),
      findings: needsLook({ ...swap, end, now: moment('now') }),
    };
  };
  const resultOrError = (file: string, swap: ReplayedSwap, end: PaymentEnd | null = null): SwapResult | UnreadSwap => {
    try {
      return result(file, swap, { end });
    } catch (error) {
      return { file, ok: false, uuid: swap.uuid, error: swapError(error) };
    }
  };
  const takeRecords = async (file: string, { print, onSkipped, onProgress }: RecordsHandlers) => {
    try {
      await replayJsonlFile(file, {
        workers: workers ?? 1,
        ends: true,
        onSwap: (swap, { end }) => print(resultOrError(file, swap, end)),
        onError: ({ line, stream, error }) =>
          print({ file, line, ok: false, uuid: stream?.split('/')[1] ?? null, error }),
        onSkipped,
        onProgress: ({ bytes, size }) => onProgress(bytes / size),
      });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      print({ file, ok: false, uuid: null, error });
    }
  };
  return eachSwap(inputs, {
    io,
    json,
    selection,
    swap(read) {
      const { swap, end } = lookedAt(read, json);
      return result(read.file, swap, { span: spanOf(read.log), end });
    },
    ...(json || workers !== undefined ? { takeRecords } : {}),
    unreadRow: unreadReplayRow,
    onUnread: ({ error }) => count(totals.errors, error.code),
    summary: (style) => replaySummary(totals, style),
  });
}

/** The verdict over a log, in a text with amounts as its chains have them, and how far the log bears it out. */
function lookedAt({ log, unsure }: ReadableSwap, json: boolean): { swap: ReplayedSwap; end: PaymentEnd | null } {
  const swap = replaySwap(log);
  const { funds, exact } = toldFunds(swap.funds, log);
  const next = stepOf(swap.next, unsure === true);
  const told = next === null ? null : { ...next, text: exact(next.text) };
  const end = outcomeEnd(swap, { log });
  return { swap: { ...swap, next: told, funds: json ? swap.funds : funds }, end };
}

/** What a log shows beside its verdict. */
type Looked = { readonly span?: Span | undefined; readonly end?: PaymentEnd | null };

function spanOf({ events }: SwapLog): Span | undefined {
  const [first] = events;
  const last = events.at(-1);
  return first === undefined || last === undefined ? undefined : { from: first.at, to: last.at };
}
