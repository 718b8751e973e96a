import { closeSync, createReadStream, fstatSync, open as openCallback, read as readCallback } from 'node:fs';
import { promisify } from 'node:util';
import { asFileError } from '../file-error.ts';
import type { LogError } from '../log-error.ts';
import { inflate } from './inflate.ts';
import { STDIN } from './inputs.ts';
import { type DamagedStream, isLogFile, LOG_HEAD_BYTES, openLogFile } from './log-file.ts';
import { formOf, holdsEnough, type SwapForm } from './sniff.ts';

export type OpenFile = {
  readonly file: string;
  readonly form: SwapForm;
  /** Bytes to come, where they are those of the file as it lies on the disk. */
  readonly size?: number;
  /** UTF-8 without a byte order mark, unpacked; read it once. Throws a FileError if the file ends too early or is damaged. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Of an event log: its streams that do not verify, which the bytes do not hold; to be asked once they were read. */
  readonly damaged?: () => readonly DamagedStream[];
  /** The file is the log of an engine of this package. */
  readonly own?: true;
  /** Of an event log: why records may be missing at its end, once the first bytes were read. */
  readonly cut?: () => LogError | undefined;
};

export type OpenOptions = {
  /** Where `-` is read from; by default the process's own standard input. */
  readonly stdin?: AsyncIterable<Uint8Array>;
};

const CHUNK = 256 * 1024;

// What may wait for a disk is done by another thread, and nothing else: with six such steps for each file of a folder of small ones, handing them
// over takes more time than all the reading.
const [open, readInto] = [promisify(openCallback), promisify(readCallback)];

/**
 * Opens a file, unpacks it where its first bytes say gzip, and finds out by its first lines what form it has. Of
 * the name only the ending `.jsonl` counts: it says that each line stands for itself.
 *
 * @throws FileError FILE_NOT_FOUND, FILE_UNREADABLE or FILE_DAMAGED; the bytes may throw FILE_DAMAGED or FILE_TOO_LARGE.
 */
export async function openFile(file: string, { stdin = process.stdin }: OpenOptions = {}): Promise<OpenFile> {
  const { source, size, whole }: Source = file === STDIN ? { source: stdin, size: undefined } : await sourceOf(file);
  if (whole !== undefined && size !== undefined && isPlain(whole)) {
    return { file, form: formOf(whole, file), bytes: source, size };
  }
  const raw = await peek(named(source, file), (head) => head.length >= LOG_HEAD_BYTES);
  if (file !== STDIN && isLogFile(raw.head)) {
    await raw.bytes.return(undefined);
    return openLogFile(file);
  }
  const gzip = raw.head[0] === 0x1f && raw.head[1] === 0x8b;
  const unpacked = gzip
    ? named(inflate(raw.bytes, { file, ...(size === undefined ? {} : { again: () => again(file) }) }), file)
    : raw.bytes;
  const utf8 = await asUtf8(unpacked, file);
  const text = await peek(utf8.bytes, holdsEnough);
  const known = gzip || utf8.changed || size === undefined ? {} : { size };
  return { file, form: formOf(text.head, file), bytes: text.bytes, ...known };
}

type Source = {
  readonly source: AsyncIterable<Uint8Array>;
  readonly size: number | undefined;
  /** All of a small file. */
  readonly whole?: Uint8Array;
};

/** Whether these bytes are text as it lies there: nothing is to be unpacked, decoded or taken off. */
function isPlain(bytes: Uint8Array): boolean {
  const [first = 0, second] = bytes;
  const isCoded = first === 0x1f ? second === 0x8b : first >= 0xef;
  return !isCoded && !isLogFile(bytes.subarray(0, LOG_HEAD_BYTES));
}

async function sourceOf(file: string): Promise<Source> {
  try {
    const fd = await open(file, 'r');
    try {
      const found = fstatSync(fd);
      const size = found.isFile() ? found.size : undefined;
      // Folders hold thousands of small files, for which a stream each costs more than all the reading.
      const whole = size === undefined || size > CHUNK ? undefined : await wholeOf(fd, size);
      if (whole === undefined) return { source: createReadStream(file, { fd, highWaterMark: CHUNK }), size };
      closeSync(fd);
      return { source: once(whole), size, whole };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  } catch (error) {
    throw asFileError(error, file);
  }
}

/** All of a small file, without moving the place where the next read begins; undefined where one read does not give it, as of one that grows. */
async function wholeOf(fd: number, size: number): Promise<Uint8Array | undefined> {
  const bytes = Buffer.allocUnsafe(size + 1);
  const { bytesRead } = await readInto(fd, bytes, 0, bytes.length, 0);
  return bytesRead === size ? bytes.subarray(0, size) : undefined;
}

async function* again(file: string): AsyncGenerator<Uint8Array> {
  yield* (await sourceOf(file)).source;
}

async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}

/** Reads until there is enough to examine, and returns all of it together with the rest, which may be an error. */
async function peek(source: AsyncIterable<Uint8Array>, enough: (head: Uint8Array) => boolean) {
  const iterator = source[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  let damage: { readonly error: unknown } | undefined;
  try {
    while (!enough(head)) {
      const next = await iterator.next();
      if (next.done === true) break;
      head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
    }
  } catch (error) {
    if (head.length === 0) throw error;
    damage = { error };
  }
  const bytes = (async function* () {
    try {
      if (head.length > 0) yield head;
      if (damage !== undefined) throw damage.error;
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
