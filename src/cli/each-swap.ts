import { expandInputs } from '../log/files/inputs.ts';
import type { ReadSwap } from '../log/files/read-swap.ts';
import { type ReadInputsOptions, readInputs } from '../log/files/read-swaps.ts';
import type { SwapfoldError } from '../primitives/error.ts';
import type { SkippedStream } from '../replay/jsonl/skipped.ts';
import { type CliIo, EXIT, type ExitCode } from './io.ts';
import { createOutput, type Output } from './output.ts';
import { createProgress, type Progress } from './progress.ts';
import { asideOf, clean, counted, listed, type Style, styleOf } from './render/text.ts';
import { RepeatedErrors } from './repeated-errors.ts';
import { jsonLine } from './rows.ts';
import {
  isNear,
  isSelected,
  mayBeMeant,
  type Selection,
  type SelectionOptions,
  selectionOf,
  sorted,
} from './selection.ts';
import { alone, type Sides, surveyed, type Telling } from './told-together.ts';
import { swapError } from './unexpected.ts';
import { complain, complainOf, detail, note } from './voice.ts';

export type ReadableSwap = Extract<ReadSwap, { readonly ok: true }>;
export type UnreadSwap = Extract<ReadSwap, { readonly ok: false }>;

/** What a command prints for one swap. */
export type SwapResult = {
  /** The row of `--json`. */
  readonly row: unknown;
  readonly text: (style: Style) => string;
  /** The swap makes the exit code 1. */
  readonly findings: boolean;
};

export type RecordsHandlers = {
  readonly print: (result: SwapResult | UnreadSwap) => void;
  /** Takes a stream of the file that is no swap. */
  readonly onSkipped: (stream: SkippedStream) => void;
  /** Takes the part of the file that is done, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
};

export type SwapCommand = {
  readonly io: CliIo;
  readonly json: boolean;
  /** Give each swap its sealed records, where it came as such. */
  readonly records?: boolean;
  /** Which swaps it is about. @defaultValue all */
  readonly selection?: SelectionOptions | undefined;
  /** A blank line between the texts of two swaps. */
  readonly spaced?: boolean;
  /** Handles one swap; an unread one in answer says that this swap cannot be handled. */
  readonly swap: (read: ReadableSwap) => SwapResult | UnreadSwap;
  /** The row of `--json` for a swap that cannot be read. */
  readonly unreadRow: (unread: UnreadSwap) => unknown;
  /** Told of every swap that cannot be read. */
  readonly onUnread?: (unread: UnreadSwap) => void;
  /** Handles a whole file of event records in a quicker way than swap by swap. */
  readonly takeRecords?: (file: string, handlers: RecordsHandlers) => Promise<void>;
  /**
   * Tells the logs of both sides of a swap together. With it all inputs are looked at first, and a text begins with a summary where there are several
   * logs; the text of a pair takes the place of those of its logs, and its row comes beside theirs.
   */
  readonly both?: (sides: Sides) => SwapResult;
  /** Text after the last swap. */
  readonly summary?: (style: Style) => string;
};

/**
 * Runs a command over every swap of the inputs, one after the other, and prints each as it comes: nothing is collected,
 * and what cannot be read is told in its place.
 */
