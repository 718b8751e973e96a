import type { TaskCommand } from '../../../machines/activation/task/commands.ts';
import type { TaskAnswer } from '../../../machines/activation/task/decide.ts';
import { holdsCoin } from '../../../machines/activation/task/status.ts';
import { defaultTaskLimits, type TaskLimits } from '../../events/task-payloads.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Millis } from '../../primitives/time.ts';
import { TaskHost } from '../../runtime/tasks/host.ts';
import type { TaskPosition, TaskWorker } from '../../runtime/tasks/kind.ts';
import type { Compatibility } from '../compatibility.ts';
import { type AfterRestart, afterRestart, isLost } from './after-restart.ts';
import { type FamilyTypes, type TaskFamily, taskIdOf, taskStream, type WorkEvent } from './family.ts';
import type { Platform, PlatformCoins } from './platform-coins.ts';
import type { TaskIds } from './task-ids.ts';

export type PlatformTasksOptions<F extends FamilyTypes> = {
  readonly family: TaskFamily<F>;
  readonly active: PlatformCoins;
  readonly worker: (sessionOf: (stream: string) => F['session']) => TaskWorker<F['context'], F['event']>;
  readonly ids: TaskIds;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly compatibility: Compatibility;
  /** Longest waits of tasks that are started from now on. @defaultValue 300 s for a user and for a device, none for the whole */
  readonly limits?: TaskLimits | undefined;
  /** Called where nothing more comes of a task in this process. @defaultValue nobody is told */
  readonly onOver?: (session: F['session'] | undefined) => void;
};

/** What the owner of coins needs of the tasks of any family. */
export type CoinTasks = Pick<
  PlatformTasks<FamilyTypes>,
  'release' | 'comingBack' | 'giveUp' | 'afterRestart' | 'open' | 'close' | 'active'
>;

/** Whether the tokens are given up too that come back without their coin. */
export type GivingUp = { readonly tokens?: boolean };

export type Init<R> = { readonly request: R; readonly client_id: number };

/**
 * The activation tasks of one family (specification §3.2, §4.6 to §4.9). Where it is opened, the tasks of earlier processes go on.
 *
 * - J17: a request that is the same as that of a task in progress gets that task, and makes none; the real node makes one for each.
 * - J18: of a coin one activation is in progress at a time, whatever asked for it.
 */
export class PlatformTasks<F extends FamilyTypes> {
  readonly #options: PlatformTasksOptions<F>;
  readonly #host: TaskHost<F['context'], F['event']>;
  readonly #sessions = new Map<string, F['session']>();
  /** Tasks that are being written, by what was asked. */
  readonly #beginning = new Map<string, Promise<TaskAnswer<F['result']>>>();
  readonly active: PlatformCoins;
  #closed = false;

  constructor(options: PlatformTasksOptions<F>) {
    this.#options = options;
    this.active = options.active;
    const { family, worker, log, clock, logger, onOver } = options;
    this.#host = new TaskHost({
      ...{ kind: family.kind, log, clock, logger },
      worker: worker((stream) => this.#sessionOf(stream)),
      onOver: (stream) => {
        onOver?.(this.#sessions.get(stream));
        this.#sessions.delete(stream);
      },
    });
  }

  /** Takes up what earlier processes have left. @throws LogError */
  async open(): Promise<void> {
    const { log, family, ids } = this.#options;
    const known = await log.find({ machine: family.kind.machine.definition.id });
    for (const { stream } of known) ids.used(taskIdOf(stream));
    await this.#host.open();
  }

  /** @throws LogError */
  async init({ request, client_id }: Init<F['request']>): Promise<TaskAnswer<F['result']>> {
    const { family, compatibility } = this.#options;
    if (compatibility !== 'specification') return this.begin({ request, client_id });
    const key = family.keyOf(request);
    const beginning = this.#beginning.get(key);
    if (beginning !== undefined) return beginning;
    const same = this.#sameTask(key);
    if (same !== undefined) return { ok: true, result: { task_id: same } };
    const answer = this.begin({ request, client_id });
    this.#beginning.set(key, answer);
    try {
      return await answer;
    } finally {
      this.#beginning.delete(key);
    }
  }

