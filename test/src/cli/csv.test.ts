import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell, csvHeader, csvRow } from '../../../src/cli/csv.ts';
import { swapLog } from '../../../src/testing/drawn/logs.ts';

/** A reader of RFC 4180, written apart from the writer. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === ',') {
      rows.at(-1)?.push(cell);
      cell = '';
    } else if (char === '\r' && text[at + 1] === '\n') {
      rows.at(-1)?.push(cell);
      rows.push([]);
      cell = '';
      at++;
    } else cell += char;
  }
  return rows.slice(0, -1);
}

describe('cells', () => {
  it('come back as they were, whatever they hold', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', 'é') }), { minLength: 1 }),
        (texts) => {
          const [row] = parseCsv(`${texts.map(csvCell).join(',')}\r\n`);
          expect(row?.map((text) => text.replace(/^'(?=[\r\n\t])/, ''))).toEqual(texts);
        },
      ),
    );
  });

  it('never start as a formula', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ' =', '\u00a0@', '＝', '＋', '－', '＠'),
        fc.string({ unit: fc.constantFrom('a', '1', '"', ',', ' ', 'é') }),
        (sign, rest) => {
          const [[cell = ''] = []] = parseCsv(`${csvCell(sign + rest)}\r\n`);
          expect(cell).toBe(`'${sign}${rest}`);
        },
      ),
    );
  });

  it.each([
    ['\0=1+1', "' =1+1"],
    ['\u200b=1+1', "'\u200b=1+1"],
    ['\ufeff\u2060 @x', "'\ufeff\u2060 @x"],
    ['x;=1+1', "x;'=1+1"],
    ['x; \u200b-1', "x; \u200b'-1"],
    ['x|@y', "x|'@y"],
    ['x\n=1', "x\n'=1"],
    ['a;b;c', 'a;b;c'],
    ['1-2', '1-2'],
  ])('%j is no formula, in whatever locale, behind whatever invisible characters', (text, shown) => {
    const [[cell = ''] = []] = parseCsv(`${csvCell(text)}\r\n`);
    expect(cell).toBe(shown);
  });

  it('send nothing to a terminal', () => {
    const told = '\u001b]0;title\u0007 \u009b31m \u202e \u007f';
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
        expect(csvCell(told + text)).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e]/);
      }),
    );
  });
});

describe('rows', () => {
  it('have as many cells as the header, for any swap', () => {
    const columns = parseCsv(csvHeader())[0]?.length;
    fc.assert(
      fc.property(swapLog('taker', { consistent: false }), swapLog('maker', { consistent: false }), (taker, maker) => {
        for (const log of [taker, maker]) expect(parseCsv(csvRow('a "file".json', log))[0]).toHaveLength(columns ?? 0);
      }),
      { numRuns: 30 },
    );
  });
});
