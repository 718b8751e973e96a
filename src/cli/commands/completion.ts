import type { Command } from 'commander';
import { tableOf } from '../command-table.ts';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { createOutput } from '../output.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `swapfold completion`: a script by which a shell completes commands, options and their values. */
export async function completionCommand(
  shell: Shell,
  { io, program }: { readonly io: CliIo; readonly program: Command },
): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  await output.write(SCRIPTS[shell](tableOf(program)));
  await output.flush();
  return EXIT.ok;
}
