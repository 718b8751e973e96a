import { bytesToHex, hexToBytes, isHex } from '../../primitives/hex.ts';
import type { MessagePackReader } from './message-pack-reader.ts';
import { PeerMessageError } from './problem.ts';

/** Reads one value where the reader stands. */
export type Read<T> = (reader: MessagePackReader) => T;

/** The members of a struct by the framework's names, in its order. */
export type Members = Readonly<Record<string, Read<unknown>>>;

type Struct<M extends Members> = { [Name in keyof M]?: ReturnType<M[Name]> };

/** Entries of a struct that is written as a map: those that are known, and some that a later release may add. */
const MOST_ENTRIES = 64;
const LONGEST_NAME = 64;

/**
 * A struct as the framework's deserializer takes it: an array of its members in order, of which the last `optional` ones may be left
 * out, or a map of names or indices, of which unknown ones are passed over. What is omitted from a map is for the caller to ask for.
 */
export function readStruct<M extends Members>(
  reader: MessagePackReader,
  members: M,
  { optional = 0 }: { readonly optional?: number } = {},
): Struct<M> {
  const names = Object.keys(members);
  if (reader.kind() !== 'map') {
    const { length } = names;
    const count = reader.array(length);
    if (count < length - optional) reader.fail(`an array of ${length - optional} to ${length}, which had ${count}`);
    const read: Record<string, unknown> = {};
    for (const name of names.slice(0, count)) read[name] = members[name]?.(reader);
    return read as Struct<M>;
  }
  return readMembers(reader, { members, names }) as Struct<M>;
}

function readMembers(
  reader: MessagePackReader,
  { members, names }: { readonly members: Members; readonly names: readonly string[] },
): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (let left = reader.map(MOST_ENTRIES); left > 0; left--) {
    const named = reader.kind() === 'int' ? names[reader.uint()] : reader.text(LONGEST_NAME);
    if (named === undefined || !names.includes(named)) reader.skip();
    else if (named in read) reader.fail(`each member once, not ${named} again`);
    else read[named] = members[named]?.(reader);
  }
  return read;
}

/** Every member but the optional ones, which a map may omit. */
export function required<M extends Members>(
  reader: MessagePackReader,
  struct: Struct<M>,
  names: readonly (keyof M)[],
): { [Name in keyof M]: ReturnType<M[Name]> } {
  const missing = names.find((name) => struct[name] === undefined);
  if (missing !== undefined) reader.fail(`the member ${String(missing)}`);
  return struct as { [Name in keyof M]: ReturnType<M[Name]> };
}

/** An enum: a map of one entry, whose key is the index of the variant or its name. */
export function readVariant(reader: MessagePackReader, variants: readonly string[]): number {
  if (reader.map(1) !== 1) reader.fail('a map of one entry');
  if (reader.kind() === 'int') return reader.uint(variants.length - 1);
  const index = variants.indexOf(reader.text(LONGEST_NAME));
  return index >= 0 ? index : reader.fail(`one of ${variants.join(', ')}`);
}

export function hexOf(most: number): Read<string> {
  return (reader) => bytesToHex(reader.numbers(most));
}

/** Exactly so many bytes. */
export function hexOfExactly(count: number): Read<string> {
  return (reader) => {
    const bytes = reader.numbers(count);
    return bytes.length === count ? bytesToHex(bytes) : reader.fail(`${count} bytes before it, not ${bytes.length}`);
  };
}

/** A key, which the framework's type takes as bytes too. */
export const readKey: Read<string> = (reader) => {
  if (reader.kind() !== 'bin') return hexOfExactly(33)(reader);
  const bytes = reader.bin(33);
  return bytes.length === 33 ? bytesToHex(bytes) : reader.fail(`33 bytes before it, not ${bytes.length}`);
};

export function nilOr<T>(read: Read<T>): Read<T | null> {
  return (reader) => (reader.isNil() ? null : read(reader));
}

/** The bytes that hex stands for. @throws PeerMessageError when it is none. */
export function wireBytes(hex: string, kind: string): Uint8Array {
  if (!isHex(hex)) throw new PeerMessageError(kind, `a member that should be hex, of ${hex.length} characters`);
  return hexToBytes(hex);
}
