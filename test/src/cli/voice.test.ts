import { describe, expect, it } from 'vitest';
import { commandNames } from '../../../src/cli/program.ts';
import { detailCauses } from '../../../src/cli/voice.ts';
import { SwapfoldError } from '../../../src/primitives/error.ts';
import { type CliRun, runCli, scratchFolder } from '../../support/cli.ts';
import { commandFiles, trials } from '../../support/cli-commands.ts';
import { oneIn, SLOW } from '../../support/draws.ts';

type Told = { readonly argv: readonly string[] } & CliRun;

/** Every command once, over files of its own; paths and figures are left out, since they differ from run to run. */
async function everyCommand(...options: readonly string[]): Promise<readonly Told[]> {
  using files = await commandFiles();
  const told: Told[] = [];
  for (const { argv } of oneIn(
    19,
    trials(files).filter(({ argv }) => !argv.includes('--runtime')),
  )) {
    const { code, out, err } = await runCli([...argv, ...options]);
    const plain = (text: string) =>
      text
        .replaceAll(files.path, 'files')
        .replaceAll(/[0-9a-f]{4,}|\d+(?:\.\d+)?/g, '#')
        .replaceAll(/ +/g, ' ');
    told.push({ argv: argv.map(plain), code, out: plain(out), err: plain(err) });
  }
  return told;
}

const COST = /^swapfold: took # s and at most # MB of memory; exit status #$/;

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

describe('every command', () => {
  it('says only results and errors with --quiet, and more on standard error alone with --verbose', async () => {
    const [usual, quiet, verbose] = [await everyCommand(), await everyCommand('-q'), await everyCommand('--verbose')];
    const shorter = new Set<string>();
    for (const [at, { argv, code, out, err }] of usual.entries()) {
      const [less, more] = [quiet[at], verbose[at]];
      const name = argv.join(' ');
      expect([less?.code, more?.code], name).toEqual([code, code]);
      // Nothing is added, and no error is kept back.
      const known = linesOf(out);
      expect(
        linesOf(less?.out ?? '').filter((line) => !known.includes(line)),
        name,
      ).toEqual([]);
      expect(less?.err, name).toBe(err.replace(/^(?:Wrote|skipped:) .*\n/gm, ''));
      if (less?.out !== out || less.err !== err) shorter.add(argv[0] ?? '');
      expect(more?.out, name).toBe(out);
      const details = linesOf(more?.err ?? '').filter((line) => !linesOf(err).includes(line));
      // A command line that is refused before it is read as a whole asks for nothing.
      if (code !== 2) expect(details.at(-1), name).toMatch(COST);
      expect(
        details.filter((line) => !/^swapfold: (?:read|opened|calls|caused by|took) /.test(line)),
        name,
      ).toEqual([]);
    }
    // A command whose every line is a result has nothing to keep back.
    const mayBeShorter = ['audit', 'explain', 'export', 'graph', 'import', 'replay', 'swap', 'timeline'];
    expect(mayBeShorter).toEqual(expect.arrayContaining([...shorter]));
    if (SLOW) expect([...shorter].sort()).toEqual(mayBeShorter);
  });

  it.each(commandNames)('%s accepts both', async (name) => {
    expect((await runCli([name, '--help'])).out).toMatch(/-q, --quiet .*\n +-v, --verbose /);
  });
});

describe('--quiet and --verbose', () => {
  it('are not taken together', async () => {
    const { code, err } = await runCli(['replay', '--quiet', '--verbose', 'x']);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("'-q, --quiet' cannot be used with option '-v, --verbose'"),
    ]);
  });
});

describe('--verbose', () => {
  it('names each file that is read', async () => {
    using scratch = scratchFolder({ 'a.json': '{', 'b.jsonl': '' });
    const { err } = await runCli(['replay', '-v', scratch.path]);
    expect(err.split('\n').filter((line) => line.startsWith('swapfold: read '))).toEqual([
      `swapfold: read ${scratch.file('a.json')}`,
      `swapfold: read ${scratch.file('b.jsonl')}`,
    ]);
  });

  it('prints the causes of an error, but not the text of an unforeseen one', () => {
    const written: string[] = [];
    const stderr = { write: (text: string) => written.push(text) } as unknown;
    const io = {
      stderr: stderr as Parameters<typeof detailCauses>[0]['stderr'],
      env: {},
      verbosity: 'verbose',
    } as const;
    const root = new Error('the secret is 12');
    const disk = Object.assign(new Error('EIO: disk', { cause: root }), { code: 'EIO' });
    const file = new SwapfoldError('The file cannot be read.', { code: 'FILE_UNREADABLE', cause: disk });
    detailCauses(io, new SwapfoldError('It failed.', { code: 'X', cause: file }));
    expect(written.join('')).toBe(
      'swapfold: caused by The file cannot be read. [FILE_UNREADABLE]\nswapfold: caused by EIO: disk\nswapfold: caused by Error\n',
    );
  });
});
