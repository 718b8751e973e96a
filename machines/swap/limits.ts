import { type Millis, toMillis, type UnixSeconds } from '../../src/primitives/time.ts';
import { byChain, byHost } from '../deadlines/deadline.ts';
import { endOf, type MessageWait } from '../deadlines/message-wait.ts';
import type { Race } from '../deadlines/race.ts';
import { claimConfirmedBy, raceAgainst } from '../deadlines/table.ts';
import type { Deadline, Want } from '../definition.ts';
import { type JournalContext, NO_JOURNAL } from '../journal/context.ts';
import type { KeptEffect } from '../swap-effects.ts';
import type { StartedTerms, SwapSide } from './side.ts';

/*
 * The limits of wants, and the absolute times that matter, of both sides. Everything is derived from the log only:
 * nothing is stored and no timer is armed, so a restart finds the same ones. Formulas: machines/deadlines/table.ts.
 */

export type Dating = Pick<JournalContext, 'heardAt'>;

/** A swap that has started, at a moment of its log. */
export type Dated = {
  readonly side: SwapSide;
  readonly started: StartedTerms;
  readonly lastEventAt: Millis;
  readonly ownLock: UnixSeconds;
  readonly journal: Dating;
};

/** A want of an effect with its limits. */
export type Limit<E extends string> = (effect: E, at: Dated) => Want<E>;

/** How each effect of a side is limited: one that is missing does not compile. */
export type Limits<E extends string> = Readonly<Record<E, Limit<E>>>;

/** Null if the log does not say when the swap started. */
export function datedOf(side: SwapSide, journal: Dating = NO_JOURNAL): Dated | null {
  const { started, lastEventAt, ownLock } = side;
  if (started === null || lastEventAt === null || ownLock === null) return null;
  return { side, started, lastEventAt, ownLock, journal };
}

/** A want of this effect with its limits; without limits if the log does not say when the swap started. */
export function limitedWant<E extends string>(
  limits: Limits<E>,
  effect: E,
  { side, journal }: { readonly side: SwapSide; readonly journal?: Dating },
): Want<E> {
  const dated = datedOf(side, journal);
  return dated === null ? { effect } : limits[effect](effect, dated);
}

export function unlimited<E extends string>(effect: E): Want<E> {
  return { effect };
}

/** Wants of both sides that are not limited in time. */
export const UNLIMITED = {
  start: unlimited,
  finishRefund: unlimited,
  finish: unlimited,
  guard: unlimited,
  closeLost: unlimited,
  recover: unlimited,
} satisfies Limits<KeptEffect | 'start' | 'finishRefund' | 'finish'>;

/** Until a moment on the host's clock. */
export function untilTime(by: (started: StartedTerms) => Millis) {
  return <E extends string>(effect: E, { started }: Dated): Want<E> => ({ effect, until: by(started), clock: 'host' });
}

/** For a message of the other side. */
export function awaiting(waitAt: (at: Dated) => MessageWait) {
  return <E extends string>(effect: E, at: Dated): Want<E> => {
    const wait = waitAt(at);
    return { effect, until: endOf(wait), wait, clock: 'host' };
  };
}

/** The claim is followed until it is final; a late one has no time by which it should be. */
export function confirming<E extends string>(effect: E, { ownLock, lastEventAt }: Dated): Want<E> {
  const until = claimConfirmedBy(ownLock, lastEventAt);
  return until === undefined ? { effect } : { effect, until, clock: 'host' };
}

/** The own payment's chain accepts its refund once its median time past is after the lock. */
export function refunding<E extends string>(effect: E, { ownLock, side }: Dated): Want<E> {
  return { effect, notBefore: toMillis(ownLock), clock: chainOf(side.role) };
}

/** The race for the other payment: against the end of its lock. Null before that was agreed. */
export function raceOf({ started, otherLock }: Pick<SwapSide, 'started' | 'otherLock'>): Race | null {
  return started === null || otherLock === null ? null : raceAgainst(otherLock, started.lock_duration);
}

export function chainOf(payer: SwapSide['role']): 'makerChain' | 'takerChain' {
  return payer === 'maker' ? 'makerChain' : 'takerChain';
}

export function refundValid({ ownLock, side }: Dated): Deadline {
  return byChain('refundValid', ownLock, chainOf(side.role));
}

export function claimConfirmation({ ownLock, lastEventAt }: Dated): readonly Deadline[] {
  const confirmBy = claimConfirmedBy(ownLock, lastEventAt);
  return confirmBy === undefined ? [] : [byHost('claimConfirmation', confirmBy)];
}

/**
 * The times of a state, and in any state that of the race: from the end of the other side's lock on, that side can take
 * back what this one has not finally claimed.
 */
export function withRace(times: readonly Deadline[], side: SwapSide): readonly Deadline[] {
  const { role, other, state, otherLock, claimable, claimConfirmed } = side;
  if (state === 'finished' || otherLock === null || !claimable || claimConfirmed) return times;
  const kind = role === 'maker' ? 'takerRefundValid' : 'makerRefundValid';
  return [...times, byChain(kind, otherLock, chainOf(other))];
}
