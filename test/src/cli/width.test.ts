import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnsOf } from '../../../src/cli/io.ts';
import { commandNames } from '../../../src/cli/program.ts';
import { fitted, flowed, visibleLength } from '../../../src/cli/render/fitted.ts';
import { startedText } from '../../../src/cli/render/serve.ts';
import { styleOf } from '../../../src/cli/render/text.ts';
import { sceneText } from '../../../src/cli/render/trade.ts';
import { type CliRun, runCli } from '../../support/cli.ts';
import { type CommandFiles, commandFiles, type Trial, trials } from '../../support/cli-commands.ts';
import { oneIn, SLOW } from '../../support/draws.ts';

let files: CommandFiles;
beforeAll(async () => {
  files = await commandFiles();
});
afterAll(() => files[Symbol.dispose]());

/** What leads to a word that no line can break, such as a label before a path or a hash. */
const LONGEST_LABEL = 24;

/** Lines wider than `columns`, but those in which nothing but a word that is too long is wide. */
function wideLines(text: string, columns: number): readonly string[] {
  return text.split('\n').filter((line) => {
    const words = line.split(' ').filter((word) => word !== '');
    const longest = Math.max(0, ...words.map((word) => word.length));
    return line.length > columns && (line.length - longest > LONGEST_LABEL || longest <= columns - LONGEST_LABEL);
  });
}

function textOf({ out, err }: CliRun, { isData = false }: Trial): string {
  return isData ? err : `${out}\n${err}`;
}

function widest(text: string): number {
  return Math.max(...text.split('\n').map((line) => line.length));
}

// The commands change what they read, so each width is tried over files of its own.
describe.each(SLOW ? [80, 200] : [80])('at %d columns', (columns) => {
  it('no command prints a wider line', async () => {
    using own = await commandFiles();
    const tried = new Set<string>();
    // What real nodes stored is wide where it is: the narrow terminal is enough for it.
    for (const trial of oneIn(10, trials(own, { recorded: SLOW && columns === 80 }))) {
      const [name = ''] = trial.argv;
      tried.add(name);
      const text = textOf(await runCli(trial.argv, { columns }), trial);
      expect(wideLines(text, columns), trial.argv.join(' ')).toEqual([]);
    }
    expect([...commandNames]).toEqual(expect.arrayContaining([...tried]));
    if (SLOW) expect([...tried].sort()).toEqual([...commandNames].sort());
  });
});

describe.each([60, 80, 200])('at %d columns', (columns) => {
  it.each(['', ...commandNames])('the help of %s fits', async (name) => {
    const { out } = await runCli(name === '' ? ['--help'] : [name, '--help'], { columns });
    expect(wideLines(out, columns)).toEqual([]);
    expect(wideLines((await runCli([name, '--nope'], { columns })).err, columns)).toEqual([]);
  });
});

describe('at 200 columns', () => {
  const DAY = '2024-12-19';
  it.each([
    [['replay', 'docs/samples/sound'], new RegExp(`^[0-9a-f-]{36} taker .* ${DAY} .* finished .*\\.json$`, 'm')],
    [['timeline', 'docs/samples/sound/completed.json'], new RegExp(`^${DAY} 00:06:00 .* TakerPaymentSent`, 'm')],
    [['audit', 'docs/samples/sound'], /^[0-9a-f-]{36} {2}\d+ verified/m],
    [['explain', 'docs/samples/sound/claim-failed.json'], /^.{120,200}$/m],
    [['diff', 'docs/samples/sound/completed.json', 'docs/samples/damaged/missing-event.json'], /^/],
    [['sim', '--runs', '20'], /^.{150,200}$/m],
    [['replay', '--help'], /^.{120,200}$/m],
    [['--help'], /^.{100,200}$/m],
    [['status', '--log', 'nowhere-at-all.db', '--outcome', 'xyz'], /^/],
  ] as const)('%j uses them', async (argv, line) => {
    const { out, err } = await runCli(argv, { columns: 200 });
    expect(out + err).toMatch(line);
  });

  it('amounts are whole, and never cut without a mark', async () => {
    const maker = files.file('pair/maker.json');
    expect((await runCli(['replay', maker], { columns: 200 })).out).toContain('12345.12345678 WRAPPED-TOKEN-PLG20');
    expect((await runCli(['replay', maker], { columns: 80 })).out).toContain('12345.12… WRAPPED-TOKEN-PLG20');
    for (const name of ['explain', 'timeline']) {
      const { out } = await runCli([name, maker], { columns: 80 });
      expect(out.replaceAll(/\s+/g, ' '), name).toContain('12345.12345678 WRAPPED-TOKEN-PLG20');
    }
  });
});

