import type { Leg } from './chain.ts';
import type { Deed, End, Scenario, Stage, Step } from './scenario.ts';

export const SWAPPED: End = { maker: 'claimed', taker: 'claimed', fee: true };
export const BOTH_BACK: End = { maker: 'refunded', taker: 'refunded', fee: true };
export const MAKER_BACK: End = { maker: 'refunded', taker: 'none', fee: true };
export const NOTHING: End = { maker: 'none', taker: 'none', fee: false };
export const FEE_ALONE: End = { maker: 'none', taker: 'none', fee: true };

/** Longer than a maker has to pay in. */
export const UNPAID = 75;
/** Until after the payments that were made can be taken back. */
export const PAST_LOCKS = 300;

export function at(stage: Stage, ...deeds: readonly Deed[]): Step {
  return { at: stage, deeds };
}

type Rest = Pick<Scenario, 'steps' | 'ends'> & Partial<Scenario>;

/** A scenario by its name, and which class of ends it belongs to. */
export function plain(name: string, path: string, rest: Rest): Scenario {
  return { name, path, ...rest };
}

export function otherOf(leg: Leg): Leg {
  return leg === 'maker' ? 'taker' : 'maker';
}
