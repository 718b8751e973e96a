import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LogError } from '../../src/log/log-error.ts';
import { openSqliteLog } from '../../src/log/sqlite/open.ts';
import { type Rng, xorshift32 } from '../../src/sim/xorshift.ts';
import { contentOf, copyParts, PARTS, recordsOf, writeKilled } from '../support/log-parts.ts';
import { scratchLog } from '../support/logs.ts';

type Part = (typeof PARTS)[number];

/** What is done to the files of a log that a killed process left. */
export type Wound =
  | { readonly kind: 'flip'; readonly part: Part; readonly at: number; readonly bit: number }
  | { readonly kind: 'cut'; readonly part: Part; readonly at: number }
  | { readonly kind: 'remove'; readonly part: Part };

/** What somebody who opens a log is told of it. */
type Told =
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'damaged' }
  | {
      readonly kind: 'open';
      readonly tail: string;
      readonly apart: readonly unknown[];
      readonly records: ReadonlyMap<string, string>;
    };

export type Judged = { readonly wounds: readonly Wound[]; readonly told: Told; readonly missing: number };

/** A log of which 19 of 40 records are in the file, the others in the write-ahead log. */
export type Victim = { readonly path: string; readonly folder: string; readonly held: ReadonlyMap<string, string> };

export async function withVictim<T>(action: (victim: Victim) => Promise<T>): Promise<T> {
  const { folder, path, dispose } = scratchLog();
  try {
    const kept = join(folder, 'kept.db');
    return await action({ path: kept, folder, held: await writeKilled(path, { inFile: 19, inWal: 21, to: kept }) });
  } finally {
    dispose();
  }
}

let count = 0;

/**
 * Wounds a copy and opens it to read and then to write. Throws unless both are told the same, the reader left every file as it
 * was, and what is missing is known to be.
 */
export async function judge(victim: Victim, wounds: readonly Wound[]): Promise<Judged> {
  const { folder, dispose } = scratchLog();
  try {
    const path = join(folder, `victim-${count++}.db`);
    copyParts(victim.path, path);
    for (const wound of wounds) inflict(path, wound);
    const before = contentOf(folder);
    const reader = await toldOf(() => openSqliteLog({ path, readOnly: true }));
    same(contentOf(folder), before, 'files after reading');
    const writer = await toldOf(() => openSqliteLog({ path }));
    same(reader, writer, 'what the reader and the writer are told');
    return { wounds, told: reader, missing: missingIn(reader, victim) };
  } finally {
    dispose();
  }
}

async function toldOf(open: () => ReturnType<typeof openSqliteLog>): Promise<Told> {
  let log: Awaited<ReturnType<typeof open>>;
  try {
    log = await open();
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    return error.code === 'LOG_DAMAGED' ? { kind: 'damaged' } : { kind: 'refused', code: error.code };
  }
  const { recovery, tail } = log.opening;
  const told: Told =
    recovery === undefined
      ? { kind: 'open', tail, apart: log.quarantined(), records: await recordsOf(log) }
      : { kind: 'damaged' };
  await log.close();
  return told;
}

/** Streams that are shown shorter than they were, in a log that is said to be whole. */
function missingIn(told: Told, { held }: Victim): number {
  if (told.kind !== 'open' || told.tail !== 'whole') return 0;
  const apart = new Set(told.apart.map((one) => (one as { readonly stream: string }).stream));
  return [...held].filter(([stream, records]) => !apart.has(stream) && told.records.get(stream) !== records).length;
}

function inflict(path: string, wound: Wound): void {
  const file = path + wound.part;
  if (!existsSync(file)) return;
  if (wound.kind === 'remove') rmSync(file);
  else if (wound.kind === 'cut') truncateSync(file, wound.at);
  else {
    const bytes = readFileSync(file);
    if (wound.at < bytes.length) bytes[wound.at] = (bytes[wound.at] as number) ^ (1 << wound.bit);
    writeFileSync(file, bytes);
  }
}

function same(actual: unknown, expected: unknown, what: string): void {
  const plain = (value: unknown) => JSON.stringify(value, (_, inner) => (inner instanceof Map ? [...inner] : inner));
  const [left, right] = [plain(actual), plain(expected)];
  if (left !== right) throw new Error(`${what}: ${left.slice(0, 600)} and ${right.slice(0, 600)}`);
}

const FRAME = 24 + 4096;
const HEADER = 32;

/** Places worth a look in a part: all of its headers, and some of the rest. */
function placeIn(victim: Victim, part: Part, rng: Rng): number {
  const { length } = readFileSync(victim.path + part);
  if (part === '-shm') return rng.below(136);
  const kind = rng.below(3);
  if (part === '') return kind === 0 ? rng.below(100) : kind === 1 ? 4096 + rng.below(4096) : rng.below(length);
  if (kind === 0) return rng.below(HEADER);
  const frame = HEADER + FRAME * rng.below(Math.floor(length / FRAME));
  return kind === 1 ? frame + rng.below(24) : frame + 24 + rng.below(4096);
}

/** A wound drawn from a seed, with the index of the write-ahead log there or gone. */
export function drawWounds(victim: Victim, seed: number): readonly Wound[] {
  const rng = xorshift32(seed + 1);
  const part = PARTS[rng.below(10) < 6 ? 1 : rng.below(10) < 8 ? 0 : 2] as Part;
  const at = placeIn(victim, part, rng);
  const wound: Wound = rng.below(4) === 0 ? { kind: 'cut', part, at } : { kind: 'flip', part, at, bit: rng.below(8) };
  return rng.below(2) === 0 ? [wound] : [wound, { kind: 'remove', part: '-shm' }];
}
