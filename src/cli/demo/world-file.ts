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
  const bytes = existsSync(path) ? readFileSync(path) : new Uint8Array(0);
  // A torn line is taken away: the next entry would be written behind it.
  const whole = bytes.lastIndexOf(0x0a) + 1;
  if (whole < bytes.length) truncateSync(path, whole);
  const found = Buffer.from(bytes.subarray(0, whole)).toString('utf8').split('\n').slice(0, -1);
  const entries = found.slice(1).map((line, index) => entryOf(line, { path, line: index + 2 }));
  const file = openSync(path, 'a', 0o600);
  const append = (text: string): void => {
    writeSync(file, `${text}\n`);
    fsyncSync(file);
  };
  if (found.length === 0) append(TITLE);
  return {
    entries,
    write: ({ kind, ...rest }) => append(`${kind} ${JSON.stringify(rest)}`),
    close: () => closeSync(file),
  };
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
  return new UsageError(`Line ${line} of ${path} is not one that a demonstration wrote. Give another --dir.`);
}
