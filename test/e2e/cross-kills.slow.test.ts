import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findingsOf } from '../support/cross/judge.ts';
import { Reaper } from '../support/cross/kill.ts';
import { crossKillCells, type KillCell, momentsOf } from '../support/cross/kill-cells.ts';
import { byPair, type OpenWorld, openCrossWorld } from '../support/cross/open.ts';
import { type CrossSwap, startCrossSwap } from '../support/cross/world.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { quickFetch } from '../support/matrix/quick-fetch.ts';
import { describeWith } from '../support/optional-part.ts';

// `SWAPFOLD_CROSS_KILLS=all` kills at every moment of all cells, `SWAPFOLD_CROSS_KILLS=CE,taker,1/4` at every fourth of those whose titles have all of these parts.

let number = 0;

for (const [name, cells] of byPair(crossKillCells(process.env['SWAPFOLD_CROSS_KILLS'])))
  describeWith(ANVIL, `a party that is over between two of its steps, ${name}`, () => playAll(cells));

function playAll(cells: readonly KillCell[]): void {
  const [{ pair }] = cells as [KillCell];
  let world: OpenWorld;
  let swap: CrossSwap | undefined;
  const quick = quickFetch();

  beforeAll(async () => {
    world = await openCrossWorld(pair);
  }, 300_000);
  afterEach(() => swap?.end());
  afterAll(async () => {
    await world?.close();
    quick.restore();
  });

  /** What is not as it should be at the end, and what the victim came by. */
  async function played({ scenario, victim }: KillCell, at: number | null) {
    const { legs } = world;
    number += 1;
    const reaper = new Reaper(at);
    const other = new Reaper(null);
    const reapers = victim === 'maker' ? { maker: reaper, taker: other } : { maker: other, taker: reaper };
    swap = await startCrossSwap(world, { number, reapers });
    const fault = await scenario.play(swap).then(
      () => [],
      (error: Error) => [error.message],
    );
    const findings = [...fault, ...(await findingsOf(swap, { legs, end: scenario.end(legs) }))];
    swap.end();
    return { findings, reaper };
  }

  it.each(cells)(
    '$title',
    async (cell) => {
      const calm = await played(cell, null);
      expect(calm.findings).toEqual([]);
      const moments = momentsOf(cell, calm.reaper.passed);
      const faults: string[] = [];
      let reached = 0;
      for (const at of moments) {
        const { findings, reaper } = await played(cell, at);
        // A run may come by fewer of them than the one before.
        if (reaper.fellAt !== undefined) reached += 1;
        for (const finding of findings) faults.push(`${at} (${reaper.fellAt}): ${finding}`);
      }
      console.log(`${cell.title}: ${reached} of ${moments.length} kills, of ${calm.reaper.passed.length} moments`);
      expect(faults).toEqual([]);
      expect(reached).toBeGreaterThanOrEqual(moments.length * 0.9);
    },
    7_200_000,
  );
}
