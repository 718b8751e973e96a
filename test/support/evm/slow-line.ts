import type { EvmNodeReader } from '../../../src/chains/evm/node-reader.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { BackendSilent } from '../../../src/ports/silence.ts';
import { millisOf, type Seconds } from '../../../src/primitives/time.ts';
import { type VirtualClock, virtualClock } from '../virtual-clock.ts';
import type { EvmTestChain } from './adapter-chain.ts';

/** What an operation took of a slow node. */
export type Taken<T> = {
  readonly value: T;
  /** Times that it waited for answers, one after another. */
  readonly rounds: number;
  /** Calls of the node, in the order in which they were made. */
  readonly calls: readonly string[];
};

/** The line to a node each of whose answers takes a while, by a clock that stands still while anything else is done. */
export type SlowLine = {
  readonly clock: VirtualClock;
  /** How long every answer takes. */
  delay: Seconds;
  readonly reader: () => EvmNodeReader;
  readonly taken: <T>(work: () => Promise<T>) => Promise<Taken<T>>;
};

/** What every call waits for. */
export function delayOf(clock: Clock, seconds: Seconds): () => Promise<void> {
  if (seconds === 0) return async () => {};
  return () => new Promise((resolve) => void clock.wakeAt(millisOf(clock.now() + seconds * 1000), resolve));
}

/** Longer than any operation takes: one that waits for ever must not hold up the test. */
const MOST_ROUNDS = 200;

export function slowLine(chain: EvmTestChain, delay: Seconds): SlowLine {
  const settle = async (): Promise<void> => {
    for (let calm = 0; calm < 3; calm = chain.busy === 0 ? calm + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const clock = virtualClock(chain.now * 1000, settle);
  let calls: string[] = [];
  const line: SlowLine = {
    clock,
    delay,
    reader: () =>
      chain.reader(
        () => delayOf(clock, line.delay)(),
        undefined,
        (method) => void calls.push(method),
      ),
    async taken(work) {
      calls = [];
      const begun = clock.now();
      let isOver = false;
      const outcome = work().finally(() => {
        isOver = true;
      });
      outcome.catch(() => undefined);
      await settle();
      for (let rounds = 0; !isOver; rounds += 1) {
        if (rounds === MOST_ROUNDS || clock.due() === null) throw new BackendSilent('it waits for what never comes');
        await clock.advance(line.delay * 1000);
      }
      return { value: await outcome, rounds: (clock.now() - begun) / (line.delay * 1000), calls };
    },
  };
  return line;
}
