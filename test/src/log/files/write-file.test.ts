import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createFileWriter, removeTemporaryFiles, writeFileAtomically } from '../../../../src/log/files/write-file.ts';
import { scratchFolder } from '../../../support/cli.ts';

describe('a written file', () => {
  it('has its name only when it is whole', async () => {
    using scratch = scratchFolder();
    const file = scratch.file('deep/er/out.txt');
    const writer = await createFileWriter(file);
    await writer.write('one ');
    await writer.write('two');
    expect(existsSync(file)).toBe(false);
    await writer.commit();
    expect(readFileSync(file, 'utf8')).toBe('one two');
    expect(readdirSync(scratch.file('deep/er'))).toEqual(['out.txt']);
  });

  it('leaves nothing behind when it is given up', async () => {
    using scratch = scratchFolder();
    const writer = await createFileWriter(scratch.file('out.txt'));
    await writer.write('half');
    await writer.abort();
    expect(readdirSync(scratch.path)).toEqual([]);
  });

  it('never replaces another unless forced', async () => {
    using scratch = scratchFolder({ 'out.txt': 'old' });
    await expect(writeFileAtomically(scratch.file('out.txt'), 'new')).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect(readFileSync(scratch.file('out.txt'), 'utf8')).toBe('old');
    await writeFileAtomically(scratch.file('out.txt'), 'new', { force: true });
    expect(readFileSync(scratch.file('out.txt'), 'utf8')).toBe('new');
  });

  it('does not replace one that came meanwhile', async () => {
    using scratch = scratchFolder();
    const file = scratch.file('out.txt');
    const writer = await createFileWriter(file);
    await writer.write('mine');
    writeFileSync(file, 'theirs');
    await expect(writer.commit()).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect(readFileSync(file, 'utf8')).toBe('theirs');
    expect(readdirSync(scratch.path)).toEqual(['out.txt']);
  });

  it('reports the place that it could not write to', async () => {
    using scratch = scratchFolder({ file: '' });
    await expect(writeFileAtomically(scratch.file('file/out.txt'), '')).rejects.toMatchObject({
      code: 'FILE_UNWRITABLE',
      facts: { file: scratch.file('file/out.txt') },
    });
  });
});

describe('permissions and links', () => {
  const modeOf = (file: string) => statSync(file).mode & 0o777;

  it('a file with secrets is for its owner alone', async () => {
    using scratch = scratchFolder();
    await writeFileAtomically(scratch.file('out.txt'), 'x', { secrets: true });
    expect(modeOf(scratch.file('out.txt'))).toBe(0o600);
  });

  it.each([
    [0o644, 0o600],
    [0o640, 0o600],
    [0o666, 0o600],
    [0o444, 0o400],
    [0o600, 0o600],
  ])('a replaced file of mode %o that gets secrets is for its owner alone', async (before, after) => {
    using scratch = scratchFolder({ 'out.txt': 'old' });
    chmodSync(scratch.file('out.txt'), before);
    await writeFileAtomically(scratch.file('out.txt'), 'new', { force: true, secrets: true });
    expect(modeOf(scratch.file('out.txt'))).toBe(after);
  });

  it.each([0o600, 0o640, 0o644, 0o400])('a replaced file keeps its mode %o', async (mode) => {
    using scratch = scratchFolder({ 'out.txt': 'old' });
    chmodSync(scratch.file('out.txt'), mode);
    await writeFileAtomically(scratch.file('out.txt'), 'new', { force: true, secrets: mode === 0o600 });
    expect(modeOf(scratch.file('out.txt'))).toBe(mode);
    expect(readFileSync(scratch.file('out.txt'), 'utf8')).toBe('new');
  });

  it('a link stays, and its target is replaced', async () => {
    using scratch = scratchFolder({ 'real.txt': 'old' });
    symlinkSync('real.txt', scratch.file('link.txt'));
    await writeFileAtomically(scratch.file('link.txt'), 'new', { force: true });
    expect(lstatSync(scratch.file('link.txt')).isSymbolicLink()).toBe(true);
    expect(readFileSync(scratch.file('real.txt'), 'utf8')).toBe('new');
    expect(readdirSync(scratch.path).sort()).toEqual(['link.txt', 'real.txt']);
  });

  it.each([
    ['a device', '/dev/null'],
    ['a link to a device', 'device'],
    ['a link to nothing', 'nothing'],
    ['a folder', '.'],
  ])('%s is refused', async (_, name) => {
    using scratch = scratchFolder();
    symlinkSync('/dev/null', scratch.file('device'));
    symlinkSync('gone', scratch.file('nothing'));
    const file = name.startsWith('/') ? name : scratch.file(name);
    await expect(writeFileAtomically(file, 'x', { force: true })).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' });
    expect(readdirSync(scratch.path).sort()).toEqual(['device', 'nothing']);
  });

  it('half-written files are removed before the process ends', async () => {
    using scratch = scratchFolder();
    const writer = await createFileWriter(scratch.file('out.txt'));
    await writer.write('half');
    removeTemporaryFiles();
    expect(readdirSync(scratch.path)).toEqual([]);
    await writer.abort();
  });
});
