import { MAX_DECIMAL_LENGTH } from '../primitives/decimal.ts';
import { bytesToHex } from '../primitives/hex.ts';
import { LosslessNumber } from '../primitives/json.ts';

/**
 * What may stand in a member, and how much of it. Numbers, `true`, `false`, null and nothing at all may stand everywhere here:
 * they cost nothing, and whether they fit is for the schema to say.
 *
 * - `text`: at most so many characters.
 * - `hex`: the same for so many bytes in hex.
 * - `bytes`: hex, a list of numbers, or an array of bytes.
 * - `whole`: a bigint from zero of at most so many bits.
 * - `list`: an array of at most so many of these.
 * - `members`: an object, of which these members are read and no others.
 */
export type Bound =
  | { readonly is: 'text' | 'hex' | 'bytes'; readonly most: number }
  | { readonly is: 'whole'; readonly most: number; readonly above: bigint }
  | { readonly is: 'list'; readonly most: number; readonly of: Bound }
  | { readonly is: 'members'; readonly of: readonly (readonly [name: string, bound: Bound])[] };

export function textUpTo(most: number): Bound {
  return { is: 'text', most };
}

export function hexUpTo(most: number): Bound {
  return { is: 'hex', most };
}

export function bytesUpTo(most: number): Bound {
  return { is: 'bytes', most };
}

export function wholeUpTo(bits: number): Bound {
  return { is: 'whole', most: bits, above: 1n << BigInt(bits) };
}

export function listUpTo(most: number, of: Bound): Bound {
  return { is: 'list', most, of };
}

export function membersOf(of: Readonly<Record<string, Bound>>): Bound {
  return { is: 'members', of: Object.entries(of) };
}

/** A copy and its weight in characters, or at which member (JSON pointer) there is too much, or something else. */
export type Copied =
  | { readonly ok: true; readonly value: unknown; readonly weight: number }
  | { readonly ok: false; readonly path: string; readonly expected: string; readonly weight: number };

/** Characters, numbers and members that were read so far. */
type Copying = { weight: number; path: string; expected: string | null };

/**
 * A plain copy of a value that someone else made, within bounds.
 *
 * - M1: it checks a length before anything else, and does not read what is too long.
 * - M2: each member is read once, and the copy is what counts: a member that answers otherwise the second time deceives nobody.
 * - M3: it neither reads nor counts members that nobody asked for, however many there are.
 *
 * Never throws; a member that throws when it is read is refused.
 */
export function boundedCopy(value: unknown, bound: Bound): Copied {
  const copying: Copying = { weight: 0, path: '', expected: null };
  const copied = copyOrRefuse(value, bound, copying);
  const { weight, path, expected } = copying;
  return expected === null ? { ok: true, value: copied, weight } : { ok: false, path, expected, weight };
}

function copyOrRefuse(value: unknown, bound: Bound, copying: Copying): unknown {
  try {
    return copy(value, bound, copying);
  } catch {
    return refuse(copying, 'a value that can be read');
  }
}

function copy(value: unknown, bound: Bound, copying: Copying): unknown {
  copying.weight += 1;
  switch (typeof value) {
    case 'undefined':
    case 'number':
    case 'boolean':
      return value;
    case 'string':
      return copyText(value, bound, copying);
    case 'bigint':
      return copyWhole(value, bound, copying);
    case 'object':
      return value === null ? null : copyObject(value, bound, copying);
    default:
      return refuse(copying, `${nameOf(bound)}, found a ${typeof value}`);
  }
}

function copyText(text: string, bound: Bound, copying: Copying): unknown {
  const most = bound.is === 'text' ? bound.most : bound.is === 'hex' || bound.is === 'bytes' ? bound.most * 2 : 0;
  if (text.length > most) return refuse(copying, `${nameOf(bound)}, found text of ${text.length} characters`);
  copying.weight += text.length;
  return text;
}

/** Whoever compares two bigints looks at their lengths first. */
function copyWhole(value: bigint, bound: Bound, copying: Copying): unknown {
  if (bound.is !== 'whole' || value < 0n || value >= bound.above) {
    return refuse(copying, `${nameOf(bound)}, found a bigint`);
  }
  copying.weight += Math.ceil(bound.most / 32);
  return value;
}

