import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fence, fencesOf, pages, ROOT } from './fences.ts';

const SHOWN_ONLY = new Set(['text', 'json', 'mermaid']);
const scratch = mkdtempSync(join(tmpdir(), 'swapfold-docs-'));
// Modules are run from inside the package, so that `import 'swapfold'` finds its own exports.
const modules = join(ROOT, 'dist', `docs-${process.pid}`);

beforeAll(() => {
  const shim = join(scratch, 'swapfold');
  writeFileSync(shim, `#!/bin/sh\nexec node "${join(ROOT, 'dist/src/cli/main.js')}" "$@"\n`);
  chmodSync(shim, 0o755);
  mkdirSync(modules, { recursive: true });
});

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
  rmSync(modules, { recursive: true, force: true });
});

function runShell({ text }: Fence) {
  const env = { ...process.env, PATH: `${scratch}${delimiter}${process.env['PATH']}`, NO_COLOR: '1', TMPDIR: scratch };
  return spawnSync('sh', ['-c', text.replaceAll('npx swapfold', 'swapfold')], { cwd: ROOT, env, encoding: 'utf8' });
}

function runModule({ text, line }: Fence) {
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  const file = join(modules, `block-${line}.mjs`);
  writeFileSync(file, ts.transpileModule(text, { compilerOptions: options }).outputText);
  return spawnSync('node', [file], { cwd: ROOT, env: { ...process.env, TMPDIR: scratch }, encoding: 'utf8' });
}

for (const page of pages()) {
  describe(page, () => {
    const fences = fencesOf(page);
    for (const fence of fences.filter(
      ({ language, words }) => !SHOWN_ONLY.has(language) && !words.includes('install'),
    )) {
      it(`the block in line ${fence.line} runs${fence.output === undefined ? '' : ' and prints what the page says'}`, () => {
        const run = { sh: runShell, ts: runModule, js: runModule }[fence.language];
        if (run === undefined) throw new Error(`no way to run a block of language '${fence.language}'`);
        const { status, stdout, stderr } = run(fence);
        const exit = Number(fence.words.find((word) => word.startsWith('exit='))?.slice(5) ?? 0);
        expect({ status, stderr: status === exit ? '' : stderr }).toEqual({ status: exit, stderr: '' });
        if (fence.output !== undefined) expect(stdout.replaceAll('\r\n', '\n').trimEnd()).toBe(fence.output.trimEnd());
      });
    }

    it('every block of a language that is only shown is either output or data', () => {
      expect(fences.filter(({ language }) => language === '').map(({ line }) => line)).toEqual([]);
    });
  });
}

describe('README', () => {
  it('shows code that runs by line 20', () => {
    expect(
      fencesOf('README.md').find(({ language }) => language === 'sh' || language === 'ts')?.line,
    ).toBeLessThanOrEqual(20);
  });
});
