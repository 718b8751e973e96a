import { type Command, InvalidArgumentError, Option } from 'commander';
import { type DecimalText, isDecimalText } from '../primitives/decimal.ts';
import { example, moment, note, wholeNumber } from './arguments.ts';
import type { AllowFeesOptions } from './commands/allow-fees.ts';
import type { CheckCommandOptions } from './commands/check.ts';
import type { DemoCommandOptions } from './commands/demo.ts';
import type { ImportOptions } from './commands/import.ts';
import type { RecoverOptions } from './commands/recover.ts';
import type { SimOptions } from './commands/sim.ts';
import type { StatusOptions } from './commands/status.ts';
import type { SwapOptions } from './commands/swap.ts';
import { demoScenarios } from './demo/scenarios.ts';
import { SENT_NAMES, type SentName } from './demo/sent-names.ts';
import type { CliIo } from './io.ts';
import { selecting } from './selecting.ts';

/** Commands of the live engine and its simulator. */
export const liveCommandNames: readonly string[] = [
  'demo',
  'swap',
  'sim',
  'check',
  'import',
  'status',
  'recover',
  'allow-fees',
];

/** Takes the exit code of a command. */
export type Done = (code: number) => void;

export function addLiveCommands(program: Command, io: CliIo, done: Done): void {
  addDemo(program, io, done);
  addSwap(program, io, done);
  addSim(program, io, done);
  addCheck(program, io, done);
  addImport(program, io, done);
  addStatus(program, io, done);
  addRecover(program, io, done);
  addAllowFees(program, io, done);
}

function addDemo(program: Command, io: CliIo, done: Done): void {
  program
    .command('demo')
    .description('Run one live swap to its end; kill another at the worst moment and resume it.')
    .option('--dir <folder>', 'folder for the logs (default: a temporary folder)')
    .addHelpText('after', example('swapfold demo --dir demo'))
    .action(async (options: DemoCommandOptions) => {
      const { demoCommand } = await import('./commands/demo.ts');
      done(await demoCommand({ ...options, io }));
    });
}

function addSwap(program: Command, io: CliIo, done: Done): void {
  const names = demoScenarios.map(({ name }) => name);
  program
    .command('swap')
    .description('Run one live swap between two engines on simulated chains, with durable logs.')
    .option('--dir <folder>', 'folder of the logs; resumes the swap that it holds', 'swapfold-demo')
    .addOption(new Option('--scenario <name>', 'what happens in a new swap (default: success)').choices(names))
    .option('--seed <n>', 'seed for the chains of a new swap (default: 1)', wholeNumber({ from: 0, to: 1_000_000 }))
    .option(
      '--kill-at <moment>',
      `kill this process at its n-th input or output, or just after the network received: ${SENT_NAMES.join(', ')}`,
      killMoment,
    )
    .option(
      '--away <minutes>',
      "how long a killed process was down, by the chains' clocks",
      wholeNumber({ from: 0 }),
      10,
    )
    .option('--journal', "also show every record of the engines' journals")
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', example('swapfold swap --kill-at taker-payment; swapfold swap'))
    .action(async (options: SwapOptions) => {
      const { swapCommand } = await import('./commands/swap.ts');
      done(await swapCommand({ ...options, io }));
    });
}

function killMoment(text: string): number | SentName {
  const name = SENT_NAMES.find((known) => known === text);
  if (name !== undefined) return name;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`It must be a whole number from 1, or one of ${SENT_NAMES.join(', ')}.`);
}

