import { onLeg } from '../primitives/pair.ts';
import { type Millis, toMillis } from '../primitives/time.ts';
import type { Leg } from './command.ts';
import type { Facts } from './facts.ts';

/** What a chain last reported of its own clock; null before its first report. */
export function chainClock({ facts }: { readonly facts: Facts }, leg: Leg): Millis | null {
  const clock = onLeg(facts.payments, leg)?.value.clock ?? onLeg(facts.quotes, leg)?.value.clock;
  return clock === undefined ? null : toMillis(clock);
}

/** The latest of the host's clock and both chains' clocks: a slow clock never makes a side act too late. */
export function latestClock(turn: { readonly now: Millis; readonly facts: Facts }): Millis {
  const maker = chainClock(turn, 'maker') ?? turn.now;
  const taker = chainClock(turn, 'taker') ?? turn.now;
  return Math.max(turn.now, maker, taker) as Millis;
}

/**
 * The time that two of three confirm: the host's clock and both chains' clocks; the earliest while fewer than three are
 * known. It decides what may be spent: one wrong clock, or one lying node, neither triggers nor blocks anything.
 */
export function likelyClock(turn: { readonly now: Millis; readonly facts: Facts }): Millis {
  const { now } = turn;
  const maker = chainClock(turn, 'maker');
  const taker = chainClock(turn, 'taker');
  if (maker === null || taker === null) return Math.min(now, maker ?? now, taker ?? now) as Millis;
  return Math.max(Math.min(now, maker), Math.min(Math.max(now, maker), taker)) as Millis;
}
