import type { Millis } from '../primitives/time.ts';

/** The host's clock. It may be wrong and may jump, so nothing about a chain is inferred from it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): Millis;
  /**
   * Calls back once: at or after the given time, or, if {@link Clock.elapsed} is present, once the time until then has
   * passed, whatever the clock was set to meanwhile. The returned function cancels.
   */
  wakeAt(at: Millis, wake: () => void): () => void;
  /**
   * Milliseconds since some fixed moment, with fractions, by a clock that is never set. Optional: without it, a clock
   * that is set back makes pauses, retries and timeouts wait until it catches up.
   */
  elapsed?(): number;
}

/** Source of secrets. */
export interface Random {
  /** Unpredictable bytes. */
  bytes(count: number): Uint8Array;
}
