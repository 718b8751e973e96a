import { afterAll, beforeAll, expect, it } from 'vitest';
import { LITECOIND } from '../support/litecoind.ts';
import { cellsOf } from '../support/matrix/cells.ts';
import { play } from '../support/matrix/play.ts';
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
});
