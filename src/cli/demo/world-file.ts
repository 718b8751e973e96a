import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Millis } from '../../primitives/time.ts';

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
  const found = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  const entries = found.slice(1).map(entryOf);
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

function entryOf(line: string): WorldEntry {
  const space = line.indexOf(' ');
  return { kind: line.slice(0, space), ...JSON.parse(line.slice(space)) } as WorldEntry;
}