  /** Begins a task, whatever else is in progress. `begun` runs once it is durable, before anything happens to it. @throws LogError */
  begin(
    { request, client_id }: Init<F['request']>,
    begun: (session: F['session']) => void = () => {},
  ): Promise<TaskAnswer<F['result']>> {
    const { ids, limits = defaultTaskLimits } = this.#options;
    const platformActive = this.active.has(request.ticker);
    // What is refused is no task, and takes no id.
    const task_id = platformActive ? ids.next() : ids.take();
    return this.#call({ method: 'init', task_id, request, client_id, platformActive, limits }, begun);
  }

  /** @throws LogError */
  status(task_id: number, forget_if_finished: boolean): Promise<TaskAnswer<F['result']>> {
    return this.#call({ method: 'status', task_id, forget_if_finished });
  }

  /** @throws LogError */
  userAction(task_id: number, action: F['action']): Promise<TaskAnswer<F['result']>> {
    return this.#call({ method: 'user_action', task_id, action });
  }

  /** @throws LogError */
  cancel(task_id: number): Promise<TaskAnswer<F['result']>> {
    return this.#call({ method: 'cancel', task_id });
  }

  /**
   * Takes a coin out of use, also a token that came with one. What is active of its tokens stays so, also in later processes. Where the log does not take
   * it, it counts as one that was active.
   */
  async release(ticker: string): Promise<Platform | undefined> {
    const { family } = this.#options;
    this.active.noteDisabled(ticker);
    const coin = this.active.remove(ticker);
    const stays = (token: string): boolean => this.active.hasToken(token, ticker);
    for (const stream of this.active.passiveOf(ticker)) {
      await this.#note(stream, ticker, (position, at) => releaseOf(position, { stays, at, family }));
    }
    for (const stream of this.active.streamsOf(ticker)) {
      await this.#note(stream, ticker, (position, at) => tokenReleaseOf(position, { ticker, at, family }));
    }
    await this.#forgetLost(ticker);
    return coin;
  }

  /** What becomes of the coins of tasks of earlier processes. It is known from {@link open} on. */
  afterRestart(): AfterRestart {
    const { family } = this.#options;
    return afterRestart(this.#host.tasks(), { family, isActive: (ticker) => this.active.has(ticker) });
  }

  /** The coin and its tokens that tasks are to bring back into use, as they were in use in an earlier process; none where no task is. */
  comingBack(ticker: string, how: GivingUp = {}): readonly string[] {
    const { family } = this.#options;
    return this.#resuming(ticker, how).flatMap(({ context }) => [
      ...(context.passive ? [] : [ticker]),
      ...family.tokensHeld(context),
    ]);
  }

  /** Ends the tasks that are to bring a coin back. Whether there was one, and it has not brought it back. @throws LogError */
  async giveUp(ticker: string, how: GivingUp = {}): Promise<boolean> {
    const ended = this.#resuming(ticker, how).map(({ stream }) => this.cancel(taskIdOf(stream)));
    return (await Promise.all(ended)).some(({ ok }) => ok);
  }

  /** A user who removes a coin need not hear any more that it was lost in an earlier process. */
  async #forgetLost(ticker: string): Promise<void> {
    const { family } = this.#options;
    for (const { stream, context } of this.#host.tasks().filter((task) => isLost(task, family))) {
      if (context.started?.params.ticker !== ticker) continue;
      await this.#note(stream, ticker, ({ state }, at) =>
        state === 'failed' ? [{ type: 'Forgotten', at, data: null }] : [],
      );
    }
  }

  #resuming(ticker: string, { tokens = false }: GivingUp) {
    return this.#host.tasks().filter(({ state, context }) => {
      const brings = context.resumes && (tokens || !context.passive);
      return this.#isUnderWay(state) && brings && context.started?.params.ticker === ticker;
    });
  }

  #isUnderWay(state: string): boolean {
    const phase = this.#options.family.phaseOf(state);
    return phase === 'inProgress' || phase === 'awaiting';
  }

  async #note(
    stream: string,
    coin: string,
    eventsOf: (position: TaskPosition<F['context']>, at: Millis) => readonly WorkEvent<F['details']>[],
  ): Promise<void> {
    const { family, logger } = this.#options;
    try {
      const events = await this.#host.call(stream, (position, at) => {
        const told = eventsOf(position, at);
        return { events: told.map(family.event), answer: told };
      });
      if (events.some(({ type }) => ENDS.has(type))) this.active.letGoOf(stream);
    } catch {
      logger.warn('the end of an activation could not be written', { coin });
    }
  }

  /** Ends all work, and lets go of all coins. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#host.close();
    for (const session of this.#sessions.values()) this.#options.onOver?.(session);
    this.active.close();
  }

  #call(
    command: TaskCommand<F['request'], F['action']>,
    begun: (session: F['session']) => void = () => {},
  ): Promise<TaskAnswer<F['result']>> {
    const { family } = this.#options;
    const stream = taskStream(family.kind, command.task_id);
    return this.#host.call(stream, (position, at) => {
      const { events, answer, handover } = family.decide(command, { ...position, at });
      const applied = (): void => {
        if (handover === null) return;
        family.handOver(this.#sessionOf(stream), handover);
        if (command.method === 'init') begun(this.#sessionOf(stream));
        // What begins while all is being ended is worked on by the next process.
        if (this.#closed) this.#options.onOver?.(this.#sessionOf(stream));
      };
      return { events, answer, applied };
    });
  }

  #sessionOf(stream: string): F['session'] {
    const known = this.#sessions.get(stream);
    if (known !== undefined) return known;
    const made = this.#options.family.newSession();
    this.#sessions.set(stream, made);
    return made;
  }

  /** The id of a task in progress for the same request. */
  #sameTask(key: string): number | undefined {
    const { family } = this.#options;
    const same = this.#host.tasks().find(({ stream, state, context }) => {
      // What brings tokens back alone does not make the coin active.
      const brings = this.#isUnderWay(state) && !context.passive;
      return brings && family.keyOfTask(context, this.#sessions.get(stream)) === key;
    });
    return same === undefined ? undefined : taskIdOf(same.stream);
  }
}

