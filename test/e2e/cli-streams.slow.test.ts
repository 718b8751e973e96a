import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { savedSwapText } from '../../src/events/encode.ts';
import { jsonlText } from '../../src/events/jsonl.ts';
import { buildSwap, successPath } from '../../src/testing/logs/swap-builder.ts';
import { jsonRows, SAMPLES, scratchFolder } from '../support/cli.ts';
import { BIN, shell, swapfold } from '../support/cli-process.ts';

const swap = (seed: string) =>
  buildSwap({ role: 'taker', path: successPath('taker', { era: 'current', watchers: false }), seed });
const log = swap('e2e');

describe('inputs and outputs', () => {
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

  it.skipIf(!existsSync('/dev/full'))('report a full disk', async () => {
    const { code, err } = await shell(`swapfold replay "${SAMPLES}/sound" > /dev/full`);
    expect(code).toBe(1);
    expect(err).toBe('swapfold: ENOSPC: no space left on device, write\n');
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
});
