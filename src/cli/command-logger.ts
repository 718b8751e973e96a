import type { Logger } from '../ports/logger.ts';
import { optionalPackage } from '../primitives/optional-package.ts';
import type { CliIo } from './io.ts';

const LEVELS = { quiet: 'error', usual: 'warn', verbose: 'debug' } as const;

/** What a command that runs until it is told to stop has to say, one JSON object a line: warnings; with `--verbose` all, with `--quiet` errors alone. @throws PackageMissingError without `pino` */
export async function commandLogger({ stderr, verbosity = 'usual' }: CliIo): Promise<Logger> {
  const { pinoLogger } = await optionalPackage('pino', () => import('../runtime/host/logger-pino.ts'));
  return pinoLogger({ level: LEVELS[verbosity], destination: { write: (line) => void stderr.write(line) } });
}
