import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { builtModule } from '../support/built.ts';

// A process that runs both sides of a swap over durable logs is killed with SIGKILL at each of its inputs and outputs, and
// the same command goes on with what it left. The outside world (both chains) survives in a file of its own.

const main = fileURLToPath(builtModule('src/cli/main.js'));

type Row = { readonly kind: string; readonly [member: string]: unknown };
type Held = { readonly before: string; readonly after: string; readonly fees: string };
type Money = { readonly side: 'maker' | 'taker'; readonly maker: Held; readonly taker: Held };

function runSwap(argv: readonly string[]): Promise<{ rows: Row[]; signal: string | null; code: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, 'swap', '--json', ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const rows = out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row);
      resolve({ rows, signal, code });
    });
  });
}

/** What a side is short of, network fees left out: equal for equal ends, whatever was bumped or sent again. */
function short(held: Held): string {
  return new BigNumber(held.before).minus(held.after).minus(held.fees).toFixed();
}

function shortages(rows: readonly Row[]): unknown {
  const money = rows.filter(({ kind }) => kind === 'money') as unknown as Money[];
  return money.map(({ side, maker, taker }) => ({ side, maker: short(maker), taker: short(taker) }));
}

function eventsOf(rows: readonly Row[], side: string): string[] {
  return rows.filter((row) => row.kind === 'event' && row['side'] === side).map((row) => String(row['type']));
}

const JOURNAL =
  /^(SwapRequested|TransactionPrepared|Broadcast|TransactionDropped|TransactionReverted|Payment(Reorged|Settled)|MessageReceived|DeadlineReached)/;

function publicEvents(rows: readonly Row[], side: string): string[] {
  return eventsOf(rows, side).filter((type) => !JOURNAL.test(type));
}

const SCENARIOS: readonly { readonly name: string; readonly step: number }[] = [
  { name: 'success', step: 1 },
  { name: 'refund', step: 3 },
  { name: 'taker-away', step: 5 },
  { name: 'reorg', step: 5 },
  { name: 'fee-spike', step: 5 },
  { name: 'revert', step: 5 },
];

const EVERY = process.env['SWAPFOLD_CRASH'] === 'all';

describe.each(SCENARIOS)('a process killed at its inputs and outputs: $name', ({ name, step }) => {
  it('ends with the same money, one payment and one fee, and nothing lost or invented', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'swapfold-kill-'));
    try {
      const calm = await runSwap(['--dir', join(folder, 'calm'), '--scenario', name]);
      expect(calm.code).toBe(0);
      const wanted = shortages(calm.rows);
      const boundaries = Number.MAX_SAFE_INTEGER;
      const failures: unknown[] = [];
      let at = 1;
      let finished = false;
      const worker = async (): Promise<void> => {
        while (!finished && at < boundaries) {
          const killAt = at;
          at += EVERY ? 1 : step;
          const dir = join(folder, `at-${killAt}`);
          const killed = await runSwap(['--dir', dir, '--scenario', name, '--kill-at', String(killAt)]);
          if (killed.signal !== 'SIGKILL') {
            finished = true;
            return;
          }
          const resumed = await runSwap(['--dir', dir, '--away', '1']);
          const told = (side: string) => publicEvents(killed.rows, side);
          const kept = (side: string) => publicEvents(resumed.rows, side);
          const lost = ['maker', 'taker'].filter(
            (side) => JSON.stringify(kept(side).slice(0, told(side).length)) !== JSON.stringify(told(side)),
          );
          const ends = ['maker', 'taker'].map((side) => kept(side).at(-1));
          const same = JSON.stringify(shortages(resumed.rows)) === JSON.stringify(wanted);
          if (resumed.code !== 0 || lost.length > 0 || !same || ends.some((end) => end !== 'Finished')) {
            failures.push({ killAt, code: resumed.code, lost, ends, money: shortages(resumed.rows) });
          }
          rmSync(dir, { recursive: true, force: true });
        }
      };
      await Promise.all([worker(), worker()]);
      expect(failures).toEqual([]);
      expect(at).toBeGreaterThan(60);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
