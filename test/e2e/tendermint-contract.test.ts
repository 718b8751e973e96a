import { describe, expect, it } from 'vitest';
import { contractSuite, KINDS } from '../support/tendermint/contract-fixture.ts';

// A third of the cases of either kind, no case twice; `tendermint-contract.slow.test.ts` has all of both.

describe('the contract of the chain port holds for the adapter of Tendermint chains', () => {
  describe.each(Object.entries(KINDS))('for %s', (_, [kind, isAsset]) => {
    const { cases, made } = contractSuite(kind, isAsset);

    for (const [place, { title, run }] of cases.entries()) if (place % 3 === (isAsset ? 1 : 0)) it(title, run);

    it('the whole suite used one fixture', () => expect(made()).toBe(1));
  });
});
