import { LEG_BITS, type Slot } from './slot.ts';

/** Which slots use which coin, and on which side of their swaps: bits of {@link LEG_BITS}. */
export type CoinIndex = {
  /** Enters the slot under the coins of its drivable. */
  readonly add: (slot: Slot) => void;
  readonly remove: (slot: Slot) => void;
  readonly of: (coin: string) => readonly (readonly [slot: Slot, legs: number])[];
};

export function createCoinIndex(): CoinIndex {
  const slots = new Map<string, Map<Slot, number>>();

  const join = (coin: string | null, slot: Slot, bit: number): void => {
    if (coin === null) return;
    const known = slots.get(coin) ?? new Map<Slot, number>();
    known.set(slot, (known.get(slot) ?? 0) | bit);
    slots.set(coin, known);
  };

  const leave = (coin: string | null, slot: Slot): void => {
    if (coin === null) return;
    const known = slots.get(coin);
    known?.delete(slot);
    if (known?.size === 0) slots.delete(coin);
  };

  return {
    add(slot) {
      if (slot.driven === null) return;
      join(slot.driven.coins.maker, slot, LEG_BITS.maker);
      join(slot.driven.coins.taker, slot, LEG_BITS.taker);
    },
    remove(slot) {
      if (slot.driven === null) return;
      leave(slot.driven.coins.maker, slot);
      leave(slot.driven.coins.taker, slot);
    },
    // A copy, because processing the slots may remove them.
    of: (coin) => [...(slots.get(coin) ?? [])],
  };
}
