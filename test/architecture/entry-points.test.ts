import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

type Manifest = { readonly exports: Readonly<Record<string, { readonly default?: string }>> };

it('a name means one thing, whichever entry point it is imported from', () => {
  const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as Manifest;
  const entries = Object.entries(manifest.exports).flatMap(([name, { default: file }]) =>
    file === undefined ? [] : [{ name, source: `${ROOT}${file.replace('./dist/', '').replace(/js$/, 'ts')}` }],
  );
  const program = ts.createProgram(
    entries.map(({ source }) => source),
    {
      ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
      ...{ target: ts.ScriptTarget.ES2022, allowImportingTsExtensions: true, noEmit: true, skipLibCheck: true },
    },
  );
  const checker = program.getTypeChecker();
  const meanings = new Map<string, Map<ts.Symbol, string[]>>();
  for (const { name, source } of entries) {
    const file = program.getSourceFile(source);
    const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`no module ${source}`);
    for (const exported of checker.getExportsOfModule(module)) {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
      const known = meanings.get(exported.name) ?? new Map<ts.Symbol, string[]>();
      known.set(symbol, [...(known.get(symbol) ?? []), name]);
      meanings.set(exported.name, known);
    }
  }
  expect(meanings.size).toBeGreaterThan(1000);
  const twofold = [...meanings].filter(([, symbols]) => symbols.size > 1);
  expect(twofold.map(([name, symbols]) => `${name}: ${[...symbols.values()].join(' or ')}`)).toEqual([]);
});
