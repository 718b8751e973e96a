/** Something that happens at a moment of a simulated world, in milliseconds. */
type Entry<T> = { readonly at: number; readonly order: number; readonly item: T };

/** Events by time, and in order of entry at equal times, so that a run never depends on anything else. */
export type EventQueue<T> = {
  readonly push: (at: number, item: T) => void;
  /** The earliest event, taken out; undefined when there is none. */
  readonly pop: () => { readonly at: number; readonly item: T } | undefined;
  readonly size: () => number;
};

/** A binary heap. */
export function createEventQueue<T>(): EventQueue<T> {
  const heap: Entry<T>[] = [];
  let order = 0;

  const push = (at: number, item: T): void => {
    const entry = { at, order, item };
    order += 1;
    let index = heap.length;
    heap.push(entry);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] as Entry<T>;
      if (!before(entry, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  };

  const pop = () => {
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined) return undefined;
    if (heap.length > 0) sink(heap, last);
    return first;
  };

  return { push, pop, size: () => heap.length };
}

function before<T>(left: Entry<T>, right: Entry<T>): boolean {
  return left.at !== right.at ? left.at < right.at : left.order < right.order;
}

function sink<T>(heap: Entry<T>[], entry: Entry<T>): void {
  const { length } = heap;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= length) break;
    if (child + 1 < length && before(heap[child + 1] as Entry<T>, heap[child] as Entry<T>)) child += 1;
    if (!before(heap[child] as Entry<T>, entry)) break;
    heap[index] = heap[child] as Entry<T>;
    index = child;
  }
  heap[index] = entry;
}
