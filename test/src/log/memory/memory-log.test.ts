import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/memory-log.ts';
import { sealStream } from '../../../../src/primitives/envelope.ts';
import { record } from '../../../../src/testing/contracts/log/expect.ts';
import { eventLogContract } from '../../../../src/testing/contracts/log-contract.ts';

for (const { title, run } of eventLogContract({ name: 'memory', open: () => ({ log: createMemoryLog() }) })) {
  it(title, run);
}

it('the contract does not start with an unknown option', () => {
  const open = () => ({ log: createMemoryLog() });
  expect(() => eventLogContract({ nam: 'mine', open } as never)).toThrow(
    'options has no member nam; did you mean name?',
  );
  expect(() => eventLogContract({ name: 'mine', open, runs: 0 })).toThrow('options.runs is 0; allowed: a whole number');
  expect(() => eventLogContract({ name: 'mine' } as never)).toThrow('options.open is missing');
});

describe('a log in memory', () => {
  const stream = 'taker-swap/a';

  it('answers at once', () => {
    const log = createMemoryLog();
    const seen: number[] = [];
    log.subscribe({ after: 0 }, ({ position }) => {
      seen.push(position);
    });
    const [envelope] = log.append({ stream, expected: 0, records: [record('Started')] });
    expect(seen).toEqual([1]);
    expect(log.read(stream)).toEqual([envelope]);
    expect(log.find({}).map(({ length }) => length)).toEqual([1]);
    expect(log.end()).toBe(1);
    log.close();
    expect(() => log.append({ stream, expected: 1, records: [record('Late')] })).toThrow('LOG_CLOSED');
  });

  it('gives envelopes that look like any other, though they are sealed when their hash is read', () => {
    const log = createMemoryLog();
    const records = ['One', 'Two', 'Three'].map((type) => record(type, { type }));
    const sealed = sealStream(records.map((given, seq) => ({ stream, seq, ...given })));
    const appended = log.append({ stream, expected: 0, records });
    expect(appended).toStrictEqual(sealed);
    expect(JSON.stringify(appended)).toBe(JSON.stringify(sealed));
    expect(structuredClone(appended)).toStrictEqual(sealed);
    expect({ ...appended[2] }).toStrictEqual(sealed[2]);
    expect(Object.keys(appended[0] ?? {})).toEqual(Object.keys(sealed[0] ?? {}));
  });

  it('seals a record from the one before, whichever hash is read first', () => {
    const log = createMemoryLog();
    const records = ['One', 'Two', 'Three'].map((type) => record(type));
    const [, , last] = log.append({ stream, expected: 0, records });
    const other = createMemoryLog().append({ stream, expected: 0, records });
    expect(last?.hash).toBe(other.map(({ hash }) => hash)[2]);
  });

  it('reports what a subscriber threw, and continues', () => {
    const told: unknown[] = [];
    const log = createMemoryLog({ onSubscriberError: (error) => told.push(error) });
    const failure = new Error('no');
    let calls = 0;
    log.subscribe({ after: 0 }, () => {
      calls++;
      throw failure;
    });
    log.append({ stream, expected: 0, records: [record('One'), record('Two')] });
    log.append({ stream, expected: 2, records: [record('Three')] });
    expect({ told, calls, length: log.read(stream).length }).toEqual({ told: [failure], calls: 1, length: 3 });
  });
});
