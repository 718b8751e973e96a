import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { belongingOf, walForeign } from '../belonging.ts';
import { PAGE_BYTES } from '../schema.ts';
import { inspectWal, NO_WAL, type WalReport } from '../wal.ts';

const MAGIC = 'SQLite format 3\0';
const PAGE_COUNT_AT = 28;

export type PageImage = {
  readonly page: number;
  readonly bytes: Buffer;
  /** Later images of a page have a greater number; 0 for the one in the file itself. */
  readonly order: number;
};

/** All that is left of a file and its write-ahead log, page by page. */
export type Pages = {
  /** Every image of every page, in order. */
  readonly images: () => Iterable<PageImage>;
  /** The latest image of a page. */
  readonly latest: (page: number) => Buffer | undefined;
  /** Pages or transactions are missing, or nothing says how many there were. */
  readonly cut: boolean;
  readonly close: () => void;
};

/** Opens what is left, without SQLite. Either file may be absent. @throws LogError LOG_WAL_FOREIGN */
export function openPages(file: string): Pages {
  const wal = ownWal(file);
  const base = openIfThere(file);
  const walFile = `${file}-wal`;
  const walHandle = openIfThere(walFile);
  const size = base === undefined ? 0 : fstatSync(base).size;
  const count = Math.ceil(size / PAGE_BYTES);
  const inWal = new Map(wal.frames.map(({ page, offset }) => [page, offset]));

  const fromBase = (page: number): Buffer | undefined =>
    base === undefined || page < 1 || page > count ? undefined : imageAt(base, (page - 1) * PAGE_BYTES);
  const latest = (page: number): Buffer | undefined => {
    const offset = inWal.get(page);
    return offset === undefined || walHandle === undefined ? fromBase(page) : imageAt(walHandle, offset);
  };

  function* images(): Iterable<PageImage> {
    for (let page = 1; page <= count; page++) yield { page, bytes: fromBase(page) as Buffer, order: 0 };
    if (walHandle === undefined) return;
    for (const [index, { page, offset }] of wal.frames.entries()) {
      yield { page, bytes: imageAt(walHandle, offset), order: index + 1 };
    }
  }

  const expected = wal.pages ?? statedPages(latest(1));
  let page = Math.floor(size / PAGE_BYTES) + 1;
  while (expected !== undefined && page <= expected && inWal.has(page)) page++;
  const cut = wal.cut || expected === undefined || page <= expected;
  return {
    images,
    latest,
    cut,
    close: () => {
      for (const handle of [base, walHandle]) if (handle !== undefined) closeSync(handle);
    },
  };
}

/** What the write-ahead log adds to the file. */
function ownWal(file: string): WalReport {
  const wal = inspectWal(file);
  const belonging = belongingOf(file, wal);
  if (belonging === 'foreign') throw walForeign(file);
  return belonging === 'own' ? wal : NO_WAL;
}

function statedPages(first: Buffer | undefined): number | undefined {
  if (first === undefined || first.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  return first.readUInt32BE(PAGE_COUNT_AT);
}

function openIfThere(file: string): number | undefined {
  return existsSync(file) ? openSync(file, 'r') : undefined;
}

/** A page image; bytes past the end of the file are zero. */
function imageAt(handle: number, offset: number): Buffer {
  const bytes = Buffer.alloc(PAGE_BYTES);
  readSync(handle, bytes, 0, PAGE_BYTES, offset);
  return bytes;
}
