import { join } from 'node:path';
import ts from 'typescript';
import { CHECKS, checkedText } from './assertions.ts';
import { type EntryPoint, entryPoints, ROOT } from './entry-points.ts';
import { type Example, type PublicFunction, publicExamples, publicFunctions } from './public-functions.ts';

/** An example as it is compiled and run, and what is wrong with it before it runs. */
export type CheckedExample = Example & { readonly checked: string; readonly problems: readonly string[] };

const WIDTH = 100;

/** All public functions and examples, read and compiled in one program with the settings of this repository. */
export function compiledExamples(): {
  readonly functions: readonly PublicFunction[];
  readonly examples: readonly CheckedExample[];
} {
  const entries = entryPoints();
  const options = optionsFor(entries);
  const sources = entries.map(({ source }) => source);
  const host = ts.createCompilerHost(options);
  const first = ts.createProgram(sources, options, host);

  const prepared = publicExamples(first, entries).map((example, at) => ({
    example,
    file: join(ROOT, `example-${at}.ts`),
    ...read(example),
  }));
  const texts = new Map(prepared.map(({ file, checked }) => [file, `${checked}export {};\n`]));
  texts.set(join(ROOT, 'example-checks.d.ts'), CHECKS);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  host.getSourceFile = (file, language, ...rest) => {
    const text = texts.get(file);
    if (text !== undefined) return ts.createSourceFile(file, text, language, true);
    return first.getSourceFile(file) ?? getSourceFile(file, language, ...rest);
  };
  const program = ts.createProgram([...sources, ...texts.keys()], options, host, first);
  const examples = prepared.map(({ example, file, checked, problems }) => ({
    ...{ ...example, checked },
    problems: [...problems, ...told(program, file).map(([line, text]) => `line ${example.line + line}: ${text}`)],
  }));
  return { functions: publicFunctions(program, entries), examples };
}

function optionsFor(entries: readonly EntryPoint[]): ts.CompilerOptions {
  const paths = Object.fromEntries(entries.map(({ name, source }) => [name, [source]]));
  const settings = { extends: './tsconfig.json', compilerOptions: { paths, noEmit: true } };
  return ts.parseJsonConfigFileContent(settings, ts.sys, ROOT, undefined, join(ROOT, 'examples.json')).options;
}

function told(program: ts.Program, name: string): readonly (readonly [number, string])[] {
  const file = program.getSourceFile(name);
  if (file === undefined) throw new Error(`no file ${name}`);
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
    ({ messageText, start = 0 }) => [
      file.getLineAndCharacterOfPosition(start).line,
      ts.flattenDiagnosticMessageText(messageText, '\n'),
    ],
  );
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
