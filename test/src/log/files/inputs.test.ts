import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expandInputs, type InputFile } from '../../../../src/log/files/inputs.ts';
import { scratchFolder } from '../../../support/cli.ts';

async function expand(...inputs: readonly string[]): Promise<InputFile[]> {
  const found: InputFile[] = [];
  for await (const input of expandInputs(inputs)) found.push(input);
  return found;
}

async function names(folder: string, ...inputs: readonly string[]): Promise<string[]> {
  return (await expand(...inputs)).map((input) => (input.ok ? relative(folder, input.file) : input.error.code));
}

describe('a folder', () => {
  it('is searched through in the order of names, for swap files alone', async () => {
    using scratch = scratchFolder({
      'b.json': '',
      'a.jsonl': '',
      'c.json.gz': '',
      'd.jsonl.gz': '',
      'e.lock': '',
      'README.md': '',
    });
    mkdirSync(scratch.file('bb/deep'), { recursive: true });
    mkdirSync(scratch.file('.hidden'));
    writeFileSync(scratch.file('bb/deep/z.JSON'), '');
    writeFileSync(scratch.file('.hidden/x.json'), '');
    expect(await names(scratch.path, scratch.path)).toEqual([
      'a.jsonl',
      'b.json',
      'bb/deep/z.JSON',
      'c.json.gz',
      'd.jsonl.gz',
    ]);
  });

  it('gives its event logs, and no foreign database', async () => {
    const database = (id: number) => {
      const header = Buffer.alloc(100);
      header.write('SQLite format 3\0', 'latin1');
      header.writeUInt32BE(id, 68);
      return header;
    };
    using scratch = scratchFolder({
      'MM2.db': database(0),
      'closed.db': database(0x53575046),
      'notes.db': 'plain text',
      'open.db': database(0),
      'open.db-wal': 'not empty',
      'other.db': database(7),
    });
    expect(await names(scratch.path, scratch.path)).toEqual(['closed.db', 'open.db']);
    expect(await names(scratch.path, scratch.file('*'))).toEqual(['closed.db', 'open.db']);
    expect(await names(scratch.path, scratch.file('MM2.db'))).toEqual(['MM2.db']);
  });

  it('without swap files is reported by its path', async () => {
    using scratch = scratchFolder({ 'README.md': '' });
    const [found] = await expand(scratch.path);
    if (found === undefined || found.ok) throw new Error('expected an error');
    expect(found.error.message.replace(scratch.path, '<folder>')).toMatchInlineSnapshot(`
      "[FOLDER_WITHOUT_SWAPS] The folder holds no file that could be a stored swap.

        file  <folder>

      Name a folder with .json, .jsonl, .json.gz or .jsonl.gz files or event logs (.db); name other files one by one.

      Docs: docs/reference/errors.md#folder_without_swaps"
    `);
  });

  it('with a link back to itself is read once', async () => {
    using scratch = scratchFolder({ 'a.json': '' });
    symlinkSync(scratch.path, scratch.file('loop'));
    expect(await names(scratch.path, scratch.path)).toEqual(['a.json']);
  });

  it('with a broken link reports it and reads on', async () => {
    using scratch = scratchFolder({ 'a.json': '', 'c.json': '' });
    symlinkSync(scratch.file('gone.json'), scratch.file('b.json'));
    expect(await names(scratch.path, scratch.path)).toEqual(['a.json', 'FILE_BROKEN_LINK', 'c.json']);
  });
});

describe('single inputs', () => {
  it('of any ending are taken when named', async () => {
    using scratch = scratchFolder({ 'swap.txt': '' });
    expect(await names(scratch.path, scratch.file('swap.txt'))).toEqual(['swap.txt']);
  });

  it('that two inputs name come once', async () => {
    using scratch = scratchFolder({ 'a.json': '', 'b.json': '' });
    expect(await names(scratch.path, scratch.file('b.json'), scratch.path, scratch.file('./b.json'))).toEqual([
      'b.json',
      'a.json',
    ]);
  });

  it('that do not exist are reported, and do not stop the others', async () => {
    using scratch = scratchFolder({ 'a.json': '' });
    expect(await names(scratch.path, scratch.file('nope.json'), scratch.file('a.json'))).toEqual([
      'FILE_NOT_FOUND',
      'a.json',
    ]);
  });

  it('that are a broken link name the link', async () => {
    using scratch = scratchFolder();
    symlinkSync(scratch.file('gone'), scratch.file('link.json'));
    const [found] = await expand(scratch.file('link.json'));
    expect(found).toMatchObject({ ok: false, file: scratch.file('link.json'), error: { code: 'FILE_BROKEN_LINK' } });
  });

  it('- is standard input, once', async () => {
    expect(await expand('-', '-')).toEqual([{ ok: true, file: '-' }]);
  });
});

describe('a glob', () => {
  it('takes what it matches, sorted', async () => {
    using scratch = scratchFolder({ 'b1.json': '', 'a1.json': '', 'a2.txt': '' });
    expect(await names(scratch.path, `${scratch.path}/a*`)).toEqual(['a1.json', 'a2.txt']);
    expect(await names(scratch.path, `${scratch.path}/{a,b}1.json`)).toEqual(['a1.json', 'b1.json']);
  });

  it('that ends in a bare wildcard is meant as a folder', async () => {
    using scratch = scratchFolder({ 'a.json': '', 'README.md': '' });
    expect(await names(scratch.path, `${scratch.path}/**`)).toEqual(['a.json']);
  });

  it('takes the contents of matching folders', async () => {
    using scratch = scratchFolder({
      'n1/SWAPS/MY/a.json': '',
      'n2/SWAPS/MY/b.json': '',
      'n2/SWAPS/MY/c.txt': '',
      'x.json': '',
    });
    expect(await names(scratch.path, `${scratch.path}/*/SWAPS/MY`)).toEqual([
      'n1/SWAPS/MY/a.json',
      'n2/SWAPS/MY/b.json',
    ]);
    expect(await names(scratch.path, `${scratch.path}/n*/`)).toEqual(['n1/SWAPS/MY/a.json', 'n2/SWAPS/MY/b.json']);
    expect(await names(scratch.path, `${scratch.path}/*`)).toEqual([
      'n1/SWAPS/MY/a.json',
      'n2/SWAPS/MY/b.json',
      'x.json',
    ]);
  });

  it('without match is reported', async () => {
    using scratch = scratchFolder();
    expect(await names(scratch.path, `${scratch.path}/*.json`)).toEqual(['GLOB_WITHOUT_MATCH']);
  });

  it('is a plain name if a file has that name', async () => {
    using scratch = scratchFolder({ 'a[1].json': '', 'a1.json': '' });
    expect(await names(scratch.path, scratch.file('a[1].json'))).toEqual(['a[1].json']);
  });
});
