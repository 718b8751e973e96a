import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import type { CliStream } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';
import { requireNoSecrets } from './cli-secrets.ts';

export const SAMPLES = join(import.meta.dirname, '../../docs/samples');

export type CliRun = { readonly code: number; readonly out: string; readonly err: string };

export type CliRunOptions = {
  readonly stdin?: string | Uint8Array;
  /** Both outputs are terminals. */
  readonly tty?: boolean;
  /** Columns of both outputs. By default 100 of standard output, and errors are not broken into lines. */
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
};

/** Runs a command line in this process and gives back what it printed. Paths of the samples come out as `samples/…`. */
export async function runCli(argv: readonly string[], options: CliRunOptions = {}): Promise<CliRun> {
  const { stdin = '', tty = false, columns, env = {} } = options;
  const out = captured({ tty, columns: columns ?? 100 });
  const err = captured({ tty, columns: columns ?? 10_000 });
  const given = (async function* () {
    yield typeof stdin === 'string' ? Buffer.from(stdin) : stdin;
  })();
  const code = await run(argv, { stdin: given, stdout: out.stream, stderr: err.stream, env });
  requireNoSecrets(argv, out.text() + err.text());
  const shown = (text: string) => text.replaceAll(`${SAMPLES}/`, 'samples/');
  return { code, out: shown(out.text()), err: shown(err.text()) };
}

function captured({ tty, columns }: { readonly tty: boolean; readonly columns: number }) {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const terminal = { ...(tty ? { isTTY: true } : {}), columns };
  return { stream: Object.assign(stream, terminal) as CliStream, text: () => text };
}

/** The lines of JSON output, parsed. */
export function jsonRows<T = Record<string, unknown>>(out: string): T[] {
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** All that an iteration gives. */
export async function collect<T>(given: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of given) items.push(item);
  return items;
}

/** A folder of its own for a test, with files by their paths. */
export function scratchFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): {
  readonly path: string;
  readonly file: (name: string) => string;
  readonly [Symbol.dispose]: () => void;
} {
  const path = mkdtempSync(join(tmpdir(), 'swapfold-test-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
