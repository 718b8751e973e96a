import type { Millis } from '../primitives/time.ts';

/** The host's clock. It may be wrong and may jump; nothing about a chain is concluded from it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): Millis;
  /**
   * Calls back once: at or after the moment, or, where {@link Clock.elapsed} is told, when as much time has passed as it was away, whatever
   * the clock was set to meanwhile. The returned function cancels.
   */
  wakeAt(at: Millis, wake: () => void): () => void;
  /**
   * Milliseconds that have passed since some moment, by a clock that nobody sets; parts of one too. Optional: without it, a clock that is
   * set back makes pauses, retries and timeouts wait until it has come back to where it was.
   */
  elapsed?(): number;
}

/** Source of secrets. */
export interface Random {
  /** Bytes that nobody can predict. */
  bytes(count: number): Uint8Array;
}
