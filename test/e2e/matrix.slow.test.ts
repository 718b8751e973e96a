import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANVIL } from '../support/evm/anvil.ts';
import { LITECOIND } from '../support/litecoind.ts';
import { cellsOf, hasAccounts } from '../support/matrix/cells.ts';
import { play } from '../support/matrix/play.ts';
import { type MatrixWorld, matrixWorld } from '../support/matrix/world.ts';
import { describeWith } from '../support/optional-part.ts';

const CELLS = cellsOf(process.env['SWAPFOLD_MATRIX']);

const OUTPUTS = CELLS.filter(({ pair }) => !hasAccounts(pair));
// Those with Litecoin Core need it as well, and are not in the sample.
const ACCOUNTS = CELLS.filter(({ pair }) => hasAccounts(pair));

if (OUTPUTS.length > 0)
  describeWith(LITECOIND, 'swaps over every pair of backends, on every path', () => playAll(OUTPUTS));
if (ACCOUNTS.length > 0) describeWith(ANVIL, 'swaps with chains of accounts, on every path', () => playAll(ACCOUNTS));

function playAll(cells: typeof CELLS): void {
  let world: MatrixWorld;

  beforeAll(() => {
    world = matrixWorld();
  });
  afterAll(() => world?.close());

  it.each(cells.map((cell) => [cell.title, cell] as const))('%s', async (_, { pair, scenario }) => {
    expect((await play(world, { pair, scenario })).join('; ')).toBe('');
  });
}
