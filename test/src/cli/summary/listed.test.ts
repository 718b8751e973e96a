import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type StatusOptions, statusCommand } from '../../../../src/cli/commands/status.ts';
import type { CliStream } from '../../../../src/cli/io.ts';
import type { Role } from '../../../../src/events/catalog.ts';
import { unsealedRecords } from '../../../../src/events/jsonl.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/index.ts';
import { SwapfoldError } from '../../../../src/primitives/error.ts';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';
import { swapKind } from '../../../../src/runtime/loop/swap-kind.ts';
import { labelsOf } from '../../../../src/runtime/operate/labels-of.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { scratchFolder } from '../../../support/cli.ts';
import { draws } from '../../../support/draws.ts';
import { alterRecord } from '../../../support/logs.ts';

const NO_CACHE = {};
type Env = Readonly<Record<string, string>>;
type Question = Omit<StatusOptions, 'log'>;

/** What `status` says, or the error with which it ends, and what it tells beside. */
async function ask(log: string, env: Env, question: Question = {}) {
  const [stdout, stderr] = [captured(), captured()];
  const stdin = (async function* () {})();
  const io = { stdin, stdout: stdout.stream, stderr: stderr.stream, env, verbosity: 'verbose' } as const;
  const options = { json: true, keepFrom: 0, ...question };
  const answer = await statusCommand(undefined, { io, log, ...options }).catch((error: unknown) => {
    if (error instanceof SwapfoldError) return `${error.code} ${error.message}`;
    throw error;
  });
  return {
    answer,
    out: stdout.text(),
    isKept: stderr.text().replaceAll(/\s+/g, ' ').includes('as it was when it was read last'),
  };
}

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

const said = ({ answer, out }: Awaited<ReturnType<typeof ask>>) => ({ answer, out });

type Drawn = { readonly role: Role; readonly seed: number; readonly id: number; readonly length: number };

/** Swaps of few seeds under few ids: some are both sides of one, some share what serves one swap alone. */
const drawnSwaps = fc.uniqueArray(
  fc.record<Drawn>({
    role: fc.constantFrom('maker', 'taker'),
    seed: fc.integer({ min: 1, max: 3 }),
    id: fc.integer({ min: 1, max: 4 }),
    length: fc.integer({ min: 1, max: 12 }),
  }),
  { minLength: 1, maxLength: 5, selector: ({ role, id }) => `${role} ${id}` },
);

const streamOf = ({ role, id }: Pick<Drawn, 'role' | 'id'>) => `${role}-swap/0000000${id}-fe93-4357-8e5a-8cf2699b7e86`;

const LABELS = labelsOf([swapKind('maker'), swapKind('taker')]);

async function writeLog(path: string, swaps: readonly Drawn[]): Promise<void> {
  const log = await openSqliteLog({ path });
  for (const { role, seed, id, length } of swaps) {
    const stream = streamOf({ role, id });
    const records = unsealedRecords(buildSwap({ role, seed, path: successPath(role).slice(0, length) }));
    await log.append({ stream, expected: 0, records, labels: LABELS(stream, records) });
  }
  await log.close();
}

/** Asks twice: what is read the first time is kept for the second. */
async function keep(path: string, env: Env) {
  expect((await ask(path, env)).isKept).toBe(false);
  const second = await ask(path, env);
  expect(second.isKept).toBe(true);
  return second;
}

const [START] = buildSwap({ role: 'taker', seed: 1, path: ['Started'] }).events;
const moments = fc
  .integer({ min: -2, max: 2 })
  .map((days) => unixSecondsOf(Math.floor((START?.at ?? 0) / 1000) + days * 86_400));
const questions = fc.record<Question>(
  {
    json: fc.boolean(),
    role: fc.constantFrom('maker', 'taker'),
    outcome: fc.constantFrom('completed', 'in-progress', 'refund-pending', 'funds-at-risk'),
    coin: fc.constantFrom('DOC', 'marty', 'KMD'),
    state: fc.constantFrom('finished', 'Started', 'takerFeeSent'),
    unfinished: fc.boolean(),
    since: moments,
    until: moments,
    sort: fc.constantFrom('time', 'outcome', 'coin', 'uuid'),
    limit: fc.integer({ min: 1, max: 4 }),
    now: moments,
  },
  { requiredKeys: [] },
);

