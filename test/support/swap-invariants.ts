import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Invariant } from '../../machines/definition.ts';
import { makerSwapInvariants } from '../../machines/maker-swap/invariants.ts';
import { takerSwapInvariants } from '../../machines/taker-swap/invariants.ts';
import type { Role } from '../../src/events/catalog.ts';
import { knownAs } from '../../src/primitives/known-as.ts';
import { type TraceStep, traceSwap } from '../../src/replay/trace.ts';
import { swapLog } from '../../src/testing/drawn/logs.ts';

/** What holds after every event of a role's log. */
export const swapInvariants: Readonly<Record<Role, readonly Invariant<unknown>[]>> = {
  taker: knownAs<readonly Invariant<unknown>[]>(takerSwapInvariants),
  maker: knownAs<readonly Invariant<unknown>[]>(makerSwapInvariants),
};

/** One named property for every invariant of a role's machine, over the same generated legal logs: drawing one costs most. */
export function describeInvariants(role: Role, ids: readonly string[]): void {
  const invariants = swapInvariants[role];
  let drawn: readonly (readonly TraceStep[])[] | undefined;
  const traces = () => {
    drawn ??= fc.sample(swapLog(role, { consistent: false }), 200).map((log) => traceSwap(log));
    return drawn;
  };

  describe(`invariants of the ${role}`, () => {
    it('are the ones that these properties cover', () => {
      expect(invariants.map(({ id }) => id)).toEqual(ids);
    });

    for (const { id, text, holds } of invariants) {
      it(`${id}: ${text}`, () => {
        const broken = traces().flatMap((steps) => {
          const first = steps.find(({ state, context }) => !holds(state, context));
          if (first === undefined) return [];
          return { way: steps.slice(0, steps.indexOf(first) + 1).map(({ state }) => state), context: first.context };
        });
        // The shortest way to a state that breaks it.
        expect(broken.toSorted((left, right) => left.way.length - right.way.length)[0]).toBeUndefined();
      });
    }
  });
}
