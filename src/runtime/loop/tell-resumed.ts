import { shortReason } from '../errors.ts';
import type { Loop } from './loop.ts';

/**
 * Tells each wallet, each time its coin is opened, that everything an earlier process signed is marked. Not before
 * every stream has been read: what a temporarily unreadable log holds is not lost.
 */
export function tellResumed({ gates, slots, resumed, logger }: Loop): void {
  const open = [...gates].filter(([coin]) => !resumed.has(coin));
  if (open.length === 0) return;
  for (const { driven, state } of slots.values()) {
    const { mode } = state.doing;
    if (driven === null && (mode === 'loading' || mode === 'reloading')) return;
  }
  for (const [coin, { chain }] of open) {
    resumed.add(coin);
    try {
      chain.resumed?.();
    } catch (error) {
      logger.error('the wallet was not told of the resumption', { coin, reason: shortReason(error) });
    }
  }
}
