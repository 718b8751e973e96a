import { holdsCoin, withheldIn } from '../../../machines/activation/task/status.ts';
import type { TaskPosition } from '../../runtime/tasks/kind.ts';
import { type FamilyTypes, type TaskFamily, taskIdOf } from './family.ts';

/** Coins that a task had in use, and that stay out of use because the log has not all of its request. */
export type LostCoins = {
  /** Of the chain's own coin, as the request names it. */
  readonly ticker: string;
  /** What was in use by the task: the coin, its tokens, or these alone where the coin had been taken out. */
  readonly coins: readonly string[];
  /** Members of the request that held secrets, as JSON pointers. */
  readonly withheld: readonly string[];
  /** The call that brings them back, with all of the request. */
  readonly call: string;
};

/** What becomes of coins that tasks of earlier processes had in use, or were activating. */
export type AfterRestart = {
  /** Those that become active again without being asked for, or have become so, in the order of their tasks. */
  readonly again: readonly string[];
  /** Those that nothing brings back but a new request. */
  readonly lost: readonly LostCoins[];
};

type Task<F extends FamilyTypes> = TaskPosition<F['context']> & { readonly stream: string };

type Knowing<F extends FamilyTypes> = {
  readonly family: Pick<TaskFamily<F>, 'phaseOf' | 'tokensHeld' | 'callOf'>;
  readonly isActive: (ticker: string) => boolean;
};

/** By all tasks of a family that are not over. A later task for the same coin has taken the place of what was lost. */
export function afterRestart<F extends FamilyTypes>(
  tasks: readonly Task<F>[],
  { family, isActive }: Knowing<F>,
): AfterRestart {
  const known = [...tasks].sort((left, right) => taskIdOf(left.stream) - taskIdOf(right.stream));
  const isLast = (task: Task<F>): boolean =>
    known.findLast(({ context }) => tickerOf(context) === tickerOf(task.context)) === task;
  const lost = known.filter((task) => isLost(task, family) && isLast(task) && !isActive(tickerOf(task.context)));
  const again = known.filter(({ state, context }) => {
    const brings = isUnderWay(state, family) || holdsCoin(state);
    return brings && context.restarts > 0 && withheldIn(context).length === 0;
  });
  return {
    again: [...new Set(again.flatMap(({ context }) => coinsOf(context, family)))],
    lost: lost.map(({ context }) => ({
      ticker: tickerOf(context),
      coins: coinsOf(context, family),
      withheld: withheldIn(context),
      call: family.callOf(context),
    })),
  };
}

/** Whether a task had a coin in use, and has ended, or is about to, because the log lacks secrets of its request. */
export function isLost<F extends FamilyTypes>(
  { state, context }: TaskPosition<F['context']>,
  family: Pick<TaskFamily<F>, 'phaseOf'>,
): boolean {
  if (!context.resumes || withheldIn(context).length === 0) return false;
  return state === 'failed' || isUnderWay(state, family);
}

/** What a task had in use. */
export function coinsOf<F extends FamilyTypes>(
  context: F['context'],
  { tokensHeld }: Pick<TaskFamily<F>, 'tokensHeld'>,
): readonly string[] {
  return [...(context.passive ? [] : [tickerOf(context)]), ...tokensHeld(context)];
}

function isUnderWay<F extends FamilyTypes>(state: string, { phaseOf }: Pick<TaskFamily<F>, 'phaseOf'>): boolean {
  const phase = phaseOf(state);
  return phase === 'inProgress' || phase === 'awaiting';
}

function tickerOf({ started }: Pick<FamilyTypes['context'], 'started'>): string {
  return started?.params.ticker ?? '';
}
