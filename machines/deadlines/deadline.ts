import { type Millis, toMillis, type UnixSeconds } from '../../src/primitives/time.ts';
import type { Deadline } from '../definition.ts';

/** A time on the host's clock. */
export function byHost(kind: string, at: Millis): Deadline {
  return { kind, at, clock: 'host' };
}

/** The end of a lock: its chain says when it is over. */
export function byChain(kind: string, lock: UnixSeconds, clock: 'makerChain' | 'takerChain'): Deadline {
  return { kind, at: toMillis(lock), clock };
}
