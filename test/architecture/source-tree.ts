import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

export const ROOT = resolve(import.meta.dirname, '../..');

export type SourceFile = {
  /** Path from the top of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly tree: ts.SourceFile;
  /** Files of the repository that it imports, as such paths. */
  readonly imports: readonly string[];
  /** Packages and built-in modules that it imports. */
  readonly packages: readonly string[];
};

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return walk(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

/** Every TypeScript file below the given top-level folders. */
export function readSources(...folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) => walk(join(ROOT, folder))).map(readSource);
}

/** No rule is about what a comment says. */
const WITHOUT_DOCS: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.ESNext,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

/** Its text is parsed when somebody asks for more than the text, and once. */
function readSource(file: string): SourceFile {
  const text = readFileSync(file, 'utf8');
  let tree: ts.SourceFile | undefined;
  let specifiers: readonly string[] | undefined;
  let local: readonly string[] | undefined;
  const parsed = () => {
    tree ??= ts.createSourceFile(file, text, WITHOUT_DOCS);
    return tree;
  };
  const imported = () => {
    specifiers ??= specifiersIn(parsed());
    return specifiers;
  };
  return {
    path: relative(ROOT, file),
    text,
    lines: text.split('\n').length - 1,
    get tree() {
      return parsed();
    },
    get imports() {
      local ??= imported()
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => relative(ROOT, resolve(dirname(file), specifier)));
      return local;
    },
    get packages() {
      return imported().filter((specifier) => !specifier.startsWith('.'));
    },
  };
}

function specifiersIn(tree: ts.SourceFile): readonly string[] {
  const specifiers: string[] = [];
  const visit = (node: ts.Node): void => {
    const given = specifierOf(node);
    if (given !== undefined) specifiers.push(given);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return specifiers;
}

function specifierOf(node: ts.Node): string | undefined {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
    return (node.moduleSpecifier as ts.StringLiteral).text;
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    return argument !== undefined && ts.isStringLiteral(argument) ? argument.text : undefined;
  }
  return undefined;
}