function copyObject(value: object, bound: Bound, copying: Copying): unknown {
  if (bound.is === 'members') return copyMembers(value, bound.of, copying);
  if (bound.is === 'list' && Array.isArray(value)) return copyList(value, bound, copying);
  if (bound.is === 'bytes' && (Array.isArray(value) || value instanceof Uint8Array)) {
    return copyBytes(value, bound, copying);
  }
  // A number that no double holds; which members of an amount are numbers is the schema's to say.
  if (bound.is === 'text' && value instanceof LosslessNumber) return copyNumber(value, copying);
  return refuse(copying, `${nameOf(bound)}, found ${Array.isArray(value) ? 'an array' : 'an object'}`);
}

function copyNumber({ value }: LosslessNumber, copying: Copying): unknown {
  if (typeof value !== 'string' || value.length > MAX_DECIMAL_LENGTH) return refuse(copying, 'a number of sane length');
  copying.weight += value.length;
  return new LosslessNumber(value);
}

function copyMembers(value: object, members: Extract<Bound, { is: 'members' }>['of'], copying: Copying): unknown {
  if (Array.isArray(value)) return refuse(copying, 'an object, found an array');
  const copied: Record<string, unknown> = {};
  const { path } = copying;
  for (const [name, bound] of members) {
    copying.path = `${path}/${name}`;
    const member = copyMember(value, { name, bound }, copying);
    if (copying.expected !== null) return undefined;
    if (member !== undefined) copied[name] = member;
  }
  copying.path = path;
  return copied;
}

function copyList(value: readonly unknown[], bound: Extract<Bound, { is: 'list' }>, copying: Copying): unknown {
  const { length } = value;
  if (!Number.isInteger(length) || length < 0 || length > bound.most) {
    return refuse(copying, `${nameOf(bound)}, found ${length}`);
  }
  const { path } = copying;
  const copied: unknown[] = [];
  for (let index = 0; index < length; index++) {
    copying.path = `${path}/${index}`;
    copied.push(copyMember(value, { name: index, bound: bound.of }, copying));
    if (copying.expected !== null) return undefined;
  }
  copying.path = path;
  return copied;
}

type Member = { readonly name: string | number; readonly bound: Bound };

/** In its own guard, so that an error names the member that throws. */
function copyMember(value: object, { name, bound }: Member, copying: Copying): unknown {
  try {
    return copy((value as Readonly<Record<string | number, unknown>>)[name], bound, copying);
  } catch {
    return refuse(copying, 'a value that can be read');
  }
}

type Bytes = { readonly length: number; readonly [index: number]: unknown };

/** Bytes as the real node's messages hold them once they are unpacked, in hex. */
function copyBytes(value: Bytes, bound: Extract<Bound, { is: 'bytes' | 'text' | 'hex' }>, copying: Copying): unknown {
  const { length } = value;
  if (!Number.isInteger(length) || length < 0 || length > bound.most) {
    return refuse(copying, `${nameOf(bound)}, found ${length} numbers`);
  }
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index++) {
    const byte = value[index];
    copying.weight += 1;
    if (typeof byte !== 'number' || !Number.isInteger(byte) || byte < 0 || byte > 255) {
      copying.path += `/${index}`;
      return refuse(copying, 'a byte from 0 to 255');
    }
    bytes[index] = byte;
  }
  return bytesToHex(bytes);
}

function refuse(copying: Copying, expected: string): undefined {
  copying.expected ??= `expected ${expected}`;
  return undefined;
}

function nameOf(bound: Bound): string {
  switch (bound.is) {
    case 'members':
      return 'an object';
    case 'whole':
      return `a whole number of at most ${bound.most} bits`;
    case 'list':
      return `a list of at most ${bound.most}`;
    case 'text':
      return `a text of at most ${bound.most} characters`;
    case 'hex':
      return `at most ${bound.most} bytes in hex`;
    default:
      return `at most ${bound.most} bytes in hex or as numbers`;
  }
}
