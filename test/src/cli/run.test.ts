import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { commandNames } from '../../../src/cli/program.ts';
import { run } from '../../../src/cli/run.ts';
import { runCli, SAMPLES } from '../../support/cli.ts';

describe('usage', () => {
  it.each([
    [['replay'], "swapfold: missing required argument 'inputs'. See swapfold replay --help"],
    [['replay', 'x', '--jsno'], "swapfold: unknown option '--jsno' (Did you mean --json?). See swapfold replay --help"],
    [['repla', 'x'], "swapfold: unknown command 'repla' (Did you mean replay?). See swapfold --help"],
    [['--nope'], "swapfold: unknown option '--nope'. See swapfold --help"],
    [
      ['replay', 'x', '--workers', '0'],
      "swapfold: option '--workers <n>' argument '0' is invalid. It must be a whole number from 1 to 64. See swapfold replay --help",
    ],
    [
      ['explain', 'x', '--at', '-1'],
      "swapfold: option '--at <seq>' argument '-1' is invalid. It must be a whole number from 0. See swapfold explain --help",
    ],
    [
      ['explain', 'x', '--now', 'soon'],
      "swapfold: option '--now <time>' argument 'soon' is invalid. It must be a moment such as 2024-12-19T12:00:00Z, seconds since 1970, or now. See swapfold explain --help",
    ],
    [
      ['graph', 'nope'],
      "swapfold: command-argument value 'nope' is invalid for argument 'machine'. Allowed choices are taker-swap, maker-swap, watcher, enable-eth, enable-tendermint. See swapfold graph --help",
    ],
    [
      ['graph', 'taker-swap', '--origin', 'spec,nope'],
      "swapfold: option '--origin <list>' argument 'spec,nope' is invalid. Known origins are spec, live, engine, restart, legacy. See swapfold graph --help",
    ],
    [
      ['export', 'x', '--format', 'csv', '--out', 'there/'],
      'swapfold: a csv export needs a file, but --out there/ is a folder. See swapfold export --help',
    ],
  ])('%j is reported in one line with a hint', async (argv, line) => {
    expect(await runCli(argv)).toEqual({ code: 2, out: '', err: `${line}\n` });
  });

  it('without a command shows the help and counts as wrong usage', async () => {
    const { code, out, err } = await runCli([], { columns: 80 });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatchInlineSnapshot(`
      "Usage: swapfold [options] [command]

      Runs, replays, explains and audits atomic swaps, and runs a chain with tokens.

      Options:
        -V, --version  print the version
        -q, --quiet    print only results and errors
        -v, --verbose  also print to standard error what is read, why something
                       failed, and how long it took
        -h, --help     display help for command

      Commands:
        replay         Replay stored swaps: state, outcome, where the coins are, and
                       what is wrong with the log.
        explain        Explain in plain sentences what happened, who holds what, and
                       what to do.
        timeline       Show where the money was after every event, and the deadlines
                       between events.
        audit          Check that transactions, scripts, amounts, locks and hashes of
                       stored swaps agree.
        diff           Compare two logs of one swap: two copies of one side's log, or
                       the logs of both sides.
        export         Write stored swaps in another format, without secrets unless
                       you ask for them.
        graph          Draw a state machine: its states and events, with the origin of
                       every edge.
        demo           Run one live swap to its end; kill another at the worst moment
                       and resume it.
        swap           Run one live swap between two engines on simulated chains, with
                       durable logs.
        sim            Run swaps on simulated chains with seeded faults, and check
                       them against the money rules.
        check          Explore everything that can happen to a swap within bounds, and
                       check it against the money rules.
        import         Import stored swaps into a durable log; a node resumes the
                       unfinished ones.
        status         Show how the swaps of a durable log stand and what comes next.
        recover        Order the recovery of a swap's funds, if any may be left; the
                       next node that opens the log carries it out.
        allow-fees     Allow the fees of one swap on one chain to exceed the node's
                       policy.
        chain          Run your own smart chain with the node's JSON-RPC until it is
                       stopped.
        rpc            Call a method of a smart-chain node and print the result like
                       the node's own client.
        serve          Run a trading node with the framework's JSON-RPC until it is
                       stopped.
        electrum       Serve the Electrum protocol for a daemon until it is stopped.
        trade          Show two trading nodes swap over a network, on two chains,
                       while one of them is killed.
        capture        Read a recording of \`serve --record-peers\`, and say which rules
                       of the network it confirms.
        completion     Print a shell completion script for commands and options.
        help           display help for command

      Exit codes: 0 all well, 1 findings (errors, faults, violated checks, coins at
      risk, a step of a node overdue), 2 wrong usage.
      "
    `);
  });

  it.each(commandNames)('%s --help shows an example and ends well', async (name) => {
    const { code, out, err } = await runCli([name, '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(new RegExp(`Example:\n {2}\\$ swapfold ${name} `));
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});

describe('exit codes', () => {
  it.each(['replay', 'explain', 'timeline', 'audit'])(
    '%s: 0 for sound logs, 1 for what cannot be read',
    async (name) => {
      expect((await runCli([name, `${SAMPLES}/sound/completed.json`])).code).toBe(0);
      // One of them has coins in the open.
      expect((await runCli([name, `${SAMPLES}/sound`])).code).toBe(1);
      expect((await runCli([name, '-'], { stdin: 'no swap' })).code).toBe(1);
      expect((await runCli([name, '/nowhere'])).code).toBe(1);
    },
  );

  it.each(['replay', 'explain', 'timeline'])('%s: 1 for a fault in the log', async (name) => {
    expect((await runCli([name, `${SAMPLES}/damaged`])).code).toBe(1);
  });
});

describe('a terminal', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
  const colour = /\u001b\[3\dm/;

  it('gets colours, anything else none', async () => {
    expect((await runCli(['replay', `${SAMPLES}/sound`], { tty: true })).out).toMatch(colour);
    expect((await runCli(['replay', `${SAMPLES}/sound`])).out).not.toMatch(colour);
  });

  it('gets none where NO_COLOR is set', async () => {
    const { out } = await runCli(['replay', `${SAMPLES}/sound`], { tty: true, env: { NO_COLOR: '1' } });
    expect(out).not.toMatch(colour);
  });

  it.each(['replay', 'explain', 'timeline', 'audit'])('%s fits 100 columns', async (name) => {
    const { out } = await runCli([name, SAMPLES]);
    const wide = out.split('\n').filter((line) => line.length > 100);
    expect(wide).toEqual([]);
  });

  it('that is narrow gets narrow text', async () => {
    const { out } = await runCli(['explain', `${SAMPLES}/damaged`], { columns: 80, tty: true, env: { NO_COLOR: '1' } });
    const wide = out.split('\n').filter((line) => line.length > 80 && !/[0-9a-f]{64}/.test(line));
    expect(wide).toEqual([]);
  });
});

describe('texts from a log', () => {
  it('send nothing to the terminal that it would obey', async () => {
    const evil = JSON.stringify({
      type: 'Taker',
      uuid: '00000000-0000-4000-8000-000000000000',
      events: [{ timestamp: 1, event: { type: 'StartFailed', data: { error: 'a\u001b[2Jb\r\nc\u202ed' } } }],
      taker_coin: 'X\u001b]0;title\u0007',
      maker_coin: 'Y',
      success_events: [],
      error_events: [],
    });
    for (const name of ['replay', 'explain', 'timeline', 'audit']) {
      const { out } = await runCli([name, '-'], { stdin: evil });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there.
      expect(out, name).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    }
  });
});

describe('help and version', () => {
  it.each(['-V', '--version'])('%s prints the version of the package', async (option) => {
    const { version } = JSON.parse(readFileSync(join(SAMPLES, '../../package.json'), 'utf8')) as { version: string };
    expect(await runCli([option])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it('help describes a command, and export names its default form', async () => {
    expect(await runCli(['help', 'replay'])).toEqual(await runCli(['replay', '--help']));
    expect((await runCli(['help', 'export'])).out).toContain('default: "spec"');
  });

  it.each([
    ['EPIPE', 0, ''],
    ['ENOSPC', 1, 'swapfold: cannot write\n'],
  ])('--help onto an output that fails with %s ends with %d', async (code, exit, told) => {
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('cannot write'), { code })),
    });
    let err = '';
    const stderr = new Writable({
      write(chunk, _encoding, done) {
        err += String(chunk);
        done();
      },
    });
    const stdin = (async function* (): AsyncGenerator<Uint8Array> {})();
    expect({ exit: await run(['--help'], { stdin, stdout, stderr, env: {} }), err }).toEqual({ exit, err: told });
  });
});

describe('arguments', () => {
  it.each([
    ['replay', '/nowhere/a\u001b[2Jb\u009bc\u202ed.json'],
    ['export', '/nowhere/a\u001b[2Jb\u009bc\u202ed.json'],
    ['replay', '--json', '/nowhere/a\u001b[2Jb\u009bc\u202ed.json'],
    ['graph', 'a\u001b[2Jb\u009bc\u202ed'],
    ['graph', 'taker-swap', '--out', '/dev/null/a\u001b[2Jb\u009bc\u202ed'],
    ['a\u001b[2Jb\u009bc\u202ed'],
  ])('send nothing to the terminal that it would obey: %j', async (...argv) => {
    const { out, err } = await runCli(argv);
    expect(out + err).not.toBe('');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there.
    expect(out + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    if (argv.includes('--json')) expect(JSON.parse(out)).toMatchObject({ file: argv.at(-1) });
  });
});
