import { type Command, Option } from 'commander';
import { example, wholeNumber } from './arguments.ts';
import type { ServeOptions } from './commands/serve.ts';
import type { CliIo } from './io.ts';
import type { Done } from './live-program.ts';

/** Commands of the trading node. */
export const nodeCommandNames: readonly string[] = ['serve'];

export function addNodeCommands(program: Command, io: CliIo, done: Done): void {
  program
    .command('serve')
    .description("Run a trading node with the framework's JSON-RPC, until it is told to stop.")
    .option('--conf <file>', 'its configuration: passphrase, rpc_password, rpcport, coins', 'MM2.json')
    .option(
      '--rpcport <n>',
      'instead of the one in the configuration; 0 for a free one',
      wholeNumber({ from: 0, to: 65_535 }),
    )
    .addOption(
      new Option('--compatibility <with>', 'whose defaults and texts hold where the two differ')
        .choices(['specification', 'kdf'])
        .default('specification'),
    )
    .option('--json', 'one JSON object when it listens')
    .addHelpText('after', example('swapfold serve --conf MM2.json'))
    .action(async (options: ServeOptions) => {
      const { serveCommand } = await import('./commands/serve.ts');
      done(await serveCommand({ ...options, io }));
    });
}
