import type { Want } from '../definition.ts';
import type { JournalContext } from '../journal/context.ts';
import { type Asked, guarded, keptEffects, possibleEffects, type Wanted } from '../journal/wants.ts';
import type { SwapEffect } from '../swap-effects.ts';
import { datedOf, type Limits } from './limits.ts';
import type { SwapSide } from './side.ts';

/*
 * What a swap wants done, each with its limits. Level-triggered: the answer depends on where the swap stands, never on
 * how it got there, so live run and restart cannot disagree.
 */

/** What tells the sides apart. */
export type Asking<E extends SwapEffect> = {
  /** What the state of an unfinished swap asks for, by its public events only. */
  readonly asks: (side: SwapSide) => readonly E[];
  /** The refund of the own payment. */
  readonly refund: E;
  readonly limits: Limits<Wanted<E>>;
};

type At = { readonly side: SwapSide; readonly journal: Readonly<JournalContext> };

/** What an engine wants done now. */
export function sideWants<E extends SwapEffect>(asking: Asking<E>, { side, journal }: At): readonly Want<Wanted<E>>[] {
  const effects = side.state === 'finished' ? guarded(journal) : keptEffects(askedOf(asking, side), journal);
  return limited(asking, effects, { side, journal });
}

/** What is left to do in a state, whether or not it happens now; nothing once the swap is finished. */
export function sideSteps<E extends SwapEffect>(asking: Asking<E>, { side, journal }: At): readonly Want<Wanted<E>>[] {
  if (side.state === 'finished') return [];
  return limited(asking, possibleEffects(askedOf(asking, side), journal), { side, journal });
}

function limited<E extends SwapEffect>(
  { limits }: Asking<E>,
  effects: readonly Wanted<E>[],
  { side, journal }: At,
): readonly Want<Wanted<E>>[] {
  const dated = datedOf(side, journal);
  return effects.map((effect) => (dated === null ? { effect } : limits[effect](effect, dated)));
}

function askedOf<E extends SwapEffect>({ asks, refund }: Asking<E>, side: SwapSide): Asked<E> {
  const { role, state, secretIsPublic, refunded } = side;
  const close = state === 'refunded' ? 'finishRefund' : 'finish';
  return { role, effects: asks(side), secretIsPublic, refunded, refund, close };
}
