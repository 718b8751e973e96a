import type { EnableEthCommand, UserAction } from '../../../machines/activation/enable-eth/commands.ts';
import { type EnableEthContext, tokensHeld } from '../../../machines/activation/enable-eth/context.ts';
import { type Answer, type Decision, decide } from '../../../machines/activation/enable-eth/decide.ts';
import { phaseOf } from '../../../machines/activation/enable-eth/status.ts';
import { holdsCoin } from '../../../machines/activation/enable-eth/wants.ts';
import { defaultTaskLimits, type EnableEthEvent, type TaskLimits } from '../../events/enable-eth.ts';
import { type EnableEthRequest, loggedRequest } from '../../events/enable-eth-request.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { EvmActivator } from '../../ports/evm-activator.ts';
import type { Logger } from '../../ports/logger.ts';
import { canonicalJson } from '../../primitives/json.ts';
import type { Millis } from '../../primitives/time.ts';
import { TaskHost } from '../../runtime/tasks/host.ts';
import type { TaskPosition } from '../../runtime/tasks/kind.ts';
import { loggedText } from '../activations/logged-request.ts';
import type { CoinsFile } from '../coins-file.ts';
import type { Compatibility } from '../compatibility.ts';
import { type AfterRestart, afterRestart, isLost } from './after-restart.ts';
import { boundedActivator } from './bounded-activator.ts';
import { ethKind, ethStream, ethTaskId } from './eth-kind.ts';
import { type EthSession, ethWorker } from './eth-worker.ts';
import { EvmCoins, type EvmPlatform } from './evm-coins.ts';
import { Turns } from './turns.ts';

export type EthTasksOptions = {
  readonly activator: EvmActivator;
  readonly coins: CoinsFile;
  /** Where coins become active. @defaultValue nobody else sees them */
  readonly active?: EvmCoins;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Texts that are never written. */
  readonly hide: readonly string[];
  readonly compatibility: Compatibility;
  /** Whether requests must name the contracts of the second trading protocol. @defaultValue false */
  readonly tradingProtoV2?: boolean;
  /** Longest waits of tasks that are started from now on. @defaultValue 300 s for a user and for a device, none for the whole */
  readonly limits?: TaskLimits;
};

/** Whether the tokens are given up too that come back without their coin. */
export type GivingUp = { readonly tokens?: boolean };

export type InitParams = { readonly request: EnableEthRequest; readonly client_id: number };

/**
 * The tasks that activate coins of EVM chains (specification §3.2, §4.6 to §4.9). Where it is opened, the tasks of earlier processes go on.
 *
 * - J17: a request that is the same as that of a task under way gets that task, and makes none; the real node makes one for each.
 * - J18: of a coin one activation is under way at a time, whatever asked for it.
 */
export class EthTasks {
  readonly #options: EthTasksOptions;
  readonly #host: TaskHost<EnableEthContext, EnableEthEvent>;
  readonly #sessions = new Map<string, EthSession>();
  /** Tasks that are being written, by what was asked. */
  readonly #beginning = new Map<string, Promise<Answer>>();
  #nextId = 0;
  readonly active: EvmCoins;

