import { type EnableEthContext, tokensHeld } from '../../../machines/activation/enable-eth/context.ts';
import { phaseOf } from '../../../machines/activation/enable-eth/status.ts';
import { holdsCoin, withheldIn } from '../../../machines/activation/enable-eth/wants.ts';
import type { TaskPosition } from '../../runtime/tasks/kind.ts';
import { ethTaskId } from './eth-kind.ts';

/** Coins that a task had in use, and that stay out of use because the log has not all of its request. */
export type LostCoins = {
  /** Of the chain's own coin, as the request names it. */
  readonly ticker: string;
  /** What was in use by the task: the coin, its tokens, or these alone where the coin had been taken out. */
  readonly coins: readonly string[];
  /** Members of the request that held secrets, as JSON pointers. */
  readonly withheld: readonly string[];
};

/** What becomes of coins that tasks of earlier processes had in use, or were activating. */
export type AfterRestart = {
  /** Those that become active again without being asked for, or have become so, in the order of their tasks. */
  readonly again: readonly string[];
  /** Those that nothing brings back but a new request. */
  readonly lost: readonly LostCoins[];
};

type Task = TaskPosition<EnableEthContext> & { readonly stream: string };

/** By all tasks that are not over. A later task for the same coin has taken the place of what was lost. */
export function afterRestart(tasks: readonly Task[], isActive: (ticker: string) => boolean): AfterRestart {
  const known = [...tasks].sort((left, right) => ethTaskId(left.stream) - ethTaskId(right.stream));
  const isLast = (task: Task): boolean => known.findLast((other) => tickerOf(other) === tickerOf(task)) === task;
  const lost = known.filter((task) => isLost(task) && isLast(task) && !isActive(tickerOf(task)));
  const again = known.filter(({ state, context }) => {
    return (isUnderWay(state) || holdsCoin(state)) && context.restarts > 0 && withheldIn(context).length === 0;
  });
  return {
    again: [...new Set(again.flatMap(coinsOf))],
    lost: lost.map((task) => ({ ticker: tickerOf(task), coins: coinsOf(task), withheld: withheldIn(task.context) })),
  };
}

/** Whether a task had a coin in use, and has ended, or is about to, because the log lacks secrets of its request. */
export function isLost({ state, context }: TaskPosition<EnableEthContext>): boolean {
  if (!context.resumes || withheldIn(context).length === 0) return false;
  return state === 'failed' || isUnderWay(state);
}

/** What a task had in use. */
export function coinsOf({ context }: Pick<Task, 'context'>): readonly string[] {
  return [...(context.passive ? [] : [tickerOf({ context })]), ...tokensHeld(context)];
}

function isUnderWay(state: string): boolean {
  const phase = phaseOf(state);
  return phase === 'inProgress' || phase === 'awaiting';
}

function tickerOf({ context }: Pick<Task, 'context'>): string {
  return context.started?.params.ticker ?? '';
}
