import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SwapRequest } from '../../../src/events/journal.ts';
import { type Millis, millisOf } from '../../../src/primitives/time.ts';
import type { Leg } from './chain.ts';
import { hostClock } from './host-clock.ts';
import type { HostProcess, Hosts } from './hosts.ts';
import { type Party, type PartyOptions, passphraseOf, seatTerms } from './party.ts';
import type { Past } from './past.ts';
import { walletOf } from './seat.ts';
import type { Deed, FromSeat, HostState, KillPlan } from './seat-messages.ts';
import { LEGS } from './sides.ts';

/** A party in a process of its own, over a log in a file. */
export type ProcessParty = Party & {
  readonly pid: () => number;
  /** It falls as well, where it has not. */
  readonly fall: () => void;
  /** Counts inputs and outputs from now on, and ends at one of them by each plan; by the second one it counts from when it was started again. */
  readonly count: (plans: readonly KillPlan[]) => void;
  /** What it came by while it counted. */
  readonly passed: () => readonly string[];
  /** Has its wallet send one base unit to an account, beside all swaps. @throws Error where it cannot */
  readonly spend: (leg: Leg, to: string) => Promise<void>;
  /** At what it ended itself, each time. */
  readonly fellAt: () => readonly string[];
};

type ProcessOptions = PartyOptions & {
  readonly hosts: Hosts;
  /** Told when it ended by itself. */
  readonly onFall: () => void;
};

type Process = {
  readonly host: HostProcess;
  /** By number, what it has not yet done. */
  readonly open: Map<number, (failed: string | null) => void>;
  readonly topics: Map<string, { readonly close: () => void }>;
  cancel: () => void;
};

/** A question between processes costs several times what it does within one. */
const PACE = 4;

export async function openProcessParty(options: ProcessOptions): Promise<ProcessParty> {
  const seat = new Seat(options);
  await seat.open();
  return seat.party;
}

class Seat {
  readonly #options: ProcessOptions;
  readonly #host;
  readonly #folder = mkdtempSync(join(tmpdir(), 'swapfold-seat-'));
  readonly #lines: Readonly<Record<Leg, { up: boolean; half: boolean; slow: number; past: Past | null }>>;
  readonly #link;
  readonly #rest = (): Promise<void> => this.#rested();
  readonly party: ProcessParty;
  #logs = 0;
  #process: Process | null = null;
  #number = 0;
  #waiting: (() => void)[] = [];
  #broken: Error | null = null;
  /** Requests that were not answered. */
  readonly #unanswered = new Set<SwapRequest>();
  /** What is left of them; null before it counts. */
  #plans: readonly KillPlan[] | null = null;
  /** Of what it came by, how much was before the plan that it has. */
  #passedBefore = 0;
  readonly #passed: string[] = [];
  readonly #fellAt: string[] = [];
  #fell = false;

