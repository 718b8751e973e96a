import { performance } from 'node:perf_hooks';
import { CommanderError } from 'commander';
import { SwapfoldError } from '../primitives/error.ts';
import { type CliIo, EXIT, UsageError, type Verbosity } from './io.ts';
import { createOutput, OutputClosed } from './output.ts';
import { peakMemory } from './peak-memory.ts';
import { commandNames, createProgram } from './program.ts';
import { clean, cleanLines, messageText } from './render/text.ts';
import { swapError } from './unexpected.ts';
import { complain, detail, detailCauses } from './voice.ts';

/**
 * Runs one command line, without the name of the program, and gives its exit code: 0 all well, 1 findings, 2 usage.
 * Never throws and never ends the process.
 */
export async function run(argv: readonly string[], given: CliIo): Promise<number> {
  const started = performance.now();
  const io: Heard = { ...given, verbosity: 'usual' };
  let code: number = EXIT.ok;
  let help = '';
  const program = createProgram(io, {
    done: (result) => {
      code = result;
    },
    print: (text) => {
      help += text;
    },
    hear: (verbosity) => {
      io.verbosity = verbosity;
    },
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    const shown = help === '' ? undefined : await printed(help, io);
    code = failed(shown ?? error, { argv, io });
  }
  detail(io, costText(code, started));
  return code;
}

type Heard = Omit<CliIo, 'verbosity'> & { verbosity: Verbosity };

/** What a run took, of the machine's time and of its memory. */
function costText(code: number, started: number): string {
  const seconds = (performance.now() - started) / 1000;
  const megabytes = peakMemory() / 1024 ** 2;
  return `took ${seconds.toFixed(2)} s and at most ${megabytes.toFixed(0)} MB of memory; exit status ${code}`;
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
  detailCauses(io, error);
  return EXIT.findings;
}

/** For an unforeseen error, only its kind is shown, because its text may quote a log. */
function messageOf(error: unknown): string {
  const foreseen = error instanceof SwapfoldError || typeof (error as { readonly code?: unknown })?.code === 'string';
  return messageText(foreseen && error instanceof Error ? error : swapError(error));
}

function usageLine({ message }: Error, argv: readonly string[]): string {
  const [text = '', hint] = message.replace(/^error: /, '').split('\n');
  const command = argv.find((argument) => commandNames.includes(argument));
  const help = ['swapfold', command, '--help'].filter((part) => part !== undefined).join(' ');
  return clean(
    `swapfold: ${text.replace(/\.$/, '')}${hint === undefined ? '' : ` ${hint}`}`
      .replace(/([^?])$/, '$1.')
      .concat(` See ${help}`),
  );
}
