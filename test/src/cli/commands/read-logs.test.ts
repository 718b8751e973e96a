import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streamOf, toEnvelopes } from '../../../../src/events/jsonl.ts';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/index.ts';
import type { SqliteLog } from '../../../../src/log/sqlite/sqlite-log.ts';
import { buildSwap, successPath } from '../../../../src/testing/index.ts';
import { runCli } from '../../../support/cli.ts';
import { oneIn } from '../../../support/draws.ts';
import { contentOf, copyParts, writeKilled } from '../../../support/log-parts.ts';
import { scratchLog } from '../../../support/logs.ts';

const READING = [
  ['status', '--log'],
  ['status', '--json', '--log'],
  ['replay'],
  ['replay', '--json'],
  ['replay', '--workers', '2'],
  ['explain'],
  ['explain', '--json'],
  ['timeline'],
  ['audit'],
  ['export', '--format', 'jsonl'],
  ['export', '--format', 'csv'],
] as const;

const PATH = successPath('taker');
const PAID = PATH.indexOf('TakerPaymentSent');

/** A taker that is about to pay, and one that has paid. */
const SWAPS = [
  buildSwap({ role: 'taker', path: PATH.slice(0, PAID), seed: 3 }),
  buildSwap({ role: 'taker', path: PATH.slice(0, PAID + 1), seed: 4 }),
] as const;

async function put(log: SqliteLog, swap: SwapLog): Promise<void> {
  const records = toEnvelopes(swap).map(({ at, type, version, data }) => ({ at, type, version, data }));
  await log.append({ stream: streamOf(swap), expected: 0, records });
}

const { folder: home, path, dispose } = scratchLog();
beforeAll(async () => {
  // The first swap is in the file, the second in the write-ahead log alone.
  const first = await openSqliteLog({ path });
  await put(first, SWAPS[0]);
  await first.close();
  const second = await openSqliteLog({ path });
  await put(second, SWAPS[1]);
  copyParts(path, join(home, 'killed.db'));
  await second.close();
  copyFileSync(path, join(home, 'closed.db'));
  await writeKilled(join(home, 'other.db'), { inFile: 0, inWal: 20, to: join(home, 'foreign.db') });
});
afterAll(dispose);

type State = { readonly from?: string; readonly change?: (path: string) => void };

const flip = (file: string, at: number): void => {
  const bytes = readFileSync(file);
  const place = at < 0 ? bytes.length + at : at;
  bytes[place] = (bytes[place] as number) ^ 4;
  writeFileSync(file, bytes);
};
const STATES: Readonly<Record<string, State>> = {
  closed: { from: 'closed.db' },
  killed: {},
  'killed, without its index': { change: (log) => rmSync(`${log}-shm`) },
  'without its write-ahead log': { change: (log) => rmSync(`${log}-wal`) },
  'without both': {
    change: (log) => {
      for (const part of ['-wal', '-shm']) rmSync(log + part);
    },
  },
  'with a stale index': { from: 'closed.db', change: (log) => copyFileSync(join(home, 'killed.db-shm'), `${log}-shm`) },
  'with a changed bit in the last transaction': {
    change: (log) => {
      rmSync(`${log}-shm`);
      flip(`${log}-wal`, -9);
    },
  },
  'with a changed bit before the last transaction': { change: (log) => flip(`${log}-wal`, 32 + 24 + 999) },
  'with a changed bit in the file': { from: 'closed.db', change: (log) => flip(log, 2 * 4096 + 1) },
  'with a write-ahead log of another': { change: (log) => copyFileSync(join(home, 'foreign.db-wal'), `${log}-wal`) },
};

/** Runs a command over a log in that state, and fails where a file beside it is not what it was. */
async function over(state: string, command: readonly string[]) {
  const scratch = scratchLog();
  try {
    const { from = 'killed.db', change } = STATES[state] as State;
    const folder = join(scratch.folder, 'node');
    mkdirSync(folder);
    const log = join(folder, 'swaps.db');
    copyParts(join(home, from), log);
    change?.(log);
    const before = contentOf(folder);
    chmodSync(folder, 0o555);
    const found = await runCli([...command, log]);
    chmodSync(folder, 0o755);
    expect(contentOf(folder)).toEqual(before);
    return found;
  } finally {
    scratch.dispose();
  }
}

const [early, late] = [String(SWAPS[0].uuid), String(SWAPS[1].uuid)];

describe.each(oneIn(4, READING))('%s %s %s', (...given) => {
  const command = given.filter((part) => part !== undefined) as readonly string[];

  it.each(Object.keys(STATES))('leaves every file as it is beside a log %s', async (state) => {
    const { code, out, err } = await over(state, command);
    const told = `${out}${err}`;
    if (state === 'closed' || state === 'with a stale index' || state.startsWith('killed')) {
      // What its node had to do is years overdue, with its payment possibly out: a finding of each command that judges a swap.
      expect(code, told).toBe(command[0] === 'export' ? 0 : 1);
      expect(told).not.toMatch(/LOG_(CUT|DAMAGED|WAL_FOREIGN)/);
      expect([told.includes(early.slice(0, 8)), told.includes(late.slice(0, 8))]).toEqual([true, true]);
      return;
    }
    expect(code).toBe(1);
    expect(told).toMatch(/LOG_(CUT|DAMAGED|WAL_FOREIGN)/);
    expect(told).not.toMatch(/no swaps/);
    // Nobody is told to do what might be done a second time.
    expect(told).not.toMatch(/Send the|"sendTakerPayment"|start it again|Keep the node/);
  });
});

describe('status of a log that may lack records', () => {
  it('says so, shows what is there, and gives no step that pays', async () => {
    const { code, out } = await over('without both', ['status', '--log']);
    expect([code, out]).toEqual([1, expect.stringContaining('[LOG_CUT]')]);
    expect(out).toContain(`${early}  taker in-progress`);
    expect(out).toContain('Look at both chains first: the log may lack what was done last.');
    const whole = await over('closed', ['status', '--log']);
    expect(whole.out).toContain('Send the taker payment');
  });

  it('does not say that a swap is not there', async () => {
    for (const uuid of [late, late.slice(0, 8)]) {
      const { code, out } = await over('without its write-ahead log', ['status', uuid, '--log']);
      expect([code, out]).toEqual([1, expect.stringContaining('[LOG_CUT]')]);
    }
  });
});
