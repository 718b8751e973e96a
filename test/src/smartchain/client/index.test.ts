import { expect, it } from 'vitest';
import { readSources } from '../../../architecture/source-tree.ts';

it('the client loads without Node: nothing that it reaches imports a built-in module', () => {
  const files = new Map(readSources('src', 'machines').map((file) => [file.path, file]));
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const target of files.get(path)?.imports ?? []) visit(target);
  };
  visit('src/smartchain/client/index.ts');
  expect(reached.size).toBeGreaterThan(8);
  const packages = [...reached].flatMap((path) => files.get(path)?.packages ?? []);
  expect(packages.filter((name) => name.startsWith('node:'))).toEqual([]);
  expect([...reached].filter((path) => /^src\/(log|rpc|runtime|cli)\//.test(path))).toEqual([]);
});
