import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBuilt } from '../support/build.mjs';

let root: string;
const at = (path: string, seconds: number): void => utimesSync(join(root, path), seconds, seconds);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'swapfold-build-'));
  for (const folder of ['src/a', 'machines', 'dist/src/cli']) mkdirSync(join(root, folder), { recursive: true });
  const files = ['src/a/b.ts', 'machines/m.ts', 'package.json', 'tsconfig.json', 'dist/src/cli/main.js', 'dist/.built'];
  for (const file of files) writeFileSync(join(root, file), '');
  for (const path of [...files, 'src/a', 'src', 'machines']) at(path, 1000);
  at('dist/.built', 1001);
});

afterEach(() => rmSync(root, { recursive: true }));

describe('a checkout', () => {
  it('is not built again while all of its sources are older than the build', () => {
    expect(isBuilt(root)).toBe(true);
  });

  it.each(['src/a/b.ts', 'machines/m.ts', 'package.json', 'tsconfig.json', 'src/a', 'machines'])(
    'is built again when %s has changed since',
    (path) => {
      at(path, 1002);
      expect(isBuilt(root)).toBe(false);
    },
  );

  it.each(['dist/.built', 'dist/src/cli/main.js', 'dist'])('is built again without %s', (path) => {
    rmSync(join(root, path), { recursive: true });
    expect(isBuilt(root)).toBe(false);
  });
});
