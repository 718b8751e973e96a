import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { builtModule } from '../built.ts';
import { CHECKS, checkedText } from './assertions.ts';
import { entryPoints, ROOT } from './entry-points.ts';
import { type Example, type PublicFunction, publicExamples, publicFunctions, publicNames } from './public-functions.ts';

/** An example as it is compiled and run, and what is wrong with it before it runs. */
export type CheckedExample = Example & { readonly checked: string; readonly problems: readonly string[] };

const WIDTH = 100;

/** All public names, functions and examples, compiled with the settings of this repository. */
export function compiledExamples(): {
  readonly names: ReturnType<typeof publicNames>;
  readonly functions: readonly PublicFunction[];
  readonly examples: readonly CheckedExample[];
} {
  const entries = entryPoints();
  const sources = entries.map(({ source }) => source);
  const program = ts.createProgram(sources, optionsFor());
  const prepared = publicExamples(program, entries).map((example) => ({ example, ...read(example) }));
  const told = compilerSays(prepared.map(({ checked }) => `${checked}export {};\n`));
  const examples = prepared.map(({ example, checked, problems }, at) => ({
    ...{ ...example, checked },
    problems: [...problems, ...(told[at] ?? []).map(({ line, text }) => `line ${example.line + line}: ${text}`)],
  }));
  return { names: publicNames(program, entries), functions: publicFunctions(program, entries), examples };
}

function optionsFor(): ts.CompilerOptions {
  const settings = { extends: './tsconfig.json', compilerOptions: { noEmit: true } };
  return ts.parseJsonConfigFileContent(settings, ts.sys, ROOT, undefined, join(ROOT, 'examples.json')).options;
}

type Told = { readonly line: number; readonly text: string };

/** What the native compiler says of each text, as a module that imports the built package by its name, with lines from 0. */
export function compilerSays(texts: readonly string[]): readonly (readonly Told[])[] {
  // Built now if it is older than the sources.
  builtModule('src/index.js');
  const folder = mkdtempSync(join(ROOT, 'dist', 'examples-'));
  try {
    const told: Told[][] = texts.map(() => []);
    for (const [at, text] of texts.entries()) writeFileSync(join(folder, `example-${at}.ts`), text);
    writeFileSync(join(folder, 'checks.d.ts'), CHECKS);
    const settings = {
      extends: '../../tsconfig.json',
      compilerOptions: { noEmit: true, rootDir: '.' },
      include: ['.'],
      exclude: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const tsc = join(ROOT, 'node_modules/typescript-native/bin/tsc');
    const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    });
    let last: Told[] | undefined;
    for (const line of stdout.split('\n').filter((line) => line !== '')) {
      const [, example, row, text] = /^example-(\d+)\.ts\((\d+),\d+\): (.*)$/.exec(line) ?? [];
      if (example !== undefined) last = told[Number(example)];
      // What a line that is indented says belongs to the one above.
      else if (last === undefined || !line.startsWith(' ')) throw new Error(`the compiler says: ${stdout}${stderr}`);
      last?.push({ line: row === undefined ? (last.at(-1)?.line ?? 0) : Number(row) - 1, text: text ?? line.trim() });
    }
    return told;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(example: Example): { readonly checked: string; readonly problems: readonly string[] } {
  const problems = formProblems(example);
  try {
    return { checked: checkedText(example.text), problems };
  } catch (error) {
    return { checked: example.text, problems: [...problems, error instanceof Error ? error.message : String(error)] };
  }
}

/** What the convention asks of an example beyond types and values. */
function formProblems({ of, text, from }: Example): readonly string[] {
  const file = ts.createSourceFile('example.ts', text, ts.ScriptTarget.ES2023, true);
  const problems: string[] = [];
  let imported = false;
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const named = node.importClause?.namedBindings;
      const names = named !== undefined && ts.isNamedImports(named) ? named.elements.map(({ name }) => name.text) : [];
      if (from.includes(node.moduleSpecifier.text) && names.includes(of)) imported = true;
      if (node.moduleSpecifier.text.startsWith('.')) problems.push(`it imports ${node.moduleSpecifier.text}`);
    }
    const isCast = ts.isAsExpression(node) && !ts.isConstTypeReference(node.type);
    if (isCast || ts.isNonNullExpression(node) || node.kind === ts.SyntaxKind.AnyKeyword) {
      problems.push(`it goes around the types: ${node.getText()}`);
    }
    if (ts.isIdentifier(node) && node.text === 'console') problems.push('it prints');
    ts.forEachChild(node, visit);
  };
  visit(file);
  if (!imported) problems.push(`it does not import ${of} from ${from.join(' or ')}`);
  const wide = text.split('\n').filter(({ length }) => length > WIDTH);
  return [...problems, ...wide.map((line) => `a line is wider than ${WIDTH} columns: ${line}`)];
}
