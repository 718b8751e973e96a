import type {
  EnableTendermintDetails,
  EnableTendermintEvent,
  TendermintTaskStarted,
} from '../../../src/events/enable-tendermint.ts';
import type { Reducers } from '../../definition.ts';
import { freshTask, type TaskContext, taskReducers, type WorkStatus } from '../task/context.ts';

/** Everything that a task's log says. Absent facts are null. */
export type EnableTendermintContext = TaskContext<TendermintTaskStarted, EnableTendermintDetails, WorkStatus>;

export function initialEnableTendermintContext(): EnableTendermintContext {
  return { ...freshTask, released: [] };
}

/** Tickers of the task's assets that are still active, each once. */
export function assetsHeld({ started, released }: EnableTendermintContext): readonly string[] {
  const asked = started?.params.tokens_params.map(({ ticker }) => ticker) ?? [];
  return [...new Set(asked)].filter((ticker) => !released.includes(ticker));
}

/** One total recipe per event. */
export const enableTendermintReducers: Reducers<EnableTendermintContext, EnableTendermintEvent> = taskReducers<
  TendermintTaskStarted,
  EnableTendermintDetails,
  WorkStatus
>('enable_tendermint');
