import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandNames } from '../../../../src/cli/program.ts';
import { runCli, scratchFolder } from '../../../support/cli.ts';
import { describeWith } from '../../../support/optional-part.ts';
import { zshOffers } from '../../../support/zsh-offers.ts';

type Shell = 'bash' | 'zsh' | 'fish';

function withShell(shell: Shell, body: () => void): void {
  const { status } = spawnSync(shell, ['-c', 'exit 0']);
  describeWith(
    { present: status === 0, absence: `no ${shell} (apt-get install ${shell})` },
    `completion in ${shell}`,
    body,
  );
}

/** What a shell offers, one a line, for the script that the command prints and a line of its own. */
async function offered(shell: Exclude<Shell, 'zsh'>, ask: (script: string) => string): Promise<readonly string[]> {
  const { code, out } = await runCli(['completion', shell]);
  expect(code).toBe(0);
  using scratch = scratchFolder({ script: out });
  const options = shell === 'bash' ? ['--norc'] : ['--no-config'];
  const given = spawnSync(shell, [...options, '-c', ask(scratch.file('script'))], { encoding: 'utf8' });
  expect(given.stderr).toBe('');
  return given.stdout.split('\n').filter((line) => line !== '');
}

withShell('bash', () => {
  const complete = (line: string) => {
    const words = line.split(' ');
    return offered('bash', (script) =>
      [
        `source ${script}`,
        'complete -p swapfold > /dev/null',
        `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`,
        `_swapfold; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ].join('\n'),
    );
  };

  it.each([
    ['swapfold re', ['replay', 'recover']],
    ['swapfold --ve', ['--version', '--verbose']],
    ['swapfold explain --a', ['--anomaly', '--at']],
    ['swapfold explain --verbose --a', ['--anomaly', '--at']],
    ['swapfold --quiet audit --on', ['--only']],
    ['swapfold replay --outcome re', ['refunded', 'refund-pending']],
    ['swapfold graph t', ['taker-swap']],
    ['swapfold graph taker-swap --for', ['--format', '--force']],
    ['swapfold help all', ['allow-fees']],
    ['swapfold completion ', ['bash', 'zsh', 'fish']],
    // Names of files come from the shell.
    ['swapfold replay swa', []],
    ['swapfold export --out swa', []],
    ['swapfold nope --a', []],
  ])('%s', async (line, words) => {
    const found = await complete(line);
    if (line === 'swapfold completion ') expect(found.slice(0, 3)).toEqual(words);
    else expect(found.toSorted()).toEqual([...words].sort());
  });

  it('completes every command', async () => {
    const found = await complete('swapfold ');
    expect(commandNames.filter((name) => !found.includes(name))).toEqual([]);
  });
});

withShell('fish', () => {
  const complete = async (line: string) =>
    (await offered('fish', (script) => `source ${script}; complete -C '${line}'`)).map((text) => text.split('\t')[0]);

  it.each([
    ['swapfold rec', ['recover']],
    ['swapfold explain --an', ['--anomaly']],
    ['swapfold replay --outcome=ref', ['--outcome=refund-pending', '--outcome=refunded']],
    ['swapfold graph tak', ['taker-swap']],
  ])('%s', async (line, words) => {
    expect((await complete(line)).sort()).toEqual(words);
  });
});

withShell('zsh', () => {
  const LINES: readonly (readonly [line: string, offers: readonly string[]])[] = [
    ['swapfold rec', ['recover']],
    ['swapfold --ver', ['--verbose', '--version']],
    ['swapfold explain --an', ['--anomaly']],
    ['swapfold explain one.json two.json --a', ['--anomaly', '--at']],
    ['swapfold --quiet audit --on', ['--only']],
    ['swapfold replay --outcome ref', ['refund-pending', 'refunded']],
    ['swapfold replay --outcome=ref', ['refund-pending', 'refunded']],
    ['swapfold graph tak', ['taker-swap']],
    ['swapfold help all', ['allow-fees']],
    ['swapfold completion ', ['bash', 'fish', 'zsh']],
    ['swapfold replay stored-', ['stored-1.json', 'stored-2.json']],
    ['swapfold export --out stored-', ['stored-1.json', 'stored-2.json']],
    ['swapfold nope --a', []],
  ];

  it('offers at a terminal what fits the line', async () => {
    const found = await zshOffers([...LINES.map(([line]) => line), 'swapfold ']);
    expect(LINES.map(([line]) => [line, found.get(line)])).toEqual(LINES);
    expect(commandNames.filter((name) => found.get('swapfold ')?.includes(name) !== true)).toEqual([]);
  });
});

describe('completion', () => {
  it('is explained by the help', async () => {
    expect((await runCli(['completion', '--help'])).out).toContain('(choices: "bash", "zsh", "fish")');
    expect((await runCli(['completion', 'csh'])).code).toBe(2);
  });
});
