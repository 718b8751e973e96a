import type { Clock } from '../../ports/clock.ts';
import type { EvmActivationResult, EvmActivator } from '../../ports/evm-activator.ts';
import type { Logger } from '../../ports/logger.ts';
import { millisOf } from '../../primitives/time.ts';

type Bounds = { readonly clock: Clock; readonly logger: Logger };

/** How many milliseconds ended work has to release what it holds. */
const LONGEST_END = 10_000;

/**
 * The same activator, of which an activation that was ended settles 10 s later at the latest, so that it keeps neither its task nor its coin: it is left
 * alone then, and whatever still comes of it is let go of.
 */
export function boundedActivator(activator: EvmActivator, { clock, logger }: Bounds): EvmActivator {
  return {
    async activate(order, talk) {
      const making = activator.activate(order, talk);
      const tooLong = afterEnd(talk.signal, clock);
      try {
        const result = await Promise.race([making, tooLong.over]);
        if (result !== null) return result;
      } finally {
        tooLong.stop();
      }
      logger.error('an activation was cancelled but does not stop; it is abandoned', { coin: order.ticker });
      making.then(letGo, () => {});
      throw new Error('the activation was abandoned');
    },
  };
}

function letGo(late: EvmActivationResult): void {
  if (late.ok) late.value.close();
}

/** Settles once the signal was aborted so long ago. */
function afterEnd(signal: AbortSignal, clock: Clock): { readonly over: Promise<null>; readonly stop: () => void } {
  let cancel = (): void => {};
  let ended = (): void => {};
  const over = new Promise<null>((resolve) => {
    ended = (): void => {
      cancel = clock.wakeAt(millisOf(clock.now() + LONGEST_END), () => resolve(null));
    };
  });
  if (signal.aborted) ended();
  else signal.addEventListener('abort', ended, { once: true });
  return {
    over,
    stop() {
      signal.removeEventListener('abort', ended);
      cancel();
    },
  };
}
