import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { savedSwapText } from '../../../../src/events/encode.ts';
import { benchSwap } from '../../../bench/data.ts';
import { builtModule } from '../../../support/built.ts';

const run = promisify(execFile);
/** 60 MB. */
const SWAPS = 8_000;
const DIFFERENT = 100;
let folder = '';

/** The same swaps under other ids, one after the other. */
function* entries(): Generator<string> {
  const texts = Array.from({ length: DIFFERENT }, (_, seed) => {
    const log = benchSwap(seed);
    return { uuid: log.uuid, text: savedSwapText(log) };
  });
  for (let index = 0; index < SWAPS; index++) {
    const { uuid, text } = texts[index % DIFFERENT] as (typeof texts)[number];
    yield text.replaceAll(uuid, index.toString(16).padStart(8, '0') + uuid.slice(8));
  }
}

function* answer(): Generator<string> {
  let before = '{"result":{"from_uuid":null,"skipped":0,"swaps":[';
  for (const entry of entries()) {
    yield before + entry;
    before = ',';
  }
  yield `],"total":${SWAPS}}}`;
}

function* lines(): Generator<string> {
  for (const entry of entries()) yield `${entry}\n`;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swapfold-large-'));
  await pipeline(Readable.from(answer()), createWriteStream(join(folder, 'answer.json')));
  await pipeline(Readable.from(lines()), createWriteStream(join(folder, 'swaps.jsonl')));
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('an answer of 60 MB', () => {
  it('is replayed by a process with 64 MB for its objects, as the same swaps one a line', async () => {
    const cli = fileURLToPath(builtModule('src/cli/main.js'));
    const replayed = async (name: string) => {
      const argv = ['--max-old-space-size=64', cli, 'replay', '--json', join(folder, name)];
      const { stdout } = await run(process.execPath, argv, { maxBuffer: 2 ** 30 });
      return stdout.replaceAll(join(folder, name), 'file');
    };
    const [fromAnswer, fromLines] = [await replayed('answer.json'), await replayed('swaps.jsonl')];
    expect(fromAnswer.split('\n')).toHaveLength(SWAPS + 1);
    expect(fromAnswer === fromLines).toBe(true);
  }, 300_000);
});
