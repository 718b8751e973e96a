import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANVIL } from '../support/evm/anvil.ts';
import { describeWith } from '../support/optional-part.ts';
import { contractSuite } from '../support/qtum/contract-fixture.ts';

describeWith(ANVIL, 'the contract of the chain port holds for the adapter of QRC20 tokens', () => {
  describe.each(['daemon', 'servers'] as const)('over %s', (line) => {
    const { open, close, cases, made } = contractSuite(line);

    beforeAll(open, 60_000);
    afterAll(close);

    for (const { title, run } of cases) it(title, run);

    it('the whole suite used one fixture', () => expect(made()).toBe(1));
  });
});
