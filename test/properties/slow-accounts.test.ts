import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Seconds, UnixSeconds } from '../../src/primitives/time.ts';
import type { NodeFault } from '../../src/sim/chains/types.ts';
import { conductOf } from '../../src/sim/world/build.ts';
import { runScenario } from '../../src/sim/world/run-scenario.ts';
import { calmScenario, honestParty, type Scenario, soundWatcher } from '../../src/sim/world/scenario.ts';
import { draws } from '../support/draws.ts';

/** Over slower nodes nothing is promised. */
const SLOWEST: Seconds = 14;
/** How long a node takes the same time for its answers. */
const STRETCH: Seconds = 400;
/** Longer than any lock. */
const LASTS: Seconds = 40_000;

/** The node takes another time in each stretch, none in some of them; after the last it begins anew. */
const latencies = fc.array(fc.integer({ min: 0, max: SLOWEST }), { minLength: 3, maxLength: 12 });

function slow(drawn: readonly Seconds[]): readonly NodeFault[] {
  const faults: NodeFault[] = [];
  for (let from = 0; from < LASTS; from += STRETCH) {
    const seconds = drawn[(from / STRETCH) % drawn.length] ?? 0;
    const during = { from: from as UnixSeconds, until: (from + STRETCH) as UnixSeconds };
    if (seconds > 0) faults.push({ kind: 'slow', seconds, ...during });
  }
  return faults;
}

const nodes = fc.record({ maker: latencies.map(slow), taker: latencies.map(slow) });
const account = { ...calmScenario().chains.maker, kind: 'account' } as const;

const slowScenario: fc.Arbitrary<Scenario> = fc
  .record({
    seed: fc.nat(),
    maker: nodes,
    taker: nodes,
    blockTimes: fc.tuple(fc.constantFrom(30, 60, 120), fc.constantFrom(45, 75, 150)),
    rewards: fc.boolean(),
  })
  .map(({ seed, maker, taker, blockTimes: [first, second], rewards }) =>
    calmScenario({
      seed,
      chains: {
        maker: { ...account, coin: 'ETH', decimals: 18, feeRate: 7e9, blockTime: first, rewards },
        taker: { ...account, coin: 'BNB', feeRate: 3, blockTime: second, finality: 2, rewards },
      },
      useWatchers: rewards,
      watcher: rewards ? soundWatcher() : null,
      parties: { maker: honestParty({ nodes: maker }), taker: honestParty({ nodes: taker }) },
    }),
  );

const moneyOf = (scenario: Scenario) => {
  const { violations, endings, excused } = runScenario(scenario);
  expect({ violations, excused }).toEqual({ violations: [], excused: [] });
  return endings.map(({ money, done }) => `${money} ${done}`);
};

describe('accounts over nodes that take up to 14 seconds to answer, now one and now another', () => {
  it('swap', () => {
    fc.assert(
      fc.property(slowScenario, (scenario) => {
        expect(moneyOf(scenario)).toEqual(['swapped true', 'swapped true']);
      }),
      { numRuns: draws({ sample: 10, change: 60 }), seed: 8 },
    );
  }, 120_000);

  it('refund their payments if the other side is gone', () => {
    const gone = conductOf('maker', { kind: 'vanish', after: 'TakerPaymentReceived', backAfter: 9000 });
    fc.assert(
      fc.property(slowScenario, (scenario) => {
        expect(moneyOf(gone(scenario))).toEqual(['refunded true', 'refunded true']);
      }),
      { numRuns: draws({ sample: 8, change: 40 }), seed: 9 },
    );
  }, 120_000);
});
