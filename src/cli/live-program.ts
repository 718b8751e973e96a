import type { Command } from 'commander';
import { example, wholeNumber } from './arguments.ts';
import type { SimOptions } from './commands/sim.ts';
import type { CliIo } from './io.ts';

/** Commands of the live engine and its simulator. */
export const liveCommandNames: readonly string[] = ['sim'];

/** Takes the exit code of a command. */
export type Done = (code: number) => void;

export function addLiveCommands(program: Command, io: CliIo, done: Done): void {
  addSim(program, io, done);
}

function addSim(program: Command, io: CliIo, done: Done): void {
  program
    .command('sim')
    .description('Run swaps on simulated chains with faults from a seed, and hold them against the money rules.')
    .option('--seed <n>', 'first seed; each run takes the next', wholeNumber({ from: 0 }), 1)
    .option('--runs <n>', 'how many; with 1 its timeline is printed', wholeNumber({ from: 1 }), 1000)
    .option('--workers <n>', 'threads, 1 to 64', wholeNumber({ from: 1, to: 64 }), 1)
    .option('--no-adversaries', 'only parties that follow the protocol')
    .option('--no-coverage', 'without the table of events and faults')
    .option('--json', 'one JSON object')
    .addHelpText('after', example('swapfold sim --seed 1 --runs 10000 --workers 2'))
    .action(async (options: SimOptions) => {
      const { simCommand } = await import('./commands/sim.ts');
      done(await simCommand({ ...options, io }));
    });
}
