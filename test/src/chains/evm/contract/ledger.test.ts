import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { draws, SLOW } from '../../../../support/draws.ts';
import { ANVIL } from '../../../../support/evm/anvil.ts';
import { ContractWorld } from '../../../../support/evm/contract-world.ts';
import { ledgerAction } from '../../../../support/evm/ledger-actions.ts';
import type { Parts } from '../../../../support/evm/ledger-model.ts';
import { LedgerPlay, partsOf } from '../../../../support/evm/ledger-play.ts';
import { describeWith } from '../../../../support/optional-part.ts';

/** `SWAPFOLD_FUZZ=20000` for a long run: some three minutes. */
const ACTIONS = Number(process.env['SWAPFOLD_FUZZ'] ?? draws({ sample: 45, change: 200 }));
const [SHORTEST, LONGEST] = [20, 40];

describeWith(ANVIL, 'the swap contract, against ledgers that never ask it', () => {
  let world: ContractWorld;
  let parts: Parts;
  const counts = new Map<string, number>();
  const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);

  beforeAll(async () => {
    world = await ContractWorld.open();
    parts = await partsOf(world);
  });
  afterAll(() => {
    world?.stop();
    if (process.env['SWAPFOLD_FUZZ'] !== undefined) console.log(Object.fromEntries([...counts].toSorted()));
  });

  it('SC1, SC2, SC3, SC4, SC5, SC6, SC7: does what a model of the rules says, call for call and coin for coin', async () => {
    const actions = fc.array(ledgerAction, { minLength: SHORTEST, maxLength: LONGEST, size: 'max' });
    const property = fc.asyncProperty(actions, async (drawn) => {
      const back = await world.chain.snapshot();
      try {
        await (await LedgerPlay.start(world, { parts, count })).all(drawn);
      } finally {
        await back();
      }
    });
    await fc.assert(property, { numRuns: Math.ceil((2 * ACTIONS) / (SHORTEST + LONGEST)) });
    // Too few draws may leave one out.
    if (SLOW)
      for (const must of ['pay done', 'claim done', 'refund done']) expect(counts.get(must) ?? 0).toBeGreaterThan(0);
  });
});
