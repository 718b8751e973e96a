import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFilling } from '../../../../src/cli/summary/filling.ts';
import { keptOf } from '../../../../src/cli/summary/listed.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/index.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { createSwapKeeper } from '../../../../src/runtime/operate/keep-swaps.ts';
import { scratchFolder } from '../../../support/cli.ts';
import { draws } from '../../../support/draws.ts';
import {
  ask,
  type Drawn,
  drawnSwaps,
  type Env,
  importSwaps,
  NO_CACHE,
  places,
  said,
  streamOf,
  summaryIn,
  swapLogOf,
  verboseIo,
  writeLog,
} from '../../../support/kept-status.ts';
import { alterRecord } from '../../../support/logs.ts';

type Scene = { readonly log: string; readonly env: Env; readonly cache: string };

function sceneIn(scratch: ReturnType<typeof scratchFolder>): Scene {
  const cache = scratch.file('cache');
  return { log: scratch.file('swaps.db'), env: { XDG_CACHE_HOME: cache }, cache };
}

/** What is said with what was kept, which is what is said without it. */
async function askBoth({ log, env }: Scene) {
  const [kept, told] = [await ask(log, env), await ask(log, NO_CACHE)];
  expect(said(kept)).toEqual(said(told));
  return kept;
}

/** Rows by their streams, as they stand in the file. */
function rowsIn(cache: string): ReadonlyMap<string, unknown> {
  const lines = readFileSync(summaryIn(cache), 'utf8').split('\n').slice(1, -2);
  const rows = lines.map((line) => JSON.parse(line) as { readonly standing: { readonly stream: string } });
  return new Map(rows.map((row) => [row.standing.stream, row]));
}

const TAKER: Drawn = { role: 'taker', seed: 1, id: 1, length: 12 };
const OTHER: Drawn = { role: 'maker', seed: 2, id: 2, length: 5 };

describe('what an import keeps', () => {
  it('is all that the first status would have read, in as many imports as there are', async () => {
    const imports = fc.array(drawnSwaps, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(imports, async (parts) => {
        using scratch = scratchFolder();
        const scene = sceneIn(scratch);
        for (const swaps of parts) await importSwaps(scene.log, scene.env, swaps);
        expect((await askBoth(scene)).isKept).toBe(true);
        const imported = rowsIn(scene.cache);
        rmSync(scene.cache, { recursive: true });
        await ask(scene.log, scene.env);
        expect(imported).toEqual(rowsIn(scene.cache));
      }),
      { numRuns: draws({ sample: 4, change: 13, release: 25 }) },
    );
  });

  const steps = fc.array(
    fc.record({
      type: fc.constantFrom('import', 'write', 'status', 'save', 'restore', 'open'),
      /** Of an import or a write. */
      swaps: drawnSwaps,
    }),
    { minLength: 2, maxLength: 7 },
  );

  it('never hides what others write, or that an older copy was put in its place', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        using scratch = scratchFolder();
        const scene = sceneIn(scratch);
        const { log, env } = scene;
        await importSwaps(log, env, [TAKER]);
        copyFileSync(log, `${log}.saved`);
        for (const step of taken) {
          if (step.type === 'import') await importSwaps(log, env, step.swaps);
          if (step.type === 'write') await writeLog(log, step.swaps);
          if (step.type === 'open') await (await openSqliteLog({ path: log })).close();
          if (step.type === 'save') copyFileSync(log, `${log}.saved`);
          if (step.type === 'restore') copyFileSync(`${log}.saved`, log);
          await (step.type === 'status' ? ask(log, env) : askBoth(scene));
        }
        await askBoth(scene);
      }),
      { numRuns: draws({ sample: 6, change: 30, release: 60 }) },
    );
  });

  it('spares the reading of swaps that have not changed since', async () => {
    using scratch = scratchFolder();
    const scene = sceneIn(scratch);
    const { log, env } = scene;
    await importSwaps(log, env, [{ ...TAKER, length: 7 }, OTHER]);
    await writeLog(log, [{ ...TAKER, id: 3, seed: 3 }]);
    const first = await askBoth(scene);
    expect([first.isKept, first.known]).toEqual([false, 2]);
    expect((await askBoth(scene)).isKept).toBe(true);
    // Of the three, one has changed.
    await importSwaps(log, NO_CACHE, [TAKER]);
    expect(await askBoth(scene)).toMatchObject({ isKept: false, known: 2 });
  });

  it('is also used while a node has the log open', async () => {
    using scratch = scratchFolder();
    const scene = sceneIn(scratch);
    await importSwaps(scene.log, scene.env, [TAKER, OTHER]);
    const writer = await openSqliteLog({ path: scene.log });
    expect(await askBoth(scene)).toMatchObject({ isKept: false, known: 2 });
    const record = {
      at: millisOf(1_900_000_000_000),
      type: 'OperatorActed',
      version: 1,
      data: { action: 'pause', reason: null },
    };
    await writer.append({ stream: streamOf(OTHER), expected: OTHER.length + 1, records: [record] });
    expect(await askBoth(scene)).toMatchObject({ isKept: false, known: 1 });
    expect(await askBoth(scene)).toMatchObject({ isKept: false, known: 2 });
    await writer.close();
  });
});

