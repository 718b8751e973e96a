import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStateStore, WIDTH } from '../../../src/check/state-store.ts';

const row = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: WIDTH, maxLength: WIDTH });

describe('a store of states', () => {
  it('stores each state once, in any order', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 3000 }), (rows) => {
        const store = createStateStore();
        const numbers = new Map<string, number>();
        for (const state of rows) {
          const answer = store.add(state);
          const known = numbers.get(state.join());
          expect(answer).toBe(known ?? ~numbers.size);
          if (known === undefined) numbers.set(state.join(), ~answer);
        }
        expect(store.count()).toBe(numbers.size);
      }),
      { numRuns: 30 },
    );
  });

  it('gives back what was put in, past every growth', () => {
    const store = createStateStore();
    const into = new Int32Array(WIDTH);
    const count = 20_000;
    for (let state = 0; state < count; state += 1) store.add(Array.from({ length: WIDTH }, (_, at) => state * 7 + at));
    for (let state = 0; state < count; state += 997) {
      store.read(state, into);
      expect([...into]).toEqual(Array.from({ length: WIDTH }, (_, at) => state * 7 + at));
      expect(store.add(into)).toBe(state);
    }
  });
});
