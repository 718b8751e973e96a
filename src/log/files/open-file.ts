import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { asFileError, FileError } from './file-error.ts';
import { STDIN } from './inputs.ts';

/**
 * How a file holds its swaps: one JSON text (`whole`), one JSON text a line (`lines`), or one record of an event log a
 * line (`records`).
 */
export type SwapForm = 'whole' | 'lines' | 'records';

export type OpenFile = {
  readonly file: string;
  readonly form: SwapForm;
  /** Bytes to come, where they are those of the file as it lies on the disk. */
  readonly size?: number;
  /** UTF-8 without a byte order mark, unpacked; to be read once. Throws a FileError where the file ends too early or is damaged. */
  readonly bytes: AsyncIterable<Uint8Array>;
};

export type OpenOptions = {
  /** Where `-` is read from; by default the process's own standard input. */
  readonly stdin?: AsyncIterable<Uint8Array>;
};

const CHUNK = 256 * 1024;

/** How far into a file its first line is looked for. */
const SNIFF_BYTES = 1024 * 1024;

/** Unpacked size from which on a compressed file must not be too good to be true. */
const INFLATION_CHECK_FROM = 64 * 1024 * 1024;

/** Stored swaps pack to between a fifth and a hundredth; what packs much better is made to fill a memory. */
const MAX_INFLATION = 400;

/**
 * Opens a file, unpacks it where its first bytes say gzip, and finds out by its first line what form it has. The name's
 * ending decides nothing, except for a damaged first line of a `.jsonl`.
 *
 * @throws FileError FILE_NOT_FOUND, FILE_UNREADABLE or FILE_DAMAGED; the bytes may throw FILE_DAMAGED or FILE_TOO_LARGE.
 */
export async function openFile(file: string, { stdin = process.stdin }: OpenOptions = {}): Promise<OpenFile> {
  const { source, size } = file === STDIN ? { source: stdin, size: undefined } : await sourceOf(file);
  const raw = await peek(named(source, file), (head) => head.length >= 2);
  const gzip = raw.head[0] === 0x1f && raw.head[1] === 0x8b;
  const unpacked = gzip ? named(inflate(raw.bytes, file), file) : raw.bytes;
  const utf8 = await asUtf8(unpacked, file);
  const text = await peek(utf8.bytes, (head) => head.length >= SNIFF_BYTES || holdsSecondLine(head));
  const known = gzip || utf8.changed || size === undefined ? {} : { size };
  return { file, form: formOf(text.head, file), bytes: text.bytes, ...known };
}

const LINE_FEED = 10;

function holdsSecondLine(head: Uint8Array): boolean {
  const end = head.indexOf(LINE_FEED);
  return end >= 0 && end < head.length - 1;
}

type Source = { readonly source: AsyncIterable<Uint8Array>; readonly size: number | undefined };

async function sourceOf(file: string): Promise<Source> {
  try {
    const found = await stat(file);
    if (!found.isFile()) return { source: createReadStream(file), size: undefined };
    // Folders hold thousands of small files, for which a stream each costs more than all the reading.
    if (found.size <= CHUNK) return { source: once(await readFile(file)), size: found.size };
    return { source: createReadStream(file, { highWaterMark: CHUNK }), size: found.size };
  } catch (error) {
    throw asFileError(error, file);
  }
}

async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}

/** Reads on until enough is there to look at, and gives all of it back together with the rest. */
async function peek(source: AsyncIterable<Uint8Array>, enough: (head: Uint8Array) => boolean) {
  const iterator = source[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  while (!enough(head)) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  const bytes = (async function* () {
    try {
      if (head.length > 0) yield head;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  })();
  return { head, bytes };
}

async function* named(source: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    throw asFileError(error, file);
  }
}

async function* inflate(packed: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  let taken = 0;
  let given = 0;
  const counted = async function* () {
    for await (const chunk of packed) {
      taken += chunk.length;
      yield chunk;
    }
  };
  const gunzip = createGunzip({ chunkSize: CHUNK });
  // An error of either end reaches the loop below through the destroyed stream.
  pipeline(Readable.from(counted()), gunzip, () => {});
  for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
    given += chunk.length;
    if (given > INFLATION_CHECK_FROM && given > taken * MAX_INFLATION) throw inflatesTooMuch(file, { taken, given });
    yield chunk;
  }
}

function inflatesTooMuch(file: string, { taken, given }: { readonly taken: number; readonly given: number }) {
  return new FileError('FILE_TOO_LARGE', 'The compressed file grows beyond all measure when it is unpacked.', {
    file,
    facts: { packedBytes: taken, unpackedBytes: given },
    next: 'Stored swaps never pack this well. Where the file is trusted, unpack it first and name the result.',
  });
}

/** Takes off a byte order mark; UTF-16, as PowerShell writes it, becomes UTF-8. */
async function asUtf8(source: AsyncIterable<Uint8Array>, file: string) {
  const { head, bytes } = await peek(source, (start) => start.length >= 3);
  const [first, second, third] = head;
  if (first === 0xff && second === 0xfe) return { bytes: decoded(bytes, { file, from: 'utf-16le' }), changed: true };
  if (first === 0xfe && second === 0xff) return { bytes: decoded(bytes, { file, from: 'utf-16be' }), changed: true };
  const marked = first === 0xef && second === 0xbb && third === 0xbf;
  return marked ? { bytes: withoutMark(bytes), changed: true } : { bytes, changed: false };
}

type Encoding = { readonly file: string; readonly from: 'utf-16le' | 'utf-16be' };

async function* decoded(bytes: AsyncIterable<Uint8Array>, { file, from }: Encoding): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(from, { fatal: true });
  try {
    for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    yield Buffer.from(decoder.decode());
  } catch (error) {
    throw asFileError(error, file);
  }
}

async function* withoutMark(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let mark = 3;
  for await (const chunk of bytes) {
    yield chunk.subarray(mark);
    mark = 0;
  }
}

function formOf(head: Uint8Array, file: string): SwapForm {
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString('utf8').trimStart();
  const end = text.indexOf('\n');
  const line = (end < 0 ? text : text.slice(0, end)).trim();
  if (/^\{\s*"stream"\s*:/.test(line)) return 'records';
  const alone = end < 0 || text.slice(end).trim() === '';
  const value = alone && !line.includes('"stream"') ? undefined : parsed(line);
  if (value !== undefined) return isRecord(value) ? 'records' : 'lines';
  if (alone || !/\.jsonl(\.gz)?$/i.test(file)) return 'whole';
  return line.includes('"stream"') ? 'records' : 'lines';
}

function parsed(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): boolean {
  return !Array.isArray(value) && typeof (value as { readonly stream?: unknown }).stream === 'string';
}
