import { type Command, Option } from 'commander';
import { example, wholeNumber } from './arguments.ts';
import type { CaptureCommandOptions } from './commands/capture.ts';
import type { ElectrumOptions } from './commands/electrum.ts';
import type { ServeOptions } from './commands/serve.ts';
import type { TradeOptions } from './commands/trade.ts';
import type { CliIo } from './io.ts';
import type { Done } from './live-program.ts';

/** Commands of the trading node, and of what it talks to. */
export const nodeCommandNames: readonly string[] = ['serve', 'electrum', 'trade', 'capture'];

export function addNodeCommands(program: Command, io: CliIo, done: Done): void {
  addServe(program, io, done);
  addElectrum(program, io, done);
  addTrade(program, io, done);
  addCapture(program, io, done);
}

function addServe(program: Command, io: CliIo, done: Done): void {
  program
    .command('serve')
    .description("Run a trading node with the framework's JSON-RPC, until it is told to stop.")
    .option(
      '--conf <file>',
      'its configuration: passphrase, rpc_password, rpcport, coins, netid, seednodes',
      'MM2.json',
    )
    .option(
      '--rpcport <n>',
      'port of the RPC instead of the configured one; 0 for a free one',
      wholeNumber({ from: 0, to: 65_535 }),
    )
    .addOption(
      new Option('--compatibility <with>', 'whose defaults and texts hold where the two differ')
        .choices(['specification', 'kdf'])
        .default('specification'),
    )
    .option(
      '--poll <seconds>',
      'seconds between two polls of a coin; 10 without it',
      wholeNumber({ from: 1, to: 3600 }),
    )
    .option('--record-peers <file>', 'record what other nodes say and are told, one JSON object a line')
    .option('--json', 'one JSON object when it listens')
    .addHelpText('after', example('swapfold serve --conf MM2.json'))
    .action(async (options: ServeOptions) => {
      const { serveCommand } = await import('./commands/serve.ts');
      done(await serveCommand({ ...options, io }));
    });
}

function addElectrum(program: Command, io: CliIo, done: Done): void {
  const port = wholeNumber({ from: 0, to: 65_535 });
  program
    .command('electrum')
    .description('Serve the Electrum protocol over a daemon, until it is told to stop.')
    .requiredOption('--conf <file>', "the daemon's conf file: rpcuser, rpcpassword, rpcport")
    .option('--url <url>', 'where the daemon is; this host and the port of the conf file without it')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port without encryption, 0 for a free one; 50001 unless there is another one', port)
    .option('--tls-port <n>', 'port with TLS, 0 for a free one; none without it', port)
    .option('--ws-port <n>', 'port for web sockets without encryption, 0 for a free one; none without it', port)
    .option('--wss-port <n>', 'port for web sockets with TLS, 0 for a free one; none without it', port)
    .option('--tls-cert <file>', 'certificate in PEM, for --tls-port and --wss-port')
    .option('--tls-key <file>', 'the key of the certificate in PEM')
    .option('--poll <ms>', 'milliseconds between two polls of the daemon', wholeNumber({ from: 50, to: 600_000 }), 1000)
    .option('--json', 'one JSON object when it listens')
    .addHelpText('after', example('swapfold electrum --conf swapfold-chain/SWAP.conf --port 50001'))
    .action(async (options: ElectrumOptions) => {
      const { electrumCommand } = await import('./commands/electrum.ts');
      done(await electrumCommand({ ...options, io }));
    });
}

function addTrade(program: Command, io: CliIo, done: Done): void {
  program
    .command('trade')
    .description('Show two trading nodes that swap over a network, on two chains, while one of them is killed.')
    .option(
      '--litecoin [program]',
      'on two chains of Litecoin Core (litecoind, as Debian has it) instead of two of this package',
    )
    .addOption(
      new Option(
        '--evm [program]',
        'on a chain of this package and an EVM chain (anvil, as npm has it) with its swap contract',
      ).conflicts('litecoin'),
    )
    .addOption(
      new Option(
        '--play <name>',
        "how it goes: a swap; its refund, since the maker's node is away; the rescue of a taker by a watcher",
      )
        .choices(['swap', 'refund', 'rescue'])
        .default('swap'),
    )
    .option(
      '--lock <s>',
      "seconds for which the taker's payment is locked where it is waited for; the maker's is locked twice as long",
      wholeNumber({ from: 30, to: 7800 }),
      60,
    )
    .option('--json', 'one JSON object for each thing that happens')
    .addHelpText('after', example('swapfold trade --play rescue'))
    .action(async (options: TradeOptions) => {
      const { tradeCommand } = await import('./commands/trade.ts');
      done(await tradeCommand({ ...options, io }));
    });
}

function addCapture(program: Command, io: CliIo, done: Done): void {
  program
    .command('capture')
    .description('Read what `serve --record-peers` recorded, and say which rules of the network it bears out.')
    .argument('<file>', 'the recording')
    .option(
      '--seed <address...>',
      'seed nodes to record a session with first, by a node without coins that says only that it is there',
    )
    .option('--netid <n>', 'number of their network; 8762 is the main one', wholeNumber({ from: 0, to: 14_428 }), 0)
    .option('--topic <name...>', 'topics to listen to meanwhile, such as orbk/KMD:LTC; none without it')
    .option(
      '--seconds <n>',
      'seconds that the session lasts, if nothing ends it before',
      wholeNumber({ from: 1, to: 86_400 }),
      300,
    )
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      example('swapfold capture session.jsonl --seed seed.example.org --netid 8762 --topic orbk/KMD:LTC'),
    )
    .action(async (file: string, options: CaptureCommandOptions) => {
      const { captureCommand } = await import('./commands/capture.ts');
      done(await captureCommand(file, { ...options, io }));
    });
}
