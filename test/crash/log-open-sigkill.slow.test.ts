import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { notesAt } from '../../src/log/sqlite/notes.ts';
import { openSqliteLog } from '../../src/log/sqlite/open.ts';
import { builtModule } from '../support/built.ts';
import { copyParts, recordsOf, unpackDurable, writeKilled } from '../support/log-parts.ts';
import { scratchLog } from '../support/logs.ts';

let adapter: string;
beforeAll(() => {
  adapter = builtModule('src/log/sqlite/index.js');
}, 600_000);

/** Opens it in a process that dies before its n-th step, and gives what that said. */
function openUntil(path: string, step: number): { readonly killed: boolean; readonly said: string } {
  const child = join(import.meta.dirname, 'log-open-child.mjs');
  const { signal, stdout, stderr } = spawnSync(process.execPath, [child, adapter, path, String(step)], {
    encoding: 'utf8',
  });
  if (signal !== 'SIGKILL' && !stdout.includes('closed')) throw new Error(`step ${step}: ${stdout}${stderr}`);
  return { killed: signal === 'SIGKILL', said: stdout };
}

type Scene = (folder: string) => Promise<string> | string;

/** A log of which a transaction and a page are damaged, with all records left in one place or another. */
const damaged: Scene = async (folder) => {
  const path = join(folder, 'victim.db');
  await writeKilled(join(folder, 'first.db'), { inFile: 19, inWal: 21, to: path });
  for (const [part, at] of [
    ['-wal', 32 + 24 + 4096 + 40],
    ['', 3 * 4096 + 300],
  ] as const) {
    const bytes = readFileSync(path + part);
    bytes[at] = (bytes[at] as number) ^ 16;
    writeFileSync(path + part, bytes);
  }
  return path;
};

const earlier =
  (name: string): Scene =>
  (folder) => {
    unpackDurable('0.2.0', folder);
    return join(folder, name);
  };

const SCENES: readonly (readonly [name: string, scene: Scene])[] = [
  ['gives a closed log of an earlier release its identity', earlier('log.db')],
  ['gives a killed log of an earlier release its identity', earlier('killed.db')],
  ['puts what was salvaged in the place of a damaged log', damaged],
  ['makes a new log', (folder) => join(folder, 'new.db')],
];

describe('a process that is killed before any of its steps while it', () => {
  it.each(SCENES)(
    '%s leaves a log that the next process opens with everything it held',
    async (_, scene) => {
      const { folder, dispose } = scratchLog();
      try {
        const source = await scene(folder);
        const at = (name: string) => {
          const inner = join(folder, name);
          mkdirSync(inner);
          const path = join(inner, 'log.db');
          copyParts(source, path);
          return path;
        };
        const whole = await look(at('whole'));
        let steps = 0;
        for (let step = 1; ; step++) {
          const path = at(`step-${step}`);
          const { killed } = openUntil(path, step);
          if (!killed) break;
          steps = step;
          const found = await look(path);
          expect(found, `killed before step ${step}`).toEqual(whole);
          // What was damaged is kept under a name of its own, as often as it took.
          const kept = readdirSync(join(path, '..')).filter((name) => /damaged-.*Z(-\d+)?$/.test(name));
          expect(kept.length > 0, `kept after step ${step}`).toBe(scene === damaged);
          for (const name of kept) expect(readFileSync(join(path, '..', name)).equals(readFileSync(source))).toBe(true);
        }
        expect(steps).toBeGreaterThan(3);
      } finally {
        dispose();
      }
    },
    600_000,
  );
});

/** Opens it twice, and gives what it holds; the second time nothing may be left to do. */
async function look(path: string) {
  const first = await openSqliteLog({ path, now: () => Date.UTC(2026, 0, 2) });
  const records = [...(await recordsOf(first))];
  const { tail } = first.opening;
  const apart = first.quarantined();
  await first.close();
  const { mark } = notesAt(path);
  const again = await openSqliteLog({ path });
  expect(again.opening).toEqual({ recovery: undefined, tail: 'whole' });
  expect([...(await recordsOf(again))]).toEqual(records);
  await again.close();
  expect(notesAt(path).mark?.log).toBe(mark?.log);
  expect(existsSync(`${path}-lock`)).toBe(true);
  return { records, apart, tail };
}
