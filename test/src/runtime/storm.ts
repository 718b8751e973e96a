import { expect } from 'vitest';
import { xorshift32 } from '../../../src/sim/xorshift.ts';
import { stormyChain, stormyLog, type Weather } from '../../support/chaos.ts';
import { createPair, type Pair, requestOf, type Side, UUID } from '../../support/swap-pair.ts';

const SIDES = ['maker', 'taker'] as const;

/** Runs one swap in a storm, with processes that die, and checks the money rules that can be seen from outside. */
export async function weather(seed: number, given: Weather & { readonly deaths: number }): Promise<string> {
  const rng = xorshift32(seed);
  const pair = createPair({
    seed,
    network: {
      policy: ({ deliver }) => {
        const luck = rng.below(10);
        if (luck > 1) deliver();
        if (luck > 8) deliver();
      },
    },
    options: (_, { log, chains, clock }) => {
      const storm = { clock, rng, weather: given };
      return { log: stormyLog(log, storm), chains: chains.map((chain) => stormyChain(chain, storm)) };
    },
  });
  for (const side of SIDES) void request(pair, side);
  const finished = (side: Side) => pair.types(side).includes('Finished');
  let deaths = given.deaths;
  const over = await pair.until(async () => {
    if (deaths > 0 && rng.below(6) === 0) {
      deaths -= 1;
      const side = SIDES[rng.below(2)] ?? 'maker';
      pair.restart(side);
      void request(pair, side);
    }
    return SIDES.every(finished);
  }, 1500);
  expect(over, `seed ${seed}: ${pair.types('maker').at(-1)} ${pair.types('taker').at(-1)}`).toBe(true);
  await pair.minutes(30);
  const outcomes = await Promise.all(SIDES.map((side) => outcomeOf(pair, side)));
  for (const [coin, payer] of [
    ['DOC', 'maker'],
    ['MARTY', 'taker'],
  ] as const) {
    const seen = pair.chains[coin].ledger?.transactions(payer) ?? [];
    for (const purpose of ['payment', 'fee'] as const) {
      const mined = seen.filter((tx) => tx.purpose === purpose && tx.status === 'confirmed');
      expect(mined.length, `seed ${seed}: ${purpose} of the ${payer}`).toBeLessThanOrEqual(1);
    }
    expect(pair.chains[coin].ledger?.imbalance(), `seed ${seed}`).toBeNull();
  }
  return outcomes.join(' ');
}

/** The node is told of the swap until the log holds it. */
async function request({ nodes }: Pair, side: Side): Promise<void> {
  const { runtime } = nodes[side];
  for (let tries = 0; tries < 20; tries++) {
    const known = await runtime.startSwap(requestOf(side)).then(
      () => true,
      () => false,
    );
    if (known) return;
  }
}

async function outcomeOf({ nodes }: Pair, side: Side): Promise<string> {
  const [summary] = await nodes[side].log.find({ machine: `${side}-swap` });
  expect(summary?.stream).toBe(`${side}-swap/${UUID}`);
  return summary?.labels.outcome ?? 'none';
}
