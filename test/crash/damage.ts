import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { streamOf } from '../../src/events/jsonl.ts';
import { LogDamagedError } from '../../src/log/log-error.ts';
import { openSqliteLog } from '../../src/log/sqlite/open.ts';
import type { SqliteLog } from '../../src/log/sqlite/sqlite-log.ts';
import type { NewRecord } from '../../src/ports/event-log.ts';
import { type Rng, xorshift32 } from '../../src/sim/xorshift.ts';
import { buildSwap, successPath } from '../../src/testing/logs/swap-builder.ts';
import { scratchLog } from '../support/logs.ts';

/** A log of whole swaps, closed or as a killed process leaves it, and what it holds. */
type Original = {
  readonly path: string;
  /** JSON of the records of each stream. */
  readonly streams: ReadonlyMap<string, string>;
};

const PARTS = ['', '-wal', '-shm'] as const;
/** What a disk loses when it loses something. */
const SECTOR_BYTES = 512;
/** Swaps in the log, and how many of them go on at the same time. */
export const SWAPS = 36;
export const AT_A_TIME = 6;

/** Writes swaps, several at a time, with one record in thirty too large for a page. */
async function writeOriginal(folder: string, { killed }: { readonly killed: boolean }): Promise<Original> {
  const path = join(folder, 'original.db');
  const log = await openSqliteLog({ path });
  const swaps = Array.from({ length: SWAPS }, (_, index) => {
    const role = index % 2 === 0 ? ('taker' as const) : ('maker' as const);
    const swap = buildSwap({
      role,
      path: successPath(role, { era: 'current', watchers: false }),
      seed: `damage ${index}`,
    });
    return {
      stream: streamOf(swap),
      records: swap.events.map(({ at, type, data }) => recordOf(at, type, data ?? null)),
    };
  });
  for (let from = 0; from < SWAPS; from += AT_A_TIME) await appendInTurn(log, swaps.slice(from, from + AT_A_TIME));
  const streams = new Map<string, string>();
  for (const { stream } of swaps) streams.set(stream, JSON.stringify(await log.read(stream)));
  const kept = join(folder, 'kept.db');
  if (killed) copyParts(path, kept);
  await log.close();
  if (!killed) copyParts(path, kept);
  return { path: kept, streams };
}

function recordOf(at: NewRecord['at'], type: string, data: unknown): NewRecord {
  const large = type === 'TakerPaymentSpent' && at % 3 === 0 ? { note: 'x'.repeat(9000) } : {};
  return { at, type, version: 1, data: { given: data, ...large } };
}

type Swap = { readonly stream: string; readonly records: readonly NewRecord[] };

async function appendInTurn(log: SqliteLog, swaps: readonly Swap[]): Promise<void> {
  const longest = Math.max(...swaps.map(({ records }) => records.length));
  for (let seq = 0; seq < longest; seq++) {
    await Promise.all(
      swaps
        .filter(({ records }) => seq < records.length)
        .map(({ stream, records }) => {
          const labels = {
            makerCoin: 'KMD',
            takerCoin: 'LTC',
            state: `after ${seq}`,
            finished: seq === records.length - 1,
          };
          return log.append({ stream, expected: seq, records: records.slice(seq, seq + 1), labels });
        }),
    );
  }
}

function copyParts(from: string, to: string): void {
  for (const part of PARTS) if (existsSync(from + part)) copyFileSync(from + part, to + part);
}

/** What a damage did. `harmless`: every record reads back and nothing is reported. */
export type Outcome = 'harmless' | 'quarantined' | 'salvaged' | 'tail reported' | 'refused';

export type Damaged = {
  readonly damage: Damage;
  readonly outcome: Outcome;
  /** Streams that are named as damaged. */
  readonly apart: number;
  /** Streams of which nothing is left. */
  readonly gone: number;
};

