import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { EdgeOrigin } from '../../machines/graph.ts';
import { example, fittedUsage, moment, note, wholeNumber } from './arguments.ts';
import { addChainCommands, chainCommandNames } from './chain-program.ts';
import type { AuditOptions } from './commands/audit.ts';
import type { Shell } from './commands/completion.ts';
import type { DiffOptions } from './commands/diff.ts';
import type { ExplainCommandOptions } from './commands/explain.ts';
import type { ExportOptions } from './commands/export.ts';
import type { GraphCommandOptions } from './commands/graph.ts';
import type { ReplayOptions } from './commands/replay.ts';
import type { TimelineOptions } from './commands/timeline.ts';
import { type CliIo, columnsOf, type Verbosity } from './io.ts';
import { addLiveCommands, type Done, liveCommandNames } from './live-program.ts';
import { addNodeCommands, nodeCommandNames } from './node-program.ts';
import { selecting } from './selecting.ts';
import { packageVersion } from './version.ts';

export const commandNames: readonly string[] = [
  ...['replay', 'explain', 'timeline', 'audit', 'diff', 'export', 'graph'],
  ...liveCommandNames,
  ...chainCommandNames,
  ...nodeCommandNames,
  'completion',
];

const INPUTS = 'files, folders or globs (.json, .jsonl, .gz of either, .db of this program), or - for standard input';
const INPUTS_OR_IDS = `${INPUTS}; add uuids, or at least their first 8 digits, to select swaps`;

export type ProgramHandlers = {
  /** Takes the exit code. */
  readonly done: (code: number) => void;
  /** Takes what is printed on standard output before any command runs: help, version. */
  readonly print: (text: string) => void;
  /** Takes how much is to be told, before the command runs. */
  readonly hear: (verbosity: Verbosity) => void;
};

function verbosityOf({ quiet, verbose }: { readonly quiet?: boolean; readonly verbose?: boolean }): Verbosity {
  if (quiet === true) return 'quiet';
  return verbose === true ? 'verbose' : 'usual';
}

/** The command line. Each command's own code is loaded when it runs. */
export function createProgram(io: CliIo, { done, print, hear }: ProgramHandlers): Command {
  const program = new Command('swapfold')
    .description('Runs, replays, explains and audits atomic swaps, and runs a chain with tokens.')
    .exitOverride()
    .showSuggestionAfterError()
    .version(packageVersion(), '-V, --version', 'print the version')
    .addOption(new Option('-q, --quiet', 'print only results and errors').conflicts('verbose'))
    .option('-v, --verbose', 'also print to standard error what is read, why something failed, and how long it took')
    .hook('preAction', (command) => {
      hear(verbosityOf(command.opts()));
    })
    .configureOutput({
      writeOut: print,
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => columnsOf(io.stdout, io.env),
      getErrHelpWidth: () => columnsOf(io.stderr, io.env),
      outputError: () => {},
    })
    .configureHelp({
      styleUsage: fittedUsage,
      minWidthToWrap: 20,
      showGlobalOptions: true,
      subcommandTerm: (command) => command.name(),
    })
    .addHelpText(
      'after',
      note(
        'Exit codes: 0 all well, 1 findings (errors, faults, violated checks, coins at risk, a step of a node overdue), 2 wrong usage.',
      ),
    );
  addReplay(program, io, done);
  addExplain(program, io, done);
  addTimeline(program, io, done);
  addAudit(program, io, done);
  addDiff(program, io, done);
  addExport(program, io, done);
  addGraph(program, io, done);
  addLiveCommands(program, io, done);
  addChainCommands(program, io, done);
  addNodeCommands(program, io, done);
  addCompletion(program, io, done);
  return program;
}

function addReplay(program: Command, io: CliIo, done: Done): void {
  selecting(program.command('replay'))
    .description('Replay stored swaps: state, outcome, where the coins are, and what is wrong with the log.')
    .argument('<inputs...>', INPUTS_OR_IDS)
    .option('--json', 'print one JSON object per swap, one per line')
    .option('--workers <n>', 'threads for large .jsonl files, 1 to 64', wholeNumber({ from: 1, to: 64 }))
    .addHelpText('after', example('swapfold replay ~/.kdf/DB/*/SWAPS/MY'))
    .action(async (inputs: string[], options: ReplayOptions) => {
      const { replayCommand } = await import('./commands/replay.ts');
      done(await replayCommand(inputs, { ...options, io }));
    });
}

function addExplain(program: Command, io: CliIo, done: Done): void {
  selecting(program.command('explain'))
    .description('Explain in plain sentences what happened, who holds what, and what to do.')
    .argument('<inputs...>', INPUTS_OR_IDS)
    .option('--json', 'print one JSON object per swap, one per line')
    .option('--at <seq>', 'explain the swap as it stood after this event, counted from 0', wholeNumber({ from: 0 }))
    .option(
      '--now <time>',
      'explain the swap as of this time: ISO 8601, Unix seconds, or now (default: now, or the time of the event ' +
        'in --at)',
      moment,
    )
    .addHelpText('after', example('swapfold explain swap.json --at 7 --now 2024-12-19T12:00:00Z'))
    .action(async (inputs: string[], options: ExplainCommandOptions) => {
      const { explainCommand } = await import('./commands/explain.ts');
      done(await explainCommand(inputs, { ...options, io }));
    });
}