  constructor(options: EthTasksOptions) {
    this.#options = options;
    this.active = options.active ?? new EvmCoins();
    const { activator, coins, log, clock, logger, hide, compatibility, tradingProtoV2 = false } = options;
    const worker = ethWorker({
      // One that is left alone gives the place of its coin back.
      activator: this.active.reserving(boundedActivator(activator, { clock, logger })),
      ...{ coins, active: this.active, turns: new Turns(), compatibility, tradingProtoV2, logger },
      sessionOf: (stream) => this.#sessionOf(stream),
      clean: (text) => loggedText(text, hide),
    });
    this.#host = new TaskHost({
      ...{ kind: ethKind, worker, log, clock, logger },
      onOver: (stream) => this.#sessions.delete(stream),
    });
  }

  /** Takes up what earlier processes have left. @throws LogError */
  async open(): Promise<void> {
    const known = await this.#options.log.find({ machine: ethKind.machine.definition.id });
    for (const { stream } of known) this.#nextId = Math.max(this.#nextId, ethTaskId(stream) + 1);
    await this.#host.open();
  }

  /** @throws LogError */
  async init({ request, client_id }: InitParams): Promise<Answer> {
    const key = canonicalJson(comparable(request));
    const joins = this.#options.compatibility === 'specification';
    const beginning = joins ? this.#beginning.get(key) : undefined;
    if (beginning !== undefined) return beginning;
    const same = joins ? this.#sameTask(key) : undefined;
    if (same !== undefined) return { ok: true, result: { task_id: same } };
    const answer = this.#begin({ request, client_id });
    if (!joins) return answer;
    this.#beginning.set(key, answer);
    try {
      return await answer;
    } finally {
      this.#beginning.delete(key);
    }
  }

  /** @throws LogError */
  status(task_id: number, forget_if_finished: boolean): Promise<Answer> {
    return this.#call({ method: 'status', task_id, forget_if_finished });
  }

  /** @throws LogError */
  userAction(task_id: number, action: UserAction): Promise<Answer> {
    return this.#call({ method: 'user_action', task_id, action });
  }

  /** @throws LogError */
  cancel(task_id: number): Promise<Answer> {
    return this.#call({ method: 'cancel', task_id });
  }

  /**
   * Takes a coin out of use, also a token that came with one. What is active of its tokens stays so, also in later processes. Where the log does not take
   * it, it counts as one that was active.
   */
  async release(ticker: string): Promise<EvmPlatform | undefined> {
    const coin = this.active.remove(ticker);
    const stays = (token: string): boolean => this.active.hasToken(token, ticker);
    for (const stream of this.active.passiveOf(ticker)) {
      await this.#note(stream, ticker, (position, at) => releaseOf(position, { stays, at }));
    }
    for (const stream of this.active.streamsOf(ticker)) {
      await this.#note(stream, ticker, (position, at) => tokenReleaseOf(position, { ticker, at }));
    }
    await this.#forgetLost(ticker);
    return coin;
  }

  /** What becomes of the coins of tasks of earlier processes. It is known from {@link open} on. */
  afterRestart(): AfterRestart {
    return afterRestart(this.#host.tasks(), (ticker) => this.active.has(ticker));
  }

  /** The coin and its tokens that tasks are to bring back into use, as they were in use in an earlier process; none where no task is. */
  comingBack(ticker: string, how: GivingUp = {}): readonly string[] {
    return this.#resuming(ticker, how).flatMap(({ context }) => [
      ...(context.passive ? [] : [ticker]),
      ...tokensHeld(context),
    ]);
  }

  /** Ends the tasks that are to bring a coin back. Whether there was one, and it has not brought it back. @throws LogError */
  async giveUp(ticker: string, how: GivingUp = {}): Promise<boolean> {
    const ended = this.#resuming(ticker, how).map(({ stream }) => this.cancel(ethTaskId(stream)));
    return (await Promise.all(ended)).some(({ ok }) => ok);
  }

  /** Whoever takes a coin out need not hear any more that it was lost in an earlier process. */
  async #forgetLost(ticker: string): Promise<void> {
    for (const { stream, context } of this.#host.tasks().filter(isLost)) {
      if (context.started?.params.ticker !== ticker) continue;
      await this.#note(stream, ticker, ({ state }, at) =>
        state === 'failed' ? [{ type: 'Forgotten', at, data: null }] : [],
      );
    }
  }

  #resuming(ticker: string, { tokens = false }: GivingUp) {
    return this.#host.tasks().filter(({ state, context }) => {
      const phase = phaseOf(state);
      const isUnderWay = phase === 'inProgress' || phase === 'awaiting';
      const brings = context.resumes && (tokens || !context.passive);
      return isUnderWay && brings && context.started?.params.ticker === ticker;
    });
  }

  async #note(stream: string, coin: string, eventsOf: (position: Position, at: Millis) => readonly EnableEthEvent[]) {
    try {
      const events = await this.#host.call(stream, (position, at) => {
        const told = eventsOf(position, at);
        return { events: told, answer: told };
      });
      if (events.some(({ type }) => ENDS.has(type))) this.active.letGoOf(stream);
    } catch {
      this.#options.logger.warn('the end of an activation could not be written', { coin });
    }
  }

  /** Ends all work, and lets go of all coins. */
  async close(): Promise<void> {
    await this.#host.close();
    this.active.close();
  }

  #begin({ request, client_id }: InitParams): Promise<Answer> {
    const task_id = this.#nextId;
    const platformActive = this.active.has(request.ticker);
    // What is refused is no task, and takes no id.
    if (!platformActive) this.#nextId += 1;
    const limits = this.#options.limits ?? defaultTaskLimits;
    return this.#call({ method: 'init', task_id, request, client_id, platformActive, limits });
  }

  #call(command: EnableEthCommand): Promise<Answer> {
    const stream = ethStream(command.task_id);
    return this.#host.call(stream, (position, at) => {
      const decision = decide(command, { ...position, at });
      return { events: decision.events, answer: decision.answer, applied: () => this.#handOver(stream, decision) };
    });
  }

  #handOver(stream: string, { handover }: Decision): void {
    if (handover === null) return;
    if (handover.kind === 'request') this.#sessions.set(stream, { request: handover.request, answer: null });
    else this.#sessionOf(stream).answer?.(handover.value);
  }

  #sessionOf(stream: string): EthSession {
    const known = this.#sessions.get(stream);
    if (known !== undefined) return known;
    const made: EthSession = { answer: null };
    this.#sessions.set(stream, made);
    return made;
  }

  /** The id of a task under way for the same request. */
  #sameTask(key: string): number | undefined {
    const same = this.#host.tasks().find((task) => {
      const phase = phaseOf(task.state);
      // What brings tokens back alone does not make the coin active.
      const brings = (phase === 'inProgress' || phase === 'awaiting') && !task.context.passive;
      return brings && this.#keyOf(task) === key;
    });
    return same === undefined ? undefined : ethTaskId(same.stream);
  }

  #keyOf({ stream, context }: TaskPosition<EnableEthContext> & { readonly stream: string }): string | undefined {
    const request = this.#sessions.get(stream)?.request?.reveal();
    if (request !== undefined) return canonicalJson(comparable(request));
    const { started } = context;
    if (started === null || started.withheld.length > 0) return undefined;
    return canonicalJson({ request: started.params, session: null });
  }
}

