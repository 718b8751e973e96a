import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';

type Telling = {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Who is silent: by what the lines begin. */
  readonly what: string;
  /** The chain or coin that it is asked for. */
  readonly of: Readonly<Record<string, string | number>>;
};

/** Puts into the log, once each, that someone who is asked has fallen silent, and that he is back. */
export function loggedSilences({ clock, logger, what, of }: Telling) {
  return {
    clock,
    tell(name: string, reason: string | null): void {
      if (reason === null) logger.info(`${what} answers again`, { ...of, node: name });
      else logger.warn(`${what} no longer answers`, { ...of, node: name, reason });
    },
  };
}
