import { describe, expect, it } from 'vitest';
import type { Uuid } from '../../../../src/primitives/ids.ts';
import {
  createStreamTable,
  isComplete,
  noteEvent,
  noteSeq,
  noteUnreadable,
  type OpenStream,
} from '../../../../src/replay/jsonl/streams.ts';

/** A table of streams named by letters, and what becomes of them. */
function tableOf(maxOpenStreams = 10) {
  const told: string[] = [];
  const table = createStreamTable<string>({
    maxOpenStreams,
    open: (role, uuid) => `${role} ${uuid}`,
    close: ({ key }) => told.push(`close ${key}`),
    setAside: ({ key }) => told.push(`aside ${key}`),
  });
  const enter = (key: string, seq = 0) => table.enter({ key, role: 'taker', uuid: key as Uuid, seq });
  return { table, enter, told };
}

const fresh = (): OpenStream<string> => tableOf().enter('a');

describe('the table of streams', () => {
  it('opens a stream with its first line, and gives it back for the next ones', () => {
    const { table, enter, told } = tableOf();
    expect(table.active()).toBeUndefined();
    const stream = enter('a', 3);
    expect(stream).toEqual({
      ...{ key: 'a', role: 'taker', uuid: 'a', body: 'taker a', first: 3, due: 0, events: 0 },
      ...{ finished: false, journal: false, anomalies: [] },
    });
    expect(table.active()).toBe(stream);
    expect(enter('a', 4)).toBe(stream);
    expect(told).toEqual([]);
  });

  it('closes a complete stream as soon as another one comes, and sets an unfinished one aside', () => {
    const { table, enter, told } = tableOf();
    enter('a').finished = true;
    const open = enter('b');
    expect(told).toEqual(['close a']);
    enter('c');
    expect(told).toEqual(['close a', 'aside b']);
    expect(enter('b')).toBe(open);
    expect(table.active()).toBe(open);
    table.end();
    expect(told).toEqual(['close a', 'aside b', 'aside c', 'aside b', 'close c', 'close b']);
    expect(table.active()).toBeUndefined();
    table.end();
    expect(told).toHaveLength(6);
  });

  it('gives up the stream touched longest ago when more than the bound are aside', () => {
    const { enter, told } = tableOf(2);
    for (const key of ['a', 'b', 'a', 'c']) enter(key);
    expect(told.filter((line) => line.startsWith('close'))).toEqual([]);
    enter('d');
    expect(told.filter((line) => line.startsWith('close'))).toEqual(['close b']);
    expect(enter('b', 7).first).toBe(7);
  });

  it('begins a closed stream again', () => {
    const { enter } = tableOf();
    const before = enter('a');
    before.finished = true;
    enter('b');
    expect(enter('a')).not.toBe(before);
  });
});

describe('a stream', () => {
  it('is complete once it has ended, unless records of the engine may follow', () => {
    expect(isComplete({ ...fresh(), finished: true })).toBe(true);
    expect(isComplete({ ...fresh(), finished: true, journal: true })).toBe(false);
    expect(isComplete(fresh())).toBe(false);
  });

  it('ends with Finished, and counts its events', () => {
    const stream = fresh();
    noteEvent(stream, 'Started', { uuid: 'a' });
    noteEvent(stream, 'Negotiated', null);
    expect([stream.events, stream.finished]).toEqual([2, false]);
    noteEvent(stream, 'Finished', null);
    expect([stream.events, stream.finished, stream.anomalies]).toEqual([3, true, []]);
  });

  it('notices a start that belongs to another swap, in its first event alone', () => {
    const stream = fresh();
    noteEvent(stream, 'Started', { uuid: 'b' });
    noteEvent(stream, 'Started', { uuid: 'c' });
    expect(stream.anomalies).toEqual([
      {
        seq: 0,
        code: 'UUID_MISMATCH',
        severity: 'fault',
        message: 'Started belongs to swap b, but the stream says a.',
        expected: ['a'],
        found: 'b',
        repair: 'set the uuid of the stream and of Started to the same value',
      },
    ]);
    const other = fresh();
    noteEvent(other, 'Negotiated', { uuid: 'b' });
    expect(other.anomalies).toEqual([]);
    const unnamed = fresh();
    noteEvent(unnamed, 'Started', {});
    expect(unnamed.anomalies).toEqual([]);
  });
});

describe('sequence numbers', () => {
  const noted = (...seqs: readonly number[]) => {
    const stream = fresh();
    for (const seq of seqs) {
      noteSeq(stream, seq);
      stream.events++;
    }
    return { due: stream.due, anomalies: stream.anomalies };
  };

  it('count up from 0', () => {
    expect(noted(0, 1, 2)).toEqual({ due: 3, anomalies: [] });
  });

  it('that are missing are named, and the stream continues after the gap', () => {
    const gap = { seq: 1, code: 'SEQ_GAP', severity: 'fault', expected: ['1'] };
    expect(noted(0, 2, 3)).toEqual({
      due: 4,
      anomalies: [
        {
          ...gap,
          message: 'The stream is not complete: record 1 is missing before record 2.',
          found: '2',
          repair: 'restore the missing record from a copy of the log',
        },
      ],
    });
    expect(noted(0, 4)).toEqual({
      due: 5,
      anomalies: [
        {
          ...gap,
          message: 'The stream is not complete: records 1 to 3 are missing before record 4.',
          found: '4',
          repair: 'restore the missing records from a copy of the log',
        },
      ],
    });
  });

  it('that come again are named, and the next one due stays due', () => {
    expect(noted(0, 1, 0, 2)).toEqual({
      due: 3,
      anomalies: [
        {
          seq: 2,
          code: 'SEQ_REPEATED',
          severity: 'fault',
          message: 'Record 0 is repeated in the place of record 2.',
          expected: ['2'],
          found: '0',
          repair: 'remove the second record 0',
        },
      ],
    });
  });
});

describe('a line that cannot be read', () => {
  it('counts as the next record if its own number is unknown', () => {
    const stream = { ...fresh(), due: 4, events: 2 };
    noteUnreadable(stream, { seq: null, why: 'it is torn.' });
    expect(stream.due).toBe(5);
    stream.due = 4;
    noteUnreadable(stream, { seq: 9, why: 'it is odd.' });
    expect(stream.due).toBe(4);
    const common = { seq: 2, code: 'RECORD_UNREADABLE', severity: 'fault' };
    const repair = 'restore the record from a copy of the log';
    expect(stream.anomalies).toEqual([
      { ...common, message: 'Record 4 cannot be read and was left out: it is torn.', repair },
      { ...common, message: 'Record 9 cannot be read and was left out: it is odd.', repair },
    ]);
  });
});
