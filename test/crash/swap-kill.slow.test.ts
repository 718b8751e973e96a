import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { builtModule } from '../support/built.ts';
import { bundled } from '../support/bundle.ts';

// A process that runs both sides of a swap over durable logs is killed with SIGKILL at its inputs and outputs, and the same
// command goes on with what it left. The outside world (both chains) survives in a file of its own.

const built = fileURLToPath(builtModule('src/cli/main.js'));
const main = bundled(built, join(dirname(built), '../../test/swap-kill'));

type Row = { readonly kind: string; readonly [member: string]: unknown };
type Held = { readonly before: string; readonly after: string; readonly fees: string };
type Money = { readonly side: 'maker' | 'taker'; readonly maker: Held; readonly taker: Held };

type Ran = {
  readonly rows: Row[];
  readonly signal: string | null;
  readonly code: number | null;
  /** What the process said on its error channel. */
  readonly said: string;
};

function runSwap(argv: readonly string[]): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, 'swap', '--json', ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const rows = out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row);
      resolve({ rows, signal, code, said });
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

/** How many payments of each side are on the chains; undefined where the run did not come to its end. */
function paymentsOf(rows: readonly Row[]): Readonly<Record<'maker' | 'taker', number>> | undefined {
  return rows.find(({ kind }) => kind === 'end')?.['payments'] as
    | Readonly<Record<'maker' | 'taker', number>>
    | undefined;
}

/** Types of the public events of a side; the command tells those of its journal only when asked. */
function eventsOf(rows: readonly Row[], side: string): string[] {
  return rows.filter((row) => row.kind === 'event' && row['side'] === side).map((row) => String(row['type']));
}

const SCENARIOS = ['success', 'refund', 'taker-away', 'reorg', 'fee-spike', 'revert'];

/** Kill points of each scenario, and of the one without trouble; with `SWAPFOLD_CRASH=all` every input and output is one. */
const SOME = 3;
const MORE = 12;

/** Where to kill: evenly spread, since a long wait has thousands of looks, and most densely in a swap without trouble. */
function killPoints(name: string, boundaries: number): number[] {
  const some = process.env['SWAPFOLD_CRASH'] === 'all' ? boundaries : name === 'success' ? MORE : SOME;
  const count = Math.min(some, boundaries);
  return Array.from({ length: count }, (_, index) => Math.ceil(((index + 1) * boundaries) / count));
}

/** Both sides have swapped, or both have their own back; a fee that was paid stays paid. */
function isFair(money: unknown): boolean {
  const [maker, taker] = money as { readonly maker: string; readonly taker: string }[];
  const key = JSON.stringify([maker?.maker, maker?.taker, taker?.maker, taker?.taker]);
  return FAIR.has(key);
}

const FEE = '0.003861';
const FAIR = new Set([
  JSON.stringify(['1.5', '-3', '-1.5', `3.${FEE.slice(2)}`]),
  JSON.stringify(['0', '0', '0', FEE]),
  JSON.stringify(['0', '0', '0', '0']),
]);

/** What a run without a kill ends with. */
type Wanted = {
  readonly money: unknown;
  readonly payments: Readonly<Record<'maker' | 'taker', number>> | undefined;
  readonly events: Readonly<Record<'maker' | 'taker', readonly string[]>>;
};

type Failure = { readonly killAt: number; readonly [what: string]: unknown };

/** Kills a swap there and lets it go on; null when it ends as it should. */
async function killedAt(
  killAt: number,
  { dir, name, wanted }: { dir: string; name: string; wanted: Wanted },
): Promise<Failure | null> {
  const killed = await runSwap(['--dir', dir, '--scenario', name, '--kill-at', String(killAt)]);
  const resumed = await runSwap(['--dir', dir, '--away', '1']);
  const kept = (side: string) => eventsOf(resumed.rows, side);
  const payments = paymentsOf(resumed.rows);
  const events = { maker: kept('maker'), taker: kept('taker') };
  const lost = ['maker', 'taker'].filter((side) => {
    const told = eventsOf(killed.rows, side);
    return JSON.stringify(kept(side).slice(0, told.length)) !== JSON.stringify(told);
  });
  const ends = ['maker', 'taker'].map((side) => kept(side).at(-1));
  const money = shortages(resumed.rows);
  const good =
    killed.signal === 'SIGKILL' &&
    resumed.code === 0 &&
    lost.length === 0 &&
    // A minute away changes what is in time where something goes wrong; without trouble nothing may change.
    (name === 'success' ? isDeepStrictEqual({ money, payments, events }, wanted) : isFair(money)) &&
    payments !== undefined &&
    payments.maker <= 1 &&
    payments.taker <= 1 &&
    ends.every((end) => end === 'Finished');
  rmSync(dir, { recursive: true, force: true });
  const said = [killed.said, resumed.said];
  return good ? null : { killAt, signal: killed.signal, code: resumed.code, said, lost, ends, money, payments, events };
}

describe.each(SCENARIOS)('a process killed at its inputs and outputs: %s', (name) => {
  it('ends with all coins in a fair place, one payment and one fee, and nothing lost or invented', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'swapfold-kill-'));
    try {
      const calm = await runSwap(['--dir', join(folder, 'calm'), '--scenario', name]);
      expect(calm.code).toBe(0);
      const events = { maker: eventsOf(calm.rows, 'maker'), taker: eventsOf(calm.rows, 'taker') };
      const wanted = { money: shortages(calm.rows), payments: paymentsOf(calm.rows), events };
      const boundaries = Number(calm.rows.find(({ kind }) => kind === 'end')?.['boundaries']);
      const points = killPoints(name, boundaries);
      expect(points.length).toBeGreaterThanOrEqual(SOME);
      const failures: Failure[] = [];
      const worker = async (): Promise<void> => {
        for (let killAt = points.shift(); killAt !== undefined; killAt = points.shift()) {
          const failure = await killedAt(killAt, { dir: join(folder, `at-${killAt}`), name, wanted });
          if (failure !== null) failures.push(failure);
        }
      };
      await Promise.all([worker(), worker()]);
      expect(failures).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
