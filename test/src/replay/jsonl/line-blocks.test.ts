import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineBlocks, plainMemory } from '../../../../src/replay/jsonl/line-blocks.ts';
import { bytesOf, cut } from './support.ts';

const LARGE = 1_000_000;

/** What comes out of chunks: runs of lines, the rest, and the lines that were too long. */
function put(chunks: readonly Uint8Array[], { maxLineBytes = LARGE, inPlace = false } = {}): readonly string[] {
  const told: string[] = [];
  const memory = plainMemory();
  const text = (start: number, end: number) => new TextDecoder().decode(memory.bytes.slice(start, end));
  const blocks = createLineBlocks(
    memory,
    {
      block: (start, end) => told.push(...text(start, end).split(/(?<=\n)/)),
      rest: (start, end) => told.push(`rest ${text(start, end)}`),
      tooLong: () => told.push('too long'),
    },
    { maxLineBytes },
  );
  for (const chunk of chunks) {
    if (inPlace) {
      blocks.room(chunk.length).set(chunk);
      blocks.filled(chunk.length);
    } else {
      blocks.push(chunk);
    }
  }
  blocks.end();
  blocks.end();
  return told;
}

const texts = (...chunks: readonly string[]) => put(chunks.map(bytesOf), { maxLineBytes: 5 });

describe('lines from chunks', () => {
  it('are complete, wherever the chunks end, and what follows the last line feed is the rest', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', 'ü'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(line), line, fc.array(fc.nat(500)), fc.boolean(), (lines, rest, cuts, inPlace) => {
        const text = `${lines.map((one) => `${one}\n`).join('')}${rest}`;
        const expected = [...lines.map((one) => `${one}\n`), ...(rest === '' ? [] : [`rest ${rest}`])];
        expect(put(cut(bytesOf(text), cuts), { inPlace })).toEqual(expected);
      }),
    );
  });

  it('come out as soon as their line feed comes, and nothing comes twice', () => {
    expect(texts('ab', 'c\nde', '\n', 'f')).toEqual(['abc\n', 'de\n', 'rest f']);
    expect(texts('')).toEqual([]);
    expect(texts('\n\n')).toEqual(['\n', '\n']);
  });

  it('are taken from chunks beyond the size of one piece, and beyond the memory of the beginning', () => {
    const line = 'x'.repeat(99_999);
    const lines = Array<string>(90).fill(`${line}\n`);
    expect(put([bytesOf(`${lines.join('')}${line}`)])).toEqual([...lines, `rest ${line}`]);
    expect(put([bytesOf('a'), bytesOf('b'.repeat(200_000)), bytesOf('c\n')])).toEqual([`a${'b'.repeat(200_000)}c\n`]);
  });
});

describe('a line beyond the bound', () => {
  it('is reported once and skipped up to its line feed', () => {
    expect(texts('ok\n', '123456', '789', '0\n', 'next\n')).toEqual(['ok\n', 'too long', 'next\n']);
    expect(texts('123456', '7\nab\ncd', '\n')).toEqual(['too long', 'ab\n', 'cd\n']);
    expect(texts('123456', '7\nab')).toEqual(['too long', 'rest ab']);
    expect(texts('123456', '7')).toEqual(['too long']);
    expect(texts('123456', '\n123456', '\nab\n')).toEqual(['too long', 'too long', 'ab\n']);
  });

  it('does not occur at the bound itself', () => {
    expect(texts('12345', '\n')).toEqual(['12345\n']);
  });

  it('is not reported if its line feed is already there: the memory holds it completely', () => {
    expect(texts('123456789\n')).toEqual(['123456789\n']);
  });
});

describe('memory that grows', () => {
  it('keeps what it holds, and grows only when it has to', () => {
    const memory = plainMemory();
    const before = memory.bytes;
    memory.reserve(before.length);
    expect(memory.bytes).toBe(before);
    before.set([1, 2, 3]);
    memory.reserve(before.length + 1);
    expect(memory.bytes).not.toBe(before);
    expect([...memory.bytes.subarray(0, 3)]).toEqual([1, 2, 3]);
    expect(memory.bytes.length).toBe(2 * before.length);
    memory.reserve(50_000_000);
    expect(memory.bytes.length).toBe(50_000_000);
  });

  it('grows by no more than a piece where little is asked', () => {
    const memory = plainMemory();
    const piece = 4 * 1024 * 1024;
    memory.reserve(10 * piece);
    memory.reserve(10 * piece + 1);
    expect(memory.bytes.length).toBe(11 * piece);
  });
});
