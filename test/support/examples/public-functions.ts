import { relative } from 'node:path';
import ts from 'typescript';
import { type EntryPoint, ROOT } from './entry-points.ts';

/** A block of code below `@example` in the doc comment of an export. */
export type Example = {
  readonly of: string;
  /** Path from the top of the repository, and the line of the code's first line, from 1. */
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** Entry points that export what the example is of. */
  readonly from: readonly string[];
};

/** A function or class that an entry point exports. */
export type PublicFunction = {
  readonly name: string;
  readonly path: string;
  /** The first of the entry points that export it. */
  readonly entry: string;
  readonly examples: number;
};

export type Documented = { readonly functions: readonly PublicFunction[]; readonly examples: readonly Example[] };

/** Every export of the entry points, once, with what its doc comment shows. */
export function documentedExports(program: ts.Program, entries: readonly EntryPoint[]): Documented {
  const checker = program.getTypeChecker();
  const found = new Map<ts.Symbol, { readonly name: string; readonly from: string[] }>();
  for (const { name: entry, source } of entries) {
    const file = program.getSourceFile(source);
    const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`no module ${source}`);
    for (const exported of checker.getExportsOfModule(module)) {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
      const known = found.get(symbol);
      if (known === undefined) found.set(symbol, { name: exported.name, from: [entry] });
      else known.from.push(entry);
    }
  }
  const functions: PublicFunction[] = [];
  const examples: Example[] = [];
  for (const [symbol, { name, from }] of found) {
    const own = examplesOf(symbol, name, from);
    examples.push(...own);
    const [entry = ''] = from;
    if (isFunction(checker, symbol)) functions.push({ name, path: pathOf(symbol), entry, examples: own.length });
  }
  return { functions, examples };
}

function isFunction(checker: ts.TypeChecker, symbol: ts.Symbol): boolean {
  if ((symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class)) !== 0) return true;
  const isVariable = (symbol.flags & ts.SymbolFlags.Variable) !== 0;
  return isVariable && checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0;
}

function pathOf(symbol: ts.Symbol): string {
  return relative(ROOT, symbol.declarations?.[0]?.getSourceFile().fileName ?? '');
}

function examplesOf(symbol: ts.Symbol, of: string, from: readonly string[]): readonly Example[] {
  const tags = (symbol.declarations ?? []).flatMap((declaration) => ts.getJSDocTags(declaration));
  return [...new Set(tags)]
    .filter(({ tagName }) => tagName.text === 'example')
    .map((tag) => {
      const source = tag.getSourceFile();
      const { line: tagLine } = source.getLineAndCharacterOfPosition(tag.getStart());
      const path = relative(ROOT, source.fileName);
      const lines = source.text
        .slice(tag.getStart(), tag.end)
        .split('\n')
        .map((line) => line.replace(/^\s*\* ?/, ''));
      const opened = lines.indexOf('```ts');
      const closed = lines.indexOf('```', opened + 1);
      if (opened !== 1 || closed < 0)
        throw new Error(`${path}:${tagLine + 1}: @example is not followed by a block of ts`);
      const text = `${lines.slice(opened + 1, closed).join('\n')}\n`;
      return { of, path, line: tagLine + 1 + opened + 1, text, from };
    });
}
