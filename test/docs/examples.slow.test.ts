import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkedText } from '../support/examples/assertions.ts';
import { compiledExamples } from '../support/examples/compile.ts';
import { entryPoints, ROOT } from '../support/examples/entry-points.ts';
import type { PublicFunction } from '../support/examples/public-functions.ts';
import { modulesOf, runExample } from '../support/examples/run.ts';

const { names, functions, examples } = compiledExamples();
const modules = await modulesOf(examples);

describe('the examples in doc comments', () => {
  it.each(examples.map((example) => [`${example.of} (${example.path}:${example.line})`, example] as const))(
    '%s compiles and holds',
    async (_, example) => {
      expect(example.problems).toEqual([]);
      await runExample(example, modules);
    },
  );

  it('are all in the comment of something that an entry point exports, where they are run', () => {
    const files = ['src', 'machines'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map((path) => `${folder}/${path}`),
    );
    const written = files.flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^\s*(\/\*)?\* @example/gm)].map(() => path),
    );
    expect(written.toSorted()).toEqual(examples.map(({ path }) => path).toSorted());
  });

  it('leave out no public function', async () => {
    const loaded = new Map<string, Record<string, unknown>>();
    for (const { name, source } of entryPoints()) loaded.set(name, await import(source));
    const isFunction = ({ entry, name }: PublicFunction) => typeof loaded.get(entry)?.[name] === 'function';
    const callable = functions.filter(isFunction);
    expect(callable.length).toBeGreaterThan(300);
    const without = callable.filter((each) => each.examples === 0);
    expect(without.map(({ entry, name, path }) => `${entry}: ${name} (${path})`)).toEqual([]);
  });
});

// Here, because compiling the entry points takes seconds.
it('a public name means one thing, whichever entry point it is imported from', () => {
  expect(names.size).toBeGreaterThan(1000);
  const twofold = [...names].filter(([, meanings]) => meanings.length > 1);
  expect(twofold.map(([name, meanings]) => `${name}: ${meanings.join(' or ')}`)).toEqual([]);
});

describe('what is said of an expression', () => {
  const run = async (text: string) => {
    const example = {
      ...{ text, of: 'sum', path: 'sum.ts', line: 1, from: [], problems: [] },
      checked: checkedText(text),
    };
    await runExample(example, await modulesOf([example]));
  };

  it.each([
    ['a value', '1 + 2; // → 3'],
    ['the value of a promise', "Promise.resolve('3'); // → '3'"],
    ['a value of several lines', '({ sum: 3, of: [1, 2] }); // → {\n//   sum: 3,\n//   of: [1, 2],\n//   }'],
    ['a value within a block', 'for (const one of [1]) {\n  one + 2; // → 3\n}'],
    ['the class of an error', '[1].at(2)?.toFixed();\nnull === new Date(NaN).toISOString(); // throws RangeError'],
    ['a class above that of the error', 'BigInt(0.5); // throws Error'],
    ['the code of a rejection', "import { readFile } from 'node:fs/promises';\nreadFile('/none'); // throws ENOENT"],
  ])('holds: %s', async (_, text) => {
    await run(text);
  });

  it.each([
    ['another value', '1 + 2; // → 4', /expected 3 to deeply equal 4/],
    ['a value in the last line', '1 + 2; // → 3\n2 + 2; // → 5', /sum\.ts:2/],
    ['another error', 'BigInt(0.5); // throws TypeError', /throws TypeError/],
    ['no error', '1 + 2; // throws RangeError', /throws RangeError/],
    ['a value that is never looked at', 'if (1 > 2) {\n  1 + 2; // → 3\n}', /not looked at/],
    ['another value of several lines', '[1, 2]; // → [\n//   1,\n//   3,\n// ]', /deeply equal/],
  ])('fails: %s', async (_, text, said) => {
    await expect(run(text)).rejects.toThrow(said);
  });

  it('has to stand behind an expression', () => {
    expect(() => checkedText('const sum = 1 + 2; // → 3')).toThrow(/behind no statement/);
    expect(() => checkedText('1 + 2;\n// → 3')).toThrow(/behind no statement/);
  });
});