  constructor(options: ProcessOptions) {
    this.#options = options;
    const { side, name, world } = options;
    this.#host = hostClock(world.clock);
    const usual = { up: true, half: false, slow: 0, past: null };
    this.#lines = { maker: { ...usual }, taker: { ...usual } };
    const { key } = walletOf({ passphrase: passphraseOf(side, name) }).coins;
    this.#link = options.peers(key);
    world.resting.add(this.#rest);
    this.party = {
      ...{ side, key },
      host: {
        freeze: () => this.#changed(() => this.#host.freeze()),
        set: (by) => this.#changed(() => this.#host.set(by)),
      },
      lines: { maker: this.#lineOf('maker'), taker: this.#lineOf('taker') },
      startSwap: (request) => this.#startSwap(request),
      die: () => this.#die(),
      isDead: () => this.#process === null,
      fell: () => this.#fell,
      revive: (log) => this.#revive(log),
      close: () => this.#close(),
      fall: () => void this.#process?.host.kill(),
      pid: () => this.#process?.host.pid ?? 0,
      count: (plans) => {
        this.#plans = plans;
        this.#tell({ do: 'count', plan: this.#plan() });
      },
      passed: () => this.#passed,
      fellAt: () => this.#fellAt,
      spend: async (leg, to) => void (await this.#do({ do: 'spend', leg, to })),
    };
  }

  async open(): Promise<void> {
    const terms = { ...(await seatTerms(this.#options)), pace: PACE };
    const host = await this.#options.hosts.take();
    const process: Process = { host, open: new Map(), topics: new Map(), cancel: () => {} };
    this.#process = process;
    this.#fell = false;
    host.listener = (message) => this.#hear(process, message);
    host.onEnd = (signal, complaint) => this.#ended(process, { signal, complaint });
    const folder = join(this.#folder, String(this.#logs));
    const counts = this.#plans !== null;
    await this.#do({ do: 'open', terms, folder, host: this.#state(), counts, plan: this.#plan() });
  }

  /** What is left of the plan that it has. */
  #plan(): KillPlan | null {
    const [plan] = this.#plans ?? [];
    if (plan === undefined) return null;
    const of = new RegExp(plan.of);
    const passed = this.#passed.slice(this.#passedBefore).filter((each) => of.test(each)).length;
    return { ...plan, at: plan.at - passed };
  }

  #hearFall(at: string): void {
    this.#fellAt.push(at);
    this.#plans = this.#plans?.slice(1) ?? null;
    this.#passedBefore = this.#passed.length;
  }

  #state(): HostState {
    const { maker, taker } = this.#lines;
    return {
      up: { maker: maker.up, taker: taker.up },
      half: { maker: maker.half, taker: taker.half },
      slow: { maker: maker.slow, taker: taker.slow },
      past: { maker: maker.past, taker: taker.past },
      clock: this.#host.state(),
    };
  }

  #changed(change: () => void): void {
    change();
    this.#tell({ do: 'host', host: this.#state() });
  }

  #lineOf(leg: Leg): Party['lines'][Leg] {
    const line = this.#lines[leg];
    return {
      cut: (isUp) =>
        this.#changed(() => {
          line.up = isUp;
        }),
      halve: (isHalf) =>
        this.#changed(() => {
          line.half = isHalf;
        }),
      slow: (seconds) =>
        this.#changed(() => {
          line.slow = seconds;
        }),
      past: (past) =>
        this.#changed(() => {
          line.past = past;
        }),
    };
  }

  /** Fulfilled when it has said that it rests, or is over. @throws Error where it ended by something else than a kill */
  async #rested(): Promise<void> {
    while ((this.#process?.open.size ?? 0) > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#broken !== null) throw this.#broken;
  }

  /** Tells it something. What it was told when it died is never answered. */
  #tell(deed: Deed, onDone: (failed: string | null) => void = () => {}): void {
    const process = this.#process;
    if (process === null) return;
    this.#number += 1;
    process.open.set(this.#number, onDone);
    process.host.tell({ number: this.#number, now: this.#options.world.clock.now(), deed });
  }

  /** @returns whether it has done it; it may die first */
  async #do(deed: Deed): Promise<boolean> {
    let answer: string | null | undefined;
    this.#tell(deed, (failed) => {
      answer = failed;
    });
    await this.#rested();
    if (typeof answer === 'string') throw new Error(`the ${this.#options.side}: ${answer}`);
    return answer === null;
  }

  #hear(process: Process, message: FromSeat): void {
    if (message.say === 'fall') this.#hearFall(message.at);
    else if (message.say === 'rest') this.#hearRest(process, message);
    else if (message.say === 'listen') this.#listen(process, message);
    else if (message.say === 'send') {
      const { topic, message: said, signer, ticket } = message;
      void this.#link.send(topic, said, signer === null ? {} : { signer });
      process.host.tell({ sent: ticket });
    }
  }

  #hearRest(process: Process, { number, due, failed, passed }: Extract<FromSeat, { readonly say: 'rest' }>): void {
    this.#passed.push(...passed);
    process.cancel();
    const { clock } = this.#options.world;
    if (due !== null)
      process.cancel = clock.wakeAt(millisOf(Math.max(due, clock.now())) as Millis, () => this.#tell({ do: 'wake' }));
    if (number === null) return;
    const done = process.open.get(number);
    process.open.delete(number);
    if (done === undefined) return;
    done(failed);
    this.#wakeWaiting();
  }

  #wakeWaiting(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #listen(process: Process, { topic, on }: Extract<FromSeat, { readonly say: 'listen' }>): void {
    process.topics.get(topic)?.close();
    process.topics.delete(topic);
    if (!on) return;
    const heard = this.#link.subscribe(topic, (envelope) => {
      if (this.#process === process) this.#tell({ do: 'hear', topic, envelope });
    });
    process.topics.set(topic, heard);
  }

  #ended(
    process: Process,
    { signal, complaint }: { readonly signal: string | null; readonly complaint: string },
  ): void {
    if (this.#process !== process) return;
    this.#fell = true;
    this.#options.onFall();
    if (signal !== 'SIGKILL') this.#broken = new Error(`the process of the ${this.party.side} ended: ${complaint}`);
    this.#leave(process);
  }

  #leave(process: Process): void {
    this.#process = null;
    process.cancel();
    for (const { close } of process.topics.values()) close();
    process.open.clear();
    this.#wakeWaiting();
  }

  async #startSwap(request: SwapRequest): Promise<void> {
    this.#unanswered.add(request);
    if (await this.#do({ do: 'start', request })) this.#unanswered.delete(request);
  }

  #die(): void {
    this.#fell = false;
    const process = this.#process;
    if (process === null) return;
    this.#leave(process);
    this.#dying = process.host.kill().then(() => this.#options.hosts.giveBack(process.host));
  }
  #dying: Promise<void> = Promise.resolve();

  async #revive(log?: 'empty'): Promise<void> {
    await this.#dying;
    for (const leg of LEGS) this.#lines[leg].up = true;
    if (log === 'empty') this.#logs += 1;
    await this.open();
    // Whoever asked for a swap and got no answer asks again.
    for (const request of this.#unanswered) await this.#startSwap(request);
  }

  async #close(): Promise<void> {
    const process = this.#process;
    if (process !== null) {
      await this.#do({ do: 'close' });
      this.#leave(process);
      this.#options.hosts.giveBack(process.host);
    }
    await this.#dying;
    this.#options.world.resting.delete(this.#rest);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
