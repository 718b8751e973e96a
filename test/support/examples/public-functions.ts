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

/** A function or class that an entry point exports, or a variable, which may hold one. */
export type PublicFunction = {
  readonly name: string;
  readonly path: string;
  /** The first of the entry points that export it. */
  readonly entry: string;
  readonly examples: number;
};

type Exported = { readonly symbol: ts.Symbol; readonly name: string; readonly from: string[] };

/** What each entry point exports under which name. */
function* exportsByEntry(
  program: ts.Program,
  entries: readonly EntryPoint[],
): Iterable<{ readonly entry: string; readonly name: string; readonly symbol: ts.Symbol }> {
  const checker = program.getTypeChecker();
  for (const { name: entry, source } of entries) {
    const file = program.getSourceFile(source);
    const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`no module ${source}`);
    for (const exported of checker.getExportsOfModule(module)) {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      yield { entry, name: exported.name, symbol: isAlias ? checker.getAliasedSymbol(exported) : exported };
    }
  }
}

/** Every export of the entry points, once, with all of them that export it. */
function exportsOf(program: ts.Program, entries: readonly EntryPoint[]): readonly Exported[] {
  const found = new Map<ts.Symbol, Exported>();
  for (const { entry, name, symbol } of exportsByEntry(program, entries)) {
    const known = found.get(symbol);
    if (known === undefined) found.set(symbol, { symbol, name, from: [entry] });
    else known.from.push(entry);
  }
  return [...found.values()];
}

/** What each exported name means, and which entry points mean it. A name that means two things has two lists. */
export function publicNames(
  program: ts.Program,
  entries: readonly EntryPoint[],
): ReadonlyMap<string, readonly (readonly string[])[]> {
  const meanings = new Map<string, Map<ts.Symbol, string[]>>();
  for (const { entry, name, symbol } of exportsByEntry(program, entries)) {
    const known = meanings.get(name) ?? new Map<ts.Symbol, string[]>();
    known.set(symbol, [...(known.get(symbol) ?? []), entry]);
    meanings.set(name, known);
  }
  return new Map([...meanings].map(([name, known]) => [name, [...known.values()]]));
}

/** The functions and classes that the entry points export, and the variables, which may hold one: only who loads them can tell. */
export function publicFunctions(program: ts.Program, entries: readonly EntryPoint[]): readonly PublicFunction[] {
  return exportsOf(program, entries)
    .filter(({ symbol }) => (symbol.flags & MAY_BE_CALLED) !== 0)
    .map(({ symbol, name, from: [entry = ''] }) => {
      return { name, path: pathOf(symbol), entry, examples: tagsOf(symbol).length };
    });
}

/** The examples in the doc comments of all exports. */
export function publicExamples(program: ts.Program, entries: readonly EntryPoint[]): readonly Example[] {
  return exportsOf(program, entries).flatMap(({ symbol, name, from }) => examplesOf(symbol, name, from));
}

const MAY_BE_CALLED = ts.SymbolFlags.Function | ts.SymbolFlags.Class | ts.SymbolFlags.Variable;

function pathOf(symbol: ts.Symbol): string {
  return relative(ROOT, symbol.declarations?.[0]?.getSourceFile().fileName ?? '');
}

function tagsOf(symbol: ts.Symbol): readonly ts.JSDocTag[] {
  const tags = (symbol.declarations ?? []).flatMap((declaration) => ts.getJSDocTags(declaration));
  return [...new Set(tags)].filter(({ tagName }) => tagName.text === 'example');
}

function examplesOf(symbol: ts.Symbol, of: string, from: readonly string[]): readonly Example[] {
  return tagsOf(symbol).map((tag) => {
    const source = tag.getSourceFile();
    const { line: tagLine } = source.getLineAndCharacterOfPosition(tag.getStart());
    const path = relative(ROOT, source.fileName);
    const written = source.text.slice(tag.getStart(), tag.end).split('\n');
    const lines = written.map((line) => line.replace(/^\s*\* ?/, ''));
    const opened = lines.indexOf('```ts');
    const closed = lines.indexOf('```', opened + 1);
    if (opened !== 1 || closed < 0)
      throw new Error(`${path}:${tagLine + 1}: @example is not followed by a block of ts`);
    const text = `${lines.slice(opened + 1, closed).join('\n')}\n`;
    return { of, path, line: tagLine + 1 + opened + 1, text, from };
  });
}