export async function eachSwap(inputs: readonly string[], command: SwapCommand): Promise<ExitCode> {
  const { io, json } = command;
  const selection = selectionOf(inputs, command.selection ?? {});
  // Swaps that are handled in a quicker way than one by one cannot be told apart.
  const takeRecords = selection.isActive ? undefined : command.takeRecords;
  const out = createOutput(io.stdout);
  const style = styleOf(io);
  const progress = await progressOver(selection.places, io);
  const isQuiet = io.verbosity === 'quiet';
  const printer = createPrinter(command, style);
  const print = (result: SwapResult | UnreadSwap, file: string) => {
    const text = textOr(
      () => printer.text(result),
      (error) => printer.text({ file, ok: false, uuid: null, error }),
    );
    progress.clear();
    out.put(text);
  };
  let skipped = 0;
  const near = new Set<string>();
  const onSkipped = () => {
    skipped++;
  };
  const handlersOf = (file: string): RecordsHandlers => {
    return { print: (result) => print(result, file), onSkipped, onProgress: progress.within };
  };
  const reading: ReadInputsOptions = {
    stdin: io.stdin,
    records: command.records ?? false,
    onSkipped,
    onFile: progress.file,
    ...(takeRecords === undefined ? {} : { takeRecords: (file) => takeRecords(file, handlersOf(file)) }),
  };
  const tell = tellerOf(command, printer);
  try {
    let found = 0;
    const open = () => {
      skipped = 0;
      return selected(readInputs(expandInputs(selection.places), reading), { selection, near });
    };
    const given = command.both === undefined ? { reads: alone(open()), survey: null } : await surveyed(open, selection);
    progress.clear();
    if (!json && !isQuiet && given.survey !== null) await out.write(given.survey.text(style));
    for await (const telling of given.reads) {
      found += telling.read.ok ? 1 : 0;
      const text = tell(telling);
      progress.clear();
      await out.write(text);
    }
    await out.write(printer.end());
    if (selection.isActive && found === 0) complain(io, printer.miss(selection, near));
    if (!json && !isQuiet && command.summary !== undefined) await out.write(command.summary(style));
    await noteSkipped(skipped, { io, json, out });
    await printer.tellStrangers(out);
  } finally {
    progress.clear();
    await out.flush();
  }
  return printer.findings() ? EXIT.findings : EXIT.ok;
}

/** The text of one log, and of the pair that is whole with it. */
function tellerOf({ json, swap, both }: SwapCommand, printer: ReturnType<typeof createPrinter>) {
  const own = (read: ReadableSwap): string =>
    textOr(
      () => printer.text(swap(read)),
      (error) => printer.text(unreadOf(read, error)),
    );
  const together = (sides: Sides): string =>
    textOr(
      () => (both === undefined ? '' : printer.text(both(sides))),
      (error) => printer.text(unreadOf(sides.taker, error)),
    );
  return ({ read, inPair, pair }: Telling): string => {
    const text = !read.ok ? printer.text(read) : json || !inPair ? own(read) : '';
    return pair === null ? text : `${text}${together(pair)}`;
  };
}

/** The swaps that are asked for, in the order that is asked for. Reading ends where no more are wanted. */
async function* selected(
  reads: AsyncIterable<ReadSwap>,
  { selection, near }: { readonly selection: Selection; readonly near: Set<string> },
): AsyncGenerator<ReadSwap> {
  const { sort, limit = Number.POSITIVE_INFINITY } = selection.options;
  if (!selection.isActive) {
    yield* reads;
    return;
  }
  const kept: ReadableSwap[] = [];
  let given = 0;
  for await (const read of reads) {
    if (!read.ok) {
      if (mayBeMeant(selection, read.uuid)) yield read;
    } else if (isNear(selection, read.log.uuid) && !mayBeMeant(selection, read.log.uuid)) {
      near.add(read.log.uuid);
    } else if (isSelected(selection, read)) {
      if (sort !== undefined) kept.push(read);
      else {
        yield read;
        given += 1;
        if (given >= limit) return;
      }
    }
  }
  yield* sorted(selection, kept).slice(0, limit === Number.POSITIVE_INFINITY ? undefined : limit);
}

/** Swaps with a similar id that are named, each whole, to be copied. */
const MOST_NEAR = 5;

function missText({ ids, places }: Selection, near: ReadonlySet<string>): string {
  const where = clean(places.join(', '));
  if (ids.length === 0) return `No swap in ${where} matches.`;
  const hint = near.size === 0 ? '' : ` Similar: ${listed([...near].map(clean), MOST_NEAR)}.`;
  return `${where} holds no swap ${ids.join(' or ')} that matches.${hint}`;
}

