import { CommanderError } from 'commander';
import { SwapfoldError } from '../primitives/error.ts';
import { type CliIo, EXIT, UsageError } from './io.ts';
import { createOutput, OutputClosed } from './output.ts';
import { commandNames, createProgram } from './program.ts';
import { clean, cleanLines } from './render/text.ts';
import { swapError } from './unexpected.ts';
import { complain } from './voice.ts';

/**
 * Runs one command line, without the name of the program, and gives its exit code: 0 all well, 1 findings, 2 usage.
 * Never throws and never ends the process.
 */
export async function run(argv: readonly string[], io: CliIo): Promise<number> {
  let code: number = EXIT.ok;
  let help = '';
  const program = createProgram(io, {
    done: (result) => {
      code = result;
    },
    print: (text) => {
      help += text;
    },
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    const shown = help === '' ? undefined : await printed(help, io);
    return failed(shown ?? error, { argv, io });
  }
}

/** Gives what went wrong with the output, where anything did. */
async function printed(text: string, { stdout }: CliIo): Promise<unknown> {
  const output = createOutput(stdout);
  try {
    await output.write(text);
    await output.flush();
    return undefined;
  } catch (error) {
    return error;
  }
}

function failed(error: unknown, { argv, io }: { readonly argv: readonly string[]; readonly io: CliIo }): number {
  if (error instanceof OutputClosed) return EXIT.ok;
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.ok;
    if (error.code !== 'commander.help') complain(io, `${usageLine(error, argv)}\n`);
    return EXIT.usage;
  }
  if (error instanceof UsageError) {
    complain(io, `${usageLine(error, argv)}\n`);
    return EXIT.usage;
  }
  complain(io, `swapfold: ${cleanLines(messageOf(error))}\n`);
  return EXIT.findings;
}

/** Of what was not foreseen only the kind is told, since its text may quote a log. */
function messageOf(error: unknown): string {
  const foreseen = error instanceof SwapfoldError || typeof (error as { readonly code?: unknown })?.code === 'string';
  return foreseen && error instanceof Error ? error.message : swapError(error).message;
}

function usageLine({ message }: Error, argv: readonly string[]): string {
  const [text = '', hint] = message.replace(/^error: /, '').split('\n');
  const command = argv.find((argument) => commandNames.includes(argument));
  const help = ['swapfold', command, '--help'].filter((part) => part !== undefined).join(' ');
  return clean(`swapfold: ${text.replace(/\.$/, '')}${hint === undefined ? '' : ` ${hint}`}. See ${help}`);
}
