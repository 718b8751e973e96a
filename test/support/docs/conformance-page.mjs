import { readFileSync } from 'node:fs';

const SUITE = 'test/e2e/conformance.test.ts';

/** Which test shows what the specification says of the trading node's interface. */
export function conformancePage() {
  const rows = JSON.parse(readFileSync(new URL('../conformance.json', import.meta.url), 'utf8'));
  const sections = [...new Set(rows.map(({ spec }) => spec))];
  const parts = sections.flatMap((section) => [
    `## Section ${section}`,
    '',
    '| what | specification | here | shown by |',
    '| --- | --- | --- | --- |',
    ...rows.filter(({ spec }) => spec === section).map(rowText),
    '',
  ]);
  return `${[...INTRO, ...parts].join('\n').trimEnd()}\n`;
}

const INTRO = [
  '# Conformance',
  '',
  "This page lists each field, default, error and limit that the specification states for the trading node's",
  'interface (its sections 3.2, 4.3 to 4.10, 5, 7 and 8), and the test that shows it. If a row names no file,',
  `\`${SUITE}\` calls a node over its own chain and has a test of that name; it fails`,
  'if a row of the specification is missing here. `npm run docs` writes the page.',
  '',
];

function rowText({ item, rule, here, file, title }) {
  const shown = file === undefined ? `\`${item}\`` : `\`${file}\`: ${title}`;
  return `| ${item} | ${rule} | ${here} | ${shown} |`;
}
