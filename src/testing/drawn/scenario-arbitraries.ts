import type { Fidelity } from '../../sim/chains/types.ts';
import { checkArbitraryOptions } from '../../sim/world/check-options.ts';
import { type GenerateOptions, generateScenario } from '../../sim/world/generate.ts';
import type { Scenario } from '../../sim/world/scenario.ts';
import { simplerScenarios } from '../../sim/world/shrink.ts';
import { type Arbitrary, fc, type Random, type Stream, type Value } from './fast-check.ts';

export type ArbitraryScenarioOptions = GenerateOptions & {
  /** How true to life transactions are. @defaultValue 'compact' */
  readonly fidelity?: Fidelity;
};

const SEEDS = 0x1_0000_0000;

let known: ReturnType<typeof scenarioClass> | undefined;

/** The class needs fast-check, which may not be installed; it is made when it is first asked for. */
function scenarioClass() {
  /** As {@link generateScenario} draws them. A counterexample shrinks to one in which nothing can be omitted. */
  return class ScenarioArbitrary extends fc.Arbitrary<Scenario> {
    private readonly options: ArbitraryScenarioOptions;

    constructor(options: ArbitraryScenarioOptions) {
      super();
      this.options = options;
    }

    override generate(random: Random): Value<Scenario> {
      const { fidelity, ...options } = this.options;
      const drawn = generateScenario(random.nextInt(0, SEEDS - 1), options);
      return new fc.Value(fidelity === undefined ? drawn : { ...drawn, fidelity }, undefined);
    }

    // Every scenario is plain data, so one from elsewhere, such as a stored regression, shrinks as well.
    override canShrinkWithoutContext(value: unknown): value is Scenario {
      return typeof value === 'object' && value !== null && 'chainEvents' in value && 'parties' in value;
    }

    override shrink(scenario: Scenario): Stream<Value<Scenario>> {
      return fc.Stream.of(...simplerScenarios(scenario).map((simpler) => new fc.Value(simpler, undefined)));
    }
  };
}

/**
 * Scenarios as a simulation draws them: most with a little trouble, some with a lot, some with none.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { arbitraryScenario, runScenario } from 'swapfold/testing';
 *
 * const scenarios = arbitraryScenario({ kinds: ['utxo'], excuses: false });
 * const keepsRules = fc.property(scenarios, (each) => runScenario(each).violations.length === 0);
 * fc.check(keepsRules, { numRuns: 5 }).failed; // → false
 * ```
 */
export function arbitraryScenario(options: ArbitraryScenarioOptions = {}): Arbitrary<Scenario> {
  checkArbitraryOptions(options);
  known ??= scenarioClass();
  return new known(options);
}
