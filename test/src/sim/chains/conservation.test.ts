import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBaseUnits } from '../../../../src/primitives/decimal.ts';
import { FEE_SAT, type History, historyOf, PARTIES, steps } from './driver.ts';
import { KINDS } from './support.ts';

/** Adds up what the parties, the open payments, the fees and their receiver hold, by the ledger's answers alone. */
function heldBy({ chain, payments }: History): bigint {
  const { ledger } = chain;
  let total = 0n;
  for (const party of PARTIES) total += ledger.balance(party).confirmed + ledger.feesPaid(party);
  for (const { purpose, status } of ledger.transactions()) {
    if (purpose === 'fee' && status === 'confirmed') total += FEE_SAT;
  }
  for (const { terms } of payments) {
    const { fundings, spend } = ledger.payment(terms);
    const open = fundings.filter(({ confirmations }) => confirmations > 0).length > 0;
    if (open && (spend === null || spend.confirmations === 0)) total += toBaseUnits(terms.amount);
  }
  return total;
}

describe.each(KINDS)('conservation of coins on a simulated chain: %s', (kind) => {
  it('K2: nothing is created or lost, whatever is sent, mined, dropped and reorganized', () => {
    fc.assert(
      fc.property(steps(60), (list) => {
        const history = historyOf(kind, list);
        const { ledger } = history.chain;
        const funded = PARTIES.reduce((sum, party) => sum + ledger.funded(party), 0n);
        expect(ledger.imbalance()).toBeNull();
        expect(heldBy(history)).toBe(funded);
        for (const party of PARTIES) expect(ledger.balance(party).confirmed).toBeGreaterThanOrEqual(0n);
      }),
      { numRuns: 100 },
    );
  });

  it('histories do reach payments, claims, refunds and reorganisations', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(steps(60), (list) => {
        const { chain } = historyOf(kind, list);
        for (const { purpose, status, everMined } of chain.ledger.transactions()) {
          seen.add(`${purpose} ${status}`);
          if (everMined && status !== 'confirmed') seen.add('undone');
        }
      }),
      { numRuns: 100, seed: 1 },
    );
    const refunds = kind === 'autoRefund' ? [] : ['refund confirmed'];
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'payment confirmed',
        'claim confirmed',
        'fee confirmed',
        'void confirmed',
        'undone',
        ...refunds,
      ]),
    );
  });
});