describe('how the swaps of a log stand, as it was kept', () => {
  it('is what the log says, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(drawnSwaps, fc.array(questions, { minLength: 1, maxLength: 4 }), async (swaps, asked) => {
        using scratch = scratchFolder();
        const env = { XDG_CACHE_HOME: scratch.file('cache') };
        const log = scratch.file('swaps.db');
        await writeLog(log, swaps);
        expect(said(await keep(log, env))).toEqual(said(await ask(log, NO_CACHE)));
        for (const question of asked) {
          const kept = await ask(log, env, question);
          expect(kept.isKept).toBe(true);
          expect(said(kept)).toEqual(said(await ask(log, NO_CACHE, question)));
        }
      }),
      { numRuns: draws({ sample: 4, change: 20 }) },
    );
  });

  type Files = { readonly log: string; readonly stream: string; readonly summary: string; readonly at: number };
  const placeIn = (file: string, at: number) => Math.floor(at * statSync(file).size);
  const flip = (file: string, at: number) => {
    const bytes = readFileSync(file);
    const place = placeIn(file, at);
    bytes[place] = (bytes[place] ?? 0) ^ 0x10;
    writeFileSync(file, bytes);
  };
  const HARM: Readonly<Record<string, (files: Files) => void | Promise<void>>> = {
    'a flipped bit in the log': ({ log, at }) => flip(log, at),
    'a log that is cut off': ({ log, at }) => truncateSync(log, placeIn(log, at)),
    'bytes behind the log': ({ log }) => appendFileSync(log, Buffer.alloc(4096)),
    'a record that says something else': ({ log, stream }) => alterRecord(log, stream, 0),
    'a write-ahead log beside it': ({ log, at }) =>
      writeFileSync(`${log}-wal`, Buffer.alloc(Math.ceil(1 + 9000 * at), 7)),
    'a rollback journal beside it': ({ log }) => writeFileSync(`${log}-journal`, 'x'),
    'another log in its place': async ({ log }) => {
      await writeLog(`${log}.other`, [{ role: 'maker', seed: 2, id: 1, length: 3 }]);
      copyFileSync(`${log}.other`, log);
    },
    'a writer that came and went': async ({ log }) => (await openSqliteLog({ path: log })).close(),
    'a flipped bit in what was kept': ({ summary, at }) => flip(summary, at),
    'what was kept, cut off': ({ summary, at }) => truncateSync(summary, placeIn(summary, at)),
  };

  it.each(Object.keys(HARM))('does not hide %s', async (name) => {
    const damage = fc.record({ swaps: drawnSwaps, at: fc.double({ min: 0, max: 0.999, noNaN: true }) });
    await fc.assert(
      fc.asyncProperty(damage, async ({ swaps, at }) => {
        using scratch = scratchFolder();
        const env = { XDG_CACHE_HOME: scratch.file('cache') };
        const log = scratch.file('swaps.db');
        // A copy: the connection of the writer lives on in this process until it is collected, and then takes away what lies beside its file.
        await writeLog(scratch.file('written.db'), swaps);
        copyFileSync(scratch.file('written.db'), log);
        await keep(log, env);
        const stream = streamOf(swaps[0] as Drawn);
        await HARM[name]?.({ log, stream, summary: summaryIn(scratch.file('cache')), at });
        const [first, again, told] = [await ask(log, env), await ask(log, env), await ask(log, NO_CACHE)];
        expect(first.isKept).toBe(false);
        expect([said(first), said(again)]).toEqual([said(told), said(told)]);
      }),
      { numRuns: draws({ sample: 1, change: 5 }) },
    );
  });

  it('comes from the build that kept it alone, and only as it was written', async () => {
    using scratch = scratchFolder();
    const env = { XDG_CACHE_HOME: scratch.file('cache') };
    const log = scratch.file('swaps.db');
    await writeLog(log, [{ role: 'taker', seed: 1, id: 1, length: 12 }]);
    await keep(log, env);
    const summary = summaryIn(scratch.file('cache'));
    const body = readFileSync(summary, 'utf8').slice(65);
    const sealed = (text: string) => `${createHash('sha256').update(text).digest('hex')} ${text}`;
    const lie = body.replaceAll('"completed"', '"refunded"');
    expect(lie).not.toBe(body);
    // Whoever can write the user's own files can lie in them, and in the log as well.
    writeFileSync(summary, sealed(lie));
    expect((await ask(log, env)).out).toContain('"outcome":"refunded"');
    for (const text of [
      `${body.slice(0, 65)}${lie}`,
      sealed(lie.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))),
    ]) {
      writeFileSync(summary, text);
      const { isKept, out } = await ask(log, env);
      expect([isKept, out.includes('"outcome":"completed"')]).toEqual([false, true]);
    }
  });

  it('is for its owner alone, and not believed where others can write it', async () => {
    using scratch = scratchFolder();
    const env = { HOME: scratch.file('home') };
    const log = scratch.file('swaps.db');
    await writeLog(log, [{ role: 'taker', seed: 1, id: 1, length: 12 }]);
    await keep(log, env);
    const summary = summaryIn(scratch.file('home/.cache'));
    expect(statSync(summary).mode & 0o777).toBe(0o600);
    chmodSync(summary, 0o620);
    expect((await ask(log, env)).isKept).toBe(false);
  });
});

describe('nothing is kept of a log', () => {
  const TAKER: Drawn = { role: 'taker', seed: 1, id: 1, length: 12 };
  const notKept = async (log: string, question: Question = {}) => {
    const env = { XDG_CACHE_HOME: `${log}-cache` };
    await ask(log, env, question);
    expect(existsSync(env.XDG_CACHE_HOME)).toBe(false);
    expect((await ask(log, env, question)).isKept).toBe(false);
  };

  it('that is small', async () => {
    using scratch = scratchFolder();
    await writeLog(scratch.file('swaps.db'), [TAKER]);
    await notKept(scratch.file('swaps.db'), { keepFrom: 1 << 20 });
  });

  it('that a node has open', async () => {
    using scratch = scratchFolder();
    const path = scratch.file('swaps.db');
    await writeLog(path, [TAKER]);
    const writer = await openSqliteLog({ path });
    await notKept(path);
    await writer.close();
  });

  it('with a stream that cannot be read', async () => {
    using scratch = scratchFolder();
    const path = scratch.file('swaps.db');
    await writeLog(path, [TAKER, { ...TAKER, id: 2, seed: 2 }]);
    alterRecord(path, streamOf(TAKER), 3);
    await notKept(path);
  });

  it('of which a part alone was asked for', async () => {
    using scratch = scratchFolder();
    await writeLog(scratch.file('swaps.db'), [TAKER]);
    await notKept(scratch.file('swaps.db'), { role: 'taker' });
  });
});

function summaryIn(cache: string): string {
  const [name = ''] = readdirSync(join(cache, 'swapfold'));
  return join(cache, 'swapfold', name);
}