function addTimeline(program: Command, io: CliIo, done: Done): void {
  selecting(program.command('timeline'))
    .description('Show where the money was after every event, and the deadlines between events.')
    .argument('<inputs...>', INPUTS_OR_IDS)
    .option('--json', 'print one JSON object per swap, one per line')
    .addHelpText('after', example('swapfold timeline swap.json'))
    .action(async (inputs: string[], options: TimelineOptions) => {
      const { timelineCommand } = await import('./commands/timeline.ts');
      done(await timelineCommand(inputs, { ...options, io }));
    });
}

function addAudit(program: Command, io: CliIo, done: Done): void {
  selecting(program.command('audit'))
    .description('Check that transactions, scripts, amounts, locks and hashes of stored swaps agree.')
    .argument('<inputs...>', INPUTS_OR_IDS)
    .option('--json', 'print one JSON object per swap, one per line')
    .addOption(new Option('--only <status>', 'show only checks with this status').choices(['violated']))
    .addHelpText('after', example('swapfold audit swaps/ --only violated'))
    .action(async (inputs: string[], options: AuditOptions) => {
      const { auditCommand } = await import('./commands/audit.ts');
      done(await auditCommand(inputs, { ...options, io }));
    });
}

function addDiff(program: Command, io: CliIo, done: Done): void {
  program
    .command('diff')
    .description("Compare two logs of one swap: two copies of one side's log, or the logs of both sides.")
    .argument('<inputs...>', `two ${INPUTS}; add uuids if they hold several swaps`)
    .option('--json', 'print one JSON object per pair of logs, one per line')
    .addHelpText('after', example('swapfold diff maker.json taker.json'))
    .action(async (inputs: string[], options: DiffOptions) => {
      const { diffCommand } = await import('./commands/diff.ts');
      done(await diffCommand(inputs, { ...options, io }));
    });
}

function addExport(program: Command, io: CliIo, done: Done): void {
  const forms = ['spec', 'kdf', 'jsonl', 'csv'];
  program
    .command('export')
    .description('Write stored swaps in another format, without secrets unless you ask for them.')
    .argument('<inputs...>', INPUTS)
    .addOption(new Option('--format <form>', 'form to write').choices(forms).default('spec'))
    .option('--out <path>', 'write to a file (one swap) or a folder/ (one file per swap) instead of standard output')
    .option('--secrets', 'keep swap secrets and keys in the export')
    .option('--join', 'put several swaps into one file; a csv file always holds all of them')
    .option('--force', 'overwrite existing files')
    .addHelpText('after', example('swapfold export swaps/ --format csv --out swaps.csv'))
    .action(async (inputs: string[], options: ExportOptions) => {
      const { exportCommand } = await import('./commands/export.ts');
      done(await exportCommand(inputs, { ...options, io }));
    });
}

function addGraph(program: Command, io: CliIo, done: Done): void {
  program
    .command('graph')
    .description('Draw a state machine: its states and events, with the origin of every edge.')
    .addArgument(
      new Argument('<machine>').choices(['taker-swap', 'maker-swap', 'watcher', 'enable-eth', 'enable-tendermint']),
    )
    .addOption(new Option('--format <form>', 'form to write').choices(['mermaid', 'dot', 'svg']).default('mermaid'))
    .option('--origin <list>', 'show only edges of these origins: spec,live,engine,restart,legacy', origins)
    .option('--out <file>', 'write to this file instead of standard output')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', example('swapfold graph taker-swap --format svg --out taker-swap.svg'))
    .action(async (machine: string, options: GraphCommandOptions) => {
      const { graphCommand } = await import('./commands/graph.ts');
      done(await graphCommand(machine, { ...options, io }));
    });
}

function addCompletion(program: Command, io: CliIo, done: Done): void {
  program
    .command('completion')
    .description('Print a shell completion script for commands and options.')
    .addArgument(new Argument('<shell>', 'the shell that loads it').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', example('swapfold completion bash > ~/.local/share/bash-completion/completions/swapfold'))
    .action(async (shell: Shell) => {
      const { completionCommand } = await import('./commands/completion.ts');
      done(await completionCommand(shell, { io, program }));
    });
}

const ORIGINS: readonly EdgeOrigin[] = ['spec', 'live', 'engine', 'restart', 'legacy'];

function origins(text: string): readonly EdgeOrigin[] {
  const names = text.split(',').map((name) => name.trim());
  const found = names.flatMap((name) => ORIGINS.filter((origin) => origin === name));
  if (found.length === names.length) return found;
  throw new InvalidArgumentError(`Known origins are ${ORIGINS.join(', ')}.`);
}
