import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANVIL } from '../support/evm/anvil.ts';
import { contractSuite } from '../support/evm/contract-fixture.ts';
import { describeWith } from '../support/optional-part.ts';

// One case in six; `evm-contract.slow.test.ts` has all of them, for tokens too.

describeWith(ANVIL, 'the contract of the chain port holds for the adapter of EVM chains', () => {
  describe('for the chain’s own coin', () => {
    const { open, close, cases, made } = contractSuite(null);

    beforeAll(open, 60_000);
    afterAll(close);

    for (const [place, { title, run }] of cases.entries()) if (place % 6 === 0) it(title, run);

    it('the whole suite used one fixture', () => expect(made()).toBe(1));
  });
});
