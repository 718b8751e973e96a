import { describe, expect, it } from 'vitest';
import { createSubscriber, type EntrySource } from '../../../src/log/subscriber.ts';
import type { LogEntry } from '../../../src/ports/event-log.ts';

function entryAt(position: number): LogEntry {
  return { position, envelope: { stream: 'taker-swap/a', seq: position - 1, type: `Event${position}` } } as LogEntry;
}

/** A log of so many entries that is read in pages of three. */
function sourceOf(length: number) {
  const due: (() => void)[] = [];
  const errors: unknown[] = [];
  let pages = 0;
  let end = length;
  const source: EntrySource = {
    end: () => end,
    page(after) {
      pages += 1;
      const upTo = Math.min(end, after + 3);
      return { entries: Array.from({ length: upTo - after }, (_, index) => entryAt(after + index + 1)), upTo };
    },
    later: (action) => void due.push(action),
    onError: (error) => void errors.push(error),
  };
  const rest = () => {
    for (let action = due.shift(); action !== undefined; action = due.shift()) action();
  };
  const grow = (by: number) => {
    const added = Array.from({ length: by }, (_, index) => entryAt(end + index + 1));
    end += by;
    return added;
  };
  return { source, rest, grow, errors, pages: () => pages };
}

const options = { stream: undefined, after: 0, onClose: () => {} };

describe('a subscriber of a log', () => {
  it('B1: that is late reads page by page, however much was offered meanwhile', () => {
    const { source, rest, grow, pages } = sourceOf(7);
    const seen: number[] = [];
    const subscriber = createSubscriber(source, { ...options, onEntry: ({ position }) => void seen.push(position) });
    subscriber.offer(grow(2));
    subscriber.offer(grow(3));
    expect(seen).toEqual([]);
    rest();
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(pages()).toBe(4);
  });

  it('B2: that has seen everything gets new entries without a read', () => {
    const { source, rest, grow, pages } = sourceOf(2);
    const seen: number[] = [];
    const subscriber = createSubscriber(source, { ...options, onEntry: ({ position }) => void seen.push(position) });
    rest();
    const before = pages();
    subscriber.offer(grow(4));
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
    expect(pages()).toBe(before);
  });

  it('B3: gets no entry while it is busy with another one, and none twice', async () => {
    const { source, rest, grow } = sourceOf(2);
    const seen: number[] = [];
    const open: (() => void)[] = [];
    const onEntry = ({ position }: LogEntry) => {
      seen.push(position);
      return new Promise<void>((resolve) => void open.push(resolve));
    };
    const subscriber = createSubscriber(source, { ...options, onEntry });
    rest();
    subscriber.offer(grow(1));
    expect(seen).toEqual([1]);
    for (const expected of [
      [1, 2],
      [1, 2, 3],
    ]) {
      open.shift()?.();
      await Promise.resolve();
      rest();
      expect(seen).toEqual(expected);
    }
  });

  it('B4: that throws is closed, and only it learns of that', async () => {
    for (const fails of [
      () => {
        throw new Error('broken');
      },
      () => Promise.reject(new Error('broken')),
    ]) {
      const { source, rest, grow, errors } = sourceOf(0);
      let [calls, closed] = [0, 0];
      const onEntry = () => {
        calls += 1;
        return fails();
      };
      const onClose = () => {
        closed += 1;
      };
      const subscriber = createSubscriber(source, { ...options, onEntry, onClose });
      subscriber.offer(grow(2));
      await Promise.resolve();
      await Promise.resolve();
      rest();
      subscriber.offer(grow(1));
      rest();
      expect({ calls, closed, errors: errors.map(String) }).toEqual({ calls: 1, closed: 1, errors: ['Error: broken'] });
    }
  });
});
