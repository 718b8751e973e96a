import { type Connection, textOf } from './connection.ts';
import { firstMark, type Mark, markText, openSealed, parseMark, sealedText } from './mark.ts';

/**
 * Version of the file's layout. A release reads its own and all earlier ones.
 *
 * - 1: without a mark, so that nothing shows to which log a write-ahead log belongs.
 * - 2: `meta` holds the mark, and the name under which the log is open or was last open.
 */
export const FORMAT = 2;
/** The layout without a mark. */
export const UNMARKED_FORMAT = 1;
/** `SWPF`, which marks the file for tools. */
export const APPLICATION_ID = 0x53575046;
/** Bytes of a page. The scan of a damaged file relies on it. */
export const PAGE_BYTES = 4096;

// A stream is numbered by the position of its first record, which also carries its name: so a record can be placed without
// the table of streams. The end of a stream is in a table of its own, with small rows and no index, because each append
// writes it. `sum` guards what no hash covers: the position and name of a record, and the rows of the other two tables.
const DEFINITIONS = [
  'CREATE TABLE meta(name TEXT NOT NULL, value TEXT NOT NULL) STRICT',
  'CREATE TABLE records(position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL, version INTEGER NOT NULL, data TEXT NOT NULL, extra TEXT, name TEXT, hash BLOB NOT NULL, sum INTEGER NOT NULL) STRICT',
  'CREATE UNIQUE INDEX records_by_stream ON records(stream, seq)',
  'CREATE INDEX records_by_type ON records(type, stream)',
  'CREATE TABLE streams(id INTEGER PRIMARY KEY, name TEXT NOT NULL, machine TEXT NOT NULL, first_at INTEGER NOT NULL, maker_coin TEXT, taker_coin TEXT, outcome TEXT, state TEXT, finished INTEGER, sum INTEGER NOT NULL) STRICT',
  'CREATE UNIQUE INDEX streams_by_name ON streams(name)',
  'CREATE INDEX streams_by_machine ON streams(machine)',
  'CREATE INDEX streams_by_maker_coin ON streams(maker_coin) WHERE maker_coin IS NOT NULL',
  'CREATE INDEX streams_by_taker_coin ON streams(taker_coin) WHERE taker_coin IS NOT NULL',
  'CREATE INDEX streams_by_outcome ON streams(outcome) WHERE outcome IS NOT NULL',
  'CREATE INDEX streams_by_finished ON streams(ifnull(finished, 0))',
  'CREATE INDEX streams_by_first_at ON streams(first_at)',
  'CREATE TABLE tips(id INTEGER PRIMARY KEY, length INTEGER NOT NULL, hash BLOB NOT NULL, last_at INTEGER NOT NULL, sum INTEGER NOT NULL) STRICT',
  'CREATE TABLE quarantine(stream INTEGER PRIMARY KEY, name TEXT NOT NULL, seq INTEGER NOT NULL, why TEXT NOT NULL) STRICT',
];

/** What a new log notes about itself. */
export type Origin = {
  /** @defaultValue that of a log that is none of the previous ones */
  readonly mark?: Mark;
  /** Its path, with all links resolved. */
  readonly home: string;
  /** What it replaces. */
  readonly replaces?: Replaced;
};

/** A damaged log that was replaced; both are the names at the moment of the replacement. */
export type Replaced = {
  /** SHA-256 of the write-ahead log beside it, in hex; `none` if there was none. */
  readonly wal: string;
  /** Path under which the damaged file is kept, and with `-wal` its write-ahead log. */
  readonly kept: string;
};

/** Creates the layout of an empty file. */
export function createSchema(connection: Connection, origin: Origin): void {
  connection.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  connection.exec(
    [
      'BEGIN',
      `PRAGMA application_id = ${APPLICATION_ID}`,
      `PRAGMA user_version = ${FORMAT}`,
      ...DEFINITIONS,
      `INSERT INTO meta VALUES ('format', '${FORMAT}'), ('end', '0')`,
      insertOrigin(origin),
      'COMMIT',
    ].join(';\n'),
  );
}

/** Upgrades a file of the first layout to this one. Leaves no statement behind. */
export function addMark(connection: Connection, origin: Origin): void {
  const steps = [`PRAGMA user_version = ${FORMAT}`, `UPDATE meta SET value = '${FORMAT}' WHERE name = 'format'`];
  connection.exec(['BEGIN', ...steps, insertOrigin(origin), 'COMMIT'].join(';\n'));
}

