import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANVIL } from '../support/evm/anvil.ts';
import { countedFetch, openActivatedSeat } from '../support/matrix/activated-seat.ts';
import { ALL } from '../support/matrix/cells.ts';
import { judge } from '../support/matrix/judge.ts';
import { openParty } from '../support/matrix/party.ts';
import { record } from '../support/matrix/play.ts';
import { openTally } from '../support/matrix/tally.ts';
import { type MatrixWorld, matrixWorld } from '../support/matrix/world.ts';
import { describeWith } from '../support/optional-part.ts';

/** Ether and a token, given and got, beside a chain of outputs, another chain of accounts and the same one; and one whose maker has to activate anew. */
const CELLS = [
  ...['AE', 'TA', 'ET', 'SA'].map((pair) => `${pair}: both sides swap`),
  'AT: the maker vanishes when it is paid, and is back late',
];

describeWith(ANVIL, 'parties that enter as whole nodes by the activation of their coins over HTTP', () => {
  let world: MatrixWorld;
  let asked: ReturnType<typeof countedFetch>;

  beforeAll(() => {
    world = matrixWorld();
    const tally = openTally();
    world.busy.add(tally);
    asked = countedFetch(tally);
  });
  afterAll(async () => {
    asked?.restore();
    await world?.close();
  });

  it.each(CELLS)('%s', async (title) => {
    const cell = ALL.find((each) => each.title === title);
    if (cell === undefined) throw new Error('no such cell');
    const told = await record(world, cell, {
      open: (options) => openParty({ ...options, seat: openActivatedSeat }),
      kills: false,
      onBegin() {},
      onTurn() {},
      onEnd() {},
    });
    expect(judge(told).join('; ')).toBe('');
  });
});
