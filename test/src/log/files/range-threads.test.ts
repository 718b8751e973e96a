import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonlText } from '../../../../src/events/jsonl.ts';
import { replayJsonlFile } from '../../../../src/log/files/replay-file.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { builtModule } from '../../../support/built.ts';
import { oneIn } from '../../../support/draws.ts';

const run = promisify(execFile);
let folder = '';
let built = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swapfold-threads-'));
  built = builtModule('src/log/files/replay-file.js');
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const SCRIPT = `
const [built, path, workers] = process.argv.slice(1);
const { replayJsonlFile } = await import(built);
const events = [];
try {
  const result = await replayJsonlFile(path, {
    workers: Number(workers),
    rangeBytes: 20_000,
    onSwap: (swap) => events.push(swap),
    onError: ({ error, ...place }) => events.push({ ...place, code: error.code }),
  });
  console.log(JSON.stringify({ events, result }));
} catch (error) {
  console.log(JSON.stringify({ failed: error.message }));
}`;

/** Replays on the threads of the built package, in a process of its own. */
async function replayThreaded(path: string, workers: number) {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', SCRIPT, built, path, String(workers)], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as { readonly events: unknown; readonly result: { readonly workers: number } };
}

async function replayHere(path: string) {
  const events: unknown[] = [];
  const result = await replayJsonlFile(path, {
    onSwap: (swap) => events.push(swap),
    onError: ({ error, ...place }) => events.push({ ...place, code: error.code }),
  });
  return { events: JSON.parse(JSON.stringify(events)), result };
}

const swaps = Array.from({ length: 40 }, (_, seed) => {
  const role = seed % 3 === 0 ? 'maker' : 'taker';
  const path = successPath(role);
  return jsonlText(buildSwap({ role, seed, path: seed % 5 === 0 ? path.slice(0, 4) : path }));
});

it('worker threads find what one thread finds, in the same order', async () => {
  const path = join(folder, 'swaps.jsonl');
  await writeFile(path, swaps.join(''));
  const { events, result } = await replayHere(path);
  for (const workers of oneIn(2, [2, 3])) {
    expect(await replayThreaded(path, workers)).toEqual({ events, result: { ...result, workers } });
  }
});

it('worker threads name lines that cannot be read by their number in the file', async () => {
  const path = join(folder, 'damaged.jsonl');
  const lines = swaps.join('').split('\n');
  for (const at of [50, 51, 300, 420]) lines[at] = (lines[at] as string).replace('"data":', '"data":?');
  await writeFile(path, lines.join('\n'));
  const { events, result } = await replayHere(path);
  expect(result.errors).toBe(4);
  expect(await replayThreaded(path, 2)).toEqual({ events, result: { ...result, workers: 2 } });
});
