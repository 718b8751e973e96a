/** Ids in the order in which they came, each at most once. */
export type ReadyRing = {
  /** False if it is already there. */
  readonly push: (id: number) => boolean;
  /** Removes and returns the one that came first; -1 if there is none. */
  readonly take: () => number;
  readonly size: () => number;
};

/** A ring in typed arrays that grows when full. */
export function createReadyRing(capacity = 1024): ReadyRing {
  let ring = new Int32Array(capacity);
  let inside = new Uint8Array(capacity);
  let head = 0;
  let size = 0;

  const growRing = (): void => {
    const next = new Int32Array(ring.length * 2);
    for (let index = 0; index < size; index++) next[index] = ring[(head + index) % ring.length] as number;
    ring = next;
    head = 0;
  };

  return {
    push(id) {
      if (id >= inside.length) {
        const next = new Uint8Array(Math.max(id + 1, inside.length * 2));
        next.set(inside);
        inside = next;
      }
      if (inside[id] === 1) return false;
      if (size === ring.length) growRing();
      inside[id] = 1;
      ring[(head + size) % ring.length] = id;
      size += 1;
      return true;
    },
    take() {
      if (size === 0) return -1;
      const id = ring[head] as number;
      head = (head + 1) % ring.length;
      size -= 1;
      inside[id] = 0;
      return id;
    },
    size: () => size,
  };
}
