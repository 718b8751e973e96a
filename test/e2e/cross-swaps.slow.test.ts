import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Cell, cellsOf, LEGS, type Letter } from '../support/cross/cells.ts';
import { findingsOf } from '../support/cross/judge.ts';
import type { Leg } from '../support/cross/leg.ts';
import { type CrossSwap, type CrossWorld, crossWorld, startCrossSwap } from '../support/cross/world.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { LITECOIND } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';

// `SWAPFOLD_CROSS=all` plays all cells, `SWAPFOLD_CROSS=KC,vanishes` those whose titles have all of these parts.

/** Seconds: later than any block of the chains as they begin. */
const FROM = 1_800_010_000;

const byPair = new Map<string, Cell[]>();
for (const cell of cellsOf(process.env['SWAPFOLD_CROSS'])) {
  const name = `${cell.pair.maker}${cell.pair.taker}`;
  byPair.set(name, [...(byPair.get(name) ?? []), cell]);
}

let number = 0;

for (const [name, cells] of byPair) {
  describeWith(ANVIL, `swaps across kinds of chains, judged by the books of both, ${name}`, () => {
    if (name.includes('L')) describeWith(LITECOIND, 'with Litecoin Core', () => playAll(cells));
    else playAll(cells);
  });
}

function playAll(cells: readonly Cell[]): void {
  const [{ pair }] = cells as [Cell];
  const opening: Promise<Leg>[] = [];
  let world: CrossWorld;
  let swap: CrossSwap | undefined;

  beforeAll(async () => {
    const opened = (letter: Letter): Promise<Leg> => {
      const leg = LEGS[letter](FROM);
      opening.push(leg);
      return leg;
    };
    world = crossWorld({ maker: await opened(pair.maker), taker: await opened(pair.taker) }, FROM + 60);
  }, 300_000);
  afterEach(() => swap?.end());
  afterAll(async () => {
    for (const begun of await Promise.allSettled(opening)) if (begun.status === 'fulfilled') await begun.value.close();
  });

  it.each(cells)(
    '$title',
    async ({ scenario }) => {
      const { legs } = world;
      number += 1;
      swap = await startCrossSwap(world, number);
      await scenario.play(swap);
      expect(await findingsOf(swap, { legs, end: scenario.end(legs) })).toEqual([]);
    },
    300_000,
  );
}
