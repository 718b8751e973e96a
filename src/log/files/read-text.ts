import { constants } from 'node:buffer';
import { DecodeError } from '../../events/decode-error.ts';
import { FileError } from '../file-error.ts';
import { STDIN } from './inputs.ts';
import { isBlank } from './lines.ts';
import type { OpenFile } from './open-file.ts';
import { createPartReader } from './read-parts.ts';
import type { ReadSwap } from './read-swap.ts';
import { resultOf, swapsOfText } from './swaps-of-text.ts';

/** Largest JSON value read at once, in bytes: the engine holds no longer text. Lists of swaps have no such bound. */
export const MAX_TEXT_BYTES = constants.MAX_STRING_LENGTH;

/** Text up to which all of it is read before any of it is told, so that a fault in it is told alone. */
const WHOLE_BYTES = 8 * 1024 * 1024;

/**
 * Reads the swaps of a file that is JSON text. A long one is read entry by entry of its lists of swaps, in memory bounded by the largest entry: what
 * comes before a fault is then given out.
 */
export async function* readText({ file, bytes }: OpenFile): AsyncGenerator<ReadSwap> {
  const chunks: Uint8Array[] = [];
  const iterator = bytes[Symbol.asyncIterator]();
  let length = 0;
  let damage: { readonly error: unknown } | undefined;
  try {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      chunks.push(next.value);
      length += next.value.length;
      if (length > WHOLE_BYTES) {
        yield* readLong(file, inTurn(chunks, iterator));
        return;
      }
    }
  } catch (error) {
    if (length > WHOLE_BYTES || (error instanceof FileError && error.code !== 'FILE_DAMAGED')) throw error;
    damage = { error };
  } finally {
    await iterator.return?.();
  }
  const [only] = chunks;
  const text = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, length);
  if (damage === undefined && isBlank(text)) {
    yield { file, ok: false, uuid: null, error: empty(file) };
    return;
  }
  for (const swap of swapsOfText(text)) if (swap.ok || damage === undefined) yield { file, ...resultOf(swap) };
  if (damage !== undefined) throw damage.error;
}

/** The chunks that were read already, which are then let go, and those that follow. */
async function* inTurn(chunks: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) yield chunk;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

async function* readLong(file: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ReadSwap> {
  const reader = createPartReader(MAX_TEXT_BYTES);
  try {
    for await (const chunk of bytes) {
      const fault = reader.push(chunk);
      for (const swap of reader.take()) yield { file, ...resultOf(swap) };
      if (fault === 'size') throw tooLarge(file);
      if (fault !== undefined) return;
    }
  } catch (error) {
    // What came before the damage is whole, and is given out before the damage is told.
    reader.stop();
    for (const swap of reader.take()) yield { file, ...resultOf(swap) };
    throw error;
  }
  const count = reader.end();
  for (const swap of reader.take()) yield { file, ...resultOf(swap) };
  if (count === 0) yield { file, ok: false, uuid: null, error: empty(file) };
}

function empty(file: string): DecodeError {
  return new DecodeError('NOT_JSON', 'The file is empty.', {
    path: '',
    next:
      `Check the source of ${file === STDIN ? 'the text' : 'the file'}: a failed download or a full disk leaves an ` +
      'empty file.',
  });
}

function tooLarge(file: string): FileError {
  return new FileError('FILE_TOO_LARGE', 'The file holds a JSON value that is too large to hold in memory.', {
    file,
    facts: { limitBytes: MAX_TEXT_BYTES },
    next:
      'Convert it to JSON Lines, one swap per line (for example with jq -c ".result.swaps[]"): lines are read one ' +
      'by one.',
  });
}
