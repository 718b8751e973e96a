import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { got, payment, scene, send } from './scene.ts';
import { mineMany, testChain } from './support.ts';

describe('notarisation on a simulated chain', () => {
  it('covers a payment from the next notarised height on, and no longer once a reorg took that block away', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(15), (notariseEvery, before) => {
        const world = scene('utxo', { notariseEvery });
        const { anna, chain, terms } = world;
        mineMany(world, before);
        send(anna, payment(anna, terms));
        const funding = () => got(anna.payment({ terms })).funding;
        expect(funding()).toMatchObject({ confirmations: 0, notarised: false });
        mineMany(world, 1);
        const first = chain.height();
        const until = Math.ceil(first / notariseEvery) * notariseEvery;
        while (chain.height() < until) {
          expect(funding()?.notarised).toBe(false);
          mineMany(world, 1);
        }
        expect(funding()).toMatchObject({ confirmations: until - first + 1, notarised: true });
        if (until === first) return;
        chain.reorg({ depth: 2, blocks: [{}] });
        expect(funding()?.notarised).toBe(false);
      }),
    );
  });

  it('is something that other chains say they cannot tell', () => {
    expect(scene('utxo', { notariseEvery: 5 }).anna.traits.notarised).toBe(true);
    for (const kind of ['utxo', 'account', 'autoRefund'] as const) {
      const world = scene(kind);
      expect(world.anna.traits.notarised ?? false).toBe(false);
      expect(got(world.anna.payment({ terms: world.terms })).funding).toBeNull();
      send(world.anna, payment(world.anna, world.terms));
      mineMany(world, 1);
      expect(got(world.anna.payment({ terms: world.terms })).funding?.notarised).toBeUndefined();
    }
  });

  it('refuses an invalid distance', () => {
    for (const notariseEvery of [0, -1, 1.5, Number.NaN]) {
      expect(() => testChain('utxo', { notariseEvery })).toThrow(RangeError);
    }
  });
});
