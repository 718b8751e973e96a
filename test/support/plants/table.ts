import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Operator } from './operators.ts';
import type { Room } from './places.ts';

/** Who found a plant first, and what was seen. */
export type Finder = {
  readonly by: 'sim' | 'sim --runtime' | 'check' | 'suite';
  readonly seed?: number;
  readonly where?: string;
  readonly text: string;
};

/** One plant of the table. */
export type Plant = {
  readonly id: string;
  readonly room: Room;
  readonly operator: Operator;
  readonly file: string;
  /** Null once the code has changed so that the place is gone; what was found there still counts. */
  line: number | null;
  readonly before: string;
  readonly after: string;
  /** Who passes the place at all, on the sound engine. */
  reached: readonly string[];
  /** Who found it; whoever comes after the first is not always asked. */
  readonly finders: Finder[];
  /** How far each stage has looked. */
  looked: Record<string, number>;
  /** Planted by hand: `before` stands once in its file. */
  readonly hand?: boolean;
  /** Why it changes nothing that anybody can see. Written by hand. */
  equivalent?: string;
  /** Why no simulated swap shows it, though its place is on the way of one. Written by hand. */
  unseen?: string;
  /** Why nothing finds it, or which test was written for it. Written by hand. */
  note?: string;
};

export type Table = { readonly seed: number; readonly count: number; plants: Plant[] };

export function readTable(file: string): Table | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Table) : null;
}

export function writeTable(file: string, table: Table): void {
  writeFileSync(file, `${JSON.stringify(table, null, 2)}\n`);
}
