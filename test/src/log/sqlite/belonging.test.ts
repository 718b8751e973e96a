import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteLog } from '../../../../src/log/sqlite/open.ts';
import { salvageSqliteLog } from '../../../../src/log/sqlite/salvage/salvage.ts';
import { append } from '../../../../src/testing/contracts/log/expect.ts';
import { appendInTurn, contentOf, copyParts, PARTS, recordsOf, writeKilled } from '../../../support/log-parts.ts';
import { scratchLog } from '../../../support/logs.ts';

let scratch: ReturnType<typeof scratchLog>;
const at = (name: string): string => join(scratch.folder, name);
beforeEach(() => {
  scratch = scratchLog();
});
afterEach(() => scratch.dispose());

/** Opens it to read and to write, and gives the codes of both refusals; nothing may change. */
async function refusals(path: string) {
  const before = contentOf(scratch.folder);
  const codes: unknown[] = [];
  for (const readOnly of [true, false]) {
    const opening = openSqliteLog({ path, readOnly });
    codes.push(
      await opening.then(
        async (log) => log.close().then(() => 'opened'),
        ({ code }) => code,
      ),
    );
  }
  const after = new Map([...contentOf(scratch.folder)].filter(([file]) => !file.endsWith('-lock')));
  const kept = new Map([...before].filter(([file]) => !file.endsWith('-lock')));
  expect(after).toEqual(kept);
  return codes;
}

const FOREIGN = ['LOG_WAL_FOREIGN', 'LOG_WAL_FOREIGN'];

