import type { ReplayedSwap } from '../replay/swaps.ts';

/**
 * Whether whoever runs a command must look at a swap: coins are in the open and no node moves them by itself, or the log has a fault. It is the exit
 * status 1 of every command that reads swaps.
 */
export function needsLook({ anomalies, outcome, next }: Pick<ReplayedSwap, 'anomalies' | 'outcome' | 'next'>): boolean {
  return (
    outcome === 'funds-at-risk' || next?.who === 'operator' || anomalies.some(({ severity }) => severity === 'fault')
  );
}