function addSim(program: Command, io: CliIo, done: Done): void {
  program
    .command('sim')
    .description('Run swaps on simulated chains with seeded faults, and check them against the money rules.')
    .option(
      '--seed <n>',
      'first seed; each run uses the next one',
      wholeNumber({ from: 0, to: Number.MAX_SAFE_INTEGER }),
      1,
    )
    .option('--runs <n>', 'number of runs; a single run prints its timeline', wholeNumber({ from: 1 }), 1000)
    .option('--workers <n>', 'threads, 1 to 64', wholeNumber({ from: 1, to: 64 }), 1)
    .option(
      '--scenario <path>',
      'run a stored scenario, as printed by --runs 1 --json, or a folder of them, and draw nothing',
    )
    .option('--runtime', 'in every run, let several nodes with the shipped runtime make several swaps')
    .option('--no-adversaries', 'use only parties that follow the protocol')
    .option('--no-coverage', 'omit the table of events and faults')
    .option('--json', 'print one JSON object')
    .addHelpText('after', example('swapfold sim --seed 1 --runs 10000 --workers 2'))
    .action(async (options: SimOptions, command: Command) => {
      const { simCommand } = await import('./commands/sim.ts');
      const given = DRAWING.filter(([name]) => command.getOptionValueSource(name) === 'cli').map(([, flag]) => flag);
      done(await simCommand({ ...options, drawing: given, io }));
    });
}

/** Options that say what is drawn. */
const DRAWING = [
  ['seed', '--seed'],
  ['runs', '--runs'],
  ['adversaries', '--no-adversaries'],
] as const;

const CHAIN_KINDS = ['utxo', 'account', 'autoRefund'];

function addCheck(program: Command, io: CliIo, done: Done): void {
  const count = wholeNumber({ from: 0, to: 15 });
  const depth = wholeNumber({ from: 1, to: 4 });
  program
    .command('check')
    .description('Explore everything that can happen to a swap within bounds, and check it against the money rules.')
    .option(
      '--crashes <n>',
      'how many times engines crash, at most; without any bound, the published bounds are explored',
      count,
    )
    .option('--node-errors <n>', 'questions that get no answer', count)
    .option('--losses <n>', 'lost messages', count)
    .option('--preemptions <n>', 'events between a decision and its execution', count)
    .option('--reorgs <n>', 'disconnected blocks, several in a row for deeper reorganizations', count)
    .option('--drops <n>', 'transactions that the mempool drops', count)
    .option('--partials <n>', 'blocks that omit a transaction', count)
    .addOption(new Option('--adversary <side>', 'a side that does whatever it can').choices(['none', 'maker', 'taker']))
    .addOption(
      new Option('--watcher <kind>', 'who holds the transactions that the taker signed for watchers').choices([
        'none',
        'engine',
        'free',
      ]),
    )
    .addOption(new Option('--maker-chain <kind>', "type of the maker coin's chain").choices(CHAIN_KINDS))
    .addOption(new Option('--taker-chain <kind>', "type of the taker coin's chain").choices(CHAIN_KINDS))
    .option('--rewards', 'watchers earn rewards on account-based chains, and make their own calls there')
    .option('--payments <n>', 'concurrent payments of that side on its chain', wholeNumber({ from: 1, to: 2 }))
    .option('--confirmations <n>', 'required confirmations of both payments', depth)
    .option('--maker-confirmations <n>', 'required confirmations of the maker payment', depth)
    .option('--taker-confirmations <n>', 'required confirmations of the taker payment', depth)
    .option('--finality <n>', 'depth at which a spend is final on both chains', depth)
    .option('--maker-finality <n>', "the same, on the maker coin's chain only", depth)
    .option('--taker-finality <n>', "the same, on the taker coin's chain only", depth)
    .option('--thorough', 'use wider bounds than the published ones; takes several minutes')
    .option('--max-states <n>', 'abandon a search after this many states', wholeNumber({ from: 1 }))
    .option('--json', 'print one JSON object per search, one per line')
    .addHelpText('after', example('swapfold check --crashes 2'))
    .action(async (options: CheckCommandOptions) => {
      const { checkCommand } = await import('./commands/check.ts');
      done(await checkCommand({ ...options, io }));
    });
}

const AT_RISK =
  'Exit codes: also 1 if the command succeeded but coins still need someone to act, or a node should have acted by now.';

const LOG = 'file of the durable log (required)';

