import { type Command, InvalidArgumentError, Option } from 'commander';
import { isDecimalText, toBaseUnits } from '../primitives/decimal.ts';
import { example, note, wholeNumber } from './arguments.ts';
import type { ChainOptions, Mining } from './commands/chain.ts';
import type { RpcOptions } from './commands/rpc.ts';
import type { CliIo } from './io.ts';
import type { Done } from './live-program.ts';

/** Commands of the embedded smart chain. */
export const chainCommandNames: readonly string[] = ['chain', 'rpc'];

const NAME = ['--name <name>', 'name of the chain', 'SWAP'] as const;
const DATADIR = ['--datadir <folder>', 'folder of its conf file, log and wallet', 'swapfold-chain'] as const;
const USER = ['--rpcuser <name>', 'instead of the one in the conf file'] as const;
const PASSWORD = [
  '--rpcpassword <text>',
  'instead of the one in the conf file; visible to others on the command line',
] as const;

export function addChainCommands(program: Command, io: CliIo, done: Done): void {
  addChain(program, io, done);
  addRpc(program, io, done);
}

function addChain(program: Command, io: CliIo, done: Done): void {
  program
    .command('chain')
    .description("Run your own smart chain with the node's JSON-RPC until it is stopped.")
    .option(...NAME)
    .option(...DATADIR)
    .option('--rpcport <n>', 'RPC port, 0 for any free port', wholeNumber({ from: 0, to: 65_535 }))
    .option(...USER)
    .option(...PASSWORD)
    .option(
      '--seed-file <file>',
      'file with the seed phrase or WIF of the key for tokens; without it, SWAPFOLD_SEED, or no key',
    )
    .option(
      '--mine <when>',
      '"every 10s" (ms, s, min, h), or on-demand, for each call of generate',
      mining,
      'on-demand',
    )
    .addOption(
      new Option('--compatibility <with>', 'whose answers to give where the two differ')
        .choices(['specification', 'node'])
        .default('specification'),
    )
    .option('--supply <coins>', 'for a new chain: coins created by its first mined block', coins)
    .option('--reward <coins>', 'for a new chain: coins created by every other block', coins)
    .option(
      '--maturity <blocks>',
      'for a new chain: age at which mined coins can be spent',
      wholeNumber({ from: 0, to: 100_000 }),
    )
    .option(
      '--datacarriersize <bytes>',
      'longest OP_RETURN script to relay (default: 208); token descriptions need more',
      wholeNumber({ from: 0, to: 10_001 }),
    )
    .option('--json', 'print one JSON object once it listens')
    .addHelpText('after', example('swapfold chain --name SWAP --datadir chain --mine "every 10s"'))
    .action(async ({ mine, ...options }: ChainFlags) => {
      const { chainCommand } = await import('./commands/chain.ts');
      done(await chainCommand({ ...options, mine: mine === 'on-demand' ? undefined : mine, io }));
    });
}

type ChainFlags = Omit<ChainOptions, 'mine'> & { readonly mine: Mining | 'on-demand' };

function addRpc(program: Command, io: CliIo, done: Done): void {
  program
    .command('rpc')
    .description("Call a method of a smart-chain node and print the result like the node's own client.")
    .argument('<method>', 'such as getinfo; help lists them')
    .argument('[params...]', 'in order; put -- before parameters that start with a dash')
    .option('--url <url>', 'where the node listens (default: as the running node says, or from the conf file)')
    .option('--wait <seconds>', 'how long to wait for a node that is starting', wholeNumber({ from: 1, to: 86_400 }))
    .option(...NAME)
    .option(...DATADIR)
    .option('--conf <file>', 'this conf file instead of the one in the data folder')
    .option(...USER)
    .option(...PASSWORD)
    .option('--timeout <seconds>', 'time limit of a call', wholeNumber({ from: 1, to: 86_400 }), 900)
    .addHelpText(
      'after',
      note(
        'Exit codes: 0 a result, 2 wrong usage; for an error of the node, the lowest eight bits of its code ' +
          'without the sign.',
      ),
    )
    .addHelpText('after', example('swapfold rpc tokencreate TOK 0.00001000 "a token"'))
    .action(async (method: string, params: string[], options: RpcOptions) => {
      const { rpcCommand } = await import('./commands/rpc.ts');
      done(await rpcCommand(method, { ...options, params, io }));
    });
}

const UNITS = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 } as const;
const LONGEST = 24 * UNITS.h;

function mining(text: string): Mining | 'on-demand' {
  if (text === 'on-demand') return text;
  const [, count, unit] = /^every (\d{1,9})\s?(ms|s|min|h)$/.exec(text.trim()) ?? [];
  const everyMs = Number(count) * UNITS[unit as keyof typeof UNITS];
  if (everyMs >= 1 && everyMs <= LONGEST) return { everyMs };
  throw new InvalidArgumentError('It must be on-demand, or such as "every 10s", up to a day.');
}

function coins(text: string): bigint {
  const units = isDecimalText(text) && /^\d{1,12}(\.\d{1,8})?$/.test(text) ? toBaseUnits(text) : undefined;
  if (units !== undefined && units <= MOST_COINS) return units;
  throw new InvalidArgumentError('It must be an amount of coins with up to 8 decimals, at most 90,000,000,000.');
}

/** What fits into the amount of an output, with room for fees. */
const MOST_COINS = 9_000_000_000_000_000_000n;
