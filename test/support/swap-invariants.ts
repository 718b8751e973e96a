import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Role } from '../../src/events/catalog.ts';
import { swapMachines } from '../../src/replay/swaps.ts';
import { traceSwap } from '../../src/replay/trace.ts';
import { swapLog } from '../../src/testing/drawn/logs.ts';

/** One named property for every invariant of a role's machine, over generated legal logs. */
export function describeInvariants(role: Role, ids: readonly string[]): void {
  const { invariants } = swapMachines[role].definition;

  describe(`invariants of the ${role}`, () => {
    it('are the ones that these properties know', () => {
      expect(invariants.map(({ id }) => id)).toEqual(ids);
    });

    for (const { id, text, holds } of invariants) {
      it(`${id}: ${text}`, () => {
        fc.assert(
          fc.property(swapLog(role, { consistent: false }), (log) => {
            const broken = traceSwap(log).filter(({ state, context }) => !holds(state, context));
            expect(broken.map(({ seq, state }) => ({ seq, state }))).toEqual([]);
          }),
          { numRuns: 150 },
        );
      });
    }
  });
}
