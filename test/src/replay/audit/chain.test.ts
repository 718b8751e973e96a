import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toEnvelopes } from '../../../../src/events/jsonl.ts';
import type { Envelope } from '../../../../src/primitives/envelope.ts';
import { auditChain } from '../../../../src/replay/audit/chain.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';

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

  it('a removed hash is a violation, wherever it was', () => {
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

const others = toEnvelopes(maker);
const chainOf = (envelopes: readonly Envelope[]) => auditChain(envelopes).filter(({ check }) => check === 'hash-chain');
const numbersOf = (envelopes: readonly Envelope[]) =>
  auditChain(envelopes).filter(({ check }) => check === 'record-numbers');

describe('the findings of auditChain', () => {
  it('count the records of each stream by its name', () => {
    const found = [records, others].map((list) => `${list.length} records of ${list[0]?.stream}`);
    const expected = ['hash-chain', 'record-numbers'].map((check) => ({ check, seq: null, status: 'verified' }));
    expect(auditChain([...records, ...others])).toEqual(
      found.flatMap((text) => expected.map((finding) => ({ ...finding, found: text }))),
    );
    expect(auditChain([])).toEqual([]);
  });

  it('name the first record out of order, and say no more of that stream', () => {
    const gaps = records.toSpliced(2, 1).toSpliced(4, 1);
    expect(numbersOf(gaps)).toEqual([
      {
        check: 'record-numbers',
        seq: 3,
        status: 'violated',
        expected: '2',
        found: '3',
        reason: 'the first record out of order',
      },
    ]);
    expect(numbersOf(records.slice(1))).toMatchObject([{ seq: 1, expected: '0', found: '1' }]);
  });

  it('name the first broken record of a stream, and leave other streams alone', () => {
    const changed = records.map((record) => (record.seq === 2 || record.seq === 5 ? { ...record, data: 7 } : record));
    const [broken, sound, ...more] = chainOf([...changed, ...others]);
    expect(more).toEqual([]);
    expect(broken).toMatchObject({ seq: 2, status: 'violated', reason: 'the first broken record of its stream' });
    expect(sound).toMatchObject({
      seq: null,
      status: 'verified',
      found: `${others.length} records of ${others[0]?.stream}`,
    });
  });
});

describe('what auditChain says of records without a hash', () => {
  it('hold one record that lost its hash, or that alone has one, against the rest', () => {
    const reason = 'a log is sealed as a whole';
    const lost = records.map((record) => (record.seq === 3 ? { ...record, hash: '' } : record));
    expect(chainOf(lost)).toEqual([
      { check: 'hash-chain', seq: 3, status: 'violated', expected: 'a record with its hash', found: 'no hash', reason },
    ]);
    const alone = records.map((record) => (record.seq === 3 ? record : { ...record, hash: '' }));
    const expected = 'a record without a hash, as the first one';
    expect(chainOf(alone).slice(1)).toEqual([
      { check: 'hash-chain', seq: 3, status: 'violated', expected, found: records[3]?.hash, reason },
    ]);
  });

  it('say once of a log without hashes that it has none', () => {
    const bare = records.map((record) => ({ ...record, hash: '' }));
    const reason = 'the records have no hashes, as another program wrote them';
    expect(chainOf(bare)).toEqual([{ check: 'hash-chain', seq: 0, status: 'notCheckable', reason }]);
    expect(numbersOf(bare)).toHaveLength(1);
  });

  it('say once of a stream that its data cannot be hashed', () => {
    let deep: unknown = null;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    const hostile = records.map((record) => (record.seq < 2 ? record : { ...record, data: deep }));
    const reason = 'the data of the record is nested too deeply to be hashed';
    expect(chainOf(hostile)).toEqual([{ check: 'hash-chain', seq: 2, status: 'notCheckable', reason }]);
  });
});
