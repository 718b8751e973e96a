import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeSavedSwap, savedSwapText } from '../../events/encode.ts';
import { envelopeLine, jsonlText, streamOf, toEnvelopes } from '../../events/jsonl.ts';
import { redactLog } from '../../events/redact.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { asSwapfoldError } from '../../events/wrappers.ts';
import { createFileWriter, writeFileAtomically } from '../../log/files/write-file.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import { stringifyJson } from '../../primitives/json.ts';
import { csvHeader, csvRow } from '../csv.ts';
import { progressOver, swapsOf, type UnreadSwap } from '../each-swap.ts';
import { type CliIo, EXIT, type ExitCode, UsageError } from '../io.ts';
import { createOutput, type Output } from '../output.ts';
import { counted, errorLine } from '../render/text.ts';

export type ExportOptions = {
  readonly format: 'spec' | 'kdf' | 'jsonl' | 'csv';
  readonly out?: string;
  readonly secrets?: boolean;
  readonly force?: boolean;
};

/** Where the swaps of an export go. */
type Target = {
  readonly add: (text: string, log: SwapLog) => Promise<void>;
  readonly commit: () => Promise<void>;
  readonly abort: () => Promise<void>;
};

/** `swapfold export`: swaps in another form, to standard output, a file, or a folder with one file a swap. */
export async function exportCommand(
  inputs: readonly string[],
  { io, ...options }: ExportOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  const { target, folder } = await targetOf(options, io);
  const encode = createEncoder(options, folder);
  const progress = await progressOver(inputs, io);
  let written = 0;
  let failed = 0;
  let repeated = 0;
  const tell = (unread: UnreadSwap) => {
    failed++;
    progress.clear();
    io.stderr.write(`error  ${errorLine(unread, unread.error)}\n`);
  };
  try {
    for await (const read of swapsOf(inputs, { io, progress })) {
      if (!read.ok) {
        tell(read);
        continue;
      }
      try {
        const log = options.secrets === true ? read.log : redactLog(read.log);
        const text = encode(read.file, log);
        if (text === undefined) {
          repeated++;
          continue;
        }
        await target.add(text, log);
        written++;
      } catch (error) {
        if (!(error instanceof SwapfoldError) && !(error instanceof RangeError)) throw error;
        tell({ file: read.file, ok: false, uuid: read.log.uuid, error: asSwapfoldError(error) });
      }
    }
  } catch (error) {
    await target.abort();
    throw error;
  }
  await target.commit();
  if (options.out !== undefined) io.stderr.write(closingLine(options.out, { written, failed, repeated }));
  return failed === 0 ? EXIT.ok : EXIT.findings;
}

type Counts = { readonly written: number; readonly failed: number; readonly repeated: number };

function closingLine(out: string, { written, failed, repeated }: Counts): string {
  const left = failed === 0 ? '' : `, ${failed} left out`;
  const twice = repeated === 0 ? '' : `, ${counted(repeated, 'equal log')} written once`;
  return `Wrote ${counted(written, 'swap')} to ${out}${left}${twice}.\n`;
}

async function targetOf(options: ExportOptions, io: CliIo): Promise<{ target: Target; folder: boolean }> {
  const { out, format } = options;
  if (out === undefined) return { target: streamTarget(createOutput(io.stdout), options), folder: false };
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
  const seals = new Map<string, string>();
  return (_, log) => {
    const envelopes = toEnvelopes(log);
    const seal = envelopes.at(-1)?.hash ?? '';
    const known = seals.get(streamOf(log));
    if (known === seal) return undefined;
    if (known !== undefined) throw streamTwice(log);
    seals.set(streamOf(log), seal);
    return envelopes.map((envelope) => `${envelopeLine(envelope)}\n`).join('');
  };
}

function streamTwice(log: SwapLog): SwapfoldError {
  return new SwapfoldError(
    'Another log of this swap and role is in the export already, and a log file holds each once.',
    {
      code: 'STREAM_TWICE',
      facts: { stream: streamOf(log) },
      next: 'Export one of the two, or export to a folder, where each gets its own file.',
    },
  );
}

function streamTarget(output: Output, { format }: ExportOptions): Target {
  let first = true;
  const head = async () => {
    if (first && format === 'csv') await output.write(csvHeader());
    first = false;
  };
  return {
    async add(text) {
      await head();
      await output.write(text);
    },
    async commit() {
      await head();
      await output.flush();
    },
    abort: async () => {},
  };
}

async function fileTarget(out: string, options: ExportOptions): Promise<Target> {
  const writer = await createFileWriter(out, options);
  if (options.format === 'csv') await writer.write(csvHeader());
  return { add: writer.write, commit: writer.commit, abort: writer.abort };
}

function folderTarget(folder: string, options: ExportOptions): Target {
  const names = new Set<string>();
  const ending = options.format === 'jsonl' ? 'jsonl' : 'json';
  return {
    async add(text, { uuid }) {
      const name = freeName(uuid, names);
      await writeFileAtomically(join(folder, `${name}.${ending}`), text, options);
      names.add(name);
    },
    commit: async () => {},
    abort: async () => {},
  };
}

/** Both parties' logs of a swap, or two stored at different moments, have one uuid: the later ones get a number. */
function freeName(uuid: string, taken: ReadonlySet<string>): string {
  let name = uuid;
  for (let copy = 2; taken.has(name); copy++) name = `${uuid}-${copy}`;
  return name;
}
