import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createFileWriter, writeFileAtomically } from '../../../../src/log/files/write-file.ts';
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

  it('tells where it could not be written', async () => {
    using scratch = scratchFolder({ file: '' });
    await expect(writeFileAtomically(scratch.file('file/out.txt'), '')).rejects.toMatchObject({
      code: 'FILE_UNWRITABLE',
      facts: { file: scratch.file('file/out.txt') },
    });
  });
});
