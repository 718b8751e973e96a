import type { Clock } from '../ports/clock.ts';
import type { LogFields } from '../ports/logger.ts';
import { drawMessage, openAccount } from './allowance.ts';

/** Lines of the process's log about what others send: a limited number at once and per second, whatever they do. */
const LINES = { messages: { burst: 20, perSecond: 1 / 30 }, weight: { burst: 0, perSecond: 0 } };

/**
 * Tells a line unless there were too many of late; then the next one that is told says how many were not (`untold`).
 *
 * @param tell writes the line.
 */
export type FewLines = (tell: (more: LogFields) => void) => void;

export function createFewLines({ now }: Clock): FewLines {
  const account = openAccount(LINES, now());
  let untold = 0;
  return (tell) => {
    if (!drawMessage(account, { allowance: LINES, now: now() })) {
      untold += 1;
      return;
    }
    tell(untold === 0 ? {} : { untold });
    untold = 0;
  };
}
