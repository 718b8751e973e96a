import { describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import { abandoned } from '../../../../../src/sim/incidents/endings.ts';
import { during, swapWith, withNodeFaults } from '../../../../../src/sim/incidents/moments.ts';
import type { Scenario } from '../../../../../src/sim/world/scenario.ts';
import { runScenario } from '../../../../../src/sim/world/simulate.ts';

type Party = 'maker' | 'taker';

/** A payment that is soon spent on its fee, and a price beside which no wallet can offer half as much again for long. */
const MONEY = {
  utxo: { makerAmount: '0.00004' as DecimalText, takerAmount: '0.00005' as DecimalText },
  account: { makerAmount: '15' as DecimalText, takerAmount: '31' as DecimalText },
};
const CHAINS = { utxo: { kind: 'utxo' }, account: { kind: 'account', decimals: 18, feeRate: 5e10 } } as const;

/** Every transaction that the party signed for a purpose, as its log names them, and how long that log is. */
function signedIn(scenario: Scenario, party: Party, purpose: string) {
  const hashes: string[] = [];
  let length = 0;
  const { violations, endings } = runScenario(scenario, {
    watch: {
      appended(_, { name }, records) {
        if (name !== party) return;
        length += records.length;
        for (const { type, data } of records) {
          if (type !== 'TransactionPrepared') continue;
          const made = data as { readonly purpose: string; readonly tx: { readonly tx_hash: string } };
          if (made.purpose === purpose) hashes.push(made.tx.tx_hash);
        }
      },
    },
  });
  return { hashes, length, violations, money: endings.find((ending) => ending.party === party)?.money };
}

const CASES = (['utxo', 'account'] as const).flatMap((kind) =>
  (['maker', 'taker'] as const).map((party) => [kind, party] as const),
);

describe('a payment that a node hides while it drops what is broadcast', () => {
  it.each(['maker', 'taker'] as const)('is made impossible in vain, rarely, and comes back (%s)', (party) => {
    const lock = party === 'maker' ? 15_600 : 7800;
    const from = lock + 30;
    const until = lock + 900;
    const faults = [
      during({ kind: 'lie', says: 'absent' } as const, party === 'maker' ? 5000 : from, until),
      during({ kind: 'broadcast', effect: 'lost' } as const, party === 'maker' ? 4800 : from, until),
    ];
    const calm = abandoned(swapWith(3, { [party]: { kind: 'utxo' } }), party);
    const scenario = withNodeFaults(calm, { party, chain: party }, faults);
    const { hashes, length, violations, money } = signedIn(scenario, party, 'void');
    expect(violations).toEqual([]);
    expect(money).toBe('refunded');
    expect(hashes).toHaveLength(1);
    expect(length).toBeLessThan(60);
  });
});

describe('a wallet that has signed all that may be paid', () => {
  it.each(CASES)('signs no other refund (%s, %s): the log does not grow, and the refund goes out', (kind, party) => {
    const lock = party === 'maker' ? 15_600 : 7800;
    const faults = [during({ kind: 'feeSpike', factor: 301 } as const, lock - 100, lock + 9000)];
    const scenario = abandoned(swapWith(3, { ...MONEY[kind], [party]: { ...CHAINS[kind], faults } }), party);
    const { hashes, length, violations, money } = signedIn(scenario, party, 'refund');
    expect(violations).toEqual([]);
    expect(money).toBe('refunded');
    expect(hashes.length).toBeGreaterThan(3);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(length).toBeLessThan(80);
  });

  it.each(CASES)('signs no other claim (%s, %s): the log does not grow, and the claim goes out', (kind, party) => {
    const until = party === 'maker' ? 7200 : 15_000;
    const faults = [during({ kind: 'feeSpike', factor: 301 } as const, 100, until)];
    const other = party === 'maker' ? 'taker' : 'maker';
    const scenario = swapWith(3, { ...MONEY[kind], [other]: { ...CHAINS[kind], faults } });
    const { hashes, length, violations, money } = signedIn(scenario, party, 'claim');
    expect(violations).toEqual([]);
    expect(money).toBe('swapped');
    expect(hashes.length).toBeGreaterThan(3);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(length).toBeLessThan(80);
  });
});
