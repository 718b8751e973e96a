import type { Quote } from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Awaitable, EventLog } from '../../ports/event-log.ts';
import type { Peers } from '../../ports/peers.ts';
import { toBigNumber } from '../../primitives/decimal.ts';
import type { Seconds } from '../../primitives/time.ts';
import type { RuntimeChain } from '../../runtime/loop/gate.ts';
import type { Rng } from '../xorshift.ts';
import type { Counts } from './counts.ts';
import { happenAt, type Life, type Timeline } from './host.ts';
import { isRestless, type Moment } from './rest.ts';
import type { MarketParty } from './scenario.ts';

/**
 * Where a process touches the world. Every input and output has a number, from the start of the party and across its lives, so that a plan can name
 * the one at which the process dies.
 */
export type Boundary = {
  readonly timeline: Timeline;
  readonly life: Life;
  readonly rng: Rng;
  readonly party: Pick<MarketParty, 'crashes' | 'storage' | 'latency' | 'feeds' | 'promisedLog'>;
  /** Inputs and outputs begun so far. */
  readonly count: { value: number };
  readonly counts: Counts;
  readonly quoted: Map<string, Set<string>>;
  /** Ends this life; the process returns after this many seconds. */
  readonly die: (downFor: Seconds) => void;
  readonly moment: Moment;
  /** Ends the process for good, because it does not come to rest. */
  readonly giveUp: () => void;
};

/** What a dead process waits for. A new one each time: whatever waited for a shared one would stay in memory as long as the program runs. */
function never(): Promise<never> {
  return new Promise(() => {});
}

/** Whether the process is dead, or dies now because it works without end. */
function isOver({ life, moment, timeline, giveUp }: Boundary): boolean {
  if (!life.over && isRestless(moment, timeline.now)) giveUp();
  return life.over;
}

function through<T>(boundary: Boundary, call: (number: number) => Awaitable<T>): Awaitable<T> {
  const { count, party } = boundary;
  if (isOver(boundary)) return never();
  count.value += 1;
  const number = count.value;
  const dies = (when: 'before' | 'after') => party.crashes.find((plan) => plan.at === number && plan.when === when);
  const before = dies('before');
  if (before !== undefined) {
    boundary.die(before.downFor);
    return never();
  }
  const result = call(number);
  if (result instanceof Promise) boundary.timeline.stirred = true;
  const after = dies('after');
  if (after === undefined) return result;
  boundary.die(after.downFor);
  return never();
}

type Asked<T> = {
  readonly coin: string;
  readonly call: () => Awaitable<T>;
  /** What it changes is in the memory of the process and dies with it; all else reaches a node that outlives it. */
  readonly local: boolean;
};

/** An answer that takes time. The question reaches the node half-way through. */
function late<T>({ timeline, life, rng, party }: Boundary, { coin, call, local }: Asked<T>): Awaitable<T> {
  const [least, most] = party.latency[coin] ?? [0, 0];
  const wait = (least + rng.below(most - least + 1)) * 1000;
  if (wait === 0) return call();
  return new Promise<T>((resolve, reject) => {
    const half = Math.floor(wait / 2);
    happenAt(timeline, { at: timeline.now + half, ...(local ? { life } : {}) }, () => {
      const answer = call();
      happenAt(timeline, { at: timeline.now + (wait - half), life }, () => {
        timeline.stirred = true;
        Promise.resolve(answer).then(resolve, reject);
      });
    });
  });
}

/** Keeps the balances that a wallet reported, of its coin and of the coin that pays its fees. */
function noted(
  { quoted }: Boundary,
  coin: string,
  quote: ReturnType<RuntimeChain['quote']>,
): ReturnType<RuntimeChain['quote']> {
  if (quote instanceof Promise || !quote.ok) return quote;
  const { feeCoin } = quote.value;
  for (const [ticker, { spendable, coming }] of [
    [coin, quote.value],
    ...(feeCoin ? [[feeCoin.coin, feeCoin]] : []),
  ] as [string, Pick<Quote, 'spendable' | 'coming'>][]) {
    const total = coming === undefined ? toBigNumber(spendable) : toBigNumber(spendable).plus(toBigNumber(coming));
    const known = quoted.get(ticker);
    if (known === undefined) quoted.set(ticker, new Set([total.toFixed()]));
    else known.add(total.toFixed());
  }
  return quote;
}

/** A chain as this process reaches it. */
export function boundedChain(boundary: Boundary, chain: RuntimeChain): RuntimeChain {
  const { coin } = chain.traits;
  const ask = <T>(call: () => Awaitable<T>, local = false): Awaitable<T> =>
    through(boundary, () => {
      boundary.counts.asks += 1;
      return late(boundary, { coin, call, local });
    });
  return {
    ...chain,
    quote: () => ask(() => noted(boundary, coin, chain.quote())),
    payment: (query) => ask(() => chain.payment(query)),
    ...(chain.payments === undefined ? {} : { payments: (queries) => ask(() => chain.payments?.(queries) ?? []) }),
    transaction: (hash) => ask(() => chain.transaction(hash)),
    checkFee: (...given) => ask(() => chain.checkFee(...given)),
    prepare: (...given) => ask(() => chain.prepare(...given), true),
    broadcast: (transaction, ...sending) => ask(() => chain.broadcast(transaction, ...sending)),
    subscribe: (onChange, ...rest) => {
      if (!boundary.party.feeds) return { close: () => {} };
      return chain.subscribe(
        (...news) => {
          if (!boundary.life.over) onChange(...news);
        },
        ...rest,
      );
    },
  };
}

/** What a log answers, at once or as a promise. */
function promised<T>({ party, timeline }: Boundary, answer: Awaitable<T>): Awaitable<T> {
  if (!party.promisedLog) return answer;
  timeline.stirred = true;
  return Promise.resolve(answer);
}

/** The log as this process reaches it. An append may fail with an error: either nothing or everything was stored. */
export function boundedLog(boundary: Boundary, log: EventLog): EventLog {
  return {
    ...log,
    append: (batch) =>
      through(boundary, (number) => {
        boundary.counts.appends += 1;
        const fault = boundary.party.storage.find(({ at }) => at === number);
        if (fault === undefined) return promised(boundary, log.append(batch));
        if (fault.how === 'unanswered') void log.append(batch);
        throw new Error('the log does not answer');
      }),
    // A reader of more than its own stream may do so in steps, with promises between them.
    read: (stream, from) => {
      if (isOver(boundary)) return never();
      boundary.timeline.stirred = true;
      return promised(boundary, log.read(stream, from));
    },
    find: (query) => {
      if (isOver(boundary)) return never();
      boundary.timeline.stirred = true;
      return promised(boundary, log.find(query));
    },
    subscribe: (options, onEntry) =>
      log.subscribe(options, (entry) => {
        if (!boundary.life.over) onEntry(entry);
      }),
  };
}

/** Its host's clock as this process reaches it. */
export function boundedClock(boundary: Boundary, clock: Clock): Clock {
  return { ...clock, wakeAt: (at, wake) => (isOver(boundary) ? () => {} : clock.wakeAt(at, wake)) };
}

/** The network as this process reaches it. */
export function boundedPeers(boundary: Boundary, peers: Peers): Peers {
  return {
    self: peers.self,
    send: (...given) => {
      boundary.counts.sends += 1;
      return through(boundary, () => peers.send(...given));
    },
    subscribe: (topic, onMessage) =>
      peers.subscribe(topic, (envelope) => {
        if (!boundary.life.over) onMessage(envelope);
      }),
  };
}