// As one text, because prepared statements keep their file open until they are collected as garbage.
function insertOrigin({ mark = firstMark(), home, replaces }: Origin): string {
  const rows = [
    ['mark', markText(mark)],
    ['home', sealedText(home)],
    ...(replaces === undefined ? [] : [['replaced', sealedText(`${replaces.wal} ${replaces.kept}`)]]),
  ];
  const values = rows.map(([name, value]) => `('${name}', '${(value as string).replaceAll("'", "''")}')`);
  return `INSERT INTO meta VALUES ${values.join(', ')}`;
}

/** What a file says about itself; a missing or damaged part is absent. */
export type Notes = {
  readonly mark: Mark | undefined;
  readonly home: string | undefined;
  readonly replaced: Replaced | undefined;
};

/** Interprets rows of `meta`. */
export function notesOf(rows: ReadonlyMap<string, string>): Notes {
  const sealed = (name: string) => openSealed(rows.get(name) ?? '');
  const [wal, ...kept] = sealed('replaced')?.split(' ') ?? [];
  return {
    mark: parseMark(rows.get('mark') ?? ''),
    home: sealed('home'),
    replaced: wal === undefined || kept.length === 0 ? undefined : { wal, kept: kept.join(' ') },
  };
}

/** The layout belongs to a later release. */
export type NewerFormat = { readonly newer: number };

/** What is wrong with the layout: undefined if nothing is, a sentence for damage. */
export function checkSchema(connection: Connection): string | NewerFormat | undefined {
  const stated = connection.value('PRAGMA user_version') as number;
  const meta = metaOf(connection);
  const repeated = Number(meta.get('format'));
  // Two places must agree before a file counts as newer: a damaged number alone is damage.
  if (stated > FORMAT && repeated === stated) return { newer: stated };
  if (!isFormat(stated) || connection.value('PRAGMA application_id') !== APPLICATION_ID) {
    return 'the header does not name this format';
  }
  if (connection.value('PRAGMA page_size') !== PAGE_BYTES) return 'the page size differs';
  if (!sameList(definitionsIn(connection), DEFINITIONS)) return 'the definitions of the tables were changed';
  if (repeated !== stated) return 'the format is not noted in the tables';
  const { mark, home } = notesOf(meta);
  const marked = mark !== undefined && home !== undefined;
  return marked || stated === UNMARKED_FORMAT ? undefined : "the log's own notes are damaged";
}

/** The mark of the last transaction; undefined if it is missing or damaged. */
export function markOf(connection: Connection): Mark | undefined {
  return notesOf(metaOf(connection)).mark;
}

/** Whether a file has the first layout. */
export function isUnmarked(connection: Connection): boolean {
  return connection.value('PRAGMA user_version') === UNMARKED_FORMAT;
}

/** Names of the tables of a foreign file; undefined for what may be a log, damaged or not. */
export function foreignTables(connection: Connection): readonly string[] | undefined {
  if (connection.value('PRAGMA application_id') === APPLICATION_ID) return undefined;
  const own: readonly (string | undefined)[] = DEFINITIONS;
  if (definitionsIn(connection).some((sql) => own.includes(sql))) return undefined;
  const rows = connection.prepare("SELECT CAST(name AS BLOB) FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  return rows.all().map(([name]) => textOf(name) ?? '');
}

function isFormat(version: number): boolean {
  return version === FORMAT || version === UNMARKED_FORMAT;
}

function definitionsIn(connection: Connection): readonly (string | undefined)[] {
  const found = connection.prepare('SELECT CAST(sql AS BLOB) FROM sqlite_schema ORDER BY rowid').all();
  return found.map(([sql]) => textOf(sql));
}

function sameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}

/** Rows of `meta`; none if the table is missing or damaged, which the page check reports. */
function metaOf(connection: Connection): ReadonlyMap<string, string> {
  try {
    const rows = connection.prepare('SELECT CAST(name AS BLOB), CAST(value AS BLOB) FROM meta').all();
    return new Map(rows.map(([name, value]) => [textOf(name) ?? '', textOf(value) ?? '']));
  } catch {
    return new Map();
  }
}
