import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createReadyRing } from '../../../../src/runtime/loop/ready-ring.ts';

it('is a queue that holds each id at most once', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(30), fc.constant(-1)), { maxLength: 200 }), (steps) => {
      const ring = createReadyRing(2);
      const queue: number[] = [];
      for (const id of steps) {
        if (id < 0) expect(ring.take()).toBe(queue.shift() ?? -1);
        else {
          expect(ring.push(id)).toBe(!queue.includes(id));
          if (!queue.includes(id)) queue.push(id);
        }
        expect(ring.size()).toBe(queue.length);
      }
    }),
  );
});
