// Explores the bounds of the model checker and writes their figures into docs/explanation/model-checker.md, a row for each:
//   node test/support/checker-figures.mjs              the published bounds
//   node test/support/checker-figures.mjs --thorough   the thorough ones
//   node test/support/checker-figures.mjs --all        both, one after the other
// Needs a build. A search that is given up, or finds a broken rule, leaves the page as it is and ends with code 1.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { publishedBounds, thoroughBounds } from '../../dist/src/check/published.js';

const page = fileURLToPath(new URL('../../docs/explanation/model-checker.md', import.meta.url));
const cli = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

const TABLES = {
  published: { heading: '## The published bounds', bounds: publishedBounds, flags: [] },
  thorough: { heading: '## The thorough bounds', bounds: thoroughBounds, flags: ['--thorough'] },
};

/** The rows of one table, in the order of the bounds; null where a search did not end well. */
async function explore({ bounds, flags }) {
  const child = spawn(process.execPath, [cli, 'check', '--json', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const rows = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const { name, states, transitions, depth, complete, violations } = JSON.parse(line);
    const row = `| ${name} | ${textOf(bounds, name)} | ${states} | ${transitions} | ${depth} |`;
    console.log(
      complete && violations.length === 0 ? row : `${row} not sound: ${JSON.stringify({ complete, violations })}`,
    );
    rows.push(row);
  }
  const code = await ended;
  return code === 0 && rows.length === bounds.length ? rows : null;
}

function textOf(bounds, name) {
  const found = bounds.find((one) => one.name === name);
  if (found === undefined) throw new Error(`the build does not know the bounds ${name}: build again`);
  return found.text;
}

/** The page with these rows under the heading's table. */
function withRows(text, heading, rows) {
  const from = text.indexOf(`\n${heading}\n`);
  const table = text.indexOf('\n| --- |', from);
  const first = text.indexOf('\n', table + 1) + 1;
  if (from < 0 || table < 0) throw new Error(`${page} has no table under ${heading}`);
  let end = first;
  while (text.startsWith('| ', end)) end = text.indexOf('\n', end) + 1;
  return `${text.slice(0, first)}${rows.join('\n')}\n${text.slice(end)}`;
}

const [asked = '--published'] = process.argv.slice(2);
const names = asked === '--all' ? Object.keys(TABLES) : [asked.slice(2)];
for (const name of names) {
  const table = TABLES[name];
  if (table === undefined) throw new Error(`${asked} is none of --published, --thorough, --all`);
  const rows = await explore(table);
  if (rows === null) {
    console.error(`the ${name} bounds are not all sound: ${page} is as it was`);
    process.exitCode = 1;
    continue;
  }
  writeFileSync(page, withRows(readFileSync(page, 'utf8'), table.heading, rows));
  console.log(`written: the ${name} bounds`);
}
