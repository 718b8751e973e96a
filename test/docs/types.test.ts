import { describe, expect, it } from 'vitest';
import { compilerSays } from '../support/examples/compile.ts';
import { fencesOf, pages } from './fences.ts';

// What a user with the strict settings of this repository would be told about each block.

const blocks = pages().flatMap((page) =>
  fencesOf(page)
    .filter(({ language }) => language === 'ts')
    .map(({ line, text }) => ({ page, line, text: `${text}\nexport {};\n` })),
);

describe('every block of TypeScript passes the compiler with the settings of this repository', () => {
  const found = compilerSays(blocks.map(({ text }) => text)).map((told) =>
    told.map(({ line, text }) => `${line + 1}: ${text}`),
  );
  it.each(blocks.map((block, place) => ({ ...block, place })))('$page, line $line', ({ place }) => {
    expect(found[place]).toEqual([]);
  });
});
