import { describe, expect, it } from 'vitest';
import { readSources, type SourceFile } from '../../architecture/source-tree.ts';

const sources = new Map(readSources('src', 'machines').map((file) => [file.path, file]));

/** A file and all that it imports, directly or not. */
function reachable(path: string, found = new Set<SourceFile>()): ReadonlySet<SourceFile> {
  const file = sources.get(path);
  if (file === undefined || found.has(file)) return found;
  found.add(file);
  for (const next of file.imports) reachable(next, found);
  return found;
}

const packagesOf = (path: string) => [...reachable(path)].flatMap(({ packages }) => packages);

describe('what a log needs', () => {
  it('the one in memory loads in a browser', () => {
    expect(packagesOf('src/log/memory/index.ts').filter((name) => /^node:|^libsql$/.test(name))).toEqual([]);
  });

  it('only the one in a file loads its binary', () => {
    const naming = [...sources.values()].filter(({ text }) => text.includes('libsql'));
    const users = naming.filter(({ packages }) => packages.includes('libsql')).map(({ path }) => path);
    expect(users).toEqual(['src/log/sqlite/connection.ts']);
    for (const entry of ['src/index.ts', 'src/replay/index.ts', 'src/events/index.ts', 'machines/index.ts']) {
      expect(packagesOf(entry)).not.toContain('libsql');
    }
  });
});
