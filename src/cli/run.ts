import { CommanderError } from 'commander';
import { type CliIo, EXIT, UsageError } from './io.ts';
import { OutputClosed } from './output.ts';
import { commandNames, createProgram } from './program.ts';

/**
 * Runs one command line, without the name of the program, and gives its exit code: 0 all well, 1 findings, 2 usage.
 * Never throws and never ends the process.
 */
export async function run(argv: readonly string[], io: CliIo): Promise<number> {
  let code: number = EXIT.ok;
  const program = createProgram(io, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return failed(error, { argv, io });
  }
}

function failed(error: unknown, { argv, io }: { readonly argv: readonly string[]; readonly io: CliIo }): number {
  if (error instanceof OutputClosed) return EXIT.ok;
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.ok;
    if (error.code !== 'commander.help') io.stderr.write(`${usageLine(error, argv)}\n`);
    return EXIT.usage;
  }
  if (error instanceof UsageError) {
    io.stderr.write(`${usageLine(error, argv)}\n`);
    return EXIT.usage;
  }
  io.stderr.write(`swapfold: ${error instanceof Error ? error.message : String(error)}\n`);
  return EXIT.findings;
}

function usageLine({ message }: Error, argv: readonly string[]): string {
  const [text = '', hint] = message.replace(/^error: /, '').split('\n');
  const command = argv.find((argument) => commandNames.includes(argument));
  const help = ['swapfold', command, '--help'].filter((part) => part !== undefined).join(' ');
  return `swapfold: ${text.replace(/\.$/, '')}${hint === undefined ? '' : ` ${hint}`}. See ${help}`;
}
