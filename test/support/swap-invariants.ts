import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Invariant } from '../../machines/definition.ts';
import { makerSwapInvariants } from '../../machines/maker-swap/invariants.ts';
import { takerSwapInvariants } from '../../machines/taker-swap/invariants.ts';
import type { Role } from '../../src/events/catalog.ts';
import { knownAs } from '../../src/primitives/known-as.ts';
import { traceSwap } from '../../src/replay/trace.ts';
import { swapLog } from '../../src/testing/drawn/logs.ts';

/** What holds after every event of a role's log. */
export const swapInvariants: Readonly<Record<Role, readonly Invariant<unknown>[]>> = {
  taker: knownAs<readonly Invariant<unknown>[]>(takerSwapInvariants),
  maker: knownAs<readonly Invariant<unknown>[]>(makerSwapInvariants),
};

/** One named property for every invariant of a role's machine, over generated legal logs. */
export function describeInvariants(role: Role, ids: readonly string[]): void {
  const invariants = swapInvariants[role];

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
