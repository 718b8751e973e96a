import type { EnableTendermintDetails } from '../../events/enable-tendermint.ts';
import type { EnableTendermintRequest } from '../../events/enable-tendermint-request.ts';
import type { TaskError } from '../../events/task-error.ts';
import type { TaskLimits } from '../../events/task-payloads.ts';
import type { EventLog } from '../../ports/event-log.ts';
import { loggedText } from '../activations/logged-request.ts';
import { CoinQueues } from '../coin-queues.ts';
import type { Compatibility } from '../compatibility.ts';
import { activationWorker } from '../tasks/activation-worker.ts';
import { PlatformTasks } from '../tasks/platform-tasks.ts';
import { TaskFailure } from '../tasks/task-failure.ts';
import type { TaskIds } from '../tasks/task-ids.ts';
import { activateTendermint, type TendermintActivating } from './activate.ts';
import { tendermintError } from './failure.ts';
import { type AtOnce, type TendermintFamily, tendermintFamily } from './family.ts';

export type TendermintTasks = PlatformTasks<TendermintFamily>;

export type TendermintTasksOptions = TendermintActivating & {
  readonly ids: TaskIds;
  readonly log: EventLog;
  /** Texts that are never written. */
  readonly hide: readonly string[];
  readonly limits?: TaskLimits;
};

/** The tasks that activate coins of Tendermint chains (specification §4.10). */
export function createTendermintTasks(options: TendermintTasksOptions): TendermintTasks {
  const { active, ids, log, clock, logger, compatibility, hide, limits } = options;
  const queues = new CoinQueues();
  const family = tendermintFamily;
  return new PlatformTasks<TendermintFamily>({
    ...{ family, active, ids, log, clock, logger, compatibility, limits },
    onOver: (session) => session?.told?.(null),
    worker: (sessionOf) =>
      activationWorker<TendermintFamily>({
        ...{ family, active, queues, sessionOf, logger },
        clean: (text) => loggedText(text, hide),
        internal: (text) => internalError(text, compatibility),
        make: (making) => activateTendermint(making, options),
        onOutcome: (stream, outcome) => sessionOf(stream).told?.(outcome),
        // The only want that no other family has: the client that waited for the outcome is gone with its process.
        perform: async (run) => void (await run.report((at) => ({ type: 'Forgotten', at, data: null }))),
      }),
  });
}

/** The real node has another name for it. */
function internalError(text: string, compatibility: Compatibility): TaskError {
  return tendermintError(compatibility === 'kdf' ? 'Internal' : 'InternalError', text);
}

/**
 * Activates by one call, which waits for the outcome (specification §4.10). The task is like any other, but nobody asks for how it stands.
 *
 * @throws TaskFailure; LogError
 */
export async function enableAtOnce(
  tasks: TendermintTasks,
  { params, compatibility }: { readonly params: EnableTendermintRequest; readonly compatibility: Compatibility },
): Promise<EnableTendermintDetails> {
  let told = (_outcome: AtOnce | null): void => {};
  const outcome = new Promise<AtOnce | null>((resolve) => {
    told = resolve;
  });
  const request = { ticker: params.ticker, params, atOnce: true };
  const begun = await tasks.begin({ request, client_id: 0 }, (session) => {
    session.told = told;
  });
  if (!begun.ok) throw new TaskFailure(begun.error);
  const found = await outcome;
  if (found === null) throw new TaskFailure(internalError('the activation was cancelled', compatibility));
  // It is as it is, whether or not the log takes that it was told.
  if (typeof begun.result === 'object' && 'task_id' in begun.result)
    await tasks.status(begun.result.task_id, true).catch(() => undefined);
  if (!found.ok) throw new TaskFailure(found.error);
  return found.details;
}
