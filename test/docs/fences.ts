import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** A fenced block of a Markdown page. */
export type Fence = {
  readonly page: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** Words after the language: `exit=1`, `install`. */
  readonly words: readonly string[];
  readonly text: string;
  /** Text of a `text` block that follows directly: what the block prints. */
  readonly output: string | undefined;
};

/** The README and every page below docs, as paths from the top of the repository. */
export function pages(): readonly string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  return [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...docs.filter((path) => path.endsWith('.md')).map((path) => `docs/${relative('.', path)}`),
  ].toSorted();
}

/** All fenced blocks of a page, in order. */
export function fencesOf(page: string): readonly Fence[] {
  const lines = readFileSync(join(ROOT, page), 'utf8').split('\n');
  const found: (Fence & { readonly end: number })[] = [];
  for (let index = 0; index < lines.length; index++) {
    const opened = /^```(\S*)\s*(.*)$/.exec(lines[index] as string);
    if (opened === null) continue;
    const end = lines.findIndex((line, at) => at > index && line === '```');
    if (end < 0) throw new Error(`${page}:${index + 1}: the fence is not closed`);
    const words = (opened[2] ?? '').split(/\s+/).filter((word) => word !== '');
    const text = lines.slice(index + 1, end).join('\n');
    found.push({ page, line: index + 1, language: opened[1] ?? '', words, text, output: undefined, end });
    index = end;
  }
  return found.map(({ end, ...fence }, at) => {
    const next = found[at + 1];
    const between = next === undefined ? ['x'] : lines.slice(end + 1, next.line - 1);
    const printed = next?.language === 'text' && between.every((line) => line === '');
    return printed ? { ...fence, output: next.text } : fence;
  });
}
