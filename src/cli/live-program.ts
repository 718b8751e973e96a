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
    .description('Run a live swap to its end, kill another at its worst moment and resume it, and show both.')
    .option('--dir <folder>', 'where the logs are kept; a temporary folder without it')
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
    .description('Run one live swap between two engines on simulated chains, over durable logs.')
    .option('--dir <folder>', 'where the logs are; a swap that is there goes on', 'swapfold-demo')
    .addOption(new Option('--scenario <name>', 'what happens in a new swap; success without it').choices(names))
    .option('--seed <n>', 'of the chains of a new swap; 1 without it', wholeNumber({ from: 0, to: 1_000_000 }))
    .option(
      '--kill-at <moment>',
      `kill this process at its n-th input or output, or when the network has just got: ${SENT_NAMES.join(', ')}`,
      killMoment,
    )
    .option(
      '--away <minutes>',
      'how long a killed process was away, by the clock of the chains',
      wholeNumber({ from: 0 }),
      10,
    )
    .option('--journal', "show every event of the engines' journals too")
    .option('--json', 'one JSON object a line')
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
    .description('Run swaps on simulated chains with faults from a seed, and hold them against the money rules.')
    .option(
      '--seed <n>',
      'first seed; each run takes the next',
      wholeNumber({ from: 0, to: Number.MAX_SAFE_INTEGER }),
      1,
    )
    .option('--runs <n>', 'number of runs; with 1, the timeline is printed', wholeNumber({ from: 1 }), 1000)
    .option('--workers <n>', 'threads, 1 to 64', wholeNumber({ from: 1, to: 64 }), 1)
    .option(
      '--scenario <path>',
      'run a stored scenario, as --runs 1 --json prints it, or a folder of them; nothing is drawn',
    )
    .option('--runtime', 'several swaps of several nodes, each on the shipped runtime, in every run')
    .option('--no-adversaries', 'only parties that follow the protocol')
    .option('--no-coverage', 'without the table of events and faults')
    .option('--json', 'one JSON object')
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
    .description('Explore everything that can happen to a swap within bounds, and hold it against the money rules.')
    .option('--crashes <n>', 'engines that die, at most; without any bound the published ones are explored', count)
    .option('--node-errors <n>', 'questions without an answer', count)
    .option('--losses <n>', 'messages that are lost', count)
    .option('--preemptions <n>', 'things that happen between a decision and its act', count)
    .option('--reorgs <n>', 'blocks that are taken back, several in a row as deep', count)
    .option('--drops <n>', 'transactions that leave the mempool', count)
    .option('--partials <n>', 'blocks that leave a transaction out', count)
    .addOption(new Option('--adversary <side>', 'a side that does whatever it can').choices(['none', 'maker', 'taker']))
    .addOption(new Option('--watcher <kind>', 'who holds what the taker signed').choices(['none', 'engine', 'free']))
    .addOption(new Option('--maker-chain <kind>', "kind of the maker coin's chain").choices(CHAIN_KINDS))
    .addOption(new Option('--taker-chain <kind>', "kind of the taker coin's chain").choices(CHAIN_KINDS))
    .option('--rewards', 'chains with accounts pay watchers, who make calls of their own there')
    .option('--payments <n>', 'payments of that side on its chain at once', wholeNumber({ from: 1, to: 2 }))
    .option('--confirmations <n>', 'confirmations asked of both payments', depth)
    .option('--maker-confirmations <n>', 'confirmations asked of the maker payment alone', depth)
    .option('--taker-confirmations <n>', 'confirmations asked of the taker payment alone', depth)
    .option('--finality <n>', 'depth at which a spend is final on both chains', depth)
    .option('--maker-finality <n>', "on the maker coin's chain alone", depth)
    .option('--taker-finality <n>', "on the taker coin's chain alone", depth)
    .option('--thorough', 'wider bounds than the published ones: several minutes')
    .option('--max-states <n>', 'abandon a search after this many states', wholeNumber({ from: 1 }))
    .option('--json', 'one JSON object a line for each search')
    .addHelpText('after', example('swapfold check --crashes 2'))
    .action(async (options: CheckCommandOptions) => {
      const { checkCommand } = await import('./commands/check.ts');
      done(await checkCommand({ ...options, io }));
    });
}

const AT_RISK = 'Exit codes: 1 also where the act was done, and coins still wait for a person.';

const LOG = 'the durable log, a file (required)';

function addImport(program: Command, io: CliIo, done: Done): void {
  program
    .command('import')
    .usage('--log <file> [options] <inputs...>')
    .description('Take stored swaps into a durable log; a node goes on with those that are unfinished.')
    .argument(
      '<inputs...>',
      'files, folders, globs (.json, .jsonl, also .gz; .db of this program), or - for standard input',
    )
    .requiredOption('--log <file>', LOG)
    .option('--json', 'one JSON object a line for each swap')
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
    .description('Tell how the swaps of a durable log stand and what comes next.')
    .argument('[uuid]', 'one swap; all of them without it')
    .requiredOption('--log <file>', LOG)
    .option('--unfinished', 'only swaps that go on')
    .option('--event <type>', 'only swaps whose log holds this event, such as TakerPaymentSent')
    .option(
      '--now <time>',
      'a moment (ISO 8601, unix seconds, or now), to tell what is overdue or how far away',
      moment,
    )
    .option('--json', 'one JSON object a line for each swap')
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
      "Order the recovery of a swap's funds, where there may be any; the next node that opens the log does it.",
    )
    .argument('<uuid>', 'the swap')
    .requiredOption('--log <file>', LOG)
    .addOption(new Option('--role <role>', 'only this side, where the log holds both').choices(['maker', 'taker']))
    .option('--reason <text>', 'kept in the log')
    .option('--json', 'one JSON object a line for each side')
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
    .description('Let the fees of one swap on one chain be higher than the policy of the node permits.')
    .argument('<uuid>', 'the swap')
    .requiredOption('--log <file>', LOG)
    .requiredOption('--coin <ticker>', "one of the swap's two coins: on its chain (required)")
    .requiredOption(
      '--most <amount>',
      'each fee at most, in the coin that pays it; 0 for the policy again, any for no bound (required)',
      fee,
    )
    .option('--reason <text>', 'kept in the log')
    .option('--json', 'one JSON object')
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
  throw new InvalidArgumentError('It must be a decimal amount from 0 on, or any for no bound.');
}
