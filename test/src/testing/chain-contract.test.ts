import { describe, expect, it } from 'vitest';
import { type ChainFixture, chainContract } from '../../../src/testing/chain-contract.ts';
import { FIDELITIES, fixtureOf, KINDS } from './chains/support.ts';

for (const kind of KINDS) {
  for (const fidelity of FIDELITIES) {
    describe(`the contract of the chain port holds for a simulated chain: ${kind}, ${fidelity}`, () => {
      for (const { title, run } of chainContract(() => fixtureOf(kind, fidelity))) it(title, run);
    });
  }
}

describe('an adapter that breaks a rule is found out', () => {
  const broken: Readonly<Record<string, (fixture: ChainFixture) => Partial<ChainFixture['sender']>>> = {
    'it takes for a payment what pays too little': ({ receiver }) => ({
      payment: async (query) => {
        const answer = await receiver.payment(query);
        return answer.ok ? { ok: true, value: { ...answer.value, problem: null } } : answer;
      },
    }),
    'it says that a repeated broadcast was new': ({ receiver }) => ({
      broadcast: async (transaction) => {
        const answer = await receiver.broadcast(transaction);
        return answer.ok ? { ok: true, value: 'sent' } : answer;
      },
    }),
    'it accepts any fee': () => ({ checkFee: () => ({ ok: true, value: null }) }),
    'it counts a waiting transaction as confirmed': ({ receiver }) => ({
      transaction: async (hash) => {
        const answer = await receiver.transaction(hash);
        const waits = answer.ok && answer.value.status === 'mempool';
        return waits ? { ok: true, value: { status: 'confirmed', confirmations: 1 } } : answer;
      },
    }),
    'it tells nobody of changes': () => ({ subscribe: () => ({ close: () => {} }) }),
  };

  for (const [title, change] of Object.entries(broken)) {
    it(title, async () => {
      const cases = chainContract(() => {
        const fixture = fixtureOf('utxo', 'compact');
        return { ...fixture, receiver: { ...fixture.receiver, ...change(fixture) } };
      });
      const results = await Promise.allSettled(cases.map(({ run }) => run()));
      expect(results.some(({ status }) => status === 'rejected')).toBe(true);
    });
  }
});
