import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { envelopeLine, jsonlText, toEnvelopes } from '../../../../src/events/jsonl.ts';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { type ReplayFileOptions, replayJsonlFile } from '../../../../src/log/files/replay-file.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { scratchFolder } from '../../../support/cli.ts';
import { draws } from '../../../support/draws.ts';
import { localThreads } from '../../../support/local-threads.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swapfold-replay-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const linesOf = (log: SwapLog) => toEnvelopes(log).map(envelopeLine);

async function replay(path: string, options: Partial<ReplayFileOptions>) {
  const events: unknown[] = [];
  const result = await replayJsonlFile(path, {
    onSwap: (swap) => events.push(swap),
    onError: ({ error, ...place }) => events.push({ ...place, message: error.message }),
    ...options,
  });
  return { events, result };
}

const swap = fc
  .record({ role: fc.constantFrom('taker' as const, 'maker' as const), seed: fc.nat(40), length: fc.nat(14) })
  .map(({ role, seed, length }) => {
    const path = successPath(role);
    return buildSwap({ role, seed, path: length > 9 ? path : path.slice(0, length) });
  });

const file = fc
  .record({
    logs: fc.array(swap, { minLength: 2, maxLength: 10 }),
    damage: fc.array(fc.record({ at: fc.nat(10_000), how: fc.constantFrom('broken', 'dropped', 'moved', 'empty') }), {
      maxLength: 3,
    }),
  })
  .map(({ logs, damage }) => {
    const lines = logs.flatMap(linesOf);
    for (const { at, how } of damage) {
      const index = at % lines.length;
      const line = lines[index] as string;
      if (how === 'broken') lines[index] = line.replace(/"data":/, '"data":!');
      else if (how === 'empty') lines[index] = '';
      else lines.splice(index, 1);
      if (how === 'moved') lines.splice((at * 7) % (lines.length + 1), 0, line);
      if (lines.length === 0) lines.push('');
    }
    return `${lines.join('\n')}\n`;
  });

describe('the replay of a file', () => {
  it('returns the same swaps and errors in the same order, however many threads share it', async () => {
    const path = join(folder, 'property.jsonl');
    await fc.assert(
      fc.asyncProperty(
        file,
        fc.integer({ min: 500, max: 20_000 }),
        fc.constantFrom(0, 1, 3, 10_000),
        async (text, rangeBytes, maxOpenStreams) => {
          await writeFile(path, text);
          const alone = await replay(path, { maxOpenStreams, chunkBytes: 777 });
          const shared = await replay(path, {
            ...{ workers: 2, maxOpenStreams, rangeBytes },
            startThreads: localThreads(new TextEncoder().encode(text)),
          });
          expect(shared.events).toEqual(alone.events);
          expect({ ...shared.result, workers: 0 }).toEqual({ ...alone.result, workers: 0 });
        },
      ),
      { numRuns: draws({ sample: 20, change: 60 }) },
    );
  });

  it('uses the threads to the end for streams one after the other, finished or not', async () => {
    const path = join(folder, 'ranges.jsonl');
    const logs = Array.from({ length: 12 }, (_, seed) =>
      buildSwap({ role: 'taker', seed, path: successPath('taker').slice(0, seed % 3 === 0 ? 5 : 20) }),
    );
    const text = `${logs.flatMap(linesOf).join('\n')}\n`;
    await writeFile(path, text);
    const startThreads = localThreads(new TextEncoder().encode(text));
    const { result } = await replay(path, { workers: 2, rangeBytes: 10_000, startThreads });
    expect(result).toMatchObject({ workers: 2, swaps: 12, errors: 0, bytes: text.length, parsed: 0 });
  });

  it('goes back to one thread where streams are interleaved', async () => {
    const path = join(folder, 'woven.jsonl');
    const lines = [1, 2, 3, 4].map((seed) => linesOf(buildSwap({ role: 'taker', seed, path: successPath('taker') })));
    const woven = (lines[0] as string[]).flatMap((_, at) => lines.map((of) => of[at]));
    const text = `${woven.join('\n')}\n`;
    await writeFile(path, text);
    const startThreads = localThreads(new TextEncoder().encode(text));
    const { result, events } = await replay(path, { workers: 2, rangeBytes: 3000, startThreads });
    expect(result).toMatchObject({ workers: 1, swaps: 4, errors: 0 });
    expect(events).toMatchObject([1, 2, 3, 4].map(() => ({ outcome: 'completed', anomalies: [] })));
  });

  it('reports its progress', async () => {
    const path = join(folder, 'progress.jsonl');
    const text = linesOf(buildSwap({ role: 'maker', seed: 1, path: successPath('maker') })).join('\n');
    await writeFile(path, text);
    const seen: { bytes: number; size: number }[] = [];
    await replay(path, { chunkBytes: 1000, onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({ bytes: text.length, size: text.length });
    expect(seen.map(({ bytes }) => bytes)).toEqual(seen.map((_, index) => Math.min((index + 1) * 1000, text.length)));
  });

  it('replays an empty file', async () => {
    const path = join(folder, 'empty.jsonl');
    await writeFile(path, '');
    expect((await replay(path, { workers: 2 })).result).toMatchObject({ bytes: 0, lines: 0, swaps: 0 });
  });

  it('names a file that is not there', async () => {
    await expect(replay(join(folder, 'none.jsonl'), {})).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  it('passes on what a callback throws, and closes the file', async () => {
    const path = join(folder, 'throwing.jsonl');
    await writeFile(path, linesOf(buildSwap({ role: 'maker', seed: 1, path: successPath('maker') })).join('\n'));
    const onSwap = () => {
      throw new Error('no more, please');
    };
    await expect(replay(path, { onSwap, chunkBytes: 100 })).rejects.toThrow('no more, please');
  });
});

describe('a file that fails', () => {
  const options = { onSwap: () => {}, onError: () => {} };
  const text = ['a', 'b', 'c']
    .map((seed) => buildSwap({ role: 'taker', path: successPath('taker', { era: 'current', watchers: false }), seed }))
    .map(jsonlText)
    .join('');
  const failing = (code: string) => () => ({
    run: () => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(Object.assign(new Error('read'), { code })) }),
    }),
    stop: async () => {},
  });

  it.each([
    ['ENOENT', 'FILE_NOT_FOUND'],
    ['EIO', 'FILE_UNREADABLE'],
  ])('with %s on a thread is a typed error that names it', async (code, expected) => {
    using scratch = scratchFolder({ 'log.jsonl': text });
    const file = scratch.file('log.jsonl');
    const running = replayJsonlFile(file, { ...options, workers: 2, rangeBytes: 1000, startThreads: failing(code) });
    await expect(running).rejects.toMatchObject({ code: expected, file });
  });

  it('when it is opened is a typed error', async () => {
    await expect(replayJsonlFile('/nowhere.jsonl', options)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    await expect(replayJsonlFile('/', options)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });

  it('because of its caller passes on what the caller threw', async () => {
    using scratch = scratchFolder({ 'log.jsonl': text });
    const thrown = Object.assign(new Error('the output is full'), { code: 'ENOSPC' });
    const onSwap = () => {
      throw thrown;
    };
    await expect(replayJsonlFile(scratch.file('log.jsonl'), { ...options, onSwap })).rejects.toBe(thrown);
  });
});
