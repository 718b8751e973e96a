import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logBlocks } from '../../../bench/data.ts';
import { builtModule } from '../../../support/built.ts';

const run = promisify(execFile);
const SWAPS = 250_000;
const MOST_MB = 400;
let folder = '';
let path = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swapfold-large-'));
  path = join(folder, 'large.jsonl');
  const copies = function* () {
    for (const block of logBlocks(SWAPS)) yield Buffer.from(block);
  };
  await pipeline(Readable.from(copies()), createWriteStream(path));
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

// A process begins with the peak of the one that started it, as `getrusage` counts; what the kernel tells of its own memory does not.
const SCRIPT = `
import { readFileSync } from 'node:fs';
const [built, path, workers] = process.argv.slice(1);
const { replayJsonlFile } = await import(built);
const outcomes = {};
const { swaps, errors, parsed } = await replayJsonlFile(path, {
  workers: Number(workers),
  onSwap: ({ outcome }) => { outcomes[outcome] = (outcomes[outcome] ?? 0) + 1; },
  onError: () => {},
});
const kilobytes = /^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1];
console.log(JSON.stringify({ swaps, errors, parsed, outcomes, peak: Number(kilobytes) / 1024 }));`;

describe('a log file of more than 2 GB', () => {
  for (const workers of [1, 2]) {
    it(`is replayed in less than ${MOST_MB} MB on ${workers} thread(s)`, async () => {
      expect((await stat(path)).size).toBeGreaterThan(2 * 1024 ** 3);
      const flags = ['--max-old-space-size=256', '--input-type=module', '-e', SCRIPT];
      const built = builtModule('src/log/files/replay-file.js');
      const { stdout } = await run(process.execPath, [...flags, built, path, String(workers)]);
      const { peak, ...found } = JSON.parse(stdout) as { readonly peak: number };
      expect(found).toEqual({ swaps: SWAPS, errors: 0, parsed: 0, outcomes: { completed: SWAPS } });
      expect(peak).toBeLessThan(MOST_MB);
    });
  }
});
