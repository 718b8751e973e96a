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
    .description("Run a trading node with the framework's JSON-RPC until it is stopped.")
    .option(
      '--conf <file>',
      'its configuration: passphrase, rpc_password, rpcport, coins, netid, seednodes',
      'MM2.json',
    )
    .option(
      '--rpcport <n>',
      'RPC port instead of the configured one; 0 for any free port',
      wholeNumber({ from: 0, to: 65_535 }),
    )
    .addOption(
      new Option('--compatibility <with>', 'whose defaults and texts to use where the two differ')
        .choices(['specification', 'kdf'])
        .default('specification'),
    )
    .option('--poll <seconds>', 'seconds between two polls of a coin (default: 10)', wholeNumber({ from: 1, to: 3600 }))
    .option('--record-peers <file>', 'record all messages from and to other nodes, one JSON object per line')
    .option('--json', 'print one JSON object once it listens')
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
    .description('Serve the Electrum protocol for a daemon until it is stopped.')
    .requiredOption('--conf <file>', "the daemon's conf file: rpcuser, rpcpassword, rpcport")
    .option('--url <url>', 'where the daemon listens (default: this host, and the port in the conf file)')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--port <n>',
      'port without encryption, 0 for any free port (default: 50001, unless another port is given)',
      port,
    )
    .option('--tls-port <n>', 'port with TLS, 0 for any free port (default: none)', port)
    .option('--ws-port <n>', 'WebSocket port without encryption, 0 for any free port (default: none)', port)
    .option('--wss-port <n>', 'WebSocket port with TLS, 0 for any free port (default: none)', port)
    .option('--tls-cert <file>', 'PEM certificate for --tls-port and --wss-port')
    .option('--tls-key <file>', 'PEM key of the certificate')
    .option('--poll <ms>', 'milliseconds between two polls of the daemon', wholeNumber({ from: 50, to: 600_000 }), 1000)
    .option('--json', 'print one JSON object once it listens')
    .addHelpText('after', example('swapfold electrum --conf swapfold-chain/SWAP.conf --port 50001'))
    .action(async (options: ElectrumOptions) => {
      const { electrumCommand } = await import('./commands/electrum.ts');
      done(await electrumCommand({ ...options, io }));
    });
}

function addTrade(program: Command, io: CliIo, done: Done): void {
  program
    .command('trade')
    .description('Show two trading nodes swap over a network, on two chains, while one of them is killed.')
    .option(
      '--litecoin [program]',
      'use two chains of Litecoin Core (litecoind, from Debian) instead of two of this package',
    )
    .addOption(
      new Option(
        '--evm [program]',
        'use a chain of this package and an EVM chain (anvil, from npm) with its swap contract',
      ).conflicts('litecoin'),
    )
    .addOption(
      new Option(
        '--play <name>',
        "what happens: a swap; a refund, because the maker's node is down; or a watcher rescues the taker",
      )
        .choices(['swap', 'refund', 'rescue'])
        .default('swap'),
    )
    .option(
      '--lock <s>',
      "lock time of the taker's payment in seconds, for plays that wait for it; the maker's is twice as long",
      wholeNumber({ from: 30, to: 7800 }),
      60,
    )
    .option('--json', 'print one JSON object for each step')
    .addHelpText('after', example('swapfold trade --play rescue'))
    .action(async (options: TradeOptions) => {
      const { tradeCommand } = await import('./commands/trade.ts');
      done(await tradeCommand({ ...options, io }));
    });
}

function addCapture(program: Command, io: CliIo, done: Done): void {
  program
    .command('capture')
    .description('Read a recording of `serve --record-peers`, and say which rules of the network it confirms.')
    .argument('<file>', 'the recording')
    .option(
      '--seed <address...>',
      'first record a session with these seed nodes, as a node without coins that only announces itself',
    )
    .option('--netid <n>', 'number of their network; 8762 is the main network', wholeNumber({ from: 0, to: 14_428 }), 0)
    .option('--topic <name...>', 'topics to subscribe to, such as orbk/KMD:LTC (default: none)')
    .option('--seconds <n>', 'maximum length of the session in seconds', wholeNumber({ from: 1, to: 86_400 }), 300)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      example('swapfold capture session.jsonl --seed seed.example.org --netid 8762 --topic orbk/KMD:LTC'),
    )
    .action(async (file: string, options: CaptureCommandOptions) => {
      const { captureCommand } = await import('./commands/capture.ts');
      done(await captureCommand(file, { ...options, io }));
    });
}
