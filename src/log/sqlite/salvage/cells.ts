import { PAGE_BYTES } from '../schema.ts';

// Format of pages and rows: https://www.sqlite.org/fileformat2.html#b_tree_pages
const TABLE_LEAF = 0x0d;
const INDEX_LEAF = 0x0a;
const FILE_HEADER_BYTES = 100;
const TABLE_LOCAL_MAX = PAGE_BYTES - 35;
const INDEX_LOCAL_MAX = Math.floor(((PAGE_BYTES - 12) * 64) / 255) - 23;
const LOCAL_MIN = Math.floor(((PAGE_BYTES - 12) * 32) / 255) - 23;
const OVERFLOW_BYTES = PAGE_BYTES - 4;
/** No row of a log is longer; a longer one is a damaged length. */
const LONGEST_ROW = 1 << 28;

export type Cell = {
  /** Absent in an index. */
  readonly rowid: number | undefined;
  readonly payload: Buffer;
};

/** Reads a page by its number; undefined if there is none. */
export type PageReader = (page: number) => Buffer | undefined;

/** The readable rows of a leaf page. Any other page has none. */
export function cellsOf(page: Buffer, number: number, read: PageReader): readonly Cell[] {
  const start = number === 1 ? FILE_HEADER_BYTES : 0;
  const kind = page[start];
  if (kind !== TABLE_LEAF && kind !== INDEX_LEAF) return [];
  const cells: Cell[] = [];
  const count = Math.min(page.readUInt16BE(start + 3), Math.floor((PAGE_BYTES - start - 8) / 2));
  for (let index = 0; index < count; index++) {
    const cell = cellAt(page, { at: page.readUInt16BE(start + 8 + 2 * index), ofTable: kind === TABLE_LEAF, read });
    if (cell !== undefined) cells.push(cell);
  }
  return cells;
}

type CellPlace = { readonly at: number; readonly ofTable: boolean; readonly read: PageReader };

function cellAt(page: Buffer, { at, ofTable, read }: CellPlace): Cell | undefined {
  const size = varint(page, at);
  if (size === undefined || size.value > LONGEST_ROW) return undefined;
  const rowid = ofTable ? varint(page, size.end) : { value: undefined, end: size.end };
  if (rowid === undefined) return undefined;
  const local = localBytes(size.value, ofTable ? TABLE_LOCAL_MAX : INDEX_LOCAL_MAX);
  const end = rowid.end + local;
  if (end > page.length) return undefined;
  if (local === size.value) return { rowid: rowid.value, payload: page.subarray(rowid.end, end) };
  if (end + 4 > page.length) return undefined;
  const rest = overflow(page.readUInt32BE(end), size.value - local, read);
  if (rest === undefined) return undefined;
  return { rowid: rowid.value, payload: Buffer.concat([page.subarray(rowid.end, end), ...rest]) };
}

function localBytes(size: number, max: number): number {
  if (size <= max) return size;
  const kept = LOCAL_MIN + ((size - LOCAL_MIN) % OVERFLOW_BYTES);
  return kept <= max ? kept : LOCAL_MIN;
}

function overflow(first: number, size: number, read: PageReader): readonly Buffer[] | undefined {
  const parts: Buffer[] = [];
  let next = first;
  for (let left = size; left > 0; left -= OVERFLOW_BYTES) {
    const page = next === 0 ? undefined : read(next);
    if (page === undefined) return undefined;
    parts.push(page.subarray(4, 4 + Math.min(left, OVERFLOW_BYTES)));
    next = page.readUInt32BE(0);
  }
  return parts;
}

export type Value = number | null | string | Buffer;

/** Values of a row; undefined when it is not one. Text is decoded leniently: damage to it shows in the hash. */
export function valuesOf(payload: Buffer): readonly Value[] | undefined {
  const header = varint(payload, 0);
  if (header === undefined || header.value > payload.length) return undefined;
  const values: Value[] = [];
  let at = header.end;
  let body = header.value;
  while (at < header.value) {
    const type = varint(payload, at);
    if (type === undefined) return undefined;
    at = type.end;
    const size = bytesOfType(type.value);
    if (size === undefined || body + size > payload.length) return undefined;
    values.push(valueAt(payload.subarray(body, body + size), type.value));
    body += size;
  }
  return values;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];

function bytesOfType(type: number): number | undefined {
  if (type >= 12) return Math.floor((type - 12) / 2);
  if (type === 7) return 8;
  if (type === 8 || type === 9) return 0;
  return INTEGER_BYTES[type];
}

function valueAt(bytes: Buffer, type: number): Value {
  if (type >= 12) return type % 2 === 0 ? Buffer.from(bytes) : bytes.toString('utf8');
  if (type === 0) return null;
  if (type === 8 || type === 9) return type - 8;
  if (type === 7) return bytes.readDoubleBE(0);
  return bytes.length === 8 ? Number(bytes.readBigInt64BE(0)) : bytes.readIntBE(0, bytes.length);
}

/** A number of 1 to 9 bytes, of seven bits each; undefined when it is too large to be a size or a row's number here. */
function varint(bytes: Buffer, from: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let at = from; at < from + 8; at++) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return Number.isSafeInteger(value) ? { value, end: at + 1 } : undefined;
  }
  return undefined;
}
