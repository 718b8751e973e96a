import { afterAll, beforeAll, expect, it } from 'vitest';
import { LITECOIND } from '../support/litecoind.ts';
import { cellsOf, killedCells } from '../support/matrix/cells.ts';
import { type Kill, play } from '../support/matrix/play.ts';
import { type MatrixWorld, matrixWorld } from '../support/matrix/world.ts';
import { describeWith } from '../support/optional-part.ts';

describeWith(LITECOIND, 'swaps over every pair of backends, on every path', () => {
  let world: MatrixWorld;

  beforeAll(() => {
    world = matrixWorld();
  });
  afterAll(() => world?.close());

  it.each(cellsOf(process.env['SWAPFOLD_MATRIX']))('$title', async ({ pair, scenario }) => {
    expect((await play(world, { pair, scenario })).join('; ')).toBe('');
  });

  // A node that is over at an append, a broadcast or a message, before it or after it, and goes on from its log: with
  // `SWAPFOLD_MATRIX_KILL=all`, or some pairs of backends, at each of them.
  it.each(killedCells(process.env['SWAPFOLD_MATRIX_KILL']))('$title', async ({ pair, scenario, sides, at }) => {
    for (let moment = at ?? 1, last = moment; moment <= last; moment++) {
      const kill: Kill = { sides, at: moment, count: 0 };
      expect((await play(world, { pair, scenario, kill })).join('; '), `killed at ${moment}`).toBe('');
      if (at !== null) expect(kill.count).toBeGreaterThanOrEqual(moment);
      // A run may have some more of them than the one before.
      else if (kill.count >= moment) last = Math.max(last, kill.count);
    }
  });
});
