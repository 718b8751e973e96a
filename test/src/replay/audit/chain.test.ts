import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toEnvelopes } from '../../../../src/events/jsonl.ts';
import type { Envelope } from '../../../../src/primitives/envelope.ts';
import { auditChain } from '../../../../src/replay/audit/chain.ts';
import { buildSwapPair } from '../../../../src/testing/swap-builder.ts';

const { taker, maker } = buildSwapPair({ seed: 11 });
const records = toEnvelopes(taker);

const violations = (envelopes: Iterable<Envelope>) =>
  auditChain(envelopes).filter(({ status }) => status === 'violated');

describe('auditChain', () => {
  it('verifies an untouched stream', () => {
    expect(auditChain(records).map(({ check, status }) => [check, status])).toEqual([
      ['hash-chain', 'verified'],
      ['record-numbers', 'verified'],
    ]);
  });

  it('keeps mixed streams apart', () => {
    const others = toEnvelopes(maker);
    const mixed = [...records, ...others].sort((left, right) => left.at - right.at || left.seq - right.seq);
    expect(violations(mixed)).toEqual([]);
    expect(auditChain(mixed)).toHaveLength(4);
  });

  it('names the first record that was changed, with the hash that it should have', () => {
    fc.assert(
      fc.property(fc.nat({ max: records.length - 1 }), fc.constantFrom('at', 'type', 'data'), (seq, member) => {
        const changed = records.map((record) => (record.seq === seq ? { ...record, [member]: 7 } : record));
        const [first, ...more] = violations(changed as Envelope[]);
        expect(more).toEqual([]);
        expect(first).toMatchObject({ check: 'hash-chain', seq, found: records[seq]?.hash });
        expect(first?.expected).toMatch(/^[0-9a-f]{64}$/);
        expect(first?.expected).not.toBe(first?.found);
      }),
    );
  });

  it('notices a dropped, repeated or exchanged record', () => {
    for (let seq = 0; seq < records.length - 1; seq++) {
      const [here, next] = [records[seq], records[seq + 1]] as [Envelope, Envelope];
      const dropped = records.toSpliced(seq, 1);
      const repeated = records.toSpliced(seq, 0, here);
      const exchanged = records.toSpliced(seq, 2, next, here);
      for (const changed of [dropped, repeated, exchanged]) {
        expect(violations(changed).map(({ check }) => check)).toContain('record-numbers');
      }
    }
  });

  it('a hash that was taken out is a violation, wherever it stood', () => {
    for (const seq of [0, 3, records.length - 1]) {
      const changed = records.map((record) => (record.seq === seq ? { ...record, hash: '' } : record));
      expect(violations(changed).map(({ check }) => check)).toEqual(['hash-chain']);
    }
  });

  it('calls a record without a hash not checkable, and one with data too deep to hash', () => {
    const without = records.map((record) => ({ ...record, hash: '' }));
    expect(auditChain(without)[0]).toMatchObject({ check: 'hash-chain', seq: 0, status: 'notCheckable' });
    let deep: unknown = null;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    const hostile = records.map((record) => ({ ...record, data: deep }));
    expect(auditChain(hostile)[0]).toMatchObject({ check: 'hash-chain', seq: 0, status: 'notCheckable' });
  });
});
