import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANVIL } from '../support/evm/anvil.ts';
import { LITECOIND } from '../support/litecoind.ts';
import { hasAccounts } from '../support/matrix/cells.ts';
import { type Hosts, openHosts } from '../support/matrix/hosts.ts';
import { type Kill, playKilled } from '../support/matrix/kill.ts';
import { killCells, killPoints } from '../support/matrix/kill-cells.ts';
import { type MatrixWorld, matrixWorld } from '../support/matrix/world.ts';
import { describeWith } from '../support/optional-part.ts';

const CELLS = killCells(process.env['SWAPFOLD_KILLS']);
const OUTPUTS = CELLS.filter(({ pair }) => !hasAccounts(pair));
const ACCOUNTS = CELLS.filter(({ pair }) => hasAccounts(pair));
const WHAT = 'a process that is killed at its inputs and outputs, and started again';

if (OUTPUTS.length > 0) describeWith(LITECOIND, WHAT, () => playAll(OUTPUTS));
if (ACCOUNTS.length > 0) describeWith(ANVIL, `${WHAT}, with chains of accounts`, () => playAll(ACCOUNTS));

function playAll(cells: typeof CELLS): void {
  let world: MatrixWorld;
  let hosts: Hosts;

  beforeAll(() => {
    world = matrixWorld();
    hosts = openHosts();
  });
  afterAll(async () => {
    await hosts?.close();
    await world?.close();
  });

  it.each(cells)(
    '$title',
    async (cell) => {
      const { pair, scenario, victims, title } = cell;
      const play = (kill: Kill | null) => playKilled(world, { pair, scenario, hosts, kill });
      const calm = cell.points === null ? await play(null) : null;
      expect(calm?.findings ?? []).toEqual([]);
      const points = cell.points ?? killPoints(cell, calm?.passed ?? new Map());
      const began = Date.now();
      const faults: string[] = [];
      const ways = new Set<string>();
      let reached = 0;
      for (const point of points) {
        const what = `${point.trigger} at ${point.at} of ${point.of}${point.again === null ? '' : `, then at ${point.again}`}`;
        const { findings, end, fellAt } = await play({ victims, ...point });
        // A run may have fewer of them than the one before.
        if (fellAt.length === (point.again === null ? 1 : 2)) reached += 1;
        ways.add(JSON.stringify(end));
        if (calm !== null) ways.add(JSON.stringify(calm.end));
        const told = `${what} (${fellAt.join(', ')})`;
        for (const finding of findings) faults.push(`${told}: ${finding}`);
        // What strikes again while somebody is away may end otherwise, as long as it is one of the ends that are told.
        if (ways.size > 1 && scenario.again === undefined)
          faults.push(`${told}: it ended in another way: ${[...ways].join(', ')}`);
        ways.clear();
      }
      if (calm !== null)
        console.log(
          `${title}: ${reached} of ${points.length} kills, of ${passedBy(calm.passed)}, in ${Math.round((Date.now() - began) / 1000)} s`,
        );
      expect(faults).toEqual([]);
      expect(reached).toBeGreaterThanOrEqual(points.length * 0.9);
    },
    7_200_000,
  );
}

function passedBy(passed: ReadonlyMap<string, readonly string[]>): string {
  return [...passed].map(([side, all]) => `${all.length} of the ${side}`).join(', ');
}
