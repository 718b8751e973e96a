import { describe, expect, it } from 'vitest';
import { type Envelope, sealStream } from '../../../../src/primitives/envelope.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { createSkippedStreams } from '../../../../src/replay/jsonl/skipped.ts';

const sealed = (stream: string, count = 4): readonly Envelope[] =>
  sealStream(
    Array.from({ length: count }, (_, seq) => ({
      ...{ stream, seq, at: millisOf(1_700_000_000_000 + seq), type: 'Stopped', version: 1, data: { seq } },
    })),
  );
const watch = sealed('watcher/a');
const unsealed = watch.map((one): Envelope => ({ ...one, hash: '' }));

/** What is found in the records of a file, each in its own line, and how its streams stand at the end. */
function followed(records: readonly Envelope[]) {
  const streams = createSkippedStreams();
  const faults = records.flatMap((record, index) => {
    const fault = streams.take(record, index + 1);
    return fault === undefined ? [] : [{ ...fault, error: fault.error.facts['found'], code: fault.error.code }];
  });
  return { faults, streams: streams.all() };
}

const broken = (line: number, why: string, seq = line - 1) => ({
  faults: [{ line, stream: 'watcher/a', seq, error: why, code: 'CHAIN_BROKEN' }],
  streams: [{ stream: 'watcher/a', records: 4, chain: 'broken' }],
});
const HASH = 'its hash does not match it and the record before it';

describe('a stream that is not a swap', () => {
  it('is verified where each hash covers its record and the one before it', () => {
    expect(followed(watch)).toEqual({
      faults: [],
      streams: [{ stream: 'watcher/a', records: 4, chain: 'verified' }],
    });
  });

  it('is unsealed where another program wrote it without hashes', () => {
    expect(followed(unsealed)).toEqual({
      faults: [],
      streams: [{ stream: 'watcher/a', records: 4, chain: 'unsealed' }],
    });
  });

  it('is broken from the first record that was changed, which alone is reported', () => {
    const changed = watch.map((one) => (one.seq === 1 || one.seq === 2 ? { ...one, data: {} } : one));
    expect(followed(changed)).toEqual(broken(2, HASH));
    expect(followed(watch.map((one) => (one.seq === 0 ? { ...one, data: {} } : one)))).toEqual(broken(1, HASH));
  });

  it('is broken if a record has lost its hash, or one is sealed among unsealed ones', () => {
    expect(followed(watch.map((one) => (one.seq === 2 ? { ...one, hash: '' } : one)))).toEqual(broken(3, HASH));
    const one = unsealed.with(2, watch[2] as Envelope);
    expect(followed(one)).toEqual(broken(3, 'it has a hash, but the records before it have none'));
  });

  it('is broken if a record is missing or comes again', () => {
    const missing = followed(watch.filter(({ seq }) => seq !== 1));
    expect(missing.faults).toMatchObject([{ line: 2, seq: 2, error: 'record 2 is in the place of record 1' }]);
    const again = followed([...watch.slice(0, 2), ...watch.slice(1)]);
    expect(again.faults).toMatchObject([{ line: 3, seq: 1, error: 'record 1 is in the place of record 2' }]);
    expect(again.streams).toEqual([{ stream: 'watcher/a', records: 5, chain: 'broken' }]);
    expect(followed(unsealed.slice(1)).faults).toMatchObject([
      { line: 1, error: 'record 1 is in the place of record 0' },
    ]);
  });

  it('is broken if a record is nested more deeply than can be hashed', () => {
    let data: unknown = null;
    for (let depth = 0; depth < 100_000; depth++) data = [data];
    expect(followed(watch.map((one) => (one.seq === 3 ? ({ ...one, data } as Envelope) : one)))).toEqual(
      broken(4, HASH),
    );
  });

  it('is followed beside others, which are reported in the order in which they began', () => {
    const other = sealed('watcher/b', 2);
    const woven = [other[0], watch[0], watch[1], other[1], watch[2], watch[3]] as readonly Envelope[];
    expect(followed(woven)).toEqual({
      faults: [],
      streams: [
        { stream: 'watcher/b', records: 2, chain: 'verified' },
        { stream: 'watcher/a', records: 4, chain: 'verified' },
      ],
    });
  });
});
