import { spawn } from 'node:child_process';
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

type Run = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** Each page has a temporary folder of its own. */
function run({ page }: Fence, command: readonly string[], env: NodeJS.ProcessEnv): Promise<Run> {
  const TMPDIR = join(scratch, slugOf(page));
  mkdirSync(TMPDIR, { recursive: true });
  return new Promise((resolve, reject) => {
    const [program = '', ...args] = command;
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = spawn(program, args, { cwd: ROOT, stdio, env: { ...process.env, ...env, TMPDIR } });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    }
    child.once('error', reject).once('close', (status) => resolve({ status, ...said }));
  });
}

const slugOf = (page: string) => page.replace(/\W/g, '-');

function runShell(fence: Fence): Promise<Run> {
  const env = { PATH: `${scratch}${delimiter}${process.env['PATH']}`, NO_COLOR: '1', COLUMNS: '100' };
  return run(fence, ['sh', '-c', fence.text.replaceAll('npx swapfold', 'swapfold')], env);
}

function runModule(fence: Fence): Promise<Run> {
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  const file = join(modules, `${slugOf(fence.page)}-${fence.line}.mjs`);
  writeFileSync(file, ts.transpileModule(fence.text, { compilerOptions: options }).outputText);
  return run(fence, ['node', file], {});
}

// Pages are run side by side, because much of what they show waits for blocks; the blocks of one page go on from one another.
for (const page of pages()) {
  describe.concurrent(page, () => {
    const fences = fencesOf(page);
    for (const fence of fences.filter(
      ({ language, words }) => !SHOWN_ONLY.has(language) && !words.includes('install'),
    )) {
      it.sequential(`the block in line ${fence.line} runs${fence.output === undefined ? '' : ' and prints what the page says'}`, async () => {
        const runner = { sh: runShell, ts: runModule, js: runModule }[fence.language];
        if (runner === undefined) throw new Error(`no way to run a block of language '${fence.language}'`);
        const { status, stdout, stderr } = await runner(fence);
        const exit = Number(fence.words.find((word) => word.startsWith('exit='))?.slice(5) ?? 0);
        expect({ status, stderr: status === exit ? '' : stderr }).toEqual({ status: exit, stderr: '' });
        if (fence.output !== undefined) expect(stdout.replaceAll('\r\n', '\n').trimEnd()).toBe(fence.output.trimEnd());
      });
    }

    it.sequential('every block of a language that is only shown is either output or data', () => {
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