describe('the write-ahead log of another log', () => {
  it('I1: is refused beside a log that was killed, with its index and without', async () => {
    await writeKilled(at('a.db'), { inFile: 19, inWal: 21, to: at('own.db') });
    await writeKilled(at('b.db'), { inFile: 0, inWal: 40, to: at('foreign.db') });
    copyFileSync(at('foreign.db-wal'), at('own.db-wal'));
    expect(await refusals(at('own.db'))).toEqual(FOREIGN);
    copyFileSync(at('foreign.db-shm'), at('own.db-shm'));
    expect(await refusals(at('own.db'))).toEqual(FOREIGN);
    rmSync(at('own.db-shm'));
    expect(await refusals(at('own.db'))).toEqual(FOREIGN);
    await expect(salvageSqliteLog({ path: at('own.db'), to: at('out.db') })).rejects.toMatchObject({
      code: 'LOG_WAL_FOREIGN',
    });
    expect(existsSync(at('out.db'))).toBe(false);
  });

  it('is refused beside a log that was closed', async () => {
    await writeKilled(at('b.db'), { inFile: 3, inWal: 40, to: at('foreign.db') });
    const log = await openSqliteLog({ path: at('own.db') });
    await appendInTurn(log, { count: 40 });
    await log.close();
    copyFileSync(at('foreign.db-wal'), at('own.db-wal'));
    expect(await refusals(at('own.db'))).toEqual(FOREIGN);
  });

  it('is refused when it is from a later or an earlier time, or from a copy that continued by itself', async () => {
    // The same log at five times, each as a killed process leaves it.
    const path = at('log.db');
    const took: string[] = [];
    let length = 0;
    for (const time of ['first', 'second', 'third']) {
      const log = await openSqliteLog({ path });
      for (const half of ['early', 'late']) {
        await appendInTurn(log, { from: length, count: 5 });
        length += 5;
        took.push(at(`${time}-${half}.db`));
        copyParts(path, took.at(-1) as string);
      }
      await log.close();
    }
    copyParts(path, at('closed.db'));
    const fork = await openSqliteLog({ path: at('closed.db') });
    await append(fork, ['taker-swap/fork', 0], 'Started');
    copyParts(at('closed.db'), at('fork.db'));
    await fork.close();
    copyParts(path, at('last.db'));

    const put = async (file: string, wal: string) => {
      rmSync(at('try.db'), { force: true });
      for (const part of PARTS) rmSync(at(`try.db${part}`), { force: true });
      copyFileSync(at(file), at('try.db'));
      copyFileSync(at(`${wal}-wal`), at('try.db-wal'));
      return refusals(at('try.db')).catch(() => ['changed', 'changed']);
    };
    expect(await put('third-early.db', 'second-late.db')).toEqual(FOREIGN);
    expect(await put('first-early.db', 'third-late.db')).toEqual(FOREIGN);
    expect(await put('last.db', 'third-late.db')).toEqual(FOREIGN);
    expect(await put('third-early.db', 'fork.db')).toEqual(FOREIGN);
    expect(await put('last.db', 'fork.db')).toEqual(FOREIGN);
    // It belongs to the file at any time of its session.
    expect(await put('fork.db', 'fork.db')).toEqual(['changed', 'changed']);
    expect(await put('third-early.db', 'third-late.db')).toEqual(['changed', 'changed']);
  });

  it('of a replaced log is not mistaken for that of the new one when a crash left it, and is kept', async () => {
    await writeKilled(at('a.db'), { inFile: 19, inWal: 21, to: at('own.db') });
    const wal = readFileSync(at('own.db-wal'));
    const bytes = readFileSync(at('own.db'));
    // A bit of the index of records: the file is damaged, and everything can be salvaged.
    bytes.fill(0xa5, 3 * 4096, 3 * 4096 + 512);
    writeFileSync(at('own.db'), bytes);
    const broken = Buffer.from(wal);
    broken[32 + 24 + 4096 + 30] = (broken[32 + 24 + 4096 + 30] as number) ^ 1;
    writeFileSync(at('own.db-wal'), broken);
    const log = await openSqliteLog({ path: at('own.db') });
    const kept = log.opening.recovery?.kept ?? '';
    expect(readFileSync(`${kept}-wal`).equals(broken)).toBe(true);
    const held = await recordsOf(log);
    await log.close();
    // As if the process had died between the two steps.
    for (const state of ['kept', 'not kept']) {
      if (state === 'not kept') renameSync(`${kept}-wal`, at('aside'));
      writeFileSync(at('own.db-wal'), broken);
      const again = await openSqliteLog({ path: at('own.db') });
      expect(again.opening).toEqual({ recovery: undefined, tail: 'whole' });
      expect(JSON.stringify([...(await recordsOf(again))]) === JSON.stringify([...held])).toBe(true);
      await again.close();
      expect(readFileSync(`${kept}-wal`).equals(broken)).toBe(true);
    }
  });
});

describe('a rollback journal', () => {
  it('beside a log is refused, not played back', async () => {
    const log = await openSqliteLog({ path: at('own.db') });
    await appendInTurn(log, { count: 10 });
    await log.close();
    const hot = Buffer.alloc(1024);
    hot.write('d9d505f920a163d7', 'hex');
    writeFileSync(at('own.db-journal'), hot);
    expect(await refusals(at('own.db'))).toEqual(FOREIGN);
    rmSync(at('own.db-journal'));
    expect(await refusals(at('own.db')).catch(() => ['changed'])).toEqual(['changed']);
  });
});

describe('a copy', () => {
  it.each(['backup', 'compactTo'] as const)(
    'by %s is a log of its own: nothing of the other fits it',
    async (method) => {
      const log = await openSqliteLog({ path: at('own.db') });
      await appendInTurn(log, { count: 10 });
      await log[method](at('copy.db'));
      await appendInTurn(log, { from: 10, count: 5 });
      copyFileSync(at('own.db-wal'), at('copy.db-wal'));
      const codes = [true, false].map((readOnly) =>
        openSqliteLog({ path: at('copy.db'), readOnly }).catch(({ code }: { code: string }) => code),
      );
      expect(await Promise.all(codes)).toEqual(FOREIGN);
      await log.close();
    },
  );
});
