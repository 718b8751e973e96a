import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';

const COPIED = [
  'src',
  'machines',
  'test',
  'docs',
  'dist',
  'package.json',
  'tsconfig.json',
  'biome.json',
  'README.md',
  'CHANGELOG.md',
];

const NICENESS = process.env['SWAPFOLD_NICE'] ?? '10';

/** After so long without a word, a run counts as one that never ends. */
const SILENCE_MS = 240_000;

/** What a run found first, or what it says of having found nothing. */
export type Outcome = {
  readonly found: { seed?: number; bounds?: string; text: string } | null;
  readonly passed: readonly string[];
};

/** A failing suite, and the suites of which it is one. */
export type Failing = { readonly where: string; readonly files: readonly string[] };

/** A copy of the repository in a folder of its own, in which files are changed and built one by one. */
export class Scratch {
  readonly root: string;
  readonly #sound = new Map<string, string>();

  constructor(origin: string) {
    this.root = mkdtempSync(join(tmpdir(), 'swapfold-plants-'));
    for (const name of COPIED) {
      const from = join(origin, name);
      if (existsSync(from)) cpSync(from, join(this.root, name), { recursive: true });
    }
    symlinkSync(join(origin, 'node_modules'), join(this.root, 'node_modules'));
  }

  /** A source file as it was when the copy was made: somebody may work on the repository meanwhile. */
  textOf(file: string): string {
    const text = this.#sound.get(file) ?? readFileSync(join(this.root, file), 'utf8');
    this.#sound.set(file, text);
    return text;
  }

  /** Puts a text in the place of a source file, and what it compiles to in the place of the built one. */
  write(file: string, text: string): void {
    this.textOf(file);
    writeFileSync(join(this.root, file), text);
    const { outputText } = ts.transpileModule(text, {
      fileName: file,
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
    });
    writeFileSync(join(this.root, 'dist', file.replace(/\.ts$/, '.js')), outputText);
  }

  restore(file: string): void {
    this.write(file, this.textOf(file));
  }

  async run(stage: string, from: number, to: number): Promise<Outcome> {
    const program = join(this.root, 'dist/test/support/plants/try.js');
    const { code, out, last, err } = await this.#spawn([program, stage, String(from), String(to)]);
    if (code === 0) return JSON.parse(out) as Outcome;
    const text = code === null ? `never ends (after ${last})` : `does not run: ${lastWords(err)}`;
    return { found: { ...(stage === 'check' ? {} : { seed: Number(last) || 0 }), text }, passed: [] };
  }

  /** The first suite among the files that fails, or null. */
  async suites(files: readonly string[]): Promise<Failing | null> {
    if (files.length === 0) return null;
    const report = join(this.root, 'report.json');
    rmSync(report, { force: true });
    const vitest = join(this.root, 'node_modules/vitest/vitest.mjs');
    // A slow machine is no find.
    const patience = ['--testTimeout', '600000', '--hookTimeout', '600000'];
    // Dots are the word that a run of many suites gives before its end.
    const reporters = ['--reporter', 'dot', '--reporter', 'json', '--outputFile.json', report];
    const options = ['--bail', '1', '--maxWorkers', '1', ...reporters, ...patience];
    const { code, err } = await this.#spawn([vitest, 'run', '--config', 'test/vitest.config.ts', ...options, ...files]);
    if (code === 0) return null;
    if (code === null) return { where: `${files[0]} (never ends)`, files };
    if (!existsSync(report)) return { where: `does not run: ${lastWords(err)}`, files };
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { status: string; name: string }[];
    };
    const failed = testResults.find(({ status }) => status === 'failed');
    // An error that no test awaited fails the run as a whole.
    if (failed === undefined) return { where: `outside of the tests: ${lastWords(err)}`, files };
    const where = failed.name.slice(failed.name.indexOf('/test/') + 1);
    return { where, files: [where] };
  }

  #spawn(args: readonly string[]): Promise<{ code: number | null; out: string; err: string; last: string }> {
    return new Promise((resolve) => {
      const child = spawn('nice', ['-n', NICENESS, process.execPath, ...args], {
        cwd: this.root,
        env: { ...process.env, NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let out = '';
      let err = '';
      let hung = false;
      let timer: NodeJS.Timeout | undefined;
      const alive = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          hung = true;
          child.kill('SIGKILL');
        }, SILENCE_MS);
      };
      alive();
      child.stdout.on('data', (data: Buffer) => {
        alive();
        out += String(data);
      });
      child.stderr.on('data', (data: Buffer) => {
        alive();
        err = (err + String(data)).slice(-4000);
      });
      child.on('close', (code) => {
        clearTimeout(timer);
        const last = err.trim().split('\n').at(-1) ?? '';
        resolve({ code: hung ? null : (code ?? 1), out, err, last });
      });
    });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function lastWords(text: string): string {
  return /^\w*Error.*$/m.exec(text)?.[0] ?? text.trim().split('\n').at(-1) ?? '';
}

/** Suites that start processes, servers or browsers, or read the documentation, are no unit suites. */
const FAR =
  /\.(slow|thorough)\.test\.ts$|^test\/(e2e|crash|docs|bench|differential|architecture|mutation)\/|^test\/src\/cli\//;

/** The test files that carry the file's name or import it themselves, and then those of its room. */
export function suitesOf(
  root: string,
  file: string,
): { readonly near: readonly string[]; readonly room: readonly string[] } {
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => `test/${path}`)
    .filter((path) => !FAR.test(path))
    .sort();
  const mirror = `test/${file.replace(/\.ts$/, '')}`;
  const isNamed = (path: string) => path.startsWith(`${mirror}.`) || path.startsWith(`${mirror}-`);
  const folder = `test/${file.slice(0, file.lastIndexOf('/'))}/`;
  const name = `/${file.slice(file.indexOf('/') + 1)}'`;
  const near = tests.filter((path) => isNamed(path) || readFileSync(join(root, path), 'utf8').includes(name));
  const top = file.startsWith('machines/') ? 'test/machines/' : `test/${file.split('/').slice(0, 2).join('/')}/`;
  const rest = tests.filter((path) => !near.includes(path));
  const ranks = [
    folder,
    top,
    'test/properties/',
    'test/src/sim/',
    'test/src/testing/',
    'test/src/replay/',
    'test/replay/',
  ];
  const room = ranks.flatMap((start, index) =>
    rest.filter((path) => path.startsWith(start) && !ranks.slice(0, index).some((earlier) => path.startsWith(earlier))),
  );
  return { near, room };
}
