import { describe, expect, it } from 'vitest';
import type { UnreadSwap } from '../../../src/cli/each-swap.ts';
import { MOST_OF_A_KIND, RepeatedErrors } from '../../../src/cli/repeated-errors.ts';
import { SwapfoldError } from '../../../src/primitives/error.ts';
import { jsonRows, runCli } from '../../support/cli.ts';

const unread = (file: string, code: string): UnreadSwap => ({
  file,
  ok: false,
  uuid: null,
  error: new SwapfoldError('It is bad.', { code }),
});
const told = (all: readonly UnreadSwap[]) =>
  all.map(({ file, error }) => `${file} ${error.code} ${error.facts['more'] ?? ''}`);

describe('errors of a kind', () => {
  it('are reported a hundred times for each file, and then counted', () => {
    const repeated = new RepeatedErrors();
    let count = 0;
    for (let line = 0; line < 1000; line++) {
      count += repeated.next(unread('a', 'ONE')).length;
      if (line % 10 === 0) count += repeated.next(unread('a', 'TWO')).length;
    }
    expect(count).toBe(2 * MOST_OF_A_KIND);
    expect(repeated.next(unread('a', 'TWO'))).toEqual([]);
    expect(told(repeated.next(unread('b', 'ONE')))).toEqual(['a ONE 900', 'a TWO 1', 'b ONE ']);
    expect(told(repeated.end())).toEqual([]);
    expect(repeated.next(unread('b', 'ONE'))).toHaveLength(1);
  });

  it('that are few are reported as they are', () => {
    const repeated = new RepeatedErrors();
    const one = unread('a', 'ONE');
    for (let line = 0; line < MOST_OF_A_KIND; line++) expect(repeated.next(one)).toEqual([one]);
    expect(repeated.end()).toEqual([]);
  });
});

describe('a file of many bad lines', () => {
  const stdin = '{"a":1}\n'.repeat(250);

  it.each(['replay', 'timeline', 'audit', 'explain'])(
    '%s reports a hundred of them, and how many more there are',
    async (command) => {
      const { code, out } = await runCli([command, '--json', '-'], { stdin });
      const rows = jsonRows(out);
      expect(code).toBe(1);
      expect(rows).toHaveLength(MOST_OF_A_KIND + 1);
      expect(rows.at(-1)).toMatchObject({ error: { more: 150 } });
      const text = await runCli([command, '-'], { stdin });
      expect(text.err.match(/^error/gm)).toHaveLength(MOST_OF_A_KIND + 1);
      expect(text.err).toContain('There are 150 more errors of this kind');
    },
  );

  it('export prints them so', async () => {
    const { code, err } = await runCli(['export', '--format', 'spec', '-'], { stdin });
    expect(code).toBe(1);
    expect(err.match(/^error/gm)).toHaveLength(MOST_OF_A_KIND + 1);
  });
});
