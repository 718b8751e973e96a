import type { Seconds } from '../../primitives/time.ts';
import { shortReason } from '../errors.ts';
import type { Engine } from '../loop/engine.ts';

export type DrainOptions = {
  /** How long commands that are under way may take, in seconds. @defaultValue 30 */
  readonly timeout?: Seconds;
};

export type Drained = {
  /** Whether every command that was under way has ended. */
  readonly clean: boolean;
  /** Calls whose end was not awaited. What they may have done is found again at the next start. */
  readonly abandoned: number;
};

/**
 * Stops for good: takes nothing new, lets every runner finish the one command that is under way, then closes the log. What
 * the runners knew beyond their logs is not needed.
 */
export async function drainEngine(engine: Engine, { timeout = 30 }: DrainOptions, close: () => void): Promise<Drained> {
  engine.draining = true;
  engine.held = true;
  await idle(engine, timeout);
  const abandoned = engine.underWay;
  engine.onIdle = null;
  try {
    close();
  } catch (error) {
    // An adapter that cannot end its subscription must not keep the log open.
    engine.logger.error('a subscription did not end', { reason: shortReason(error) });
  }
  engine.scheduler.stop();
  await engine.log.close();
  return { clean: abandoned === 0, abandoned };
}

function idle(engine: Engine, timeout: Seconds): Promise<void> {
  if (engine.underWay === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const at = engine.clock.now() + Math.ceil(timeout * 1000);
    const cancel = engine.clock.wakeAt(at as ReturnType<typeof engine.clock.now>, resolve);
    engine.onIdle = () => {
      cancel();
      resolve();
    };
  });
}
