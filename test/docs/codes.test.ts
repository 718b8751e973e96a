import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSources } from '../architecture/source-tree.ts';
import { ROOT } from './fences.ts';

// Upper-case words in quotes that are no codes of ours: those of Node, of the package ws, of shells, of scripts and modules of a chain, and of the types of a stream.
const FOREIGN = /^(ERR_|WS_ERR_|NO_COLOR$|Z_|E[A-Z]+$|OP_|EVAL_|(SWAP|ORDER|WATCHER)_STATUS$)/;
const FOREIGN_FILES = /^src\/(testing|smartchain\/script)\//;

it('every code of an error or anomaly is documented, and every documented code exists', () => {
  const used = new Set(
    readSources('src', 'machines')
      .filter(({ path }) => !FOREIGN_FILES.test(path))
      .flatMap(({ text }) =>
        [...text.matchAll(/'(CONTRADICTION|UNEXPECTED|[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)'/g)].map(
          (match) => match[1] as string,
        ),
      )
      .filter((code) => !FOREIGN.test(code)),
  );
  const page = (name: string) => readFileSync(join(ROOT, 'docs/reference', name), 'utf8');
  const documented = new Set([
    ...[...page('errors.md').matchAll(/^### ([A-Z0-9_]+)$/gm)].map((match) => match[1] as string),
    ...[...page('anomalies.md').matchAll(/^\| `([A-Z0-9_]+)`/gm)].map((match) => match[1] as string),
  ]);
  expect([...documented].toSorted()).toEqual([...used].toSorted());
});
