import { describe, expect, it } from 'vitest';
import type { PreparedRecord } from '../../../../machines/journal/context.ts';
import { paidFees } from '../../../../src/runtime/loop/paid-fees.ts';
import type { Slot } from '../../../../src/runtime/loop/slot.ts';
import { broadcastOwn } from '../../../../src/runtime/swap/turn.ts';
import { after, NOW, preparedOf, turnOf } from '../../../support/turns.ts';

const feeOf = (tx_hash: string, changes: Partial<PreparedRecord> = {}) =>
  preparedOf({ acceptedAt: NOW, ...changes, tx: { tx_hash } });

/** Streams that have paid these fees in MARTY, by their names. */
function slotsOf(fees: Readonly<Record<string, readonly PreparedRecord[]>>, coin = 'MARTY'): ReadonlyMap<string, Slot> {
  const slots = Object.entries(fees).map(([stream, fee]) => {
    const { journal } = turnOf({ journal: { prepared: { fee: [...fee] } } });
    const look = () => ({ journal, legOf: (purpose: string) => (purpose === 'fee' ? 'taker' : 'maker') });
    return [stream, { stream, driven: { coins: { maker: 'DOC', taker: coin }, look } } as unknown as Slot] as const;
  });
  return new Map([...slots, ['taker-swap/loading', { stream: 'taker-swap/loading', driven: null } as Slot]]);
}

const hashesOf = (slots: ReadonlyMap<string, Slot>, given = { stream: 'own', coin: 'MARTY' }) =>
  paidFees(slots, given).map(({ tx }) => tx.tx_hash);

describe('fees that other swaps have paid', () => {
  it('come oldest first, and never include those of the swap itself or of another coin', () => {
    const fees = {
      late: [feeOf('late', { preparedAt: after(9) })],
      own: [feeOf('own')],
      early: [feeOf('early', { preparedAt: after(-9) })],
      none: [],
    };
    expect(hashesOf(slotsOf(fees))).toEqual(['early', 'late']);
    expect(hashesOf(slotsOf(fees), { stream: 'early', coin: 'MARTY' })).toEqual(['own', 'late']);
    expect(hashesOf(slotsOf(fees, 'RICK'))).toEqual([]);
  });

  it('are those that a node took and that may still confirm, in their last variant', () => {
    const fees = {
      unanswered: [feeOf('unanswered', { acceptedAt: null })],
      gone: [feeOf('gone', { dead: true })],
      replaced: [feeOf('cheap'), feeOf('dear')],
    };
    expect(hashesOf(slotsOf(fees))).toEqual(['dear']);
  });
});

describe('what waits for one of them', () => {
  const waiting = preparedOf({ refused: 'parentsUnknown', tx: { tx_hash: 'waiting' } });
  const paid = [feeOf('older', { preparedAt: after(-500) }), feeOf('newer', { preparedAt: after(500) })];
  const first = (record: PreparedRecord, purpose: 'payment' | 'claim' = 'payment') => {
    const asked: string[] = [];
    const claims = { ...turnOf().claims, fees: (coin: string) => (coin === 'MARTY' ? paid : []) };
    const journal = {
      prepared: {
        fee: [preparedOf({ attemptedAt: NOW, tx: { tx_hash: 'own fee', spends: ['coin 1'] } })],
        payment: [record],
      },
    };
    const turn = turnOf({ claims, journal });
    for (;;) {
      const state = broadcastOwn(turn, 'taker', { purpose, record });
      const command = 'pending' in state ? state.pending : null;
      if (command?.kind !== 'ask' || command.question.op !== 'broadcast') return asked;
      const { tx_hash } = command.question.transaction;
      asked.push(tx_hash);
      if (tx_hash === record.tx.tx_hash) return asked;
      turn.facts.tries.set(command.key, { count: 0, next: after(60), kind: 'none', message: '' });
    }
  };

  it('has its own earlier transactions sent first, then the fees that were signed before it', () => {
    expect(first(waiting)).toEqual(['own fee', 'older', 'waiting']);
    expect(first({ ...waiting, refused: 'nonceGap' })).toEqual(['own fee', 'older', 'waiting']);
  });

  it('sends nothing of others if it was refused for another reason, or if it spends a payment', () => {
    for (const refused of [null, 'feeTooLow', 'inputsSpent', 'unavailable'])
      expect(first({ ...waiting, refused })).toEqual(['waiting']);
    expect(first(waiting, 'claim')).toEqual(['waiting']);
  });
});
