import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../../src/log/files/make-folder.ts';
import { scratchFolder } from '../../../support/cli.ts';

describe('a folder that is created', () => {
  it('creates the folders above it, all with the requested mode', async () => {
    using scratch = scratchFolder();
    await makeFolder(scratch.file('a/b/c'), { mode: 0o700 });
    for (const each of ['a', 'a/b', 'a/b/c']) expect(statSync(scratch.file(each)).mode & 0o777).toBe(0o700);
  });

  it('may be there already, keeps its mode then, and may be made twice at once', async () => {
    using scratch = scratchFolder();
    mkdirSync(scratch.file('a'), { mode: 0o750 });
    await Promise.all([
      makeFolder(scratch.file('a/b/c'), { mode: 0o700 }),
      makeFolder(scratch.file('a/b/d'), { mode: 0o700 }),
    ]);
    await makeFolder(scratch.file('a'), { mode: 0o700 });
    expect(statSync(scratch.file('a')).mode & 0o777).toBe(0o750);
    expect(statSync(scratch.file('a/b/c')).isDirectory() && statSync(scratch.file('a/b/d')).isDirectory()).toBe(true);
  });

  it('cannot be where a file is, or below one', async () => {
    using scratch = scratchFolder();
    writeFileSync(scratch.file('a'), '');
    await expect(makeFolder(scratch.file('a'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(scratch.file('a/b/c'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it.runIf(process.platform === 'linux')('is refused if the folder above it accepts none', async () => {
    await expect(makeFolder('/proc/swapfold/log')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
