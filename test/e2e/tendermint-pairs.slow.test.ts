import { describe, expect, it } from 'vitest';
import { findingsOf } from '../support/cross/judge.ts';
import { tendermintLeg } from '../support/cross/legs.ts';
import { SCENARIOS } from '../support/cross/scenarios.ts';
import { crossWorld, startCrossSwap } from '../support/cross/world.ts';
import { IRIS, NUCLEUS } from '../support/tendermint/adapter-chain.ts';

// Both locks count blocks: the maker's has to leave the taker its time however quick either chain is, also behind deep confirmations.

const FROM = 1_800_010_000;
/** Blocks that the maker's payment is waited for: nine minutes. */
const DEEP = 108;
const PATHS = SCENARIOS.filter(({ name }) =>
  ['both swap', 'the taker is killed when it has paid, and resumes', 'the maker vanishes when both paid'].includes(
    name,
  ),
);

describe('swaps between two Tendermint chains, judged by the books of both', () => {
  describe.each([
    [1, 1],
    [0.8, 1.4],
    [1.4, 0.6],
    [0.6, 0.6],
    [0.6, 1.4],
  ])('whose blocks take %s and %s of their time', (ofMaker, ofTaker) => {
    it.each(PATHS)('$name', async ({ play, end }) => {
      const legs = {
        maker: await tendermintLeg({ kind: IRIS, blockTime: 5, depth: DEEP, pace: ofMaker })(FROM),
        taker: await tendermintLeg({ kind: NUCLEUS, blockTime: 6, depth: 1, pace: ofTaker })(FROM),
      };
      const swap = await startCrossSwap(crossWorld(legs, FROM + 60), { number: 1 });
      try {
        await play(swap);
        expect(await findingsOf(swap, { legs, end: end(legs) })).toEqual([]);
      } finally {
        swap.end();
      }
    });
  });
});
