import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logFile, restingLog, sessionsOf } from '../../../../src/log/sqlite/at-rest.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/open.ts';
import { append } from '../../../../src/testing/contracts/log/expect.ts';
import { scratchLog } from '../../../support/logs.ts';

let scratch: ReturnType<typeof scratchLog>;
beforeEach(() => {
  scratch = scratchLog();
});
afterEach(() => scratch.dispose());

describe('a log at rest', () => {
  it('is identified by the SHA-256 of its bytes, which each writer changes', async () => {
    const { path } = scratch;
    await (await openSqliteLog({ path })).close();
    const first = restingLog(path);
    expect(first?.digest).toBe(createHash('sha256').update(readFileSync(path)).digest('hex'));
    await (await openSqliteLog({ path })).close();
    expect(restingLog(path)?.digest).not.toBe(first?.digest);
  });

  it('names the opening that wrote to it last, which that opening knows too, with the one before', async () => {
    const { path } = scratch;
    const openings: unknown[] = [];
    for (let count = 0; count < 3; count++) {
      const before = restingLog(path)?.session;
      const writer = await openSqliteLog({ path });
      const sessions = sessionsOf(path);
      if (before !== undefined) expect(sessions?.before).toBe(before);
      await append(writer, [`taker-swap/${count}`, 0], 'Started');
      expect(sessionsOf(path)).toEqual(sessions);
      await writer.close();
      expect(restingLog(path)?.session).toBe(sessions?.session);
      openings.push(sessions?.session);
    }
    expect(new Set(openings).size).toBe(3);
  });

  it('does not count as at rest while a writer has it open, or with a file beside it', async () => {
    const { path } = scratch;
    const writer = await openSqliteLog({ path });
    expect(restingLog(path)).toBeUndefined();
    await append(writer, ['taker-swap/a', 0], 'Started');
    expect(restingLog(path)).toBeUndefined();
    await writer.close();
    // The connection of the writer, which lives on until it is collected, has no part in a copy.
    const copy = `${path}.copy`;
    copyFileSync(path, copy);
    expect(restingLog(copy)).toBeDefined();
    writeFileSync(`${copy}-wal`, 'x');
    expect(restingLog(copy)).toBeUndefined();
  });

  it('does not count as at rest if the file is missing or too small', async () => {
    const { path } = scratch;
    expect(restingLog(path)).toBeUndefined();
    await (await openSqliteLog({ path })).close();
    expect(restingLog(path, { least: 1 << 30 })).toBeUndefined();
  });
});

it('a log has a name in any state, but none smaller than asked for', async () => {
  const { path } = scratch;
  expect(logFile(path)).toBeUndefined();
  const writer = await openSqliteLog({ path });
  expect(logFile(path)).toBe(writer.file);
  expect(logFile(path, { least: 1 << 30 })).toBeUndefined();
  await writer.close();
});
