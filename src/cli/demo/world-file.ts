import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
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

/** Opens the file, one JSON object a line. A last line that a crash cut off is left out. */
export function openWorldFile(path: string): WorldFile {
  const entries: WorldEntry[] = [];
  if (existsSync(path)) {
    for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1))
      entries.push(JSON.parse(line) as WorldEntry);
  }
  const file = openSync(path, 'a', 0o600);
  return {
    entries,
    write(entry) {
      writeSync(file, `${JSON.stringify(entry)}\n`);
      fsyncSync(file);
    },
    close: () => closeSync(file),
  };
}
