import { describe, expect, it } from 'vitest';
import type { SwapRequest } from '../../src/events/journal.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Millis } from '../../src/primitives/time.ts';
import type { RuntimeChain } from '../../src/runtime/loop/gate.ts';
import { xorshift32 } from '../../src/sim/xorshift.ts';
import { type Coin, createPair, KEYS, requestOf, type Side } from '../support/swap-pair.ts';

// Swaps that start in one moment on wallets of a few coins: nobody gives up for coins that are there.

const SIDES = ['maker', 'taker'] as const;

type Plan = { readonly uuid: string; readonly doc: Side };

function plansOf(seed: number, count: number): readonly Plan[] {
  const rng = xorshift32(seed);
  return Array.from({ length: count }, (_, index) => ({
    uuid: `3447b727-fe93-4357-8e5a-${String(index).padStart(12, '0')}`,
    // Who gives DOC: orders go both ways, so that each node is maker of some and taker of others.
    doc: rng.below(2) === 0 ? 'maker' : 'taker',
  }));
}

/** The same swap, as the node of one side asks for it: `maker` and `taker` name the nodes. */
function requestFor(side: Side, { uuid, doc }: Plan): SwapRequest {
  const role = doc === 'maker' ? side : side === 'maker' ? 'taker' : 'maker';
  const base = requestOf(role, { uuid });
  return { ...base, my_persistent_pub: `02${KEYS[side]}`, counterparty: KEYS[side === 'maker' ? 'taker' : 'maker'] };
}

/** What a node gives in all of its swaps, or in the dearest so many of them, with fees. */
function needOf({
  seed,
  swaps,
  enough = swaps,
}: {
  readonly seed: number;
  readonly swaps: number;
  readonly enough?: number;
}) {
  const plans = plansOf(seed, swaps);
  return (side: string, coin: Coin): string => {
    const count = plans.filter(({ doc }) => (doc === side) === (coin === 'DOC')).length;
    return String(Math.min(count, enough) * (coin === 'DOC' ? 1.5 : 3) * 1.005 + 0.05);
  };
}

/** A node that takes four seconds for a broadcast, so that others start while coins are promised and their change is not there. */
function slowToSend(chain: RuntimeChain, clock: Clock): RuntimeChain {
  return {
    ...chain,
    broadcast: (transaction) =>
      new Promise((resolve) => {
        clock.wakeAt((clock.now() + 4000) as Millis, () => resolve(chain.broadcast(transaction)));
      }),
  };
}

type Scene = {
  readonly seed: number;
  readonly swaps: number;
  readonly funds: (side: string, coin: Coin) => string;
  readonly coins: number;
};

async function run({ seed, swaps, funds, coins }: Scene) {
  const plans = plansOf(seed, swaps);
  const pair = createPair({
    seed,
    funds,
    coins,
    options: (_, { chains, clock }) => ({ chains: chains.map((chain) => slowToSend(chain, clock)) }),
  });
  for (const side of SIDES) await pair.nodes[side].runtime.resumeAll();
  for (const plan of plans) {
    await Promise.all(SIDES.map((side) => pair.nodes[side].runtime.startSwap(requestFor(side, plan))));
    // Some start in one moment, some while the first have signed and not yet sent.
    await pair.clock.advance(xorshift32(seed + plans.indexOf(plan)).below(3) * 1000);
  }
  const typesOf = (side: Side, plan: Plan): readonly string[] => {
    const stream = `${requestFor(side, plan).role}-swap/${plan.uuid}`;
    return (pair.nodes[side].log.read(stream) as readonly { readonly type: string }[]).map(({ type }) => type);
  };
  const isOver = () => plans.every((plan) => SIDES.every((side) => typesOf(side, plan).includes('Finished')));
  await pair.until(isOver, 600);
  return { pair, plans, typesOf };
}

function paidCount({ plans, typesOf }: Awaited<ReturnType<typeof run>>): number {
  return plans.filter((plan) => SIDES.some((side) => typesOf(side, plan).includes('MakerPaymentSpendConfirmed')))
    .length;
}

/** Swaps whose maker gave up its payment though the taker had paid its fee. */
function brokenCount({ plans, typesOf }: Awaited<ReturnType<typeof run>>): number {
  return plans.filter((plan) => SIDES.some((side) => typesOf(side, plan).includes('MakerPaymentTransactionFailed')))
    .length;
}

describe('swaps that start together on one wallet', () => {
  it.each([
    [1, 4, 1],
    [2, 6, 2],
    [3, 8, 4],
    [4, 8, 3],
    [5, 5, 7],
  ])(
    'all get their coins where the sum suffices: seed %i, %i swaps, wallets of %i coins',
    async (seed, swaps, coins) => {
      const scene = await run({
        seed,
        swaps,
        coins,
        funds: needOf({ seed, swaps }),
      });
      expect([paidCount(scene), brokenCount(scene)]).toEqual([swaps, 0]);
    },
  );

  it.each([
    [11, 6, 4, 1],
    [12, 6, 3, 2],
    [13, 8, 5, 4],
  ])(
    'for as many as it suffices for: seed %i, %i swaps, enough for %i, wallets of %i coins',
    async (seed, swaps, enough, coins) => {
      const scene = await run({
        seed,
        swaps,
        coins,
        funds: needOf({ seed, swaps, enough }),
      });
      expect(paidCount(scene)).toBeGreaterThanOrEqual(enough);
      expect(brokenCount(scene)).toBe(0);
    },
  );
});
