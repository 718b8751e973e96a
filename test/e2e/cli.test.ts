import { type SpawnOptions, spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { savedSwapText } from '../../src/events/encode.ts';
import { jsonlText } from '../../src/events/jsonl.ts';
import { buildSwap, successPath } from '../../src/testing/logs/swap-builder.ts';
import { builtModule } from '../support/built.ts';
import { jsonRows, SAMPLES, scratchFolder } from '../support/cli.ts';

const BIN = fileURLToPath(builtModule('src/cli/main.js'));

type Ended = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
};

function swapfold(argv: readonly string[], options: SpawnOptions & { readonly input?: string } = {}): Promise<Ended> {
  const { input = '', ...given } = options;
  return ended(spawn(process.execPath, [BIN, ...argv], { ...given, stdio: 'pipe' }), input);
}

function shell(line: string): Promise<Ended> {
  const script = `set -o pipefail; swapfold() { "${process.execPath}" "${BIN}" "$@"; }; ${line}`;
  return ended(spawn('bash', ['-c', script], { stdio: 'pipe' }), '');
}

function ended(child: ReturnType<typeof spawn>, input: string): Promise<Ended> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      resolve({ code, signal, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() });
    });
  });
}

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
    expect(await swapfold(['replay', `${SAMPLES}/sound`])).toMatchObject({ code: 1, err: '' });
    expect(await swapfold(['replay', `${SAMPLES}/damaged`])).toMatchObject({ code: 1, err: '' });
    expect(await swapfold(['replay', '--nope', 'x'])).toMatchObject({ code: 2, out: '' });
    expect(await swapfold([])).toMatchObject({ code: 2, out: '' });
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

  it('are replayed on several threads as on one', async () => {
    using scratch = scratchFolder();
    // Large enough to be cut into ranges, each for a thread.
    const text = jsonlText(log);
    const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const copies = Array.from({ length: 4000 }, (_, index) => text.replaceAll(log.uuid, uuid(index)));
    writeFileSync(scratch.file('log.jsonl'), copies.join(''));
    expect(statSync(scratch.file('log.jsonl')).size).toBeGreaterThan(32 * 1024 * 1024);
    const one = await swapfold(['replay', '--json', scratch.file('log.jsonl')]);
    const two = await swapfold(['replay', '--json', '--workers', '2', scratch.file('log.jsonl')]);
    expect(two).toEqual(one);
    expect(jsonRows(one.out)).toHaveLength(4000);
  });

  it.each(['replay', 'explain', 'timeline', 'audit', 'export --format spec', 'replay --json'])(
    '%s ends quietly when its reader goes away',
    async (command) => {
      using scratch = scratchFolder({ 'swap.json': savedSwapText(log) });
      const text = savedSwapText(log);
      for (let index = 0; index < 500; index++) writeFileSync(scratch.file(`${index}.json`), text);
      const { code, err, out } = await shell(`swapfold ${command} "${scratch.path}" | head -n 1`);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out.split('\n')).toHaveLength(2);
    },
  );

  it('help ends quietly when nobody reads it', async () => {
    expect(await shell('swapfold --help | true')).toMatchObject({ code: 0, err: '' });
  });

  it.skipIf(!existsSync('/dev/full'))('help reports a full disk', async () => {
    const { code, err } = await shell('swapfold --help > /dev/full');
    expect({ code, err }).toEqual({ code: 1, err: 'swapfold: ENOSPC: no space left on device, write\n' });
  });

  it.skipIf(!existsSync('/dev/full'))('report a full disk', async () => {
    const { code, err } = await shell(`swapfold replay "${SAMPLES}/sound" > /dev/full`);
    expect(code).toBe(1);
    expect(err).toBe('swapfold: ENOSPC: no space left on device, write\n');
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

  it.each(['jsonl', 'csv', 'spec', 'kdf'])('an export of %s without disk space leaves the old file', async (format) => {
    using scratch = scratchFolder({ out: 'mine' });
    const many = Array.from({ length: 8 }, (_, index) => savedSwapText(swap(`room ${index}`))).join('\n');
    writeFileSync(scratch.file('in.jsonl'), many);
    // Files may grow to one block of 512 or 1024 bytes; a full disk fails the same call.
    const line = `ulimit -f 1; swapfold export --format ${format} --force --join "${scratch.file('in.jsonl')}" --out "${scratch.file('out')}"`;
    const { code, err } = await shell(line);
    expect(code).toBe(1);
    expect(err).toContain('[FILE_UNWRITABLE]');
    expect(err).not.toContain('Wrote');
    expect(readFileSync(scratch.file('out'), 'utf8')).toBe('mine');
    expect(readdirSync(scratch.path).sort()).toEqual(['in.jsonl', 'out']);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('an export that %s ends leaves nothing behind', async (signal, code) => {
    using scratch = scratchFolder();
    const argv = [BIN, 'export', '--secrets', '-', '--out', scratch.file('out.json')];
    const child = spawn(process.execPath, argv, { stdio: 'pipe' });
    child.stdin.write(`${savedSwapText(log)}\n`);
    await new Promise<void>((resolve) => {
      const watcher = watch(scratch.path, () => {
        watcher.close();
        resolve();
      });
    });
    const [temporary = ''] = readdirSync(scratch.path);
    expect(temporary).toMatch(/\.tmp$/);
    expect(statSync(scratch.file(temporary)).mode & 0o777).toBe(0o600);
    child.kill(signal);
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(code);
    expect(readdirSync(scratch.path)).toEqual([]);
  });

  it('a picture of a machine is drawn without anything installed', async () => {
    using scratch = scratchFolder();
    const file = scratch.file('machine.svg');
    expect(await swapfold(['graph', 'enable-eth', '--format', 'svg', '--out', file])).toMatchObject({
      code: 0,
      out: '',
    });
    expect(statSync(file).size).toBeGreaterThan(10_000);
  });

  function readOk({ code, out, err }: Ended): string {
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out;
  }
});
