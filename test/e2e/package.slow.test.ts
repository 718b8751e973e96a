import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'swapfold-package-'));

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd: home, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

beforeAll(() => {
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', home], { cwd: ROOT, encoding: 'utf8' });
  const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('['))) as [{ filename: string }];
  writeFileSync(join(home, 'package.json'), '{"name":"host","private":true,"type":"module"}');
  run('npm', 'install', '--no-audit', '--no-fund', join(home, filename));
}, 300_000);

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('the package, installed into an empty project', () => {
  it('runs its command', () => {
    expect(run('npx', 'swapfold', '--help')).toContain(
      'Runs, replays, explains and audits atomic swaps, and runs a chain with tokens.',
    );
    const sample = join(ROOT, 'docs/samples/sound/completed.json');
    expect(run('npx', 'swapfold', 'replay', sample)).toContain('1 swap: 1 completed');
  });

  it('gives every entry point but the one for testers without fast-check', () => {
    const script = `
      const names = ['swapfold', 'swapfold/machines', 'swapfold/events', 'swapfold/replay', 'swapfold/log/files'];
      for (const name of names) console.log(name, Object.keys(await import(name)).length > 0);
      console.log(await import('swapfold/testing').then(() => 'loaded', (error) => error.code));
    `;
    writeFileSync(join(home, 'entries.js'), script);
    expect(run('node', 'entries.js').trim().split('\n')).toEqual([
      'swapfold true',
      'swapfold/machines true',
      'swapfold/events true',
      'swapfold/replay true',
      'swapfold/log/files true',
      'ERR_MODULE_NOT_FOUND',
    ]);
  });

  it('gives testers their entry point beside fast-check', () => {
    run('npm', 'install', '--no-audit', '--no-fund', 'fast-check@4.10.2');
    writeFileSync(join(home, 'testing.js'), "console.log(typeof (await import('swapfold/testing')).buildSwap);");
    expect(run('node', 'testing.js').trim()).toBe('function');
  });
});
