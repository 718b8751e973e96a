/** Keys of 16 bytes, each with a few whole numbers from 0 to 4,294,967,295. */
export type CompactTable = {
  /** Place of a key, from 0 in the order in which they came; -1 for an unknown one. */
  readonly find: (key: Uint8Array) => number;
  /** The same, for an unknown key too: it gets the next place, with zeros. */
  readonly take: (key: Uint8Array) => number;
  readonly keyAt: (place: number) => Uint8Array;
  readonly get: (place: number, column: number) => number;
  readonly set: (place: number, column: number, value: number) => void;
  readonly size: () => number;
};

const KEY_WORDS = 4;
const CHUNK_PLACES = 4096;
const FIRST_SLOTS = 1024;
/** Of the slots, at most so many are taken. */
const FULL = 0.7;

/**
 * A table for what must be remembered of each of very many swaps: 16 bytes for a key and 4 for each of its numbers, and some 8 to find
 * it, where a `Map` of texts takes some hundreds.
 *
 * @param columns count of the numbers of a key
 */
export function createCompactTable(columns: number): CompactTable {
  const entries = createEntries(KEY_WORDS + columns);
  // Each slot holds a place, counted from 1.
  let slots = new Uint32Array(FIRST_SLOTS);
  const key = new Uint32Array(KEY_WORDS);

  /** The first slot for a key that is free, or holds what is looked for. */
  const slotOf = (words: Uint32Array, start: number, isFound: (place: number) => boolean): number => {
    const last = slots.length - 1;
    let slot = spread(words, start) & last;
    for (let held = slots[slot] ?? 0; held !== 0 && !isFound(held - 1); held = slots[slot] ?? 0) {
      slot = (slot + 1) & last;
    }
    return slot;
  };
  const isKey = (place: number): boolean => entries.holds(place, key);
  const grow = (): void => {
    slots = new Uint32Array(2 * slots.length);
    for (let place = 0; place < entries.size(); place++) {
      const { chunk, start } = entries.at(place);
      slots[slotOf(chunk, start, () => false)] = place + 1;
    }
  };
  return {
    find(bytes) {
      readKey(bytes, key);
      return (slots[slotOf(key, 0, isKey)] ?? 0) - 1;
    },
    take(bytes) {
      readKey(bytes, key);
      const held = slots[slotOf(key, 0, isKey)] ?? 0;
      if (held !== 0) return held - 1;
      if (entries.size() + 1 > FULL * slots.length) grow();
      const place = entries.add(key);
      slots[slotOf(key, 0, () => false)] = place + 1;
      return place;
    },
    keyAt(place) {
      const { chunk, start } = entries.at(place);
      return writeKey(chunk, start);
    },
    get(place, column) {
      const { chunk, start } = entries.at(place);
      return chunk[start + KEY_WORDS + column] ?? 0;
    },
    set(place, column, value) {
      const { chunk, start } = entries.at(place);
      chunk[start + KEY_WORDS + column] = value;
    },
    size: entries.size,
  };
}

/** Keys with their numbers, one after the other, in chunks that need not be moved as they grow. */
function createEntries(words: number) {
  const chunks: Uint32Array[] = [];
  let size = 0;
  const at = (place: number) => ({
    chunk: chunks[Math.floor(place / CHUNK_PLACES)] as Uint32Array,
    start: (place % CHUNK_PLACES) * words,
  });
  return {
    at,
    holds(place: number, key: Uint32Array): boolean {
      const { chunk, start } = at(place);
      return key.every((word, index) => chunk[start + index] === word);
    },
    add(key: Uint32Array): number {
      if (size % CHUNK_PLACES === 0) chunks.push(new Uint32Array(CHUNK_PLACES * words));
      const { chunk, start } = at(size);
      chunk.set(key, start);
      return size++;
    },
    size: () => size,
  };
}

function readKey(bytes: Uint8Array, key: Uint32Array): void {
  for (let word = 0; word < KEY_WORDS; word++) {
    const at = 4 * word;
    key[word] =
      (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
  }
}

function writeKey(words: Uint32Array, start: number): Uint8Array {
  return Uint8Array.from({ length: 4 * KEY_WORDS }, (_, at) => (words[start + (at >> 2)] ?? 0) >>> (8 * (at & 3)));
}

/** Ids may differ in few of their bits: all of them count. */
function spread(words: Uint32Array, start: number): number {
  let mixed = 0;
  for (let word = start; word < start + KEY_WORDS; word++) {
    mixed = Math.imul(mixed ^ (words[word] ?? 0), 0x9e37_79b1);
    mixed ^= mixed >>> 15;
  }
  return mixed >>> 0;
}
