import { describe, expect, it } from 'vitest';
import type { PreparedRecord } from '../../machines/journal/context.ts';
import { toBigNumber } from '../../src/primitives/decimal.ts';
import { addSeconds, type UnixSeconds } from '../../src/primitives/time.ts';
import { runWorld } from '../../src/sim/world/advance.ts';
import { scenario } from '../../src/sim/world/build.ts';
import { createWorld, type Observer, type World } from '../../src/sim/world/world.ts';

/** A swap whose chains ask so many times the usual price from its first claim on, for so long. */
function spiked({
  factor,
  seconds,
  seed,
}: {
  readonly factor: number;
  readonly seconds: number;
  readonly seed: number;
}): World {
  const started = new Set<string>();
  const observer: Observer = {
    appended: ({ chains, now }, node, records) => {
      const claims = records.some(
        ({ type, data }) => type === 'TransactionPrepared' && (data as Signed).purpose === 'claim',
      );
      const leg = node.name === 'maker' ? 'taker' : 'maker';
      if (!claims || started.has(leg)) return;
      started.add(leg);
      const from = Math.floor(now / 1000) as UnixSeconds;
      chains[leg].setFaults([{ kind: 'feeSpike', factor, from, until: addSeconds(from, seconds) }]);
    },
  };
  const world = createWorld(scenario({ seed }), { observer });
  runWorld(world);
  return world;
}

type Signed = { readonly purpose: string };

describe('a claim while nodes ask far higher fees than usual', () => {
  it.each([
    [1, 300],
    [2, 900],
    [3, 2400],
  ])('rises with pauses, and costs the day’s price once that is low again: seed %i, %i s', (seed, seconds) => {
    const world = spiked({ factor: 400, seconds, seed });
    for (const node of Object.values(world.nodes)) {
      const claims = node.runner.journal.prepared.claim;
      const pauses = claims.slice(1).map((one, index) => one.preparedAt - (claims[index] as PreparedRecord).preparedAt);
      expect(
        pauses.filter((pause) => pause < node.policy.fees.pause * 1000),
        node.name,
      ).toEqual([]);
      const { ledger } = world.chains[node.name === 'maker' ? 'taker' : 'maker'];
      const taken = ledger.transactions(node.name).filter((tx) => tx.purpose === 'claim' && tx.confirmations > 0);
      expect(taken, node.name).toHaveLength(1);
      const paid = claims.find(({ tx }) => tx.tx_hash === taken[0]?.hash);
      const cheapest = toBigNumber(claims[0]?.tx.fee as never);
      expect(toBigNumber(paid?.tx.fee as never).lte(cheapest.times(seconds > 600 ? 2 : 12)), node.name).toBe(true);
    }
  });
});
