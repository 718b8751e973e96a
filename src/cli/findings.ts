import type { NextStep } from '../../machines/swap-verdict.ts';
import type { ReplayedSwap } from '../replay/swaps.ts';

/** Whether coins are in the open, and no node moves them by itself. */
export function waitsForPerson({
  outcome,
  next,
}: {
  readonly outcome: string | null;
  readonly next: NextStep | null;
}): boolean {
  return outcome === 'funds-at-risk' || next?.who === 'operator';
}

/**
 * Whether whoever runs a command must look at a swap: coins are in the open and no node moves them by itself, or the log has a fault. It is the exit
 * status 1 of every command that reads swaps.
 */
export function needsLook({ anomalies, outcome, next }: Pick<ReplayedSwap, 'anomalies' | 'outcome' | 'next'>): boolean {
  return waitsForPerson({ outcome, next }) || anomalies.some(({ severity }) => severity === 'fault');
}
