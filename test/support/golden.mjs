// Records the logs of this version and the verdicts over them in test/replay/<version>/. A recorded folder is never edited: later
// versions must replay it to the same verdicts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makerSwap, takerSwap } from '../../dist/machines/index.js';
import { jsonlText, savedSwapText } from '../../dist/src/events/index.js';
import { replaySwap } from '../../dist/src/replay/index.js';
import { buildSwap, STORED_ORIGINS, simplePaths } from '../../dist/src/testing/index.js';

const root = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = join(root, 'test/replay', version);

/** One swap for each ending: the first way through the chart that takes its last edge from each state. */
function endings(definition) {
  const found = new Map();
  for (const path of simplePaths(definition, { origins: STORED_ORIGINS })) {
    const key = `${path.states.at(-2)} ${path.events.at(-2)}`;
    if (!found.has(key)) found.set(key, path.events);
  }
  return [...found.values()];
}

const logs = [takerSwap, makerSwap].flatMap((definition) => {
  const { role } = definition;
  const build = (path) => buildSwap({ role, path, seed: `golden ${path.join(' ')}` });
  const paths = endings(definition);
  const cut = paths.slice(0, 6).map((path) => path.slice(0, -2));
  const distinct = new Map([...paths, ...cut].map((path) => [path.join(' '), path]));
  return [...distinct.values()].map(build);
});

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'logs.jsonl'), logs.map(jsonlText).join(''));
writeFileSync(join(folder, 'saved.json'), `[${logs.map((log) => savedSwapText(log, 'kdf')).join(',\n')}]\n`);
writeFileSync(join(folder, 'verdicts.jsonl'), logs.map((log) => `${JSON.stringify(replaySwap(log))}\n`).join(''));
console.log(`recorded ${logs.length} logs in test/replay/${version}`);
