import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envelopeLine, jsonlText, toEnvelopes } from '../../../../src/events/jsonl.ts';
import { findStreamStart, splitAtStreams } from '../../../../src/replay/jsonl/ranges.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { bytesOf } from './support.ts';

const logs = [1, 2, 3, 4].map((seed) =>
  buildSwap({ role: seed % 2 === 0 ? 'maker' : 'taker', seed, path: successPath('taker').slice(0, 2 + seed) }),
);
const texts = logs.map(jsonlText);
const bytes = bytesOf(texts.join(''));
const starts = texts.map((_, index) => texts.slice(0, index).join('').length);

const startAfter = (position: number, until: number) => {
  const found = findStreamStart(bytes.subarray(position, until));
  return found === undefined ? undefined : position + found;
};

describe('the split of a file for threads', () => {
  it('finds the next stream from any place', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length), (position) => {
        const lineAfter = bytes.indexOf(10, position) + 1;
        // The first whole line cannot be told from the one before it, so the search begins with the second.
        const expected = starts.find((start) => start > lineAfter && lineAfter > 0);
        expect(startAfter(position, bytes.length)).toBe(expected);
      }),
    );
  });

  it('begins every range but the first where a stream begins, and leaves no byte out', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: bytes.length + 10 }), (rangeBytes) => {
        const ranges = splitAtStreams({ size: bytes.length, rangeBytes }, startAfter);
        expect(ranges[0]?.start).toBe(0);
        expect(ranges.at(-1)?.end).toBe(bytes.length);
        for (const [index, { start, end }] of ranges.entries()) {
          expect(end).toBeGreaterThan(start);
          if (index > 0) expect(starts).toContain(start);
          if (index > 0) expect(ranges[index - 1]?.end).toBe(start);
        }
      }),
    );
  });

  it('splits nowhere within a stream, nor at a line in another spelling', () => {
    const [only] = logs;
    const lines = toEnvelopes(only as (typeof logs)[number]).map(envelopeLine);
    expect(findStreamStart(bytesOf(`${lines.join('\n')}\n`))).toBeUndefined();
    const repeated = [lines[0], lines[0], lines[0]].join('\n');
    expect(findStreamStart(bytesOf(`${repeated}\n`))).toBeUndefined();
    expect(findStreamStart(bytesOf(texts.join('').replaceAll('"seq":', '"seq": ')))).toBeUndefined();
  });

  it('keeps a file in one piece if there is no place to split', () => {
    expect(splitAtStreams({ size: 100, rangeBytes: 10 }, () => undefined)).toEqual([{ start: 0, end: 100 }]);
    expect(splitAtStreams({ size: 0, rangeBytes: 10 }, () => 0)).toEqual([{ start: 0, end: 0 }]);
  });
});
