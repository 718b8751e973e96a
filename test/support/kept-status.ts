import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { importCommand } from '../../src/cli/commands/import.ts';
import { type StatusOptions, statusCommand } from '../../src/cli/commands/status.ts';
import type { CliStream } from '../../src/cli/io.ts';
import type { Role } from '../../src/events/catalog.ts';
import { savedSwapText } from '../../src/events/encode.ts';
import { unsealedRecords } from '../../src/events/jsonl.ts';
import type { SwapLog } from '../../src/events/saved-swap.ts';
import { openSqliteLog } from '../../src/log/sqlite/index.ts';
import { SwapfoldError } from '../../src/primitives/error.ts';
import type { Uuid } from '../../src/primitives/ids.ts';
import { swapKind } from '../../src/runtime/loop/swap-kind.ts';
import { labelsOf } from '../../src/runtime/operate/labels-of.ts';
import { buildSwap, successPath } from '../../src/testing/logs/swap-builder.ts';

// Logs of few swaps, and what `status` says of them with a folder in which to keep that, and without one.

export const NO_CACHE = {};
export type Env = Readonly<Record<string, string>>;
export type Question = Omit<StatusOptions, 'log'>;

function captured() {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream: stream as CliStream, text: () => text };
}

export function verboseIo(env: Env) {
  const [stdout, stderr] = [captured(), captured()];
  const stdin = (async function* () {})();
  const io = { stdin, stdout: stdout.stream, stderr: stderr.stream, env, verbosity: 'verbose' } as const;
  return { io, out: stdout.text, err: () => stderr.text().replaceAll(/\s+/g, ' ') };
}

/** What `status` says, or the error with which it ends, and what of it was kept. */
export async function ask(log: string, env: Env, question: Question = {}) {
  const { io, out, err } = verboseIo(env);
  const options = { json: true, keepFrom: 0, ...question };
  const answer = await statusCommand(undefined, { io, log, ...options }).catch((error: unknown) => {
    if (error instanceof SwapfoldError) return `${error.code} ${error.message}`;
    throw error;
  });
  return {
    answer,
    out: out(),
    /** All of it, without that the log was opened. */
    isKept: err().includes('as it was when it was read last'),
    /** Streams that were known in a log that was opened. */
    known: Number(/(\d+) of its swaps are as they were kept/.exec(err())?.[1] ?? 0),
  };
}

export const said = ({ answer, out }: Awaited<ReturnType<typeof ask>>) => ({ answer, out });

/** A swap that is told up to an event. */
export type Drawn = { readonly role: Role; readonly seed: number; readonly id: number; readonly length: number };

const drawn = fc.record<Drawn>({
  role: fc.constantFrom('maker', 'taker'),
  seed: fc.integer({ min: 1, max: 3 }),
  id: fc.integer({ min: 1, max: 4 }),
  length: fc.integer({ min: 1, max: 12 }),
});

/** Swaps of few seeds under few ids: some are both sides of one, some share what serves one swap alone. */
export const drawnSwaps = fc.uniqueArray(drawn, {
  minLength: 1,
  maxLength: 5,
  selector: ({ role, id }) => `${role} ${id}`,
});

/** A part of a file, from 0 to less than 1: anywhere, not mostly at its start. */
export const places = fc.noBias(fc.integer({ min: 0, max: 9999 })).map((part) => part / 10_000);

const idOf = ({ id }: Pick<Drawn, 'id'>) => `0000000${id}-fe93-4357-8e5a-8cf2699b7e86`;

export const streamOf = ({ role, id }: Pick<Drawn, 'role' | 'id'>) => `${role}-swap/${idOf({ id })}`;

export function swapLogOf({ role, seed, id, length }: Drawn): SwapLog {
  return { ...buildSwap({ role, seed, path: successPath(role).slice(0, length) }), uuid: idOf({ id }) as Uuid };
}

const LABELS = labelsOf([swapKind('maker'), swapKind('taker')]);

/** Writes the swaps that a log does not hold yet, as a node does. */
export async function writeLog(path: string, swaps: readonly Drawn[]): Promise<void> {
  const log = await openSqliteLog({ path });
  for (const swap of swaps) {
    const stream = streamOf(swap);
    if ((await log.read(stream)).length > 0) continue;
    const records = unsealedRecords(swapLogOf(swap));
    await log.append({ stream, expected: 0, records, labels: LABELS(stream, records) });
  }
  await log.close();
}

/** Imports swaps. One that the log holds grows, is known already, or is refused. */
export async function importSwaps(
  path: string,
  env: Env,
  swaps: readonly Drawn[],
  { keepFrom = 0 }: { readonly keepFrom?: number } = {},
): Promise<void> {
  const file = `${path}.jsonl`;
  writeFileSync(file, swaps.map((swap) => `${savedSwapText(swapLogOf(swap))}\n`).join(''));
  await importCommand([file], { io: verboseIo(env).io, log: path, json: true, keepFrom });
}

/** The one file with what was kept. */
export function summaryIn(cache: string): string {
  const [name = ''] = readdirSync(join(cache, 'swapfold'));
  return join(cache, 'swapfold', name);
}
