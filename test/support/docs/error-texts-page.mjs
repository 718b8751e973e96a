import { ERROR_KINDS, UNKNOWN_ERROR } from '../../../dist/src/events/stored-errors/kinds.js';

/** How the error texts of stored swaps are read for people. */
export function errorTextsPage() {
  const rows = ERROR_KINDS.map(({ kind, means, cure, source }) => `| \`${kind}\` | ${means} | ${cure} | ${source} |`);
  return `${[...INTRO, ...rows, `| \`unknown\` | ${UNKNOWN_ERROR.means} | ${UNKNOWN_ERROR.cure} | |`].join('\n')}\n`;
}

const INTRO = [
  '# Error texts of stored swaps',
  '',
  'Events of a type that ends in `Failed` hold the text of an error as the program that wrote the log had it. `swapfold explain` quotes its reason, without the places in that',
  "program's code and without the request that was refused, and reads it by this table: the first kind whose words are in the reason counts, and `unknown` is an answer.",
  'This is reading for people. No rule of the engine depends on it. `npm run docs` writes the page.',
  '',
  '| kind | what it means | what to do before it is tried again | whose words |',
  '| --- | --- | --- | --- |',
];
