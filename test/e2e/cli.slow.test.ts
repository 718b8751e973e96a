import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { savedSwapText } from '../../src/events/encode.ts';
import { jsonlText } from '../../src/events/jsonl.ts';
import { buildSwap, successPath } from '../../src/testing/logs/swap-builder.ts';
import { jsonRows, SAMPLES, scratchFolder } from '../support/cli.ts';
import { BIN, type Ended, ended, shell, swapfold } from '../support/cli-process.ts';

// More of its inputs and outputs: cli-streams.slow.test.ts.

const swap = (seed: string) =>
  buildSwap({ role: 'taker', path: successPath('taker', { era: 'current', watchers: false }), seed });
const log = swap('e2e');

describe('the command line', () => {
  it('starts as a script', async () => {
    expect(readFileSync(BIN, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    chmodSync(BIN, 0o755);
    const { code, out } = await ended(spawn(BIN, ['--help'], { stdio: 'pipe' }), '');
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: swapfold /);
  });

  it('ends with 0, 1 and 2', async () => {
    expect(await swapfold(['replay', `${SAMPLES}/sound/completed.json`])).toMatchObject({ code: 0, err: '' });
    expect(await swapfold(['replay', `${SAMPLES}/damaged`])).toMatchObject({ code: 1, err: '' });
    expect(await swapfold(['replay', '--nope', 'x'])).toMatchObject({ code: 2, out: '' });
  });

  it('loads only the code of the command that runs', () => {
    const source = readFileSync(join(BIN, '../program.js'), 'utf8');
    expect(source).not.toMatch(/^import .*commands\//m);
    expect(source.match(/await import\(['"]\.\/commands\/\w+\.js['"]\)/g)).toHaveLength(8);
  });
});

describe('inputs and outputs', () => {
  it('are read from folders, packed files, log files, globs and standard input alike', async () => {
    using scratch = scratchFolder({
      'a.json': savedSwapText(log),
      'b.json.gz': gzipSync(savedSwapText(swap('b'))),
      'c.jsonl': jsonlText(swap('c')),
      'd.jsonl.gz': gzipSync(jsonlText(swap('d'))),
    });
    const names = async (...argv: string[]) =>
      jsonRows(readOk(await swapfold(['replay', '--json', ...argv], { input: savedSwapText(log) }))).map(
        ({ uuid }) => uuid,
      );
    const all = [log, swap('b'), swap('c'), swap('d')].map(({ uuid }) => uuid);
    expect(await names(scratch.path)).toEqual(all);
    expect(await names(`${scratch.path}/*`)).toEqual(all);
    expect(await names('-', scratch.file('c.jsonl'))).toEqual([all[0], all[2]]);
  });

  it.skipIf(!existsSync('/dev/full'))('help reports a full disk', async () => {
    const { code, err } = await shell('swapfold --help > /dev/full');
    expect({ code, err }).toEqual({ code: 1, err: 'swapfold: ENOSPC: no space left on device, write\n' });
  });

  it('go through pipes from one command to the next', async () => {
    const line = `swapfold export --format jsonl --secrets "${SAMPLES}/sound" | swapfold export --format kdf --secrets - | swapfold audit -`;
    const { code, out } = await shell(line);
    // Each is sound, and in one of them coins wait for somebody.
    expect(code).toBe(1);
    expect(out).toMatch(/\n5 swaps: \d+ verified, 0 violated, \d+ not checkable\n$/);
  });

  it('are written to a file in one piece', async () => {
    using scratch = scratchFolder();
    const file = scratch.file('out/swaps.csv');
    const { code, err } = await swapfold(['export', '--format', 'csv', `${SAMPLES}/sound`, '--out', file]);
    expect({ code, err }).toEqual({ code: 0, err: `Wrote 5 swaps to ${file}.\n` });
    expect(readFileSync(file, 'utf8').split('\r\n')).toHaveLength(7);
    expect(readdirSync(scratch.file('out'))).toEqual(['swaps.csv']);
  });

  function readOk({ code, out, err }: Ended): string {
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out;
  }
});
