import { type Millis, toMillis, type UnixSeconds } from '../../src/primitives/time.ts';
import type { Deadline } from '../definition.ts';

/** A moment of the host's clock. */
export function byHost(kind: string, at: Millis): Deadline {
  return { kind, at, clock: 'host' };
}

/** The end of a lock: its chain says when that is over. */
export function byChain(kind: string, lock: UnixSeconds, clock: 'makerChain' | 'takerChain'): Deadline {
  return { kind, at: toMillis(lock), clock };
}
