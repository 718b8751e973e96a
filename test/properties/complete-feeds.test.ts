import { describe, expect, it } from 'vitest';
import { completeFeed } from '../../src/sim/chains/complete-feed.ts';
import { type Rng, xorshift32 } from '../../src/sim/xorshift.ts';
import { draws } from '../support/draws.ts';
import { CHAINS, createPair, type Pair, requestOf, UUID } from '../support/swap-pair.ts';

const SIDES = ['maker', 'taker'] as const;
const COINS = ['DOC', 'MARTY'] as const;
const MINUTE = 60_000;

/** How a feed that calls itself complete breaks its promise: it loses so many of a thousand pieces of news, or brings them so late. */
function drawFeed(rng: Rng) {
  const perMille = [0, 100, 500, 900, 1000][rng.below(5)] as number;
  const late = [0, 0, 30, 200, 900][rng.below(5)] as number;
  return {
    heartbeat: 20 + rng.below(200),
    loses: () => rng.below(1000) < perMille,
    delay: () => (late === 0 ? 0 : rng.below(late)),
  };
}

type Trouble = { readonly at: number; readonly happen: (pair: Pair) => Promise<void> | void };

function drawTrouble(rng: Rng): Trouble {
  const at = rng.below(rng.below(2) === 0 ? 12 : 200);
  const coin = COINS[rng.below(2)] as 'DOC';
  const side = SIDES[rng.below(2)] as 'maker';
  const kind = rng.below(2);
  return {
    at,
    happen: async (pair) => {
      if (kind === 0) {
        const chain = pair.chains[coin].sim;
        // Shallower than what either side waits for.
        if (chain !== undefined && chain.height() > CHAINS[coin].startHeight + 1) chain.reorg({ depth: 1 });
      } else {
        pair.restart(side);
        await pair.nodes[side].runtime.resumeAll();
      }
    },
  };
}

/** A swap between two nodes on such feeds, an hour after it ended. */
async function run(seed: number) {
  const rng = xorshift32(Math.imul(seed + 1, 0x9e37_79b1));
  const policy = {
    confirmationPoll: 15 + rng.below(60),
    freshness: 5 + rng.below(10),
    safetyLook: 30 + rng.below(900),
  };
  const pair = createPair({
    seed: seed + 1,
    accounts: rng.below(3) === 0 ? ['MARTY'] : [],
    options: (_, { chains, clock }) => ({
      policy,
      chains: chains.map((chain) => completeFeed(chain, { clock, ...drawFeed(rng) })),
    }),
  });
  const troubles = Array.from({ length: rng.below(3) }, () => drawTrouble(rng));
  for (const side of SIDES) await pair.nodes[side].runtime.startSwap(requestOf(side));
  for (let minute = 0; minute < 420; minute += 1) {
    for (const { at, happen } of troubles) if (at === minute) await happen(pair);
    await pair.clock.advance(MINUTE / 2);
    pair.chains.DOC.mine();
    await pair.clock.advance(MINUTE / 2);
    pair.chains.MARTY.mine();
    if (SIDES.every((side) => pair.types(side).includes('Finished'))) break;
  }
  await pair.minutes(60);
  return pair;
}

const RUNS = draws({ sample: 12, change: 30, release: 60 });

describe('swaps on feeds that say that they are complete, and lose or delay what they should report', () => {
  it('end, and one side never swaps without the other', async () => {
    const ends = new Map<string, number>();
    for (let seed = 0; seed < RUNS; seed += 1) {
      const pair = await run(seed);
      const outcomes: string[] = [];
      for (const side of SIDES) {
        const status = await pair.nodes[side].runtime.status(UUID);
        expect(pair.types(side), `seed ${seed}, ${side}`).toContain('Finished');
        outcomes.push(status?.outcome ?? 'none');
      }
      for (const coin of COINS) expect(pair.chains[coin].ledger?.imbalance(), `seed ${seed}`).toBeNull();
      const swapped = outcomes.filter((outcome) => outcome === 'completed').length;
      expect(swapped, `seed ${seed}: ${outcomes.join(' and ')}`).not.toBe(1);
      const end = outcomes.join(' ');
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    expect(ends.get('completed completed')).toBeGreaterThan((5 * RUNS) / 6);
  });
});
