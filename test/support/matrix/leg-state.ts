import type { ToldBlock, ToldTransaction } from './chain.ts';

/** How one chain is in a run, and what is next on it. */
export type LegState = {
  readonly height: number;
  /** What is above it belongs to the run. */
  from: number;
  blocks: ToldBlock[];
  /** In seconds: when the next block is due, and how far its time is off; null where it stands still at a time. */
  due: number;
  ahead: number;
  standsAt: number | null;
  least: number | null;
  /** Up to what its blocks ask for more and more, and until when. */
  rising: { readonly to: number; readonly until: number } | null;
  /** What its node relays at least; null for what it has by itself. */
  relays: number | null;
  waiting: readonly ToldTransaction[];
};

export function legState(height: number): LegState {
  return {
    ...{ height, from: 0, blocks: [], due: 0, ahead: 0, standsAt: null },
    ...{ least: null, rising: null, relays: null, waiting: [] },
  };
}

/** What blocks of a chain with accounts ask for on a usual day, in gwei. */
const USUAL_FEE = 1;

/** What the next block asks for, in gwei where that rises: an eighth more at most than the one before, or an eighth less. */
export function nextFee({ least, rising, due }: LegState): number | null {
  if (rising === null) return least;
  const before = least ?? USUAL_FEE;
  return due < rising.until ? Math.min(rising.to, before * 1.125) : Math.max(USUAL_FEE, before * 0.875);
}

/** What the last blocks held comes again, perhaps lower than the run began. */
export function forget(state: LegState, depth: number): void {
  state.blocks.length -= Math.min(depth, state.blocks.length);
  state.from = Math.min(state.from, state.height + state.blocks.length);
}
