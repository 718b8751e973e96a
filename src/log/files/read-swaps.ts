import { millisOf } from '../../primitives/time.ts';
import { asFileError } from '../file-error.ts';
import { LogError } from '../log-error.ts';
import { type InputFile, STDIN } from './inputs.ts';
import { linesOf } from './lines.ts';
import { type OpenFile, type OpenOptions, openFile } from './open-file.ts';
import { type ReadRecordsOptions, readRecords } from './read-records.ts';
import type { ReadSwap } from './read-swap.ts';
import { readText } from './read-text.ts';
import { resultOf, swapsOfText } from './swaps-of-text.ts';

export type ReadOptions = OpenOptions & ReadRecordsOptions;

export type ReadInputsOptions = ReadOptions & {
  /** Called when a file is done. */
  readonly onFile?: (file: string) => void;
  /** Takes over a file of event records that lies on the disk unpacked: its swaps then do not come out here. */
  readonly takeRecords?: (file: string) => Promise<void>;
};

/**
 * Reads every swap of one file in any form: a JSON text of the real node (saved swap, RPC answer, array of these), one
 * such text a line, or event records a line; each plain or compressed by gzip. `-` is standard input.
 *
 * Never throws: what cannot be read comes as an element with `ok: false`.
 *
 * @example
 * ```ts
 * import { mkdtemp, rm, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { savedSwapText } from 'swapfold';
 * import { readSwaps } from 'swapfold/log/files';
 * import { buildSwap, successPath } from 'swapfold/testing';
 *
 * const folder = await mkdtemp(`${tmpdir()}/swaps-`);
 * const text = savedSwapText(buildSwap({ role: 'taker', path: successPath('taker') }));
 * await writeFile(`${folder}/swaps.json`, `[${text}, {"uuid": "1"}]`);
 * const read: boolean[] = [];
 * for await (const { ok } of readSwaps(`${folder}/swaps.json`)) read.push(ok);
 * read; // → [true, false]
 * await rm(folder, { recursive: true });
 * ```
 */
export async function* readSwaps(file: string, options: ReadOptions = {}): AsyncGenerator<ReadSwap> {
  yield* readOpened(file, openFile(file, options), options);
}

/**
 * Files opened before it is their turn, as many again at once: in folders with thousands the disk would otherwise be waited for at each, and each
 * would wake the threads that wait for it.
 */
const READ_AHEAD = 32;

/**
 * Every swap of every file, in order. Files that could not be found come as unread swaps in their place.
 *
 * @example
 * ```ts
 * import { mkdtemp, rm, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { savedSwapText } from 'swapfold';
 * import { expandInputs, readInputs } from 'swapfold/log/files';
 * import { buildSwapPair } from 'swapfold/testing';
 *
 * const folder = await mkdtemp(`${tmpdir()}/swaps-`);
 * const { taker, maker } = buildSwapPair();
 * await writeFile(`${folder}/b.json`, savedSwapText(taker));
 * await writeFile(`${folder}/a.json`, savedSwapText(maker));
 * const roles: string[] = [];
 * for await (const swap of readInputs(expandInputs([folder]))) if (swap.ok) roles.push(swap.log.role);
 * roles; // → ['maker', 'taker']
 * await rm(folder, { recursive: true });
 * ```
 */
export async function* readInputs(
  inputs: AsyncIterable<InputFile>,
  options: ReadInputsOptions = {},
): AsyncGenerator<ReadSwap> {
  const waiting: { readonly input: InputFile; readonly open: Promise<OpenFile> | undefined }[] = [];
  const read = async function* (): AsyncGenerator<ReadSwap> {
    const next = waiting.shift();
    if (next === undefined) return;
    const { input, open } = next;
    if (input.ok) yield* readOpened(input.file, open ?? openFile(input.file, options), options);
    else yield { file: input.file, ok: false, uuid: null, error: input.error };
    options.onFile?.(input.file);
  };
  for await (const input of inputs) {
    const open = input.ok && input.file !== STDIN ? openFile(input.file, options) : undefined;
    // It is looked at when its turn comes; until then a failure is nobody's.
    open?.catch(() => {});
    waiting.push({ input, open });
    if (waiting.length === 2 * READ_AHEAD) while (waiting.length > READ_AHEAD) yield* read();
  }
  while (waiting.length > 0) yield* read();
}

async function* readOpened(
  file: string,
  opened: Promise<OpenFile>,
  { takeRecords, records = false, onSkipped }: ReadInputsOptions,
): AsyncGenerator<ReadSwap> {
  let taken = false;
  try {
    const open = await opened;
    taken = open.form === 'records' && open.size !== undefined && takeRecords !== undefined;
    if (taken) await open.bytes[Symbol.asyncIterator]().return?.();
    else {
      for await (const swap of readForm(open, { records, ...(onSkipped === undefined ? {} : { onSkipped }) })) {
        const read = swap.ok && open.own === true ? ownOf(swap) : swap;
        yield read.ok && open.cut?.() !== undefined ? { ...read, unsure: true } : read;
      }
    }
    const cut = open.cut?.();
    if (cut !== undefined) yield { file, ok: false, uuid: null, error: cut };
    for (const { stream, error } of open.damaged?.() ?? []) {
      yield { file, ok: false, uuid: stream.slice(stream.indexOf('/') + 1), error };
    }
  } catch (error) {
    const known = error instanceof LogError;
    yield { file, ok: false, uuid: null, error: known ? error : asFileError(error, file) };
    return;
  }
  if (taken && takeRecords !== undefined) await takeRecords(file);
}

/** This engine continues a swap in its own log, even one that was imported and not touched yet. */
function ownOf(swap: Extract<ReadSwap, { readonly ok: true }>): ReadSwap {
  const { log } = swap;
  if (log.journal !== undefined) return swap;
  return { ...swap, log: { ...log, journal: { importedAt: log.events[0]?.at ?? millisOf(0), records: [] } } };
}

function readForm(open: OpenFile, options: ReadRecordsOptions): AsyncGenerator<ReadSwap> {
  if (open.form === 'records') return readRecords(open, options);
  return open.form === 'lines' ? readLines(open) : readText(open);
}

async function* readLines({ file, bytes }: OpenFile): AsyncGenerator<ReadSwap> {
  for await (const { number, bytes: text, cut } of linesOf(bytes, file)) {
    for (const swap of swapsOfText(text)) {
      // A line that the file's damage cut off is not a separate fault.
      if (swap.ok || cut !== true) yield { file, line: number, ...resultOf(swap) };
    }
  }
}
