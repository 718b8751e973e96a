import type { Watch } from '../../events/watcher.ts';
import type { Millis } from '../../primitives/time.ts';
import type { AskResult } from '../command.ts';
import type { Loop } from '../loop/loop.ts';
import { askForFee } from './fee-question.ts';

/** What a taker asks for. `key` names swap and taker, `from` is the key that signed it. */
export type Wanted = { readonly key: string; readonly watch: Watch; readonly from: string };

/** Why one is dropped: the chain does not show that its fee was paid, or others took its place. */
export type Given = 'unpaidFee' | 'crowdedOut';

export type PendingOptions = {
  /** Called at most once for each request, which is then no longer pending. */
  readonly onPaid: (wanted: Wanted) => void;
  readonly onDropped: (wanted: Wanted, why: Given) => void;
  readonly limits?: Partial<PendingLimits>;
};

export type PendingLimits = {
  /** Of all takers. @defaultValue 1000 */
  readonly most: number;
  /** Of one key. @defaultValue 8 */
  readonly each: number;
  /** Questions to one chain at a time. @defaultValue 4 */
  readonly atOnce: number;
};

const LIMITS: PendingLimits = { most: 1000, each: 8, atOnce: 4 };

/** How long to keep asking a chain that does not answer. By then an honest taker has repeated its message. */
const PATIENCE_MS = 600_000;

type Pending = Wanted & {
  readonly since: Millis;
  /** Answers that showed no such fee. */
  denials: number;
  due: number;
  asking: boolean;
};

/** Open questions to a chain, and abandoned ones that may still be answered. */
type Load = { asking: number; abandoned: number; readonly waits: Set<() => void> };

/**
 * What takers ask for, until the chain has shown that they paid their fee. None of it is logged or counts for anything.
 *
 * - Q6: pending requests are limited, in all and for each key. If there is no room, the oldest of a key goes, or of all the one that the chain has
 *   denied most often; one that it was not asked about goes last.
 * - Q7: a chain gets a few questions at a time, first about what it has denied least; fewer while it leaves some unanswered, in the end one at a
 *   time.
 */
export class PendingWatches {
  readonly #engine: () => Loop;
  readonly #options: PendingOptions;
  readonly #limits: PendingLimits;
  readonly #all = new Map<string, Pending>();
  readonly #loads = new Map<string, Load>();
  #cancelTimer = (): void => {};
  #isAsking = false;

  constructor(loop: () => Loop, options: PendingOptions) {
    this.#engine = loop;
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
  }

  get size(): number {
    return this.#all.size;
  }

  /** False if it is already pending. */
  add(wanted: Wanted): boolean {
    if (this.#all.has(wanted.key)) return false;
    this.#makeRoom(wanted);
    const now = this.#engine().steady.now();
    this.#all.set(wanted.key, { ...wanted, since: now, denials: 0, due: now, asking: false });
    this.#askAll();
    return true;
  }

  /** Forgets the requests of takers of a coin. */
  close(coin: string): void {
    for (const one of [...this.#all.values()]) if (one.watch.taker_coin === coin) this.#all.delete(one.key);
    for (const stop of this.#loads.get(coin)?.waits ?? []) stop();
    this.#loads.delete(coin);
    this.#askAll();
  }

  #makeRoom({ from }: Wanted): void {
    const own = [...this.#all.values()].filter((one) => one.from === from);
    const out =
      own.length >= this.#limits.each ? own[0] : this.#all.size >= this.#limits.most ? this.#leastLikely() : null;
    if (out !== null && out !== undefined) this.#drop(out, 'crowdedOut');
  }

  #leastLikely(): Pending | undefined {
    let found: Pending | undefined;
    for (const one of this.#all.values()) if (found === undefined || one.denials > found.denials) found = one;
    return found;
  }

  #drop(one: Pending, why: Given): void {
    this.#all.delete(one.key);
    this.#options.onDropped(one, why);
  }

  #askAll(): void {
    // An adapter that answers at once calls back from inside.
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { steady } = this.#engine();
    for (let one = this.#next(steady.now()); one !== undefined; one = this.#next(steady.now())) this.#ask(one);
    this.#isAsking = false;
    this.#cancelTimer();
    let soonest = Number.POSITIVE_INFINITY;
    const now = steady.now();
    for (const { asking, due } of this.#all.values()) if (!asking && due > now && due < soonest) soonest = due;
    if (soonest === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = steady.wakeAt(soonest as Millis, () => this.#askAll());
  }

  #next(now: number): Pending | undefined {
    let found: Pending | undefined;
    for (const one of this.#all.values()) {
      if (one.asking || one.due > now || !this.#hasPlace(one)) continue;
      if (found === undefined || one.denials < found.denials) found = one;
    }
    return found;
  }

  #hasPlace({ watch }: Wanted): boolean {
    const { asking, abandoned } = this.#loadOf(watch.taker_coin);
    return asking < Math.max(1, this.#limits.atOnce - abandoned);
  }

  #ask(one: Pending): void {
    const load = this.#loadOf(one.watch.taker_coin);
    load.asking += 1;
    one.asking = true;
    let stop = (): void => {};
    const ended = (result: AskResult): void => {
      load.asking -= 1;
      load.waits.delete(stop);
      this.#conclude(one, result);
    };
    const answers = (): void => {
      if (load.abandoned > 0) load.abandoned -= 1;
    };
    stop = askForFee(this.#engine(), one.watch, {
      answered: (result) => {
        answers();
        ended(result);
        this.#askAll();
      },
      givenUp: (result) => {
        load.abandoned += 1;
        ended(result);
        this.#askAll();
      },
      late: answers,
    });
    if (one.asking) load.waits.add(stop);
  }

  #conclude(one: Pending, result: AskResult): void {
    one.asking = false;
    if (this.#all.get(one.key) !== one) return;
    const { steady, policy } = this.#engine();
    const now = steady.now();
    one.due = now + policy.feeCheck.pause * 1000;
    if (result.ok && result.value === null) {
      this.#all.delete(one.key);
      this.#options.onPaid(one);
      return;
    }
    if (result.ok) one.denials += 1;
    const isOver = one.denials > policy.feeCheck.retries || now - one.since >= PATIENCE_MS;
    if (isOver) this.#drop(one, 'unpaidFee');
  }

  #loadOf(coin: string): Load {
    const known = this.#loads.get(coin);
    if (known !== undefined) return known;
    const load = { asking: 0, abandoned: 0, waits: new Set<() => void>() };
    this.#loads.set(coin, load);
    return load;
  }
}
