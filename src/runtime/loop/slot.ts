import type { Account } from '../../peers/allowance.ts';
import type { SignedTransaction } from '../../ports/chain.ts';
import type { SwapMessageKind } from '../../ports/peers.ts';
import type { SwapfoldError } from '../../primitives/error.ts';
import type { NewEvent } from '../command.ts';
import type { SwapStanding } from '../host/metrics.ts';
import type { Told } from '../host/steady-clock.ts';
import type { Drivable, DrivableKind } from './drivable.ts';
import { NEW_SLOT, type SlotState } from './slot-state.ts';

/** A transaction that was signed in vain, with the coin of its wallet. */
export type Loose = { readonly coin: string; readonly tx: SignedTransaction };

/** Events that someone else wants in the stream, and the callback to notify. */
export type Letter = {
  readonly events: readonly NewEvent[];
  readonly resolve: () => void;
  readonly reject: (error: SwapfoldError) => void;
  /** How often it found a different number of records in the stream than expected. */
  readonly tries: number;
};

/** What a slot listens to, and how much it has heard. */
export type Ears = {
  topic: string | null;
  from: string | null;
  /** Which kinds of messages it hears; null for all. */
  kinds: ReadonlySet<SwapMessageKind> | null;
  /** What the other side may still send; null before its first message. */
  account: Account | null;
  /** What it received that is not a message, or was too much. */
  rejected: number;
};

/** What the wallets of a slot have signed in vain. */
export type Leftovers = {
  /** Not yet given back. */
  loose: readonly Loose[] | null;
  /** If the last append failed: the place of the stream from which its records may be in the log. Else null. */
  uncertain: number | null;
};

/** What was last reported about a slot, and to it. */
export type LastTold = {
  /** Its place in the metrics. */
  standing: SwapStanding | null;
  /** The time that its runner was told; null before that, and if the host reports no elapsed time. */
  moment: Told | null;
};

/**
 * The slot of one driven stream: everything that the runtime holds of it besides the drivable. Each member has one file
 * that writes it: `state` is written by `move`, `driven` where a drivable is adopted, and the others where their types
 * say.
 */
export type Slot = {
  readonly id: number;
  readonly stream: string;
  readonly kind: DrivableKind;
  readonly driven: Drivable | null;
  readonly state: SlotState;
  /** By letters.ts. */
  readonly letters: readonly Letter[];
  /** By hearing.ts and hear.ts. */
  readonly ears: Ears;
  /** By give-back.ts. */
  readonly leftovers: Leftovers;
  /** By engine.ts. */
  readonly told: LastTold;
};

export function createSlot(id: number, stream: string, kind: DrivableKind): Slot {
  return {
    id,
    stream,
    kind,
    driven: null,
    state: NEW_SLOT,
    letters: NO_LETTERS,
    ears: { topic: null, from: null, kinds: null, account: null, rejected: 0 },
    leftovers: { loose: null, uncertain: null },
    told: { standing: null, moment: null },
  };
}

const NO_LETTERS: readonly Letter[] = [];

/** Id of the swap that a slot is about: that of its stream, or the one that it watches. */
export function swapOf({ stream, driven }: Pick<Slot, 'stream' | 'driven'>): string {
  return driven?.watched?.uuid ?? stream.slice(stream.indexOf('/') + 1);
}

export const LEG_BITS = { maker: 1, taker: 2 } as const;
