import { type SpawnOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { builtModule } from './built.ts';

/** The command line, as it was built. */
export const BIN = fileURLToPath(builtModule('src/cli/main.js'));

export type Ended = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
};

/** Runs it in a process of its own. */
export function swapfold(
  argv: readonly string[],
  options: SpawnOptions & { readonly input?: string } = {},
): Promise<Ended> {
  const { input = '', ...given } = options;
  return ended(spawn(process.execPath, [BIN, ...argv], { ...given, stdio: 'pipe' }), input);
}

/** Runs a line of a shell in which `swapfold` is the command line. */
export function shell(line: string): Promise<Ended> {
  const script = `set -o pipefail; swapfold() { "${process.execPath}" "${BIN}" "$@"; }; ${line}`;
  return ended(spawn('bash', ['-c', script], { stdio: 'pipe' }), '');
}

/** What a process wrote, and how it ended. */
export function ended(child: ReturnType<typeof spawn>, input: string): Promise<Ended> {
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
