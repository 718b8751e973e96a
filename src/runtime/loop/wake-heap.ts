/** Moments by small whole numbers, at most one for each, earliest first. */
export type WakeHeap = {
  /** Sets or moves the moment of an id, in milliseconds. */
  readonly set: (id: number, at: number) => void;
  readonly remove: (id: number) => void;
  /** The earliest moment; Infinity if there is none. */
  readonly earliest: () => number;
  /** Removes and returns the id with the earliest moment if that is not after `now`; -1 if there is none. */
  readonly takeDue: (now: number) => number;
  readonly size: () => number;
};

const ABSENT = -1;
/** Children of a node: with four, a large heap is half as deep and its children lie side by side. */
const WIDTH = 4;

type Arrays = {
  /** By place in the heap, so that comparing neighbours stays in the cache. */
  moments: Float64Array;
  ids: Int32Array;
  /** By id. */
  places: Int32Array;
  size: number;
};

/** A heap in typed arrays that knows where each id stands: 16 bytes an id, and no timer and no closure for any of them. */
export function createWakeHeap(capacity = 1024): WakeHeap {
  const heap: Arrays = {
    moments: new Float64Array(capacity),
    ids: new Int32Array(capacity),
    places: new Int32Array(capacity).fill(ABSENT),
    size: 0,
  };
  return {
    set: (id, at) => set(heap, id, at),
    remove: (id) => remove(heap, id),
    earliest: () => (heap.size === 0 ? Number.POSITIVE_INFINITY : (heap.moments[0] as number)),
    takeDue(now) {
      if (heap.size === 0 || (heap.moments[0] as number) > now) return ABSENT;
      const id = heap.ids[0] as number;
      remove(heap, id);
      return id;
    },
    size: () => heap.size,
  };
}

function set(heap: Arrays, id: number, at: number): void {
  if (id >= heap.moments.length) grow(heap, id);
  let place = heap.places[id] as number;
  if (place === ABSENT) {
    place = heap.size;
    heap.size += 1;
  }
  heap.moments[place] = at;
  heap.ids[place] = id;
  heap.places[id] = place;
  restore(heap, place);
}

function remove(heap: Arrays, id: number): void {
  const place = heap.places[id] ?? ABSENT;
  if (place === ABSENT) return;
  heap.places[id] = ABSENT;
  heap.size -= 1;
  if (place === heap.size) return;
  move(heap, heap.size, place);
  restore(heap, place);
}

/** Moves the entry at a place to where it belongs; all others are in order. */
function restore(heap: Arrays, place: number): void {
  const parent = (place - 1) >> 2;
  if (place > 0 && (heap.moments[parent] as number) > (heap.moments[place] as number)) rise(heap, place);
  else sink(heap, place);
}

function rise(heap: Arrays, from: number): void {
  const { moments, ids, places } = heap;
  const at = moments[from] as number;
  const id = ids[from] as number;
  let place = from;
  while (place > 0) {
    const parent = (place - 1) >> 2;
    if ((moments[parent] as number) <= at) break;
    move(heap, parent, place);
    place = parent;
  }
  moments[place] = at;
  ids[place] = id;
  places[id] = place;
}

function sink(heap: Arrays, from: number): void {
  const { moments, ids, places, size } = heap;
  const at = moments[from] as number;
  const id = ids[from] as number;
  let place = from;
  for (;;) {
    const first = WIDTH * place + 1;
    if (first >= size) break;
    let least = first;
    const end = Math.min(first + WIDTH, size);
    for (let child = first + 1; child < end; child++) {
      if ((moments[child] as number) < (moments[least] as number)) least = child;
    }
    if ((moments[least] as number) >= at) break;
    move(heap, least, place);
    place = least;
  }
  moments[place] = at;
  ids[place] = id;
  places[id] = place;
}

function move({ moments, ids, places }: Arrays, from: number, to: number): void {
  const id = ids[from] as number;
  moments[to] = moments[from] as number;
  ids[to] = id;
  places[id] = to;
}

function grow(heap: Arrays, id: number): void {
  const { moments, ids, places } = heap;
  const capacity = Math.max(id + 1, moments.length * 2);
  heap.moments = new Float64Array(capacity);
  heap.moments.set(moments);
  heap.ids = new Int32Array(capacity);
  heap.ids.set(ids);
  heap.places = new Int32Array(capacity).fill(ABSENT);
  heap.places.set(places);
}
