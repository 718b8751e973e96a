import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FileError } from '../file-error.ts';

const CHUNK = 256 * 1024;

/** How many packed bytes to unpack at a time: after an error, they must be unpacked again byte by byte. */
const PIECE = 16 * 1024;

/** Unpacked size from which a compressed file must not be implausibly small. */
const INFLATION_CHECK_FROM = 64 * 1024 * 1024;

/** Stored swaps compress to between a fifth and a hundredth; what compresses much better is meant to exhaust memory. */
const MAX_INFLATION = 400;

/** Packed bytes kept of a source that cannot be read a second time. */
const MAX_KEPT = 4 * 1024 * 1024;

export type InflateOptions = {
  readonly file: string;
  /** Reads the same bytes again from their start, if possible. */
  readonly again?: () => AsyncIterable<Uint8Array>;
};

/**
 * Unpacks gzip. Where it is damaged, gives all that comes before the damage, to the byte, and then throws.
 *
 * @throws FileError FILE_TOO_LARGE for what grows implausibly; the errors of zlib.
 */
export async function* inflate(
  packed: AsyncIterable<Uint8Array>,
  { file, again }: InflateOptions,
): AsyncGenerator<Uint8Array> {
  let taken = 0;
  let given = 0;
  const kept: Uint8Array[] = [];
  const counted = async function* () {
    for await (const chunk of packed) {
      taken += chunk.length;
      if (again === undefined && taken <= MAX_KEPT) kept.push(Uint8Array.from(chunk));
      yield* piecesOf(chunk);
    }
  };
  const gunzip = createGunzip({ chunkSize: CHUNK });
  // An error of either end reaches the loop below through the destroyed stream.
  pipeline(Readable.from(counted()), gunzip, () => {});
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      given += chunk.length;
      if (given > INFLATION_CHECK_FROM && given > taken * MAX_INFLATION) throw inflatesTooMuch(file, { taken, given });
      yield chunk;
    }
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'Z_DATA_ERROR' && (again !== undefined || taken <= MAX_KEPT)) {
      const source = again === undefined ? kept : again();
      yield* restBeforeDamage(source, { intact: gunzip.bytesWritten, given });
    }
    throw error;
  }
}

/** zlib drops everything from a damaged piece, so the piece is unpacked again, byte by byte. */
async function* restBeforeDamage(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { intact, given }: { readonly intact: number; readonly given: number },
): AsyncGenerator<Uint8Array> {
  const slowly = async function* () {
    let position = 0;
    for await (const chunk of source) {
      const rest = Math.max(0, Math.min(chunk.length, intact - position));
      yield* piecesOf(chunk.subarray(0, rest));
      for (let at = rest; at < chunk.length; at++) yield chunk.subarray(at, at + 1);
      position += chunk.length;
    }
  };
  const gunzip = createGunzip({ chunkSize: CHUNK });
  pipeline(Readable.from(slowly()), gunzip, () => {});
  let passed = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      const known = Math.max(0, Math.min(chunk.length, given - passed));
      passed += chunk.length;
      if (known < chunk.length) yield chunk.subarray(known);
    }
  } catch {
    // The damage, which the caller reports.
  }
}

function* piecesOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < chunk.length; start += PIECE) yield chunk.subarray(start, start + PIECE);
}

function inflatesTooMuch(file: string, { taken, given }: { readonly taken: number; readonly given: number }) {
  return new FileError('FILE_TOO_LARGE', 'The compressed file unpacks to an implausible size.', {
    file,
    facts: { packedBytes: taken, unpackedBytes: given },
    next: 'Stored swaps never compress this well. If you trust the file, unpack it first and name the result.',
  });
}
