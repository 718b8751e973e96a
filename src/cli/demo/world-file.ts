import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Millis } from '../../primitives/time.ts';
import { UsageError } from '../io.ts';

/** What the outside world of a demonstration has seen, which no crash of a node undoes. */
export type WorldEntry =
  | {
      readonly kind: 'scenario';
      readonly name: string;
      readonly seed: number;
      readonly uuid: string;
      readonly secret: string;
    }
  | { readonly kind: 'submit'; readonly at: Millis; readonly chain: 'maker' | 'taker'; readonly hex: string }
  /** A process began, at this moment of the virtual clock. */
  | { readonly kind: 'process'; readonly at: Millis }
  | { readonly kind: 'vanished'; readonly at: Millis; readonly party: 'maker' | 'taker' };

export type WorldFile = {
  readonly entries: readonly WorldEntry[];
  /** Durable when it returns. */
  readonly write: (entry: WorldEntry) => void;
  readonly close: () => void;
};

// The name ends in nothing that folders are searched for and no line is JSON, so that nobody takes the file for swaps.
const TITLE = 'swapfold demonstration 1';

/** Path of the file in the folder of a demonstration. */
export function worldPath(dir: string): string {
  return join(dir, 'chains.world');
}

/** Opens the file: a title, then one entry a line, its kind before the rest as JSON. A last line that a crash cut off is left out. */
export function openWorldFile(path: string): WorldFile {
  const { lines, whole, size } = linesOf(path);
  // A torn line is taken away: the next entry would be written behind it.
  if (whole < size) truncateSync(path, whole);
  const entries = entriesOf(lines, path);
  const file = openSync(path, 'a', 0o600);
  const append = (text: string): void => {
    writeSync(file, `${text}\n`);
    fsyncSync(file);
  };
  if (lines.length === 0) append(TITLE);
  return {
    entries,
    write: ({ kind, ...rest }) => append(`${kind} ${JSON.stringify(rest)}`),
    close: () => closeSync(file),
  };
}

/**
 * How late it is in the world of a demonstration; null where the file is none of a demonstration or nothing has happened yet.
 * The file stays as it is: somebody else may be writing it.
 *
 * @throws UsageError where a line is not one that a demonstration wrote.
 */
export function readWorldTime(path: string): Millis | null {
  const { lines } = linesOf(path);
  return lines[0] === TITLE ? latestOf(entriesOf(lines, path)) : null;
}

/** The moment of the latest entry that has one; null when none does. */
export function latestOf(entries: readonly WorldEntry[]): Millis | null {
  let latest: Millis | null = null;
  for (const entry of entries) {
    if (entry.kind !== 'scenario' && (latest === null || entry.at > latest)) latest = entry.at;
  }
  return latest;
}

type Lines = { readonly lines: readonly string[]; readonly whole: number; readonly size: number };

/** The whole lines of the file, and how many of its bytes they are. */
function linesOf(path: string): Lines {
  const bytes = existsSync(path) ? readFileSync(path) : new Uint8Array(0);
  const whole = bytes.lastIndexOf(0x0a) + 1;
  const lines = Buffer.from(bytes.subarray(0, whole)).toString('utf8').split('\n').slice(0, -1);
  return { lines, whole, size: bytes.length };
}

function entriesOf(lines: readonly string[], path: string): readonly WorldEntry[] {
  return lines.slice(1).map((line, index) => entryOf(line, { path, line: index + 2 }));
}

function entryOf(text: string, place: { readonly path: string; readonly line: number }): WorldEntry {
  const space = text.indexOf(' ');
  const kind = text.slice(0, space);
  let rest: Readonly<Record<string, unknown>>;
  try {
    rest = JSON.parse(text.slice(space)) as typeof rest;
  } catch {
    throw notOurs(place);
  }
  const { at } = rest;
  if (!KINDS.has(kind) || (kind !== 'scenario' && !(Number.isSafeInteger(at) && Number(at) < LATEST))) {
    throw notOurs(place);
  }
  return { kind, ...rest } as WorldEntry;
}

const KINDS: ReadonlySet<string> = new Set(['scenario', 'submit', 'process', 'vanished']);
/** In the year 2100; a demonstration begins in 2023 and lasts days. */
const LATEST = 4_102_444_800_000;

function notOurs({ path, line }: { readonly path: string; readonly line: number }): UsageError {
  return new UsageError(`Line ${line} of ${path} is not one that a demonstration wrote. Use another folder.`);
}