const ENDS: ReadonlySet<string> = new Set<WorkEvent<unknown>['type']>(['CoinReleased', 'Forgotten']);

type Release<F extends FamilyTypes> = {
  readonly stays: (token: string) => boolean;
  readonly at: Millis;
  readonly family: TaskFamily<F>;
};
type At<F extends FamilyTypes> = TaskPosition<F['context']>;

/** What the log is told of a task whose coin is out of use: it keeps the tokens that stay, and where none does its end. */
function releaseOf<F extends FamilyTypes>(
  { state, context }: At<F>,
  { stays, at, family }: Release<F>,
): readonly WorkEvent<F['details']>[] {
  if (!holdsCoin(state)) return [];
  if (!family.tokensHeld(context).some(stays)) return [endOf(state, { at, family })];
  if (context.passive) return [];
  return [{ type: isKept(state, family) ? 'KeptCoinPassivated' : 'CoinPassivated', at, data: null }];
}

/** Where the result was forgotten, nothing of the task is left. */
function endOf<F extends FamilyTypes>(
  state: string,
  { at, family }: Pick<Release<F>, 'at' | 'family'>,
): WorkEvent<F['details']> {
  return { type: isKept(state, family) ? 'Forgotten' : 'CoinReleased', at, data: null };
}

type TokenRelease<F extends FamilyTypes> = Pick<Release<F>, 'at' | 'family'> & { readonly ticker: string };

/** The same of a token that came with the coin. With the last one of a coin that is out of use nothing of the task is left in use. */
function tokenReleaseOf<F extends FamilyTypes>(
  { state, context }: At<F>,
  { ticker, at, family }: TokenRelease<F>,
): readonly WorkEvent<F['details']>[] {
  if (!holdsCoin(state)) return [];
  const isLast = context.passive && family.tokensHeld(context).every((token) => token === ticker);
  return [
    { type: isKept(state, family) ? 'KeptTokenReleased' : 'TokenReleased', at, data: { ticker } },
    ...(isLast ? [endOf(state, { at, family })] : []),
  ];
}

function isKept<F extends FamilyTypes>(state: string, { phaseOf }: TaskFamily<F>): boolean {
  return phaseOf(state) === 'unknown';
}