describe('what an import keeps is not believed', () => {
  const flip = (file: string, at: number) => {
    const bytes = readFileSync(file);
    bytes[at] = (bytes[at] ?? 0) ^ 0x10;
    writeFileSync(file, bytes);
  };

  it('if a bit of it or of the log has changed', async () => {
    await fc.assert(
      fc.asyncProperty(places, fc.boolean(), async (at, ofLog) => {
        using scratch = scratchFolder();
        const scene = sceneIn(scratch);
        // A copy: the connection of the writer lives on in this process until it is collected.
        await importSwaps(scene.log, scene.env, [TAKER, OTHER]);
        copyFileSync(scene.log, `${scene.log}.copy`);
        rmSync(scene.log);
        copyFileSync(`${scene.log}.copy`, scene.log);
        const file = ofLog ? scene.log : summaryIn(scene.cache);
        flip(file, Math.floor(at * statSync(file).size));
        expect((await askBoth(scene)).isKept).toBe(false);
      }),
      { numRuns: draws({ sample: 4, change: 15, release: 30 }) },
    );
  });

  it('if it was damaged before the next import adopted it', async () => {
    await fc.assert(
      fc.asyncProperty(places, async (at) => {
        using scratch = scratchFolder();
        const scene = sceneIn(scratch);
        await importSwaps(scene.log, scene.env, [TAKER]);
        const summary = summaryIn(scene.cache);
        flip(summary, Math.floor(at * statSync(summary).size));
        await importSwaps(scene.log, scene.env, [OTHER]);
        expect(await askBoth(scene)).toMatchObject({ isKept: false, known: 1 });
      }),
      { numRuns: draws({ sample: 5, change: 15, release: 30 }) },
    );
  });

  it('if another build made it, before the next import adopts it', async () => {
    using scratch = scratchFolder();
    const scene = sceneIn(scratch);
    await importSwaps(scene.log, scene.env, [TAKER]);
    const summary = summaryIn(scene.cache);
    const [build = '', ...lines] = readFileSync(summary, 'utf8').slice(0, -64).split('\n');
    const other = [build.replace(/^./, (digit) => (digit === '0' ? '1' : '0')), ...lines].join('\n');
    writeFileSync(summary, `${other}${createHash('sha256').update(other).digest('hex')}`);
    await importSwaps(scene.log, scene.env, [OTHER]);
    expect(await askBoth(scene)).toMatchObject({ isKept: false, known: 1 });
  });

  it('of another log in its place, of as many records in the same streams', async () => {
    using scratch = scratchFolder();
    const scene = sceneIn(scratch);
    await importSwaps(scene.log, scene.env, [TAKER, OTHER]);
    await importSwaps(`${scene.log}.other`, NO_CACHE, [{ ...TAKER, seed: 2 }, OTHER]);
    copyFileSync(`${scene.log}.other`, scene.log);
    expect(await askBoth(scene)).toMatchObject({ isKept: false, known: 1 });
  });

  it('if another log replaced it while it was read', async () => {
    using scratch = scratchFolder();
    const scene = sceneIn(scratch);
    const { log, env } = scene;
    const copy = `${log}.copy`;
    await writeLog(copy, [TAKER, OTHER]);
    copyFileSync(copy, log);
    const kept = keptOf(log, { io: verboseIo(env).io, least: 0 });
    await writeLog(`${log}.other`, [OTHER]);
    copyFileSync(`${log}.other`, log);
    const opened = await openSqliteLog({ path: log, readOnly: true });
    await kept.keep({ log: opened, statuses: [], things: new Map() });
    await opened.close();
    copyFileSync(copy, log);
    expect((await askBoth(scene)).isKept).toBe(false);
  });

  it('about a swap whose records were altered in the log', async () => {
    using scratch = scratchFolder();
    const scene = sceneIn(scratch);
    await importSwaps(scene.log, scene.env, [TAKER, OTHER]);
    alterRecord(scene.log, streamOf(TAKER), 3);
    expect((await askBoth(scene)).out).toContain('SWAP_UNREADABLE');
  });

  it('about the whole log, if another process wrote to it just before or just after', async () => {
    for (const when of ['before', 'after'] as const) {
      using scratch = scratchFolder();
      const scene = sceneIn(scratch);
      const { log: path, env } = scene;
      await importSwaps(path, env, [TAKER]);
      const filling = createFilling(path, { io: verboseIo(env).io, least: 0 });
      if (when === 'before') await writeLog(path, [{ ...TAKER, id: 3, seed: 3 }]);
      const log = await openSqliteLog({ path });
      filling.begin(log);
      await createSwapKeeper({ log, onKept: filling.add })(swapLogOf(OTHER));
      await log.close();
      if (when === 'after') await writeLog(path, [{ ...TAKER, id: 3, seed: 3 }]);
      filling.end();
      expect(await askBoth(scene)).toMatchObject({ isKept: false, known: 2 });
    }
  });
});

describe('an import keeps nothing', () => {
  it('of a small log, and makes no folder for it', async () => {
    using scratch = scratchFolder();
    const scene = sceneIn(scratch);
    await importSwaps(scene.log, scene.env, [TAKER], { keepFrom: 1 << 20 });
    expect(existsSync(scene.cache)).toBe(false);
  });

  it('if there is no place for it, and imports all the same', async () => {
    using scratch = scratchFolder({ cache: 'a file, not a folder' });
    const scene = sceneIn(scratch);
    await importSwaps(scene.log, scene.env, [TAKER, OTHER]);
    expect((await askBoth(scene)).out.trimEnd().split('\n')).toHaveLength(2);
  });
});
