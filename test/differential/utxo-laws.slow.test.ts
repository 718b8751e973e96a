import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LITECOIND, type Litecoind, startLitecoind } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';
import { beginChain, reachedBy } from './funded-chain.ts';
import { playLaws, tell, unnamed } from './law-frame.ts';
import { action, turn } from './laws/actions.ts';
import { Batch, NODE_OPTIONS, type World } from './laws/batch.ts';
import { DIFFERENCES } from './laws/differences.ts';

/** `SWAPFOLD_LAWS=2000` for the count that releases are held to: some minutes. */
const SEQUENCES = Number(process.env['SWAPFOLD_LAWS'] ?? 100);
const SEED = Number(process.env['SWAPFOLD_SEED'] ?? 1);
const EACH = 100;

/** What both chains say, and must say often enough to show something. */
const VERDICTS = [
  'sent',
  'known',
  'confirmed',
  'invalid',
  'notFinal',
  'feeTooLow',
  'noReplacement',
  'tooManyAncestors',
  'inputsSpent',
  'parentsUnknown',
];
/** In which they differ, and why: `laws/differences.ts`. */
const NAMED = [...DIFFERENCES.map(({ name }) => name), 'crowd'];

const plan = fc.record({
  turns: fc.array(turn, { minLength: 8, maxLength: 12 }),
  sequences: fc.array(fc.array(action, { minLength: 20, maxLength: 36 }), { minLength: EACH, maxLength: EACH }),
});

describeWith(LITECOIND, 'the laws of the simulated chain of outputs', () => {
  let node: Litecoind;
  let world: World;

  beforeAll(async () => {
    node = await startLitecoind(NODE_OPTIONS);
    const coins = [...(await beginChain(node))];
    const { medianTime } = await reachedBy(node);
    world = { node, coins, now: medianTime + 1000 };
  }, 120_000);
  afterAll(() => node?.stop());

  it('are those of Litecoin Core, over generated sequences of actions', async () => {
    const tally = await playLaws({
      plans: fc.sample(plan, { seed: SEED, numRuns: Math.ceil(SEQUENCES / EACH) }),
      begin: (drawn) => Batch.begin(world, drawn),
    });
    tell(tally);
    expect(tally.findings).toEqual([]);
    for (const verdict of VERDICTS) expect(tally.verdicts.get(verdict) ?? 0, verdict).toBeGreaterThan(3);
    // Neither chain said anything for which there is no name.
    expect(unnamed(tally, [...VERDICTS, ...NAMED])).toEqual([]);
    expect(tally.apart).toBeLessThan(SEQUENCES / 10);
  });
});
