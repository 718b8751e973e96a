import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANVIL } from '../support/evm/anvil.ts';
import { contractSuite, KINDS } from '../support/evm/contract-fixture.ts';
import { describeWith } from '../support/optional-part.ts';

// One case in eight of either kind, no case twice; `evm-contract.slow.test.ts` has all of both.

describeWith(ANVIL, 'the contract of the chain port holds for the adapter of EVM chains', () => {
  describe.each(Object.entries(KINDS))('for %s', (_, decimals) => {
    const { open, close, cases, made } = contractSuite(decimals);
    const turn = decimals === null ? 0 : 4;

    beforeAll(open, 60_000);
    afterAll(close);

    for (const [place, { title, run }] of cases.entries()) if (place % 8 === turn) it(title, run);

    it('all of it was asked of one fixture', () => expect(made()).toBe(1));
  });
});
