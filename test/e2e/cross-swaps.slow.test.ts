import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Cell, cellsOf } from '../support/cross/cells.ts';
import { findingsOf } from '../support/cross/judge.ts';
import { byPair, type OpenWorld, openCrossWorld } from '../support/cross/open.ts';
import { type CrossSwap, startCrossSwap } from '../support/cross/world.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { LITECOIND } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';

// `SWAPFOLD_CROSS=all` plays all cells, `SWAPFOLD_CROSS=KC,vanishes` those whose titles have all of these parts.

let number = 0;

for (const [name, cells] of byPair(cellsOf(process.env['SWAPFOLD_CROSS']))) {
  describeWith(ANVIL, `swaps across kinds of chains, judged by the books of both, ${name}`, () => {
    if (name.includes('L')) describeWith(LITECOIND, 'with Litecoin Core', () => playAll(cells));
    else playAll(cells);
  });
}

function playAll(cells: readonly Cell[]): void {
  const [{ pair }] = cells as [Cell];
  let world: OpenWorld;
  let swap: CrossSwap | undefined;

  beforeAll(async () => {
    world = await openCrossWorld(pair);
  }, 300_000);
  afterEach(() => swap?.end());
  afterAll(() => world?.close());

  it.each(cells)(
    '$title',
    async ({ scenario }) => {
      const { legs } = world;
      number += 1;
      swap = await startCrossSwap(world, { number });
      await scenario.play(swap);
      expect(await findingsOf(swap, { legs, end: scenario.end(legs) })).toEqual([]);
    },
    300_000,
  );
}