function addImport(program: Command, io: CliIo, done: Done): void {
  program
    .command('import')
    .usage('--log <file> [options] <inputs...>')
    .description('Import stored swaps into a durable log; a node resumes the unfinished ones.')
    .argument(
      '<inputs...>',
      'files, folders or globs (.json, .jsonl, .gz of either, .db of this program), or - for standard input',
    )
    .requiredOption('--log <file>', LOG)
    .option('--json', 'print one JSON object per swap, one per line')
    .addHelpText('after', note(AT_RISK))
    .addHelpText('after', example('swapfold import ~/.kdf/DB/*/SWAPS/MY --log swaps.db'))
    .action(async (inputs: string[], options: ImportOptions) => {
      const { importCommand } = await import('./commands/import.ts');
      done(await importCommand(inputs, { ...options, io }));
    });
}

function addStatus(program: Command, io: CliIo, done: Done): void {
  selecting(
    program.command('status'),
    new Option('--outcome <name>', 'only swaps with this outcome, such as funds-at-risk'),
  )
    .usage('--log <file> [options] [uuid]')
    .description('Show how the swaps of a durable log stand and what comes next.')
    .argument('[uuid]', 'one swap (default: all swaps)')
    .requiredOption('--log <file>', LOG)
    .option('--unfinished', 'only unfinished swaps')
    .option('--event <type>', 'only swaps whose log holds this event, such as TakerPaymentSent')
    .option(
      '--now <time>',
      'a time (ISO 8601, Unix seconds, or now) from which to say what is overdue, or how far away it is',
      moment,
    )
    .option('--json', 'print one JSON object per swap, one per line')
    .addHelpText('after', example('swapfold status --log swaps.db --unfinished --now now'))
    .action(async (uuid: string | undefined, options: StatusOptions) => {
      const { checkNames } = await import('./known-names.ts');
      checkNames(options);
      const { statusCommand } = await import('./commands/status.ts');
      done(await statusCommand(uuid, { ...options, io }));
    });
}

function addRecover(program: Command, io: CliIo, done: Done): void {
  program
    .command('recover')
    .usage('--log <file> [options] <uuid>')
    .description(
      "Order the recovery of a swap's funds, if any may be left; the next node that opens the log carries it out.",
    )
    .argument('<uuid>', 'the swap')
    .requiredOption('--log <file>', LOG)
    .addOption(new Option('--role <role>', 'only this side, if the log holds both').choices(['maker', 'taker']))
    .option('--reason <text>', 'why; kept in the log')
    .option('--json', 'print one JSON object per side, one per line')
    .addHelpText('after', note(AT_RISK))
    .addHelpText('after', example('swapfold recover 3447b727-fe93-4357-8e5a-8cf2699b7e86 --log swaps.db'))
    .action(async (uuid: string, options: RecoverOptions) => {
      const { recoverCommand } = await import('./commands/recover.ts');
      done(await recoverCommand(uuid, { ...options, io }));
    });
}

function addAllowFees(program: Command, io: CliIo, done: Done): void {
  program
    .command('allow-fees')
    .usage('--log <file> --coin <ticker> --most <amount> [options] <uuid>')
    .description("Allow the fees of one swap on one chain to exceed the node's policy.")
    .argument('<uuid>', 'the swap')
    .requiredOption('--log <file>', LOG)
    .requiredOption('--coin <ticker>', "one of the swap's two coins; applies to its chain (required)")
    .requiredOption(
      '--most <amount>',
      'maximum of each fee, in the coin that pays it; 0 restores the policy, any removes the limit (required)',
      fee,
    )
    .option('--reason <text>', 'kept in the log')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      example('swapfold allow-fees 3447b727-fe93-4357-8e5a-8cf2699b7e86 --log swaps.db --coin LTC --most 0.02'),
    )
    .action(
      async (uuid: string, { most, ...options }: Omit<AllowFeesOptions, 'most'> & { most: DecimalText | 'any' }) => {
        const { allowFeesCommand } = await import('./commands/allow-fees.ts');
        done(await allowFeesCommand(uuid, { ...options, most: most === 'any' ? null : most, io }));
      },
    );
}

/** Commander takes null for a missing option. */
function fee(text: string): DecimalText | 'any' {
  if (text === 'any') return text;
  if (/^\d/.test(text) && isDecimalText(text)) return text;
  throw new InvalidArgumentError('It must be a decimal amount of 0 or more, or any for no limit.');
}
