import { describe, expect, it } from 'vitest';
import { contractSuite, KINDS } from '../support/tendermint/contract-fixture.ts';

describe('the contract of the chain port holds for the adapter of Tendermint chains', () => {
  describe.each(Object.entries(KINDS))('for %s', (_, [kind, isAsset]) => {
    const { cases, made } = contractSuite(kind, isAsset);

    for (const { title, run } of cases) it(title, run);

    it('the whole suite used one fixture', () => expect(made()).toBe(1));
  });
});
