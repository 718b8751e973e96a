import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeSavedSwap, savedSwapText } from '../../events/encode.ts';
import { envelopeLine, jsonlText, streamOf, toEnvelopes } from '../../events/jsonl.ts';
import { redactLog } from '../../events/redact.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { FileError } from '../../log/file-error.ts';
import { createFileWriter, writeFileAtomically } from '../../log/files/write-file.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import { isJsonObject, stringifyJson } from '../../primitives/json.ts';
import { csvHeader, csvRow } from '../csv.ts';
import { progressOver, swapsOf, type UnreadSwap } from '../each-swap.ts';
import { cleanedUp } from '../interrupt.ts';
import { type CliIo, EXIT, type ExitCode, UsageError } from '../io.ts';
import { createOutput, type Output } from '../output.ts';
import { clean, counted } from '../render/text.ts';
import { RepeatedErrors } from '../repeated-errors.ts';
import { shownJson } from '../rows.ts';
import { swapError } from '../unexpected.ts';
import { complain, complainOf, note } from '../voice.ts';

export type ExportOptions = {
  readonly format: 'spec' | 'kdf' | 'jsonl' | 'csv';
  readonly out?: string;
  readonly secrets?: boolean;
  readonly force?: boolean;
  /** Several swaps may go into one file. A table of them is one file anyway. */
  readonly join?: boolean;
};

/** Where the swaps of an export go. */
type Target = {
  /** Gives the error that concerns this swap alone; one that stops all is thrown. */
  readonly add: (text: string, log: SwapLog) => Promise<FileError | undefined>;
  readonly commit: () => Promise<void>;
  readonly abort: () => Promise<void>;
};

/** `swapfold export`: swaps in another form, to standard output, a file, or a folder with one file a swap. */
export function exportCommand(
  inputs: readonly string[],
  { io, ...options }: ExportOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  return cleanedUp(() => exported(inputs, { io, options }));
}

async function exported(
  inputs: readonly string[],
  { io, options }: { readonly io: CliIo; readonly options: ExportOptions },
): Promise<ExitCode> {
  const { target, folder } = await targetOf(options, io);
  const encode = createEncoder(options, folder);
  const progress = await progressOver(inputs, io);
  let written = 0;
  const uuids = new Set<string>();
  let failed = 0;
  let repeated = 0;
  let zeroed = 0;
  const repeatedErrors = new RepeatedErrors();
  const telling = (all: readonly UnreadSwap[]) => {
    progress.clear();
    for (const each of all) complainOf(io, each);
  };
  const tell = (unread: UnreadSwap) => {
    failed++;
    telling(repeatedErrors.next(unread));
  };
  try {
    for await (const read of swapsOf(inputs, { io, progress })) {
      if (!read.ok) {
        tell(read);
        continue;
      }
      const { file } = read;
      let log = read.log;
      let text: string | undefined;
      try {
        if (options.secrets !== true) log = redactLog(log);
        text = encode(file, log);
      } catch (error) {
        tell({ file, ok: false, uuid: read.log.uuid, error: swapError(error) });
        continue;
      }
      if (text === undefined) {
        repeated++;
        continue;
      }
      const refused = await target.add(text, log);
      if (refused === undefined) {
        written++;
        uuids.add(log.uuid);
        if (options.format === 'kdf' && hasZeroedSecret(log)) zeroed++;
      } else tell({ file, ok: false, uuid: log.uuid, error: refused });
    }
  } catch (error) {
    await target.abort();
    if (!(error instanceof SwapfoldError) || error.code !== JOINS) throw error;
    complain(io, `swapfold: ${error.shortMessage} ${error.next ?? ''} [${error.code}]\n`);
    return EXIT.usage;
  }
  await target.commit();
  telling(repeatedErrors.end());
  if (zeroed > 0) complain(io, zeroedText(zeroed));
  if (options.out !== undefined) note(io, closingLine(options.out, { written, swaps: uuids.size, failed, repeated }));
  return failed === 0 ? EXIT.ok : EXIT.findings;
}

/** A maker's log without its secret: the real node imports it, but then cannot claim with it. */
function hasZeroedSecret({ role, events }: SwapLog): boolean {
  const data = events.find(({ type }) => type === 'Started')?.data;
  return role === 'maker' && isJsonObject(data) && typeof data['secret'] === 'string' && /^0{64}$/.test(data['secret']);
}

function zeroedText(count: number): string {
  const which = count === 1 ? '1 swap of a maker has' : `${count} swaps of makers have`;
  return `warning: ${which} zeros in the place of the secret. A node that imports such a swap cannot claim the taker payment; export with --secrets to move a swap to a node.\n`;
}

const JOINS = 'EXPORT_JOINS';

function joins(out: string): SwapfoldError {
  return new SwapfoldError(`The inputs hold several swaps, and --out names one file, ${clean(out)}.`, {
    code: JOINS,
    facts: { out },
    next: `Name a folder, with a slash at its end (${clean(out)}/), for one file a swap, or add --join for all of them in one file.`,
  });
}

