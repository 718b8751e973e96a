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

/**
 * A binary heap in typed arrays that knows where each id stands: 16 bytes an id, and no timer and no closure for any of
 * them.
 */
export function createWakeHeap(capacity = 1024): WakeHeap {
  let moments = new Float64Array(capacity);
  let places = new Int32Array(capacity).fill(ABSENT);
  let heap = new Int32Array(capacity);
  let size = 0;

  const momentOf = (id: number): number => moments[id] as number;

  const put = (place: number, id: number): void => {
    heap[place] = id;
    places[id] = place;
  };

  const rise = (from: number, id: number): void => {
    const at = momentOf(id);
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent] as number;
      if (momentOf(above) <= at) break;
      put(place, above);
      place = parent;
    }
    put(place, id);
  };

  const sink = (from: number, id: number): void => {
    const at = momentOf(id);
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= size) break;
      if (child + 1 < size && momentOf(heap[child + 1] as number) < momentOf(heap[child] as number)) child += 1;
      const below = heap[child] as number;
      if (momentOf(below) >= at) break;
      put(place, below);
      place = child;
    }
    put(place, id);
  };

  const settle = (place: number, id: number): void => {
    const parent = heap[(place - 1) >> 1] as number;
    if (place > 0 && momentOf(parent) > momentOf(id)) rise(place, id);
    else sink(place, id);
  };

  const grow = (id: number): void => {
    if (id < moments.length) return;
    const next = Math.max(id + 1, moments.length * 2);
    const oldPlaces = places;
    moments = extended(moments, new Float64Array(next));
    heap = extended(heap, new Int32Array(next));
    places = new Int32Array(next).fill(ABSENT);
    places.set(oldPlaces);
  };

  const remove = (id: number): void => {
    const place = places[id] ?? ABSENT;
    if (place === ABSENT) return;
    places[id] = ABSENT;
    size -= 1;
    if (place < size) settle(place, heap[size] as number);
  };

  return {
    set(id, at) {
      grow(id);
      const place = places[id] as number;
      moments[id] = at;
      if (place === ABSENT) {
        size += 1;
        rise(size - 1, id);
      } else settle(place, id);
    },
    remove,
    earliest: () => (size === 0 ? Number.POSITIVE_INFINITY : momentOf(heap[0] as number)),
    takeDue(now) {
      if (size === 0) return ABSENT;
      const id = heap[0] as number;
      if (momentOf(id) > now) return ABSENT;
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
