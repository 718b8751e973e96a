import type { Seconds } from '../../primitives/time.ts';
import { shortReason } from '../errors.ts';
import type { Loop } from '../loop/loop.ts';

export type DrainOptions = {
  /** How long commands in progress may take, in seconds. @defaultValue 30 */
  readonly timeout?: Seconds;
};

export type Drained = {
  /** Whether every command in progress has ended. */
  readonly clean: boolean;
  /** Abandoned calls. The next start finds what they may have done. */
  readonly abandoned: number;
};

/**
 * Stops for good: accepts nothing new, lets every runner finish its current command, then closes the log. What the
 * runners knew beyond their logs is not needed.
 */
export async function drainLoop(loop: Loop, { timeout = 30 }: DrainOptions, close: () => void): Promise<Drained> {
  loop.draining = true;
  loop.held = true;
  await idle(loop, timeout);
  const abandoned = loop.underWay;
  loop.onIdle = null;
  try {
    close();
  } catch (error) {
    // An adapter that cannot end its subscription must not keep the log open.
    loop.logger.error('a subscription did not end', { reason: shortReason(error) });
  }
  loop.scheduler.stop();
  await loop.log.close();
  return { clean: abandoned === 0, abandoned };
}

function idle(loop: Loop, timeout: Seconds): Promise<void> {
  if (loop.underWay === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const at = loop.clock.now() + Math.ceil(timeout * 1000);
    const cancel = loop.clock.wakeAt(at as ReturnType<typeof loop.clock.now>, resolve);
    loop.onIdle = () => {
      cancel();
      resolve();
    };
  });
}
