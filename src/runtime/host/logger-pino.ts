import { type DestinationStream, pino } from 'pino';
import type { Logger } from '../../ports/logger.ts';
import { cleanFields } from './clean-fields.ts';

export type PinoLoggerOptions = {
  /** Lowest level that is written. @defaultValue 'info' */
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Name of the program in each line. @defaultValue 'swapfold' */
  readonly name?: string;
  /** Where the lines go. @defaultValue standard output */
  readonly destination?: DestinationStream;
};

/**
 * A structured log with one JSON object per line and no secret, key or transaction.
 *
 * @example
 * ```ts
 * import { pinoLogger } from 'swapfold/runtime/pino';
 *
 * const lines: string[] = [];
 * const destination = { write: (line: string) => void lines.push(line) };
 * const logger = pinoLogger({ destination, level: 'warn' });
 * logger.info('swap started', { coin: 'DOC' });
 * logger.warn('node refused', { error: 'invalid password=hunter22' });
 * lines.map((line) => JSON.parse(line).error); // → ['invalid password=[redacted]']
 * ```
 */
export function pinoLogger({ level = 'info', name = 'swapfold', destination }: PinoLoggerOptions = {}): Logger {
  const options = { level, base: { name }, formatters: { level: (label: string) => ({ level: label }) } };
  const target = pino(options, destination);
  return {
    info: (message, fields) => target.info(cleanFields(fields), message),
    warn: (message, fields) => target.warn(cleanFields(fields), message),
    error: (message, fields) => target.error(cleanFields(fields), message),
  };
}
