import { readBytes } from './handles.ts';
import { type Mark, parseMark } from './mark.ts';
import { cellsOf, type PageReader, valuesOf } from './salvage/cells.ts';
import { APPLICATION_ID, type Notes, notesOf, PAGE_BYTES } from './schema.ts';

// Fields of the header of an SQLite file: https://www.sqlite.org/fileformat.html, section 1.3.
const MAGIC = 'SQLite format 3\0';
const VERSIONS_AT = 18;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;
const HEADER_BYTES = 100;
/** Root of `meta`, the first table that is created. */
export const META_PAGE = 2;

export type Header = {
  /** The file is one of SQLite. */
  readonly sqlite: boolean;
  readonly own: boolean;
  readonly format: number;
  /** How SQLite treats the file: `wal` with a write-ahead log beside it, `plain` as a copy is before it was ever opened. */
  readonly mode: 'wal' | 'plain' | 'neither';
};

/** The header of a file as stored; undefined if the file is missing or shorter. */
export function headerOf(file: string): Header | undefined {
  const bytes = readBytes(file, { length: HEADER_BYTES });
  if (bytes === undefined || bytes.length < HEADER_BYTES) return undefined;
  const versions = bytes.readUInt16BE(VERSIONS_AT);
  return {
    sqlite: bytes.toString('latin1', 0, MAGIC.length) === MAGIC,
    own: bytes.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID,
    format: bytes.readUInt32BE(USER_VERSION_AT),
    mode: versions === 0x0202 ? 'wal' : versions === 0x0101 ? 'plain' : 'neither',
  };
}

/** What a file says about itself, without its write-ahead log and without SQLite. */
export function notesAt(file: string): Notes {
  const read: PageReader = (page) => {
    const bytes = readBytes(file, { at: (page - 1) * PAGE_BYTES, length: PAGE_BYTES });
    return bytes?.length === PAGE_BYTES ? bytes : undefined;
  };
  return notesOf(rowsOf(read(META_PAGE), read));
}

/** The mark in an image of the page that holds it. */
export function markIn(image: Buffer): Mark | undefined {
  return parseMark(rowsOf(image, () => undefined).get('mark') ?? '');
}

function rowsOf(page: Buffer | undefined, read: PageReader): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  if (page === undefined) return rows;
  for (const { payload } of cellsOf(page, META_PAGE, read)) {
    const [name, value, ...more] = valuesOf(payload) ?? [];
    if (typeof name === 'string' && typeof value === 'string' && more.length === 0) rows.set(name, value);
  }
  return rows;
}