type Counts = { readonly written: number; readonly swaps: number; readonly failed: number; readonly repeated: number };

function closingLine(out: string, { written, swaps, failed, repeated }: Counts): string {
  const left = failed === 0 ? '' : `, ${failed} left out`;
  const twice = repeated === 0 ? '' : `, ${counted(repeated, 'equal log')} written once`;
  const what = written === swaps ? counted(swaps, 'swap') : `${counted(written, 'log')} of ${counted(swaps, 'swap')}`;
  return `Wrote ${what} to ${clean(out)}${left}${twice}.\n`;
}

async function targetOf(options: ExportOptions, io: CliIo): Promise<{ target: Target; folder: boolean }> {
  const { out, format } = options;
  if (out === undefined) {
    const shown = io.stdout.isTTY === true && format !== 'csv' ? shownJson : (text: string) => text;
    return { target: streamTarget(createOutput(io.stdout), { format, shown }), folder: false };
  }
  const folder = /[\\/]$/.test(out) || (await isFolder(out));
  if (!folder) return { target: await fileTarget(out, options), folder };
  if (format === 'csv') throw new UsageError(`a csv export needs a file, but --out ${out} is a folder`);
  return { target: folderTarget(out, options), folder };
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

type Encode = (file: string, log: SwapLog) => string | undefined;

/** How a swap is written; undefined for a log of which the same text is written already and may not stand twice. */
function createEncoder({ format }: ExportOptions, folder: boolean): Encode {
  if (format === 'csv') return csvRow;
  if (format !== 'jsonl') {
    return (_, log) =>
      folder ? `${stringifyJson(encodeSavedSwap(log, format), 2)}\n` : `${savedSwapText(log, format)}\n`;
  }
  if (folder) return (_, log) => jsonlText(log);
  const seals = new Map<string, { readonly seal: string; readonly file: string }>();
  return (file, log) => {
    const envelopes = toEnvelopes(log);
    const seal = envelopes.at(-1)?.hash ?? '';
    const known = seals.get(streamOf(log));
    if (known?.seal === seal) return undefined;
    if (known !== undefined) throw streamTwice(log, known.file);
    seals.set(streamOf(log), { seal, file });
    return envelopes.map((envelope) => `${envelopeLine(envelope)}\n`).join('');
  };
}

function streamTwice(log: SwapLog, other: string): SwapfoldError {
  return new SwapfoldError(
    'Another log of this swap and role is in the export already, and a log file holds each once.',
    {
      code: 'STREAM_TWICE',
      facts: { stream: streamOf(log), reason: `the one exported is in ${other}` },
      next: 'Export only the most complete of the two files, or export to a folder, where each gets its own file.',
    },
  );
}

type Shown = Pick<ExportOptions, 'format'> & { readonly shown: (text: string) => string };

function streamTarget(output: Output, { format, shown }: Shown): Target {
  let first = true;
  const head = async () => {
    if (first && format === 'csv') await output.write(csvHeader());
    first = false;
  };
  return {
    async add(text) {
      await head();
      await output.write(shown(text));
      return undefined;
    },
    async commit() {
      await head();
      await output.flush();
    },
    // What is whole already still goes out.
    abort: () => output.flush().catch(() => {}),
  };
}

async function fileTarget(out: string, options: ExportOptions): Promise<Target> {
  const writer = await createFileWriter(out, options);
  try {
    if (options.format === 'csv') await writer.write(csvHeader());
  } catch (error) {
    await writer.abort();
    throw error;
  }
  let isEmpty = true;
  return {
    async add(text) {
      if (!isEmpty && options.join !== true && options.format !== 'csv') throw joins(out);
      isEmpty = false;
      await writer.write(text);
      return undefined;
    },
    commit: writer.commit,
    abort: writer.abort,
  };
}

function folderTarget(folder: string, options: ExportOptions): Target {
  const names = new Set<string>();
  const ending = options.format === 'jsonl' ? 'jsonl' : 'json';
  return {
    async add(text, log) {
      const name = freeName(log, names);
      try {
        await writeFileAtomically(join(folder, `${name}.${ending}`), text, options);
      } catch (error) {
        // A name that is taken concerns one swap; a full disk all of them.
        if (error instanceof FileError && error.code === 'FILE_EXISTS') return error;
        throw error;
      }
      names.add(name);
      return undefined;
    },
    commit: async () => {},
    abort: async () => {},
  };
}

/** Both parties' logs of a swap, or two stored at different moments, have one uuid: the later ones get their role, and a number. */
function freeName({ uuid, role }: Pick<SwapLog, 'uuid' | 'role'>, taken: ReadonlySet<string>): string {
  let name: string = uuid;
  for (let copy = 1; taken.has(name); copy++) name = `${uuid}-${role}${copy === 1 ? '' : `-${copy}`}`;
  return name;
}
