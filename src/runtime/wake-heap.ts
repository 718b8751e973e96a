/** Moments by small whole numbers, at most one for each, earliest first. */
export type WakeHeap = {
  /** Sets or moves the moment of an id, in milliseconds. */
  readonly set: (id: number, at: number) => void;
  readonly remove: (id: number) => void;
  /** The earliest moment; Infinity when there is none. */
  readonly earliest: () => number;
  /** Takes out the id with the earliest moment when that is not after `now`; -1 when there is none. */
  readonly takeDue: (now: number) => number;
  readonly size: () => number;
};

const ABSENT = -1;
/** Children of a node: with four, a large heap is half as deep and its children lie side by side. */
const WIDTH = 4;

/**
 * A heap in typed arrays that knows where each id stands: 16 bytes an id, and no timer and no closure for any of them. The
 * moments lie in the order of the heap, so that comparing neighbours stays in the cache.
 */
export function createWakeHeap(capacity = 1024): WakeHeap {
  let moments = new Float64Array(capacity);
  let ids = new Int32Array(capacity);
  let places = new Int32Array(capacity).fill(ABSENT);
  let size = 0;

  const put = (place: number, id: number, at: number): void => {
    moments[place] = at;
    ids[place] = id;
    places[id] = place;
  };

  const rise = (from: number, id: number, at: number): void => {
    let place = from;
    while (place > 0) {
      const parent = Math.floor((place - 1) / WIDTH);
      const above = moments[parent] as number;
      if (above <= at) break;
      put(place, ids[parent] as number, above);
      place = parent;
    }
    put(place, id, at);
  };

  const sink = (from: number, id: number, at: number): void => {
    let place = from;
    for (;;) {
      const first = WIDTH * place + 1;
      if (first >= size) break;
      let least = first;
      const end = Math.min(first + WIDTH, size);
      for (let child = first + 1; child < end; child++) {
        if ((moments[child] as number) < (moments[least] as number)) least = child;
      }
      const below = moments[least] as number;
      if (below >= at) break;
      put(place, ids[least] as number, below);
      place = least;
    }
    put(place, id, at);
  };

  const settle = (place: number, id: number, at: number): void => {
    const parent = moments[Math.floor((place - 1) / WIDTH)] as number;
    if (place > 0 && parent > at) rise(place, id, at);
    else sink(place, id, at);
  };

  const grow = (id: number): void => {
    if (id < moments.length) return;
    const next = Math.max(id + 1, moments.length * 2);
    const oldPlaces = places;
    moments = extended(moments, new Float64Array(next));
    ids = extended(ids, new Int32Array(next));
    places = new Int32Array(next).fill(ABSENT);
    places.set(oldPlaces);
  };

  const remove = (id: number): void => {
    const place = places[id] ?? ABSENT;
    if (place === ABSENT) return;
    places[id] = ABSENT;
    size -= 1;
    if (place < size) settle(place, ids[size] as number, moments[size] as number);
  };

  return {
    set(id, at) {
      grow(id);
      const place = places[id] as number;
      if (place === ABSENT) {
        size += 1;
        rise(size - 1, id, at);
      } else settle(place, id, at);
    },
    remove,
    earliest: () => (size === 0 ? Number.POSITIVE_INFINITY : (moments[0] as number)),
    takeDue(now) {
      if (size === 0 || (moments[0] as number) > now) return ABSENT;
      const id = ids[0] as number;
      remove(id);
      return id;
    },
    size: () => size,
  };
}

function extended<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
