import { describe, expect, it } from 'vitest';
import type { PreparedTransaction } from '../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { initialFacts } from '../../../../src/runtime/facts.ts';
import { keepLate } from '../../../../src/runtime/swap/signed.ts';
import { preparedOf, turnOf } from '../../../support/turns.ts';

const signed = (fee: string, maxFee?: string) => ({
  purpose: 'fee' as const,
  tx: { ...preparedOf().tx, tx_hash: 'f0', fee } as PreparedTransaction,
  request: {
    purpose: 'fee' as const,
    feeSat: 5n,
    burnSat: 0n,
    urgency: 0,
    replaces: null,
    ...(maxFee === undefined ? {} : { maxFee: maxFee as DecimalText }),
  },
});

describe('what a wallet signed and reports too late', () => {
  it('is useless if its fee is above what may be paid, and goes back', () => {
    const { journal } = turnOf();
    const kept = (...given: Parameters<typeof signed>) => {
      const facts = initialFacts();
      return [keepLate(facts, journal, signed(...given)), facts.prepared.size];
    };
    expect(kept('0.3', '0.2')).toEqual([false, 0]);
    expect(kept('0.2', '0.2')).toEqual([true, 1]);
    expect(kept('0.3')).toEqual([true, 1]);
  });

  it('is useless if it could confirm beside what it was meant to replace', () => {
    const { journal } = turnOf({
      journal: { prepared: { fee: [preparedOf({ tx: { tx_hash: 'e0', spends: ['a:0'] } })] } },
    });
    const replaces = { ...preparedOf().tx, tx_hash: 'e0', spends: ['a:0'] };
    const keeps = (...spends: string[]) => {
      const { request, tx, purpose } = signed('0.2');
      return keepLate(initialFacts(), journal, { purpose, request: { ...request, replaces }, tx: { ...tx, spends } });
    };
    expect([keeps('b:1'), keeps('b:1', 'a:0')]).toEqual([false, true]);
  });
});
