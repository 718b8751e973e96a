import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { fencesOf, pages, ROOT } from './fences.ts';

// What a user with the strict settings of this repository would be told about each block, against the sources.

/** Name of a virtual file for a block, beside the packages that it may import. */
const fileOf = (page: string, line: number) => join(ROOT, 'docs', `${page.replaceAll(/\W/g, '-')}-${line}.ts`);

const blocks = pages().flatMap((page) =>
  fencesOf(page)
    .filter(({ language }) => language === 'ts')
    .map(({ line, text }) => ({ page, line, file: fileOf(page, line), text: `${text}\nexport {};\n` })),
);

function problems(): ReadonlyMap<string, readonly string[]> {
  const paths = Object.entries(manifest.exports).flatMap(([name, target]) =>
    typeof target === 'string' ? [] : [[name.replace('.', 'swapfold'), [sourceOf(target.types)]]],
  );
  const settings = { extends: './tsconfig.json', compilerOptions: { paths: Object.fromEntries(paths), noEmit: true } };
  const { options } = ts.parseJsonConfigFileContent(settings, ts.sys, ROOT, undefined, join(ROOT, 'docs.json'));
  const host = ts.createCompilerHost(options);
  const texts = new Map(blocks.map(({ file, text }) => [file, text]));
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  host.getSourceFile = (file, language, ...rest) => {
    const text = texts.get(file);
    return text === undefined ? getSourceFile(file, language, ...rest) : ts.createSourceFile(file, text, language);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  const told = (file: string) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText, start = 0 }) => {
        const line = source === undefined ? 0 : source.getLineAndCharacterOfPosition(start).line + 1;
        return `${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      },
    );
  };
  return new Map(blocks.map(({ file }) => [file, told(file)]));
}

function sourceOf(types: string): string {
  return types.replace('./dist/', './').replace('.d.ts', '.ts');
}

describe('every block of TypeScript passes the compiler with the settings of this repository', () => {
  const found = problems();
  it.each(blocks)('$page, line $line', ({ file }) => {
    expect(found.get(file)).toEqual([]);
  });
});
