import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createWakeHeap } from '../../../../src/runtime/loop/wake-heap.ts';

// Most steps set a moment: only a heap of three levels shows whether the least of all children rises.
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ op: fc.constant('set' as const), id: fc.nat(60), at: fc.nat(1000) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('remove' as const), id: fc.nat(60) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('due' as const), at: fc.nat(2000) }) },
);

it('returns ids in the order of their times, whatever was set, moved and removed in between', () => {
  fc.assert(
    fc.property(fc.array(step, { size: 'max', maxLength: 200 }), (steps) => {
      const heap = createWakeHeap(2);
      const known = new Map<number, number>();
      for (const given of steps) {
        if (given.op === 'set') {
          heap.set(given.id, given.at);
          known.set(given.id, given.at);
        } else if (given.op === 'remove') {
          heap.remove(given.id);
          known.delete(given.id);
        } else {
          const id = heap.takeDue(given.at);
          const least = Math.min(...known.values());
          if (id < 0) expect(least).toBeGreaterThan(given.at);
          else {
            expect(known.get(id)).toBe(least);
            known.delete(id);
          }
        }
        expect(heap.size()).toBe(known.size);
        expect(heap.earliest()).toBe(Math.min(...known.values()));
      }
    }),
  );
});

it('keeps moments beyond 32 bits', () => {
  const heap = createWakeHeap();
  heap.set(3, 1_700_000_000_000.5);
  expect(heap.earliest()).toBe(1_700_000_000_000.5);
});
