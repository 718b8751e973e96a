import type { Logger } from '../ports/logger.ts';
import { optionalPackage } from '../primitives/optional-package.ts';
import type { CliIo } from './io.ts';

/** What a command that runs until it is told to stop has to say: warnings, one JSON object a line. @throws PackageMissingError without `pino` */
export async function commandLogger({ stderr }: CliIo): Promise<Logger> {
  const { pinoLogger } = await optionalPackage('pino', () => import('../runtime/host/logger-pino.ts'));
  return pinoLogger({ level: 'warn', destination: { write: (line) => void stderr.write(line) } });
}
