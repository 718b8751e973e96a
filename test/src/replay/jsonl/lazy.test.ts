import { describe, expect, it } from 'vitest';
import {
  ABSENT,
  copyOf,
  FALSE,
  LazyTransaction,
  lazyRecordClass,
  NULL,
  NUMBER,
  type TextSource,
  TRUE,
} from '../../../../src/replay/jsonl/lazy.ts';

/** A source whose text can be overwritten, as the scan memory is by the next chunk. */
function sourceOf(text: string): TextSource & { overwrite: () => void } {
  let held = text;
  return {
    text: (start, end) => held.slice(start, end),
    overwrite: () => {
      held = '#'.repeat(text.length);
    },
  };
}

describe('a text cut out of the scan memory', () => {
  it('is found at the addresses that it had there', () => {
    const source = sourceOf('0123456789');
    const copy = copyOf(source, 2, 8);
    source.overwrite();
    expect([copy.text(2, 8), copy.text(3, 5)]).toEqual(['234567', '34']);
  });
});

describe('a transaction in the scan memory', () => {
  const transaction = (source: TextSource) =>
    Object.assign(new LazyTransaction(source), { hexStart: 2, hexEnd: 6, hashStart: 8, hashEnd: 10 });

  it('gives its bytes and its id', () => {
    expect(transaction(sourceOf('..abcd..ef..'))).toMatchObject({ tx_hex: 'abcd', tx_hash: 'ef' });
    const empty = new LazyTransaction(sourceOf('..'));
    expect([empty.tx_hex, empty.tx_hash]).toEqual(['', '']);
  });

  it('outlives the memory once it is detached, and not before', () => {
    const source = sourceOf('..abcd..ef..');
    const [kept, lost] = [transaction(source), transaction(source)];
    kept.detach();
    source.overwrite();
    expect([kept.tx_hex, kept.tx_hash]).toEqual(['abcd', 'ef']);
    expect(lost.tx_hex).toBe('####');
  });
});

describe('a record in the scan memory', () => {
  const names = ['text', 'number', 'nothing', 'yes', 'no', 'absent', 'nested', 'escaped'] as const;
  const named = () => lazyRecordClass(names.map((name) => ({ name, nested: name === 'nested' })));
  const text = '..DOC..{"a":1}.."x\\ny"..';
  const slots = [
    ...[2, 5, 42, NUMBER, 0, NULL, 0, TRUE, 0, FALSE, 0, ABSENT],
    ...[7, 14, -text.indexOf('"x'), text.lastIndexOf('"') + 1],
  ];
  const values = {
    ...{ text: 'DOC', number: 42, nothing: null, yes: true, no: false, absent: undefined },
    ...{ nested: { a: 1 }, escaped: 'x\ny' },
  };
  const valuesOf = (record: object) =>
    Object.fromEntries(names.map((name) => [name, (record as Readonly<Record<string, unknown>>)[name]]));

  it('reads its members by name: texts, numbers, flags, null, what is absent, nested and escaped ones', () => {
    expect(valuesOf(new (named())(sourceOf(text), slots, { start: 0, end: text.length }))).toEqual(values);
  });

  it('outlives the memory once it is detached', () => {
    const source = sourceOf(text);
    const record = new (named())(source, slots, { start: 2, end: text.length });
    record.detach();
    source.overwrite();
    expect(valuesOf(record)).toEqual(values);
  });

  it('shows its members on iteration', () => {
    const record = new (named())(sourceOf(text), slots, { start: 0, end: text.length });
    const seen: string[] = [];
    for (const name in record) seen.push(name);
    expect(seen).toEqual(expect.arrayContaining([...names]));
  });
});
