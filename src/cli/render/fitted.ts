import { stripVTControlCharacters } from 'node:util';

/**
 * A text whose lines are broken at spaces where they are wider than `columns`. Continuation lines align with the text
 * of their line: behind the dash of a list, behind the last wide gap of a table's first half, or two columns further
 * in. A word that is too long for any line stays whole.
 */
export function fitted(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => (visibleLength(line) <= columns ? line : brokenLine(line, columns)))
    .join('\n');
}

/** Columns that a text takes on a terminal. */
export function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length;
}

function brokenLine(line: string, columns: number): string {
  const plain = stripVTControlCharacters(line);
  const hang = hangOf(plain, columns);
  const least = plain.length - plain.trimStart().length + 2;
  const lines: string[] = [];
  let current = '';
  let width = 0;
  let isBlank = true;
  for (const [, gap = '', word = ''] of line.matchAll(/( *)([^ ]+)/g)) {
    const length = visibleLength(word);
    if (!isBlank && width + gap.length + length > columns) {
      lines.push(current);
      const indent = hang + length <= columns ? hang : Math.min(hang, least);
      current = `${' '.repeat(indent)}${word}`;
      width = indent + length;
    } else {
      current += gap + word;
      width += gap.length + length;
    }
    isBlank &&= length === 0;
  }
  return [...lines, current].join('\n');
}

function hangOf(line: string, columns: number): number {
  const leading = line.length - line.trimStart().length;
  const listed = /^ *[-!] /.exec(line)?.[0].length;
  if (listed !== undefined) return listed;
  const gaps = [...line.matchAll(/\S {2,}(?=\S)/g)].map((gap) => gap.index + gap[0].length);
  return gaps.findLast((place) => place <= columns / 2) ?? leading + 2;
}

/** Cells of a row, one space apart; those that do not fit stand on further lines, indented. */
export function flowed(
  cells: readonly string[],
  { columns, indent }: { readonly columns: number; readonly indent: number },
): string {
  const lines: string[] = [];
  let current = '';
  for (const cell of cells) {
    if (visibleLength(cell) === 0) continue;
    const longer = current === '' ? cell : `${current} ${cell}`;
    if (current.trim() === '' || visibleLength(longer.trimEnd()) <= columns) current = longer;
    else {
      lines.push(current.trimEnd());
      current = `${' '.repeat(indent)}${cell.trimStart()}`;
    }
  }
  return [...lines, current.trimEnd()].join('\n');
}