describe('the width', () => {
  const stream = (given: { readonly isTTY?: boolean; readonly columns?: number }) =>
    given as Parameters<typeof columnsOf>[0];

  it.each([
    [{ isTTY: true, columns: 132 }, {}, 132],
    [{ isTTY: true, columns: 132 }, { COLUMNS: '70' }, 132],
    [{ isTTY: true, columns: 0 }, { COLUMNS: '70' }, 70],
    [{ isTTY: true }, {}, 80],
    [{}, {}, 80],
    [{}, { COLUMNS: '200' }, 200],
    [{}, { COLUMNS: '' }, 80],
    [{}, { COLUMNS: '0' }, 80],
    [{}, { COLUMNS: 'wide' }, 80],
    [{}, { COLUMNS: '3' }, 40],
    [{ isTTY: true, columns: 20 }, {}, 40],
  ])('of %j with %j is %d', (given, env, columns) => {
    expect(columnsOf(stream(given), env)).toBe(columns);
  });
});

describe('a line that is too wide', () => {
  it.each([
    ['one two three four', 'one two\n  three\n  four'],
    ['  - one two three', '  - one\n    two\n    three'],
    ['a   b c d e f g', 'a   b c\n    d e\n    f g'],
    ['aaaaaaaaaaaa b', 'aaaaaaaaaaaa\n  b'],
    ['a bbbbbbbbbbbb', 'a\n  bbbbbbbbbbbb'],
    ['\u001b[1mone two\u001b[22m three', '\u001b[1mone two\u001b[22m\n  three'],
    ['short', 'short'],
    ['', ''],
  ])('%j is broken at its spaces', (line, text) => {
    expect(fitted(line, 8)).toBe(text);
  });

  it('of cells continues below', () => {
    expect(flowed(['aa  ', 'bb', '', 'cccc'], { columns: 8, indent: 2 })).toBe('aa   bb\n  cccc');
    expect(visibleLength('\u001b[31mred\u001b[39m')).toBe(3);
  });
});

describe('a node', () => {
  const scenes = [
    { kind: 'act', title: `The taker's node is killed ${'while much happens '.repeat(6)}` },
    { kind: 'event', who: 'taker', event: 'TakerPaymentSent', detail: 'ab'.repeat(32) },
    {
      kind: 'line',
      who: 'maker',
      text: 'says something that goes on for longer than a line of a terminal can hold it',
    },
    { kind: 'end', sound: true, payments: { DOC: 1, MARTY: 1 } },
  ] as const;

  it.each([80, 200])('that trades fits %d columns', (columns) => {
    const style = styleOf({ stdout: {} as Parameters<typeof columnsOf>[0], env: { COLUMNS: String(columns) } });
    const text = scenes.map((scene) => sceneText(scene, { ...style, seconds: 12.3 })).join('\n');
    expect(wideLines(text, columns)).toEqual([]);
    expect(text.includes('ab'.repeat(32))).toBe(columns === 200);
  });

  it('that listens fits 80 columns', () => {
    const tickers = ['DOC', 'MARTY', 'KMD', 'LTC', 'BTC'];
    const text = startedText(
      {
        ...{
          url: 'http://127.0.0.1:7783/',
          publicKey: '02'.repeat(33),
          log: '/a/folder/DB/swapfold.db',
          offline: true,
        },
        ...{ tickers, needed: tickers, again: tickers, network: null, ignored: ['netidd', 'gui', 'userhome'] },
        before: [{ method: 'enable_tendermint_with_assets', coins: tickers }],
        lost: [{ ticker: 'BNB', coins: tickers, withheld: ['/nodes/1/url'], call: 'task::enable_eth::init' }],
        warnings: ['The file MM2.json can be read by others: chmod 600 MM2.json keeps its passphrase to you.'],
      },
      { columns: 80 },
    );
    expect(wideLines(text, 80)).toEqual([]);
    expect(widest(text)).toBeGreaterThan(60);
  });
});
