import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../machines/swap-verdict.ts';
import type { Role } from '../../src/events/catalog.ts';
import { savedSwapText } from '../../src/events/encode.ts';
import { decodeSwapsText } from '../../src/events/wrappers.ts';
import { replaySwap, swapMachines } from '../../src/replay/swaps.ts';
import { traceSwap } from '../../src/replay/trace.ts';
import { type ChartPath, STORED_ORIGINS, simplePaths } from '../../src/testing/drawn/paths.ts';
import { buildSwap } from '../../src/testing/logs/swap-builder.ts';
import { swapInvariants } from '../support/swap-invariants.ts';

/** Ways to the end that share what happened to the money and the last event before the end. */
export type Ending = {
  /** Events that move money, in order, then the last event before Finished. */
  readonly ending: string;
  readonly outcome: Outcome;
  /** How many ways through the chart end so. */
  readonly ways: number;
};

/** The events of a path that move money or allow it, and its last event before Finished. */
export function endingOf({ events }: ChartPath): string {
  const money = events.filter((type) =>
    /ValidatedAndConfirmed$|^MakerPaymentSpendFailed$|PaymentSent$|PaymentSpent(ByWatcher)?$|PaymentRefunded(ByWatcher)?$/.test(
      type,
    ),
  );
  return [...money, events.at(-2)].join(' / ');
}

/**
 * One named test for every way through the role's chart that a log of the real node can go; fails when the chart gains or loses
 * one. The ways that only this engine goes are far more: see `describeEnginePaths`.
 *
 * @param sample those of the ways that have a test. @defaultValue all; the table is held against all of them in any case
 */
export function describeTerminalPaths(
  role: Role,
  endings: readonly Ending[],
  sample: (paths: readonly ChartPath[]) => readonly ChartPath[] = (paths) => paths,
): void {
  const { definition } = swapMachines[role];
  const paths = [...simplePaths(definition, { origins: STORED_ORIGINS })];
  const expected = new Map(endings.map((row) => [row.ending, row]));

  describe(`${definition.id}: every way to the end that a stored log can go`, () => {
    it('the table of endings has every way through the chart', () => {
      const found = new Map<string, number>();
      for (const path of paths) found.set(endingOf(path), (found.get(endingOf(path)) ?? 0) + 1);
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(endings.map(({ ending, ways }) => [ending, ways])));
    });

    for (const path of sample(paths)) {
      it(path.name, () => {
        const log = buildSwap({ role, path: path.events, seed: path.name });
        const replayed = replaySwap(log);
        expect(replayed.anomalies.filter(({ severity }) => severity === 'fault')).toEqual([]);
        expect(replayed.state).toBe('finished');
        expect(replayed.outcome).toBe(expected.get(endingOf(path))?.outcome);

        const steps = traceSwap(log);
        expect(steps.map(({ state }) => state)).toEqual(path.states.slice(1));
        for (const { seq, state, context, verdict } of steps) {
          const broken = swapInvariants[role].filter(({ holds }) => !holds(state, context)).map(({ id }) => id);
          expect(broken, `after ${path.events[seq]}`).toEqual([]);
          const prefix = replaySwap({ ...log, events: log.events.slice(0, seq + 1) });
          expect({ state: prefix.state, outcome: prefix.outcome, funds: prefix.funds, next: prefix.next }).toEqual({
            state,
            ...verdict,
          });
        }

        const [again] = decodeSwapsText(savedSwapText(log));
        expect(again?.ok === true && replaySwap(again.log)).toEqual(replayed);
      });
    }
  });
}
