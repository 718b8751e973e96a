import { type Connection, textOf } from './connection.ts';

/** Version of the layout of the file. A release reads its own and all earlier ones. */
export const FORMAT = 1;
/** `SWPF`, which marks the file for tools. */
export const APPLICATION_ID = 0x53575046;
/** Bytes of a page. The scan of a damaged file relies on it. */
export const PAGE_BYTES = 4096;

// A stream is numbered by the position of its first record, which also carries its name: so a record can be placed without
// the table of streams. Where a stream ends stands in a table of its own, with small rows and no index, because each append
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

/** Lays out an empty file. */
export function createSchema(connection: Connection): void {
  connection.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  connection.exec(
    [
      'BEGIN',
      `PRAGMA application_id = ${APPLICATION_ID}`,
      `PRAGMA user_version = ${FORMAT}`,
      ...DEFINITIONS,
      `INSERT INTO meta VALUES ('format', '${FORMAT}'), ('end', '0')`,
      'COMMIT',
    ].join(';\n'),
  );
}

/** The layout is that of a release after this one. */
export type NewerFormat = { readonly newer: number };

/** What is wrong with the layout: undefined when nothing is, a sentence for damage. */
export function checkSchema(connection: Connection): string | NewerFormat | undefined {
  const stated = connection.value('PRAGMA user_version') as number;
  const repeated = formatInMeta(connection);
  // Two places must agree before a file is taken for a newer one: a damaged number alone is damage.
  if (stated > FORMAT && repeated === stated) return { newer: stated };
  if (stated !== FORMAT || connection.value('PRAGMA application_id') !== APPLICATION_ID) {
    return 'the header does not name this format';
  }
  if (connection.value('PRAGMA page_size') !== PAGE_BYTES) return 'the pages have another size';
  const found = connection.prepare('SELECT CAST(sql AS BLOB) FROM sqlite_schema ORDER BY rowid').all();
  const same =
    found.length === DEFINITIONS.length &&
    found.every(([sql], index) => textOf(sql) === (DEFINITIONS[index] as string));
  if (!same) return 'the definitions of the tables were changed';
  return repeated === FORMAT ? undefined : 'the format is not noted in the tables';
}

function formatInMeta(connection: Connection): number | undefined {
  try {
    return Number(textOf(connection.value("SELECT CAST(value AS BLOB) FROM meta WHERE name = 'format'")));
  } catch {
    // No such table, or damage, which the check of the pages reports.
    return undefined;
  }
}
