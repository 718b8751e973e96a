import { setTimeout as pause } from 'node:timers/promises';
import { partFailed } from './error.ts';

export type Waiting = { readonly program: string; readonly isGone: () => boolean };

const MOST_TRIES = 150;
const PAUSE_MS = 200;

/** Waits until a program that was started answers. @throws TradeError TRADE_PART_FAILED where it does not, or has ended */
export async function untilReady(ask: () => Promise<unknown>, { program, isGone }: Waiting): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    try {
      await ask();
      return;
    } catch {
      if (isGone()) throw partFailed(program, 'it ended, or could not be started');
      await pause(PAUSE_MS);
    }
  }
  throw partFailed(program, 'it does not answer');
}
