import type { MachineEvent, Want } from '../../../machines/definition.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Logger } from '../../ports/logger.ts';
import { copyTree } from '../../primitives/copy-tree.ts';
import { canonicalJson, type JsonValue } from '../../primitives/json.ts';
import { type Millis, millisOf } from '../../primitives/time.ts';
import { allowedTypes } from '../../replay/compile.ts';
import { type FoldPosition, refuse, step } from '../../replay/fold.ts';
import { isRefused, shortReason } from '../errors.ts';
import type { TaskDecision, TaskKind, TaskPosition, TaskRun, TaskWorker } from './kind.ts';
import { ReportRefused, ReportUnwritten } from './report-error.ts';

export type TaskHostOptions<C, E extends MachineEvent> = {
  readonly kind: TaskKind<C, E>;
  readonly worker: TaskWorker<C, E>;
  /** The host is the only writer of the kind's streams. */
  readonly log: EventLog;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when a task is over, after it has released everything. @defaultValue nobody is told */
  readonly onOver?: (stream: string) => void;
};

type Work = { readonly ending: AbortController; readonly settled: Promise<void> };

/** Failed work: how often in a row, and what ends the pause before the next attempt; null once it is over. */
type Rest = { readonly failures: number; cancel: (() => void) | null };

type HostedTask<C> = {
  readonly stream: string;
  position: FoldPosition<C>;
  length: number;
  /** The log may be ahead of the position: the host reads it again before anything else. */
  isStale: boolean;
  /** What waits for its turn; each has exclusive use of the task. */
  queue: Promise<unknown>;
  waiting: number;
  /** By the text of its want. */
  readonly works: Map<string, Work>;
  /** Abandoned work that has not settled. */
  readonly ending: Set<Promise<void>>;
  /** By the text of its want, as long as it is wanted. */
  readonly rests: Map<string, Rest>;
  cancelTimer: () => void;
  /** Consecutive failed reads of the log. */
  failures: number;
};

type Report<E extends MachineEvent> = {
  readonly event: (at: Millis, state: string) => E;
  readonly applied: (() => void) | undefined;
  readonly isWanted: () => boolean;
  readonly signal: AbortSignal;
};

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;
const LONGEST_END = 10_000;

/**
 * Hosts the tasks of one machine: each is a stream of the log.
 *
 * - V4: an event is durable before it is applied, and applied before anybody hears of it.
 * - V5: the host works on what a task wants, and on nothing else: it ends work that is no longer wanted, and drops its result.
 * - V6: calls, deadlines and several pieces of work proceed concurrently; each event is judged by the state that it meets.
 * - V7: a deadline that has passed is recorded before anything that comes after it.
 * - V8: after a restart, each unfinished task learns that its process was lost, and continues from its log.
 * - V9: failed work is tried again after a growing pause, whoever calls meanwhile.
 * - V10: the host offers what work reports to the log until it accepts it, and does not repeat the work for that: nobody is asked for a passphrase
 *   twice. What the log has accepted, although its answer failed, is not offered again.
 */
export class TaskHost<C, E extends MachineEvent> {
  readonly #options: TaskHostOptions<C, E>;
  readonly #tasks = new Map<string, HostedTask<C>>();
  #closed = false;

  constructor(options: TaskHostOptions<C, E>) {
    this.#options = options;
  }

