import { expect, it } from 'vitest';
import { initialMakerSwapContext, makerSwapReducers } from '../../machines/maker-swap/context.ts';
import * as recipes from '../../machines/swap-context.ts';
import { initialTakerSwapContext, takerSwapReducers } from '../../machines/taker-swap/context.ts';

it('an event that says the same on both sides is folded by the same recipe', () => {
  const maker = Object.values(makerSwapReducers);
  const taker = Object.values(takerSwapReducers);
  for (const [name, recipe] of Object.entries(recipes)) {
    expect([maker.includes(recipe), taker.includes(recipe)], name).toEqual([true, true]);
  }
  const common = Object.keys(makerSwapReducers).filter((type) => type in takerSwapReducers);
  const recipeOf = (reducers: Readonly<Record<string, unknown>>, type: string) => reducers[type];
  const forked = common.filter((type) => recipeOf(makerSwapReducers, type) !== recipeOf(takerSwapReducers, type));
  // The taker learns the secret from it.
  expect(forked).toEqual(['TakerPaymentSpent']);
});

it('both sides begin with nothing known', () => {
  const [maker, taker] = [initialMakerSwapContext(), initialTakerSwapContext()];
  const facts = Object.entries({ ...maker, ...taker });
  const known = facts.filter(([, fact]) => fact !== null && fact !== false);
  expect(known).toEqual([['failures', []]]);
  expect(initialMakerSwapContext().failures).not.toBe(maker.failures);
  expect(initialTakerSwapContext().failures).not.toBe(taker.failures);
});
