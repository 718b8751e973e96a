import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandNames } from '../../../src/cli/program.ts';
import { runCli, SAMPLES, scratchFolder } from '../../support/cli.ts';
import { commandFiles, trials } from '../../support/cli-commands.ts';
import { oneIn, SLOW } from '../../support/draws.ts';

/** Places of the repository, which a user of the package does not have before them. */
const REPOSITORY = /\b(?:docs\/(?:reference|guides|explanation|decisions)|src\/[a-z]+\/|test\/|shared\/)/;

describe('every command', () => {
  it('ends with what it found, prints errors to standard error, and names no path of the repository', async () => {
    using files = await commandFiles();
    const seen = new Set<string>();
    for (const { argv, isData = false } of oneIn(9, trials(files))) {
      const { code, out, err } = await runCli(argv);
      const name = argv.join(' ').replaceAll(files.path, 'files');
      seen.add(`${argv[0]} ${code}`);
      expect([0, 1, 2], name).toContain(code);
      expect(`${isData ? '' : out}${err}`, name).not.toMatch(REPOSITORY);
      if (code === 2) expect([out, err], name).toEqual(['', expect.stringMatching(/^swapfold: /)]);
      if (argv.includes('--json') || isData) continue;
      // What cannot be read is told where errors are told, and nowhere else.
      expect(out, name).not.toMatch(/^error /m);
    }
    if (SLOW) expect(commandNames.filter((name) => ![0, 1, 2].some((code) => seen.has(`${name} ${code}`)))).toEqual([]);
  });
});

/** Coins are in the open and no node moves them. */
const AT_RISK = join(SAMPLES, 'sound/claim-failed.json');
const SOUND = join(SAMPLES, 'sound/completed.json');
const FAULTY = join(SAMPLES, 'damaged/missing-event.json');

describe('the exit status', () => {
  const READING = [['replay'], ['explain'], ['timeline'], ['audit'], ['replay', '--json'], ['explain', '--json']];

  it.each(READING)(
    'of %s is 1 where money is at risk, a log has a fault, or nothing can be read, and 0 where all is well',
    async (...command) => {
      using scratch = scratchFolder({ 'broken.json': '{' });
      const codeOf = async (...inputs: readonly string[]) => (await runCli([...command, ...inputs])).code;
      expect(await codeOf(SOUND)).toBe(0);
      for (const input of [AT_RISK, FAULTY, scratch.file('broken.json'), scratch.file('nowhere.json')]) {
        expect(await codeOf(input), input).toBe(1);
        expect(await codeOf(SOUND, input), input).toBe(1);
      }
      expect(await codeOf('--coin', 'nope', SOUND)).toBe(1);
    },
  );

  it('of explain is 1, as that of audit, if the log contradicts itself about coins', async () => {
    const sound = JSON.parse(readFileSync(SOUND, 'utf8'));
    const events = sound.events.map(
      ({ timestamp, event }: { timestamp: number; event: { type: string; data: object } }) =>
        event.type === 'Started'
          ? { timestamp, event: { ...event, data: { ...event.data, maker_amount: '7' } } }
          : { timestamp, event },
    );
    using scratch = scratchFolder({
      'other-amount.json': JSON.stringify({ ...sound, events }),
      'other-flag.json': JSON.stringify({ ...sound, recoverable: true }),
    });
    const codesOf = async (file: string) => [
      (await runCli(['explain', file])).code,
      (await runCli(['explain', '--json', file])).code,
      (await runCli(['audit', file])).code,
    ];
    expect(await codesOf(SOUND)).toEqual([0, 0, 0]);
    expect(await codesOf(scratch.file('other-amount.json'))).toEqual([1, 1, 1]);
    // What is printed beside the events says nothing about coins.
    expect(await codesOf(scratch.file('other-flag.json'))).toEqual([0, 0, 1]);
  });

  it('of diff is 1 if money is at risk in both copies, although they are the same', async () => {
    expect((await runCli(['diff', SOUND, SOUND])).code).toBe(0);
    expect((await runCli(['diff', AT_RISK, AT_RISK])).code).toBe(1);
  });

  it.each([
    [SOUND, 0],
    [AT_RISK, 1],
  ])('of import, status and recover agree: %s', async (input, code) => {
    using scratch = scratchFolder();
    const log = ['--log', scratch.file('swaps.db')];
    const taken = await runCli(['import', input, ...log]);
    expect([taken.code, taken.err]).toEqual([code, '']);
    expect(taken.out).toContain('1 swap imported');
    expect((await runCli(['import', input, ...log])).code).toBe(code);
    expect((await runCli(['status', ...log])).code).toBe(code);
    const [uuid = ''] = /[0-9a-f-]{36}/.exec(taken.out) ?? [];
    const ordered = await runCli(['recover', uuid, ...log]);
    expect([ordered.code, ordered.err]).toEqual([code, '']);
    expect((await runCli(['status', ...log])).code).toBe(code);
  });

  it.each(['import', 'recover'])('of %s is explained by its help', async (name) => {
    expect((await runCli([name, '--help'])).out).toContain(
      'also 1 if the command succeeded but coins still need someone to act',
    );
  });

  it('of an error that ends a command is 1, with its code, and nothing on standard output', async () => {
    using scratch = scratchFolder();
    writeFileSync(scratch.file('swaps.db'), 'no database');
    for (const argv of [['status'], ['recover', '00000000'], ['import', SOUND]]) {
      const { code, out, err } = await runCli([...argv, '--log', scratch.file('swaps.db')]);
      expect([argv, code, out]).toEqual([argv, 1, '']);
      expect(err).toMatch(/^swapfold: \[[A-Z_]+\] /);
      expect(err).not.toMatch(REPOSITORY);
    }
  });
});