  /** Resumes the unfinished tasks of the log. It leaves out unreadable ones. @throws LogError */
  async open(): Promise<void> {
    const { log, logger, kind } = this.#options;
    const damaged = new Set(log.quarantined().map(({ stream }) => stream));
    for (const { stream } of await log.find({ machine: kind.machine.definition.id, finished: false })) {
      if (damaged.has(stream) || this.#tasks.has(stream)) continue;
      const task = newTask(stream, kind);
      try {
        await this.#load(task);
      } catch (error) {
        logger.warn('a task of the log cannot be read', { stream, reason: shortReason(error) });
        continue;
      }
      // An earlier deadline comes first (V7).
      await this.#appendDue(task);
      // Without this record, work would continue as if nothing had happened: so hosting comes afterwards.
      await this.#appendTaken(task, kind.lost(this.#now()));
      this.#tasks.set(stream, task);
      await this.#inTurn(task, async () => {});
    }
  }

  /** The states of unfinished tasks. */
  tasks(): readonly (TaskPosition<C> & { readonly stream: string })[] {
    return [...this.#tasks.values()].map((task) => ({ stream: task.stream, ...this.#standing(task) }));
  }

  /**
   * Decides a call by the task's state, makes its events durable, and answers. A missing stream is in its machine's initial state.
   *
   * @throws what the log throws: then the answer is unknown
   */
  async call<R>(stream: string, decide: (at: TaskPosition<C>, now: Millis) => TaskDecision<E, R>): Promise<R> {
    const known = this.#tasks.get(stream);
    const task = known ?? newTask<C, E>(stream, this.#options.kind);
    if (known === undefined) this.#tasks.set(stream, task);
    return this.#inTurn(task, async () => {
      const now = this.#now();
      const { events, answer, applied } = decide(this.#standing(task), now);
      await this.#append(task, events);
      applied?.();
      return answer;
    });
  }

  /**
   * Ends all work without a record in the log: the tasks continue when the log is opened again. Work that does not settle is abandoned after 10 s.
   */
  async close(): Promise<void> {
    this.#closed = true;
    const tasks = [...this.#tasks.values()];
    for (const task of tasks) {
      task.cancelTimer();
      for (const { cancel } of task.rests.values()) cancel?.();
      for (const { ending } of task.works.values()) ending.abort();
    }
    const settled = Promise.all(tasks.flatMap((task) => [task.queue, ...this.#settling(task)]));
    let stop = (): void => {};
    const patience = new Promise<void>((resolve) => {
      stop = this.#options.clock.wakeAt(millisOf(this.#now() + LONGEST_END), resolve);
    });
    await Promise.race([settled, patience]);
    stop();
  }

  #settling(task: HostedTask<C>): readonly Promise<void>[] {
    return [...task.ending, ...[...task.works.values()].map(({ settled }) => settled)];
  }

  #now(): Millis {
    return this.#options.clock.now();
  }

  #standing({ position }: HostedTask<C>): TaskPosition<C> {
    return { state: this.#options.kind.machine.states[position.state] as string, context: position.context };
  }

  /** Gives the task to one user at a time, and then checks what it wants. */
  #inTurn<T>(task: HostedTask<C>, act: () => Promise<T>): Promise<T> {
    task.waiting += 1;
    const turn = task.queue.then(async () => {
      try {
        if (task.isStale) await this.#reload(task);
        return await act();
      } finally {
        task.waiting -= 1;
        this.#settle(task);
      }
    });
    task.queue = turn.catch(() => {});
    return turn;
  }

  /** Work that the task no longer wants ends before it can report. */
  async #reload(task: HostedTask<C>): Promise<void> {
    try {
      await this.#load(task);
      task.failures = 0;
    } catch (error) {
      task.failures += 1;
      throw error;
    }
    this.#endUnwanted(task);
  }

  async #load(task: HostedTask<C>): Promise<void> {
    const { log, kind } = this.#options;
    const position = startOf(kind);
    const stored = await log.read(task.stream);
    for (const [seq, record] of stored.entries()) this.#take(position, kind.read(record, seq), seq);
    Object.assign(task, { position, length: stored.length, isStale: false });
  }

  #take(position: FoldPosition<C>, event: E, seq: number): void {
    const { machine } = this.#options.kind;
    step(machine, position, { event, seq, onRefused: refuse(machine) });
  }

