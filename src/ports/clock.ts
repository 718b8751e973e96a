import type { Millis } from '../primitives/time.ts';

/** The host's clock. It may be wrong and may jump; nothing about a chain is concluded from it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): Millis;
  /** Calls back at or after the moment, once; the returned function cancels. */
  wakeAt(at: Millis, wake: () => void): () => void;
}

/** Source of secrets. */
export interface Random {
  /** Bytes that nobody can predict. */
  bytes(count: number): Uint8Array;
}
