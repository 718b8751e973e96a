import { setImmediate as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { machineOf } from '../../labels.ts';
import { type Connection, connect } from '../connection.ts';
import { isPlaced, type RecordRow } from '../rows.ts';
import { labelsOf, nameSum, type StreamName, type StreamTip, tipSum } from '../seal.ts';
import { type Cell, cellsOf, type Value, valuesOf } from './cells.ts';
import type { PageImage, Pages } from './pages.ts';

// Findings go into tables of a scratch file, because there may be more of them than fits into memory.
const DEFINITIONS = `
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE found(stream INTEGER, seq INTEGER, position INTEGER, at INTEGER, type TEXT, version INTEGER, data TEXT,
  extra TEXT, name TEXT, hash BLOB, sum INTEGER, variant INTEGER, placed INTEGER,
  PRIMARY KEY (stream, seq, position, variant));
CREATE TABLE names(id INTEGER PRIMARY KEY, found TEXT, image INTEGER, sound INTEGER);
CREATE TABLE tips(id INTEGER PRIMARY KEY, found TEXT, image INTEGER, sound INTEGER);
CREATE TABLE claims(position INTEGER, stream INTEGER, seq INTEGER, PRIMARY KEY (position, stream, seq)) WITHOUT ROWID;
CREATE INDEX claims_by_stream ON claims(stream, seq);
CREATE TABLE verified(position INTEGER PRIMARY KEY);
CREATE TABLE apart(stream INTEGER PRIMARY KEY, name TEXT, seq INTEGER, why TEXT);
CREATE TABLE notes(name TEXT PRIMARY KEY, value TEXT);
BEGIN`;

/** Pages after which other work of the process gets its turn. */
const PAGES_AT_ONCE = 64;

/**
 * Gathers from all page images whatever looks like a row of a log, at any place:
 *
 * - records, in every variant that is found: hashes show later which one is right;
 * - names and ends of streams, those of the latest image of their page;
 * - claims: entries of the index that say which record stands at a position, which name the owner of a lost one.
 */
export async function gatherEvidence(pages: Pages, scratch: string): Promise<Connection> {
  const connection = connect(scratch);
  connection.exec(DEFINITIONS);
  const note = createNotebook(connection);
  let count = 0;
  for (const image of pages.images()) {
    for (const cell of cellsOf(image.bytes, image.page, pages.latest)) noteCell(note, cell, image);
    if (++count % PAGES_AT_ONCE === 0) await pause();
  }
  connection.exec('COMMIT');
  return connection;
}

type Notebook = ReturnType<typeof createNotebook>;

function createNotebook(connection: Connection) {
  return {
    record: connection.prepare('INSERT OR IGNORE INTO found VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    name: connection.prepare(latest('names')),
    tip: connection.prepare(latest('tips')),
    claim: connection.prepare('INSERT OR IGNORE INTO claims VALUES (?, ?, ?)'),
    apart: connection.prepare('INSERT OR REPLACE INTO apart VALUES (?, ?, ?, ?)'),
    meta: connection.prepare('INSERT OR REPLACE INTO notes VALUES (?, ?)'),
  };
}

/** The row of the latest image counts, even if it is damaged: an older one may show less than there was. */
function latest(table: string): string {
  return `INSERT INTO ${table} VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET found = excluded.found,
    image = excluded.image, sound = excluded.sound WHERE (excluded.image, excluded.sound) > (image, sound)`;
}

function noteCell(note: Notebook, { rowid, payload }: Cell, { order }: PageImage): void {
  const values = valuesOf(payload);
  if (values === undefined) return;
  if (rowid === undefined) {
    const [stream, seq, position] = values;
    if (values.length === 3 && isCount(stream) && isCount(seq) && isCount(position))
      note.claim.run([position, stream, seq]);
    return;
  }
  const record = recordOf(rowid, values);
  if (record !== undefined) noteRecord(note, record);
  const name = nameOf(rowid, values);
  if (name !== undefined) note.name.run([rowid, JSON.stringify(name.found), order, name.sound ? 1 : 0]);
  const tip = tipOf(rowid, values);
  if (tip !== undefined) note.tip.run([rowid, JSON.stringify(tip.found), order, tip.sound ? 1 : 0]);
  const [first, second, third, fourth] = values;
  if (values.length === 4 && typeof second === 'string' && isCount(third) && typeof fourth === 'string') {
    note.apart.run([rowid, second, third, fourth]);
  }
  if (values.length === 2 && typeof first === 'string' && typeof second === 'string') note.meta.run([first, second]);
}

function noteRecord(note: Notebook, row: RecordRow): void {
  const { stream, seq, position, at, type, version, data, extra, name, hash, sum } = row;
  const variant = crc32(JSON.stringify(row));
  const fields = [stream, seq, position, at, type, version, data, extra, name, Buffer.from(hash, 'hex'), sum];
  note.record.run([...fields, variant, isPlaced(row) ? 1 : 0]);
}

function recordOf(position: number, values: readonly Value[]): RecordRow | undefined {
  const [alias, stream, seq, at, type, version, data, extra, name, hash, sum] = values;
  if (values.length !== 11 || alias !== null || !Buffer.isBuffer(hash) || hash.length !== 32) return undefined;
  if (!isCount(stream) || !isCount(seq) || !isCount(at) || !isCount(version) || !isCount(sum)) return undefined;
  if (typeof type !== 'string' || typeof data !== 'string' || !isTextOrNull(extra) || !isTextOrNull(name))
    return undefined;
  return { position, stream, seq, at, type, version, data, extra, name, hash: hash.toString('hex'), sum };
}

type Found<T> = { readonly found: T; readonly sound: boolean };

function nameOf(id: number, values: readonly Value[]): Found<StreamName> | undefined {
  const [alias, name, machine, firstAt, makerCoin, takerCoin, outcome, state, finished, sum] = values;
  if (values.length !== 10 || alias !== null || typeof name !== 'string' || !isCount(firstAt)) return undefined;
  const labels = labelsOf({
    makerCoin: textOr(makerCoin),
    takerCoin: textOr(takerCoin),
    outcome: textOr(outcome),
    state: textOr(state),
    finished: isCount(finished) ? finished : null,
  });
  const found = { id, name, firstAt, labels };
  return { found, sound: sum === nameSum(found) && machine === machineOf(name) };
}

function tipOf(id: number, values: readonly Value[]): Found<StreamTip> | undefined {
  const [alias, length, hash, lastAt, sum] = values;
  if (values.length !== 5 || alias !== null || !Buffer.isBuffer(hash) || !isCount(length) || !isCount(lastAt))
    return undefined;
  const found = { id, length, hash: hash.toString('hex'), lastAt };
  return { found, sound: sum === tipSum(found) };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTextOrNull(value: Value | undefined): value is string | null {
  return value === null || typeof value === 'string';
}

function textOr(value: Value | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
