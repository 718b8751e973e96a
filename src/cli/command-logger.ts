import type { Logger } from '../ports/logger.ts';
import { optionalPackage } from '../primitives/optional-package.ts';
import type { CliIo } from './io.ts';

const LEVELS = { quiet: 'error', usual: 'warn', verbose: 'debug' } as const;

/**
 * The log of a command that runs until it is stopped, one JSON object per line: warnings; with `--verbose` everything, with `--quiet` only errors.
 * @throws PackageMissingError without `pino`
 */
export async function commandLogger({ stderr, verbosity = 'usual' }: CliIo): Promise<Logger> {
  const { pinoLogger } = await optionalPackage('pino', () => import('../runtime/host/logger-pino.ts'));
  return pinoLogger({ level: LEVELS[verbosity], destination: { write: (line) => void stderr.write(line) } });
}