/** What else the files hold, so that nobody takes it for swaps that are missing. */
async function noteSkipped(
  skipped: number,
  { io, json, out }: Pick<SwapCommand, 'io' | 'json'> & { readonly out: Output },
) {
  if (skipped === 0) return;
  const text = `skipped: ${counted(skipped, 'stream')} that ${skipped === 1 ? 'is no swap' : 'are no swaps'}\n`;
  if (json) note(io, text);
  else if (io.verbosity !== 'quiet') await out.write(text);
}

/** The text of one swap, or that of what went wrong with it, which must not hide the others. */
function textOr(text: () => string, failed: (error: SwapfoldError) => string): string {
  try {
    return text();
  } catch (error) {
    return failed(swapError(error));
  }
}

function unreadOf({ file, line, log }: ReadableSwap, error: SwapfoldError): UnreadSwap {
  return { file, ok: false, uuid: log.uuid, error, ...(line === undefined ? {} : { line }) };
}

/** Files without swaps that are told, or named, one by one. */
const MOST_STRANGERS = 3;

function createPrinter({ io, json, spaced, unreadRow, onUnread }: SwapCommand, style: Style) {
  let findings = false;
  let first = true;
  const repeated = new RepeatedErrors();
  // Rows of `--json` are data; a text for people goes beside what was found, so that a pipe gets swaps alone.
  const strangers = new Map<string, UnreadSwap[]>();
  const unreadText = (unread: UnreadSwap): string => {
    if (json) return jsonLine(unreadRow(unread));
    if (unread.error.code !== 'NOT_A_SWAP') complainOf(io, unread);
    else strangers.set(unread.file, [...(strangers.get(unread.file) ?? []), unread]);
    return '';
  };
  return {
    findings: () => findings,
    /** Nothing was found where something was asked for. */
    miss: (selection: Selection, near: ReadonlySet<string>) => {
      findings = true;
      return `swapfold: ${missText(selection, near)}\n`;
    },
    /** Files that hold something else than swaps, behind all that was told: a few each by itself, more in one line. */
    tellStrangers: async (out: Output) => {
      await out.flush();
      if (strangers.size <= MOST_STRANGERS || io.verbosity === 'verbose') {
        for (const unread of [...strangers.values()].flat()) complainOf(io, unread);
        return;
      }
      const { paint } = asideOf(io);
      const named = listed([...strangers.keys()].map(clean), MOST_STRANGERS);
      complain(
        io,
        `${paint.red('error')}  ${strangers.size} files hold something else than stored swaps: ${named} [NOT_A_SWAP]\n`,
      );
      if (io.verbosity !== 'quiet') complain(io, '       With --verbose each is told with its reason.\n');
    },
    /** Of errors that were not told each by itself. */
    end: () => repeated.end().map(unreadText).join(''),
    text(result: SwapResult | UnreadSwap): string {
      if (!('ok' in result)) {
        const gap = first || spaced !== true ? '' : '\n';
        first = false;
        findings ||= result.findings;
        return json ? jsonLine(result.row) : `${gap}${result.text(style)}`;
      }
      findings = true;
      onUnread?.(result);
      return repeated.next(result).map(unreadText).join('');
    },
  };
}

/** A progress bar over the files of the inputs, which are counted first where a terminal shows it; each file that is done is a detail. */
export async function progressOver(inputs: readonly string[], io: CliIo): Promise<Progress> {
  const progress = await barOver(inputs, io);
  return {
    ...progress,
    file(name) {
      progress.clear();
      detail(io, `read ${name}`);
      progress.file(name);
    },
  };
}

async function barOver(inputs: readonly string[], io: CliIo): Promise<Progress> {
  if (io.stderr.isTTY !== true || inputs.includes('-')) return createProgress(io);
  let total = 0;
  for await (const _ of expandInputs(inputs)) total++;
  return createProgress(io, { total });
}

/** Every swap of every input, one after the other; what cannot be read comes in its place. */
export async function* swapsOf(
  inputs: readonly string[],
  { io, progress }: { readonly io: CliIo; readonly progress: Progress },
): AsyncGenerator<ReadSwap> {
  yield* readInputs(expandInputs(inputs), { stdin: io.stdin, onFile: progress.file });
  progress.clear();
}
