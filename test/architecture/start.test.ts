import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { ROOT } from './source-tree.ts';

/** What a file loads before its first line runs: no types, and nothing that is imported when it is needed. */
function loadedBy(path: string): readonly string[] {
  const { outputText } = ts.transpileModule(readFileSync(join(ROOT, path), 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  });
  const tree = ts.createSourceFile(path, outputText, ts.ScriptTarget.ES2023);
  return tree.statements.flatMap((node) =>
    (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined
      ? [(node.moduleSpecifier as ts.StringLiteral).text]
      : [],
  );
}

it('a command line that only prints its help or version loads no schema, no machine and no simulator', () => {
  const files = new Set(['src/cli/run.ts']);
  const packages = new Set<string>();
  for (const path of files) {
    for (const specifier of loadedBy(path)) {
      if (specifier.startsWith('.')) files.add(relative(ROOT, resolve(dirname(join(ROOT, path)), specifier)));
      else packages.add(specifier);
    }
  }
  expect([...files].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect([...packages].filter((name) => !name.startsWith('node:')).toSorted()).toEqual([
    'bignumber.js',
    'commander',
    'picocolors',
  ]);
  const rooms = new Set([...files].map((path) => path.split('/').slice(0, 2).join('/')));
  expect([...rooms].toSorted()).toEqual([
    'machines/swap-verdict.ts',
    'machines/told-amount.ts',
    'src/cli',
    'src/primitives',
  ]);
});
