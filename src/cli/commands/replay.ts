import type { SwapLog } from '../../events/saved-swap.ts';
import { FileError } from '../../log/file-error.ts';
import { STDIN } from '../../log/files/inputs.ts';
import { replayJsonlFile } from '../../log/files/replay-file.ts';
import { type ReplayedSwap, replaySwap } from '../../replay/swaps.ts';
import { eachSwap, type RecordsHandlers, type SwapResult, type UnreadSwap } from '../each-swap.ts';
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
  const result = (file: string, swap: ReplayedSwap, span?: Span): SwapResult => {
    addSwap(totals, swap);
    const from = { span, ...(file === latest || file === STDIN ? {} : { file }) };
    latest = file;
    return {
      row: json ? replayRow(file, swap) : undefined,
      text: (style) => replayLines(swap, from, style),
      findings: needsLook(swap),
    };
  };
  const resultOrError = (file: string, swap: ReplayedSwap): SwapResult | UnreadSwap => {
    try {
      return result(file, swap);
    } catch (error) {
      return { file, ok: false, uuid: swap.uuid, error: swapError(error) };
    }
  };
  const takeRecords = async (file: string, { print, onSkipped, onProgress }: RecordsHandlers) => {
    try {
      await replayJsonlFile(file, {
        workers: workers ?? 1,
        onSwap: (swap) => print(resultOrError(file, swap)),
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
    swap: ({ file, log, unsure }) => {
      const swap = replaySwap(log);
      return result(file, { ...swap, next: stepOf(swap.next, unsure === true) }, spanOf(log));
    },
    ...(json || workers !== undefined ? { takeRecords } : {}),
    unreadRow: unreadReplayRow,
    onUnread: ({ error }) => count(totals.errors, error.code),
    summary: (style) => replaySummary(totals, style),
  });
}

function spanOf({ events }: SwapLog): Span | undefined {
  const [first] = events;
  const last = events.at(-1);
  return first === undefined || last === undefined ? undefined : { from: first.at, to: last.at };
}