  async #append(task: HostedTask<C>, events: readonly E[]): Promise<void> {
    if (events.length === 0) return;
    const { log, kind } = this.#options;
    const after = { state: task.position.state, context: copyTree(task.position.context) };
    for (const [index, event] of events.entries()) this.#take(after, event, task.length + index);
    const labels = kind.labels({ state: kind.machine.states[after.state] as string, context: after.context });
    const records = events.map(({ type, at, data }) => ({ type, at, data, version: 1 }));
    try {
      await log.append({ stream: task.stream, expected: task.length, records, labels });
    } catch (error) {
      // It proves nothing: the records may still be in the log.
      task.isStale = true;
      throw error;
    }
    task.position = after;
    task.length += records.length;
  }

  #takes(task: HostedTask<C>, event: E): boolean {
    return allowedTypes(this.#options.kind.machine, task.position).includes(event.type);
  }

  async #appendTaken(task: HostedTask<C>, event: E): Promise<boolean> {
    if (!this.#takes(task, event)) return false;
    await this.#append(task, [event]);
    return true;
  }

  /** Starts what is wanted, ends what is not, and sets the timer. Releases a finished task. */
  #settle(task: HostedTask<C>): void {
    task.cancelTimer();
    if (this.#closed) return;
    if (task.isStale) {
      this.#wakeAfter(task, pauseAfter(task.failures));
      return;
    }
    const wanted = this.#endUnwanted(task);
    for (const [key, want] of wanted) {
      const isResting = (task.rests.get(key)?.cancel ?? null) !== null;
      if (!isResting && !task.works.has(key)) this.#start(task, key, want);
    }
    const { definition, final } = this.#options.kind.machine;
    const { state, context } = this.#standing(task);
    const [first] = definition
      .deadlines(state, context)
      .map(({ at }) => at)
      .sort((left, right) => left - right);
    if (first !== undefined) task.cancelTimer = this.#options.clock.wakeAt(first, () => this.#ring(task));
    // Everyone who waits for a turn must get the same task.
    if (!(final[task.position.state] || task.length === 0) || task.waiting > 0) return;
    this.#tasks.delete(task.stream);
    this.#options.onOver?.(task.stream);
  }

  #endUnwanted(task: HostedTask<C>): ReadonlyMap<string, Want> {
    const { state, context } = this.#standing(task);
    const wants = this.#options.kind.machine.definition.wants(state, context);
    const wanted = new Map(wants.map((want) => [canonicalJson(want), want]));
    for (const [key, work] of task.works) if (!wanted.has(key)) this.#end(task, key, work);
    for (const [key, { cancel }] of task.rests) {
      if (wanted.has(key)) continue;
      cancel?.();
      task.rests.delete(key);
    }
    return wanted;
  }

  #wakeAfter(task: HostedTask<C>, pause: number): void {
    task.cancelTimer = this.#options.clock.wakeAt(millisOf(this.#now() + pause), () => this.#ring(task));
  }

  #ring(task: HostedTask<C>): void {
    this.#inTurn(task, () => this.#appendDue(task)).catch((error: unknown) => this.#warn(task, error));
  }

  async #appendDue(task: HostedTask<C>): Promise<E | undefined> {
    const due = this.#options.kind.due(this.#standing(task), this.#now());
    if (due !== undefined) await this.#append(task, [due]);
    return due;
  }

  #end(task: HostedTask<C>, key: string, { ending, settled }: Work): void {
    task.works.delete(key);
    task.ending.add(settled);
    void settled.then(() => task.ending.delete(settled));
    ending.abort();
  }

  #start(task: HostedTask<C>, key: string, want: Want): void {
    const ending = new AbortController();
    const isWanted = (): boolean => task.works.get(key)?.ending === ending && !this.#closed;
    const others = [...task.ending];
    const run: TaskRun<E> = {
      stream: task.stream,
      want,
      signal: ending.signal,
      others: async () => void (await Promise.all(others)),
      report: (event, applied) => this.#report(task, { event, applied, isWanted, signal: ending.signal }),
    };
    const settled = Promise.resolve()
      .then(() => this.#options.worker(run, this.#standing(task)))
      .catch((error: unknown) => {
        if (!isWanted()) return;
        task.works.delete(key);
        this.#rest(task, key, error);
      });
    task.works.set(key, { ending, settled });
  }

  async #report(task: HostedTask<C>, { event, applied, isWanted, signal }: Report<E>): Promise<boolean> {
    let tried: { readonly seq: number; readonly event: E } | null = null;
    let isApplied = false;
    const apply = (): true => {
      isApplied = true;
      applied?.();
      return true;
    };
    const offer = async (): Promise<boolean> => {
      // It may be what made the work unwanted.
      if (tried !== null && (await this.#holds(task, tried))) return apply();
      if (!isWanted()) return false;
      if ((await this.#appendDue(task)) !== undefined) return false;
      const next = event(this.#now(), this.#standing(task).state);
      if (!this.#takes(task, next)) throw new ReportRefused(next.type, this.#standing(task).state);
      tried = { seq: task.length, event: next };
      await this.#append(task, [next]);
      return apply();
    };
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.#inTurn(task, offer);
      } catch (error) {
        if (error instanceof ReportRefused) throw error;
        if (isApplied || isRefused(error)) throw new ReportUnwritten(error);
        this.#warn(task, error);
        await this.#pause(pauseAfter(failures), signal);
      }
    }
  }

  /** Whether the log has this very event in its place. */
  async #holds(
    { stream }: HostedTask<C>,
    { seq, event }: { readonly seq: number; readonly event: E },
  ): Promise<boolean> {
    const [stored] = await this.#options.log.read(stream, seq);
    const text = ({ type, at, data }: { readonly type: string; readonly at: number; readonly data: unknown }): string =>
      canonicalJson([type, at, (data ?? null) as JsonValue]);
    return stored !== undefined && text(stored) === text(event);
  }

  /** Ends early if the work ends. */
  #pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.#options.clock.wakeAt(millisOf(this.#now() + milliseconds), end);
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    });
  }

  /** The log refused something, or the worker has a bug: the host works on what is wanted again after a while. */
  #rest(task: HostedTask<C>, key: string, error: unknown): void {
    this.#warn(task, error);
    const before = task.rests.get(key)?.failures ?? 0;
    const rest: Rest = { failures: before + 1, cancel: null };
    const pause = pauseAfter(before);
    rest.cancel = this.#options.clock.wakeAt(millisOf(this.#now() + pause), () => {
      rest.cancel = null;
      this.#ring(task);
    });
    task.rests.set(key, rest);
  }

  #warn({ stream }: HostedTask<C>, error: unknown): void {
    const reason = shortReason(error instanceof ReportUnwritten ? error.cause : error);
    this.#options.logger.warn('work on a task failed', { stream, reason });
  }
}

function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE);
}

function startOf<C, E extends MachineEvent>({ machine }: TaskKind<C, E>): FoldPosition<C> {
  return { state: machine.initial, context: machine.definition.initialContext() };
}

function newTask<C, E extends MachineEvent>(stream: string, kind: TaskKind<C, E>): HostedTask<C> {
  return {
    stream,
    position: startOf(kind),
    length: 0,
    isStale: false,
    queue: Promise.resolve(),
    waiting: 0,
    works: new Map(),
    ending: new Set(),
    rests: new Map(),
    cancelTimer: () => {},
    failures: 0,
  };
}
