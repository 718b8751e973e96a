import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

function filesUnder(...folders: readonly string[]): { readonly file: string; readonly text: string }[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({ file: relative(ROOT, path), text: readFileSync(path, 'utf8') })),
  );
}

/** Invariants that stand numbered where the code is that keeps them, such as ` * - L1: …`. */
const rules = filesUnder('src', 'machines').flatMap(({ file, text }) =>
  [...text.matchAll(/^\s*\/?\*+ - ([A-Z]\d+):/gm)].map(([, id]) => ({ id: id as string, file })),
);

describe('numbered invariants', () => {
  it('have a number that means one thing', () => {
    const files = new Map<string, string[]>();
    for (const { id, file } of rules) files.set(id, [...(files.get(id) ?? []), file]);
    expect([...files].filter(([, places]) => places.length > 1)).toEqual([]);
    expect(rules.length).toBeGreaterThan(30);
  });

  it('are each named in the title of a test that shows them', () => {
    const titles = filesUnder('test', 'src/testing', 'src/sim', 'src/check')
      .flatMap(({ text }) => [...text.matchAll(/['`"]((?:[A-Z]\d+(?:, |: ))+)/g)].map(([, cited]) => cited as string))
      .flatMap((cited) => cited.match(/[A-Z]\d+/g) ?? []);
    expect(rules.filter(({ id }) => !titles.includes(id))).toEqual([]);
  });
});

describe('every machine', () => {
  const machines = filesUnder('machines').filter(({ file }) => /\/.+\/definition.ts$/.test(file));

  it.each(machines.map(({ file }) => dirname(file)))('%s exports its invariants beside its definition', (folder) => {
    const { text } = filesUnder(folder).find(({ file }) => file === `${folder}/invariants.ts`) ?? { text: '' };
    const name = text.match(/^export const (\w+Invariants): readonly Invariant</m)?.[1];
    const entry = readFileSync(join(ROOT, 'machines/index.ts'), 'utf8');
    expect(entry).toContain(`export { ${name} } from './${relative('machines', folder)}/invariants.ts'`);
  });
});

describe('every port', () => {
  it.each([
    ['event-log', 'eventLogContract'],
    ['chain', 'chainContract'],
    ['peers', 'peersContract'],
    ['orders', 'ordersContract'],
    ['clock', 'clockContract'],
    ['clock', 'randomContract'],
    ['logger', 'loggerContract'],
    ['hardware-wallet', 'hardwareWalletContract'],
  ])('%s has a suite that every adapter of it passes', (_, suite) => {
    const entry = readFileSync(join(ROOT, 'src/testing/index.ts'), 'utf8');
    expect(entry).toContain(suite);
    const users = filesUnder('test').filter(({ text }) => text.includes(`${suite}(`));
    expect(users.map(({ file }) => file)).not.toEqual([]);
  });
});