export type Damage =
  | { readonly kind: 'cut'; readonly part: '' | '-wal'; readonly share: number }
  | { readonly kind: 'flip'; readonly part: '' | '-wal'; readonly share: number; readonly bits: number }
  | { readonly kind: 'blank'; readonly part: '' | '-wal'; readonly share: number };

function randomDamage(rng: Rng, kind: Damage['kind'], part: Damage['part']): Damage {
  const share = rng.below(1 << 30) / (1 << 30);
  return kind === 'flip' ? { kind, part, share, bits: 1 + rng.below(255) } : { kind, part, share };
}

/**
 * Damages a copy, opens it, and throws unless every stream either reads back as it was or is known to be damaged, and the
 * log can be written to.
 */
async function tryDamage(original: Original, folder: string, damage: Damage): Promise<Damaged> {
  const path = join(folder, 'victim.db');
  for (const name of readdirSync(folder)) if (name.startsWith('victim.db')) rmSync(join(folder, name));
  copyParts(original.path, path);
  inflict(path + damage.part, damage);
  try {
    const log = await openSqliteLog({ path });
    try {
      return { damage, ...(await look(log, original)) };
    } finally {
      await log.close();
    }
  } catch (error) {
    if (error instanceof LogDamagedError && error.stream === undefined)
      return { damage, outcome: 'refused', apart: 0, gone: 0 };
    throw error;
  }
}

function inflict(file: string, damage: Damage): void {
  const bytes = readFileSync(file);
  const at = Math.floor(damage.share * bytes.length);
  if (damage.kind === 'cut') {
    truncateSync(file, at);
    return;
  }
  if (damage.kind === 'flip') bytes[at] = (bytes[at] as number) ^ damage.bits;
  else bytes.fill(0, at - (at % SECTOR_BYTES), at - (at % SECTOR_BYTES) + SECTOR_BYTES);
  writeFileSync(file, bytes);
}

async function look(log: SqliteLog, { streams }: Original): Promise<Omit<Damaged, 'damage'>> {
  const { recovery, tail } = log.opening;
  const apart = new Set(log.quarantined().map(({ stream }) => stream));
  let gone = 0;
  let behind = 0;
  for (const [stream, expected] of streams) {
    if (apart.has(stream)) continue;
    const found = await log.read(stream);
    if (found.length === 0) gone++;
    else if (JSON.stringify(found) !== expected) behind++;
  }
  const outcome =
    recovery !== undefined
      ? 'salvaged'
      : apart.size > 0
        ? 'quarantined'
        : tail !== 'whole'
          ? 'tail reported'
          : 'harmless';
  if (outcome === 'harmless' && gone > 0) throw new Error(`${gone} streams vanished without a word`);
  // Only what stood in a write-ahead log that was cut can be older than it was; that is reported for the log as a whole.
  if (behind > 0 && tail === 'whole') throw new Error(`${behind} streams changed without a word`);
  await log.append({
    stream: 'taker-swap/new',
    expected: 0,
    records: [{ at: 0 as NewRecord['at'], type: 'Started', version: 1, data: null }],
  });
  return { outcome, apart: apart.size, gone };
}

export type Trial = {
  readonly killed: boolean;
  readonly kind: Damage['kind'];
  readonly part: Damage['part'];
  readonly times: number;
  readonly seed: number;
};

/** Damages the same log many times, each time at another place. */
export async function damageMany({ killed, kind, part, times, seed }: Trial): Promise<readonly Damaged[]> {
  const { folder, dispose } = scratchLog();
  try {
    const original = await writeOriginal(folder, { killed });
    const rng = xorshift32(seed);
    const found: Damaged[] = [];
    for (let count = 0; count < times; count++) {
      const damage = randomDamage(rng, kind, part);
      const tried = tryDamage(original, folder, damage).catch((error: unknown) => {
        throw new Error(`after ${JSON.stringify(damage)}`, { cause: error });
      });
      found.push(await tried);
    }
    return found;
  } finally {
    dispose();
  }
}