type Position = TaskPosition<EnableEthContext>;

const ENDS: ReadonlySet<string> = new Set<EnableEthEvent['type']>(['CoinReleased', 'Forgotten']);

type Release = { readonly stays: (token: string) => boolean; readonly at: Millis };

/** What the log is told of a task whose coin is out of use: it keeps the tokens that stay, and where none does its end. */
function releaseOf({ state, context }: Position, { stays, at }: Release): readonly EnableEthEvent[] {
  if (!holdsCoin(state)) return [];
  if (!tokensHeld(context).some(stays)) return [endOf(state, at)];
  if (context.passive) return [];
  return [{ type: isKept(state) ? 'KeptCoinPassivated' : 'CoinPassivated', at, data: null }];
}

/** Where the result was forgotten, nothing of the task is left. */
function endOf(state: string, at: Millis): EnableEthEvent {
  return { type: isKept(state) ? 'Forgotten' : 'CoinReleased', at, data: null };
}

type TokenRelease = { readonly ticker: string; readonly at: Millis };

/** The same of a token that came with the coin. With the last one of a coin that is out of use nothing of the task is left in use. */
function tokenReleaseOf({ state, context }: Position, { ticker, at }: TokenRelease): readonly EnableEthEvent[] {
  if (!holdsCoin(state)) return [];
  const isLast = context.passive && tokensHeld(context).every((token) => token === ticker);
  return [
    { type: isKept(state) ? 'KeptTokenReleased' : 'TokenReleased', at, data: { ticker } },
    ...(isLast ? [endOf(state, at)] : []),
  ];
}

function isKept(state: string): boolean {
  return phaseOf(state) === 'unknown';
}

/** All of a request that can be compared, its secrets too. It is held for the comparison alone. */
function comparable(request: EnableEthRequest) {
  const { priv_key_policy, ...rest } = request;
  const session = priv_key_policy.session?.reveal() ?? null;
  return { request: { ...loggedRequest(request), ...rest, priv_key_policy: { type: priv_key_policy.type } }, session };
}
