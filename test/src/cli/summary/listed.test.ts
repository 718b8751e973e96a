import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSqliteLog } from '../../../../src/log/sqlite/index.ts';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';
import { buildSwap } from '../../../../src/testing/logs/swap-builder.ts';
import { scratchFolder } from '../../../support/cli.ts';
import { draws } from '../../../support/draws.ts';
import {
  ask,
  type Drawn,
  drawnSwaps,
  type Env,
  NO_CACHE,
  places,
  type Question,
  said,
  streamOf,
  summaryIn,
  writeLog,
} from '../../../support/kept-status.ts';
import { alterRecord } from '../../../support/logs.ts';

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
  it('is what the log says, for any question', async () => {
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
      { numRuns: draws({ sample: 4, change: 10, release: 20 }) },
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
    const damage = fc.record({ swaps: drawnSwaps, at: places });
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
      { numRuns: draws({ sample: 1, change: 3, release: 5 }) },
    );
  });

  it('comes only from the build that kept it, and only as it was written', async () => {
    using scratch = scratchFolder();
    const env = { XDG_CACHE_HOME: scratch.file('cache') };
    const log = scratch.file('swaps.db');
    await writeLog(log, [{ role: 'taker', seed: 1, id: 1, length: 12 }]);
    await keep(log, env);
    const summary = summaryIn(scratch.file('cache'));
    const body = readFileSync(summary, 'utf8').slice(0, -64);
    const seal = readFileSync(summary, 'utf8').slice(-64);
    const sealed = (text: string) => `${text}${createHash('sha256').update(text).digest('hex')}`;
    const lie = body.replaceAll('"completed"', '"refunded"');
    expect(lie).not.toBe(body);
    // Whoever can write the user's own files can lie in them, and in the log as well.
    writeFileSync(summary, sealed(lie));
    expect((await ask(log, env)).out).toContain('"outcome":"refunded"');
    for (const text of [`${lie}${seal}`, sealed(lie.replace(/^./, (digit) => (digit === '0' ? '1' : '0')))]) {
      writeFileSync(summary, text);
      const { isKept, out } = await ask(log, env);
      expect([isKept, out.includes('"outcome":"completed"')]).toEqual([false, true]);
    }
  });

  it('is readable only for its owner, and not believed if others can write it', async () => {
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

  it('with a stream that cannot be read', async () => {
    using scratch = scratchFolder();
    const path = scratch.file('swaps.db');
    await writeLog(path, [TAKER, { ...TAKER, id: 2, seed: 2 }]);
    alterRecord(path, streamOf(TAKER), 3);
    await notKept(path);
  });

  it('if only a part of it was asked for', async () => {
    using scratch = scratchFolder();
    await writeLog(scratch.file('swaps.db'), [TAKER]);
    await notKept(scratch.file('swaps.db'), { role: 'taker' });
  });
});
