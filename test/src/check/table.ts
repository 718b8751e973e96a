import { readFileSync } from 'node:fs';
import type { CheckResult } from '../../../src/check/check.ts';
import type { NamedBounds } from '../../../src/check/published.ts';

const page = readFileSync(new URL('../../../docs/explanation/model-checker.md', import.meta.url), 'utf8');

/** What the page says about the model checker's bounds under this heading, a row for each. */
export function documentedRows(heading: string): readonly string[] {
  const section = page.split('\n## ').find((text) => text.startsWith(heading)) ?? '';
  return section.split('\n').filter((line) => line.startsWith('| ') && !/^\| (bounds|---)/.test(line));
}

/** The row that the page must have for a search. */
export function rowOf({ name, text }: NamedBounds, { states, transitions, depth }: CheckResult): string {
  return `| ${name} | ${text} | ${states} | ${transitions} | ${depth} |`;
}
