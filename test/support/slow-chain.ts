import type { Chain, ChainFeed } from '../../src/ports/chain.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Millis, Seconds } from '../../src/primitives/time.ts';

export type SlowOptions = {
  /** By which the answers are late. */
  readonly clock: Clock;
  /** How long each answer takes, by what is asked. */
  readonly latency: (question: string) => Seconds;
};

/**
 * The same chain, whose answers come later: what it said in the moment of the question, as over a slow line. News of it come at
 * once.
 */
export function slowChain<C extends Chain & ChainFeed>(chain: C, { clock, latency }: SlowOptions): C {
  const late = <A extends readonly never[], T>(name: string, ask: (...given: A) => T | Promise<T>) => {
    return async (...given: A): Promise<T> => {
      const answer = ask(...given);
      const at = (clock.now() + latency(name) * 1000) as Millis;
      await new Promise<void>((resolve) => void clock.wakeAt(at, resolve));
      return answer;
    };
  };
  return {
    ...chain,
    quote: late('quote', chain.quote),
    payment: late('payment', chain.payment),
    transaction: late('transaction', chain.transaction),
    checkFee: late('checkFee', chain.checkFee),
    prepare: late('prepare', chain.prepare),
    broadcast: late('broadcast', chain.broadcast),
  };
}
