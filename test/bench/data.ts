import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonlText } from '../../src/events/jsonl.ts';
import type { SwapLog } from '../../src/events/saved-swap.ts';
import { buildSwap, successPath } from '../../src/testing/logs/swap-builder.ts';

/** Events of each swap: a taker's swap in which all goes well. */
export const EVENTS_PER_SWAP = 12;

/** Swaps that are built; beyond them the same ones come again under other ids. */
const BUILT = 500;

/** The n-th taker swap: 12 events, six transactions, some 8.8 KB with the record that holds the saved swap's head. */
export function benchSwap(seed: number): SwapLog {
  const path = successPath('taker');
  if (path.length !== EVENTS_PER_SWAP) throw new Error(`a swap has ${path.length} events, not ${EVENTS_PER_SWAP}`);
  return buildSwap({ role: 'taker', seed, path });
}

type Template = { readonly bytes: Uint8Array; readonly swaps: number; readonly ids: readonly (readonly number[])[] };

let built: Template | undefined;

/** A block of swaps, and where in it the first eight digits of each swap's id stand. */
function template(): Template {
  if (built !== undefined) return built;
  const logs = Array.from({ length: BUILT }, (_, seed) => benchSwap(seed));
  const texts = logs.map(jsonlText);
  const bytes = Buffer.from(texts.join(''), 'latin1');
  let at = 0;
  const ids = logs.map(({ uuid }, index) => {
    const text = texts[index] as string;
    const places: number[] = [];
    for (let found = text.indexOf(uuid); found >= 0; found = text.indexOf(uuid, found + 1)) places.push(at + found);
    at += text.length;
    return places;
  });
  built = { bytes, swaps: BUILT, ids };
  return built;
}

/**
 * The log of so many swaps, block by block. A block is valid until the next one is asked for: the same bytes are used
 * again under new ids.
 */
export function* logBlocks(swaps: number): Generator<Uint8Array> {
  const { bytes, ids } = template();
  const block = Buffer.from(bytes);
  for (let first = 0; first < swaps; first += BUILT) {
    const count = Math.min(BUILT, swaps - first);
    for (let index = 0; index < count; index++) {
      const digits = (first + index).toString(16).padStart(8, '0');
      for (const place of ids[index] ?? []) block.write(digits, place, 'latin1');
    }
    const next = ids[count]?.[0];
    // The id stands behind `{"stream":"taker-swap/`, 22 characters into the first line of a swap.
    yield next === undefined ? block : block.subarray(0, next - 22);
  }
}

/** Calls with the path of a file that holds the log of so many swaps, which is deleted afterwards. */
export async function withLogFile<T>(swaps: number, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'swapfold-bench-'));
  try {
    const path = join(folder, `${swaps}.jsonl`);
    const file = openSync(path, 'w');
    for (const block of logBlocks(swaps)) writeSync(file, block);
    closeSync(file);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
