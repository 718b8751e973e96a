import ts from 'typescript';
import { expect } from 'vitest';
import { assertedLines, IS, THROWS } from './assertions.ts';
import type { CheckedExample } from './compile.ts';
import { entryPoints } from './entry-points.ts';

const sources = new Map(entryPoints().map(({ name, source }) => [name, source]));
const OPTIONS: ts.CompilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 };
type Body = (...values: readonly unknown[]) => Promise<void>;
const AsyncFunction: new (...parts: readonly string[]) => Body = Object.getPrototypeOf(async () => {}).constructor;

type Modules = ReadonlyMap<string, unknown>;

/** What examples import, loaded: entry points of this package from their sources, all else as it is. */
export async function modulesOf(examples: readonly Pick<CheckedExample, 'checked'>[]): Promise<Modules> {
  const imports = examples.flatMap(({ checked }) => ts.preProcessFile(checked).importedFiles);
  const modules = new Map<string, unknown>();
  for (const name of new Set(imports.map(({ fileName }) => fileName))) {
    modules.set(name, await import(sources.get(name) ?? name));
  }
  return modules;
}

/** Runs an example as the body of a module, and holds its assertions. */
export async function runExample({ checked, path, line }: CheckedExample, modules: Modules): Promise<void> {
  const { outputText } = ts.transpileModule(checked, { compilerOptions: OPTIONS });
  const place = (offset: number) => `${path}:${line + offset}`;
  const reached = new Set<number>();
  const is = async (offset: number, actual: unknown, expected: unknown): Promise<void> => {
    reached.add(offset);
    expect(await actual, place(offset)).toEqual(expected);
  };
  const throws = async (offset: number, act: () => unknown, name: string): Promise<void> => {
    reached.add(offset);
    const thrown = await Promise.resolve()
      .then(act)
      .then(() => ['nothing'], namesOf);
    expect(thrown, `${place(offset)} throws ${name}`).toContain(name);
  };
  const body = new AsyncFunction('require', 'exports', IS, THROWS, outputText);
  await body((name: string) => modules.get(name), {}, is, throws);
  const missed = assertedLines(checked).filter((offset) => !reached.has(offset));
  expect(missed.map(place), 'what is said of these expressions was not looked at').toEqual([]);
}

/** The name of an error, its code, and its classes from its own upwards. */
function namesOf(error: unknown): readonly unknown[] {
  if (!(error instanceof Error)) return [error];
  const names: unknown[] = [error.name, Reflect.get(error, 'code')];
  for (let at: unknown = error.constructor; typeof at === 'function'; at = Object.getPrototypeOf(at))
    names.push(at.name);
  return names;
}
