import { describe, expect, it } from 'vitest';
import { viewOf } from '../../src/runtime/swap/runner.ts';
import { withCrash } from '../../src/sim/incidents/moments.ts';
import { advance } from '../../src/sim/world/advance.ts';
import { type ChainPlan, calmScenario, EPOCH, honestParty, type Scenario } from '../../src/sim/world/scenario.ts';
import { createWorld, type World } from '../../src/sim/world/world.ts';

const MAKER_CHAIN: ChainPlan = calmScenario().chains.maker;

/** The taker pays on a chain whose locks count blocks and which gives payments back by itself. */
function swapOn(seed: number, blockTime: number): Scenario {
  const taker: ChainPlan = { ...calmScenario().chains.taker, kind: 'autoRefund', blockTime, finality: 2 };
  return calmScenario({ seed, chains: { maker: MAKER_CHAIN, taker }, confirmations: { maker: 1, taker: 2 } });
}

/** Runs a world in which every second block of the taker chain is followed by another: a third less time for each. */
function runQuickly(scenario: Scenario): World {
  let height = 0;
  const world = createWorld(scenario, {
    observer: {
      settled({ chains }) {
        const tip = chains.taker.height();
        if (tip < height + 2) return;
        chains.taker.mine();
        height = tip + 1;
      },
    },
  });
  height = world.chains.taker.height();
  while (advance(world));
  return world;
}

/** What the ledgers say became of both payments. */
function endOf({ chains, nodes }: World): string {
  const { ownTerms, otherTerms } = viewOf(nodes.maker.runner);
  const own = ownTerms === null ? null : chains.maker.ledger.payment(ownTerms).spend;
  const other = otherTerms === null ? null : chains.taker.ledger.payment(otherTerms).spend;
  return `own ${own?.how ?? 'unspent'}, other ${other?.how ?? 'unspent'}`;
}

const LOST = 'own secret, other refund';

describe('a maker that comes back shortly before the other payment goes back', () => {
  // Blocks that are so much quicker end the lock of 7800 s some 2500 s earlier than the clock says: when the wall clock has a
  // quarter of an hour left for the first claim. The maker comes back at every moment around that.
  const MOMENTS = Array.from({ length: 60 }, (_, index) => 3400 + index * 40);

  it.each([60, 120])(
    'never shows its secret too late, with blocks of nominally %i s that come quicker',
    (blockTime) => {
      const ends = new Map<string, number>();
      for (const [index, back] of MOMENTS.entries()) {
        const calm = swapOn(100 + index, blockTime);
        const sought = { party: 'maker', record: 'TakerPaymentReceived' } as const;
        const world = runQuickly(withCrash(calm, sought, { when: 'after', downFor: back }));
        const end = endOf(world);
        expect(end, `back after ${back} s, seed ${100 + index}`).not.toBe(LOST);
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }
      // Both kinds of moments were met.
      expect([...ends.keys()].sort()).toEqual(['own refund, other refund', 'own secret, other secret']);
    },
  );
});

describe('a claim that was logged and that no node ever accepted', () => {
  const during = { from: 0, until: 9000 } as never;

  it('is not published once the other side can take its payment back', () => {
    const calm = calmScenario({ seed: 7, horizon: 90_000 });
    const nodes = {
      maker: [],
      taker: [{ kind: 'broadcast', effect: 'refused', purposes: ['claim'], ...(during as object) }],
    } as never;
    const world = createWorld({
      ...calm,
      chains: { ...calm.chains, taker: { ...calm.chains.taker, blockTime: 90 } },
      parties: {
        maker: honestParty({ nodes }),
        // The taker waits with its refund until long after that.
        taker: honestParty({ conduct: { kind: 'vanish', after: 'TakerPaymentSent', backAfter: 20_000 } }),
      },
    });
    while (advance(world));
    const { maker } = world.nodes;
    const attempted = maker.records.find(
      ({ type, data }) => type === 'BroadcastAttempted' && (data as { purpose: string }).purpose === 'claim',
    );
    expect(Math.floor((attempted?.at ?? 0) / 1000) - EPOCH).toBeLessThan(6240);
    expect(world.chains.taker.ledger.transactions('maker').filter(({ purpose }) => purpose === 'claim')).toEqual([]);
    expect(endOf(world)).toBe('own refund, other refund');
    expect(maker.done).toBe(true);
  });
});
