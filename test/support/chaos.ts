import type { Answer } from '../../src/ports/chain.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import type { Millis } from '../../src/primitives/time.ts';
import type { RuntimeChain } from '../../src/runtime/index.ts';
import type { Rng } from '../../src/sim/xorshift.ts';

/** How bad it is, each in a thousand calls. */
export type Weather = {
  /** Answers that take up to this long, in milliseconds. */
  readonly latency: number;
  /** Calls that are made and never answered. */
  readonly lost: number;
  /** Calls whose answer comes long after it was given up. */
  readonly late: number;
  /** Appends that fail before anything is stored, and appends that are stored and answered with an error. */
  readonly refused: number;
  readonly unanswered: number;
};

/** The chain behind a network that delays, loses and answers late. */
export function stormyChain(chain: RuntimeChain, { clock, rng, weather }: Storm): RuntimeChain {
  const later = <T>(call: () => T | Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const luck = rng.below(1000);
      const wait = luck < weather.late ? 31_000 + rng.below(60_000) : rng.below(weather.latency + 1);
      const half = Math.floor(wait / 2);
      const at = (milliseconds: number) => (clock.now() + milliseconds) as Millis;
      clock.wakeAt(at(half), () => {
        const answer = call();
        if (luck >= 1000 - weather.lost) return;
        clock.wakeAt(at(wait - half), () => {
          Promise.resolve(answer).then(resolve, reject);
        });
      });
    });
  return {
    ...chain,
    quote: () => later(() => chain.quote()),
    payment: (query) => later(() => chain.payment(query)),
    transaction: (hash) => later(() => chain.transaction(hash)),
    checkFee: (check, forSwap) => later(() => chain.checkFee(check, forSwap)),
    prepare: (request, forSwap) => later<Answer<never>>(() => chain.prepare(request, forSwap) as Answer<never>),
    broadcast: (tx) => later(() => chain.broadcast(tx)),
  };
}

export type Storm = { readonly clock: Clock; readonly rng: Rng; readonly weather: Weather };

/** A log that is slow, and whose errors prove nothing. */
export function stormyLog(log: EventLog, { clock, rng, weather }: Storm): EventLog {
  const pause = () =>
    new Promise<void>((resolve) => {
      clock.wakeAt((clock.now() + rng.below(50)) as Millis, resolve);
    });
  return {
    ...log,
    append: async (batch) => {
      await pause();
      const luck = rng.below(1000);
      if (luck < weather.refused) throw new Error('not stored');
      const stored = await log.append(batch);
      if (luck >= 1000 - weather.unanswered) throw new Error('stored, perhaps');
      await pause();
      return stored;
    },
    read: async (stream, from) => {
      await pause();
      if (rng.below(1000) < weather.refused) throw new Error('not read');
      return log.read(stream, from);
    },
  };
}
