import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonlText } from '../../../../src/events/jsonl.ts';
import { tooLong } from '../../../../src/replay/jsonl/errors.ts';
import { joinRanges, type RangeEntry, type RangeJoin } from '../../../../src/replay/jsonl/join.ts';
import { createJsonlReplayer } from '../../../../src/replay/jsonl/scanner.ts';
import type { ReplayedSwap } from '../../../../src/replay/swaps.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { bytesOf } from './support.ts';

/** A stream as a range left it: one that is open may go on. */
const stream = (name: string, state: 'finished' | 'open' = 'finished'): RangeEntry => ({
  swap: { uuid: name } as unknown as ReplayedSwap,
  facts: { stream: name, finished: state === 'finished', first: 0 },
});
const open = (name: string) => stream(name, 'open');
const unreadable = (line: number): RangeEntry => ({
  error: { line, stream: null, seq: null, error: tooLong(line, 1) },
});

/** A join, and what it has handed on so far: names of streams, and numbers of lines. */
function joining(maxOpenStreams = 10): { readonly join: RangeJoin; readonly told: (string | number)[] } {
  const told: (string | number)[] = [];
  const join = joinRanges({
    maxOpenStreams,
    onSwap: (_, { stream }) => told.push(stream),
    onError: ({ line }) => told.push(line),
  });
  return { join, told };
}

describe('results of ranges put together', () => {
  it('come out in the order of the file, each stream when the next one begins', () => {
    const { join, told } = joining();
    expect(join.take({ entries: [stream('a'), stream('b')], firstLine: 1 })).toBe(true);
    expect(told).toEqual(['a']);
    expect(join.take({ entries: [stream('c')], firstLine: 20 })).toBe(true);
    expect(told).toEqual(['a', 'b']);
    join.end();
    expect(told).toEqual(['a', 'b', 'c']);
    expect(join.handedOn()).toEqual({ swaps: 3, errors: 0 });
  });

  it('keep an open stream until the end, where those come out in the order in which they were left', () => {
    const { join, told } = joining();
    join.take({ entries: [open('a'), stream('b'), open('c')], firstLine: 1 });
    join.take({ entries: [stream('d')], firstLine: 9 });
    expect(told).toEqual(['b']);
    expect(join.handedOn()).toEqual({ swaps: 1, errors: 0 });
    join.end();
    expect(told).toEqual(['b', 'd', 'a', 'c']);
    join.end();
    expect(told).toEqual(['b', 'd', 'a', 'c']);
  });

  it('give up the open stream left longest ago when more than the bound are open', () => {
    const { join, told } = joining(2);
    join.take({ entries: [open('a'), open('b'), open('c'), open('d')], firstLine: 1 });
    expect(told).toEqual(['a']);
    join.end();
    expect(told).toEqual(['a', 'b', 'c', 'd']);
    const none = joining(0);
    none.join.take({ entries: [open('a'), open('b')], firstLine: 1 });
    expect(none.told).toEqual(['a']);
  });

  it('end with nothing where there was nothing', () => {
    const { join, told } = joining();
    expect(join.take({ entries: [], firstLine: 1 })).toBe(true);
    join.end();
    expect(told).toEqual([]);
    expect(join.handedOn()).toEqual({ swaps: 0, errors: 0 });
  });
});

describe('a stream that continues in a later range', () => {
  it('ends the join, whether it is the latest one or was left open before', () => {
    for (const earlier of [[open('a')], [open('a'), stream('b')], [stream('b'), stream('a')]]) {
      const { join } = joining();
      expect(join.take({ entries: earlier, firstLine: 1 })).toBe(true);
      expect(join.take({ entries: [stream('a')], firstLine: 9 })).toBe(false);
    }
  });

  it('leaves what was returned before as it is', () => {
    const { join, told } = joining();
    join.take({ entries: [stream('a'), open('b')], firstLine: 1 });
    expect(join.take({ entries: [unreadable(12), stream('b')], firstLine: 9 })).toBe(false);
    expect(told).toEqual(['a']);
    expect(join.handedOn()).toEqual({ swaps: 1, errors: 0 });
  });

  it('does not exist if the earlier stream of that name was already returned', () => {
    const { join, told } = joining(0);
    join.take({ entries: [open('a'), stream('b')], firstLine: 1 });
    expect(join.take({ entries: [stream('a')], firstLine: 9 })).toBe(true);
    join.end();
    expect(told).toEqual(['a', 'b', 'a']);
  });
});

describe('a line that cannot be read', () => {
  it('is reported after the stream before the one that holds it', () => {
    const { join, told } = joining();
    join.take({ entries: [stream('a'), unreadable(4), unreadable(5), stream('b'), unreadable(8)], firstLine: 1 });
    expect(told).toEqual(['a', 4, 5, 8]);
    expect(join.handedOn()).toEqual({ swaps: 1, errors: 3 });
    join.end();
    expect(told).toEqual(['a', 4, 5, 8, 'b']);
  });

  it('ends the join as the first of a later range: its stream is unknown', () => {
    const { join, told } = joining();
    expect(join.take({ entries: [unreadable(1), stream('a')], firstLine: 1 })).toBe(true);
    expect(join.take({ entries: [unreadable(9), stream('b')], firstLine: 9 })).toBe(false);
    expect(told).toEqual([1]);
    const later = joining();
    later.join.take({ entries: [stream('a')], firstLine: 1 });
    expect(later.join.take({ entries: [unreadable(10), stream('b')], firstLine: 9 })).toBe(true);
    expect(later.told).toEqual(['a', 10]);
  });
});

describe('ranges of one file', () => {
  const texts = [1, 2, 3, 4, 5].map((seed) => {
    const path = successPath('taker');
    return jsonlText(buildSwap({ role: 'taker', seed, path: seed % 2 === 0 ? path.slice(0, 4) : path }));
  });

  function entriesOf(text: string, { firstLine = 1, maxOpenStreams = 0 } = {}): RangeEntry[] {
    const entries: RangeEntry[] = [];
    const replayer = createJsonlReplayer({
      ...{ firstLine, maxOpenStreams },
      onSwap: (swap, facts) => entries.push({ swap, facts }),
      onError: (error) => entries.push({ error }),
    });
    replayer.push(bytesOf(text));
    replayer.end();
    return entries;
  }

  const nameOf = (entry: RangeEntry) => ('error' in entry ? entry.error.line : entry.facts.stream);

  it('give what a single pass gives, or what it gives up to the point from which it must be read at once', () => {
    const part = fc.record({ text: fc.constantFrom(...texts), noise: fc.constantFrom('', 'noise\n', '{}\nnoise\n') });
    fc.assert(
      fc.property(
        fc.array(fc.array(part, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
        fc.nat(3),
        (parts, maxOpenStreams) => {
          const ranges = parts.map((range) => range.map(({ text, noise }) => `${text}${noise}`).join(''));
          const whole = entriesOf(ranges.join(''), { maxOpenStreams }).map(nameOf);
          const { join, told } = joining(maxOpenStreams);
          let firstLine = 1;
          const taken = ranges.every((range) => {
            const ok = join.take({ entries: entriesOf(range, { firstLine }), firstLine });
            firstLine += range.split('\n').length - 1;
            return ok;
          });
          if (taken) join.end();
          expect(told).toEqual(taken ? whole : whole.slice(0, told.length));
        },
      ),
      { numRuns: 60 },
    );
  });
});
