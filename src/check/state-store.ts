/** How many numbers make a whole state. */
export const WIDTH = 7;

/** Every state ever reached, keyed by all of it: two states count as one only if they are equal. Rows of seven numbers, found by open addressing. */
export type StateStore = {
  /** The state's number; negative, `~number`, for one that is new. */
  readonly add: (row: ArrayLike<number>) => number;
  readonly read: (state: number, into: Int32Array) => void;
  readonly count: () => number;
};

export function createStateStore(): StateStore {
  let rows = new Int32Array(WIDTH * 1024);
  let slots = new Int32Array(4096).fill(-1);
  let count = 0;

  const place = (table: Int32Array, row: ArrayLike<number>, from: number): number => {
    const mask = table.length - 1;
    let slot = hashOf(row, from) & mask;
    for (;;) {
      const state = table[slot] as number;
      if (state < 0 || same(rows, state * WIDTH, { row, from })) return slot;
      slot = (slot + 1) & mask;
    }
  };

  const grow = (): void => {
    const larger = new Int32Array(slots.length * 4).fill(-1);
    for (let state = 0; state < count; state += 1) larger[place(larger, rows, state * WIDTH)] = state;
    slots = larger;
  };

  return {
    add(row) {
      const slot = place(slots, row, 0);
      const known = slots[slot] as number;
      if (known >= 0) return known;
      if ((count + 1) * WIDTH > rows.length) {
        const larger = new Int32Array(rows.length * 2);
        larger.set(rows);
        rows = larger;
      }
      for (let index = 0; index < WIDTH; index += 1) rows[count * WIDTH + index] = row[index] as number;
      slots[slot] = count;
      count += 1;
      if (count * 2 > slots.length) grow();
      return ~(count - 1);
    },
    read(state, into) {
      for (let index = 0; index < WIDTH; index += 1) into[index] = rows[state * WIDTH + index] as number;
    },
    count: () => count,
  };
}

function same(rows: Int32Array, at: number, { row, from }: { row: ArrayLike<number>; from: number }): boolean {
  for (let index = 0; index < WIDTH; index += 1) if (rows[at + index] !== row[from + index]) return false;
  return true;
}

function hashOf(row: ArrayLike<number>, from: number): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < WIDTH; index += 1) {
    hash = Math.imul(hash ^ (row[from + index] as number), 0x85eb_ca6b);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
