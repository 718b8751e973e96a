import { canonicalJson } from '../../primitives/json.ts';
import { type GenerateOptions, generateScenario } from './generate.ts';
import type { Scenario } from './scenario.ts';

/** Options of the command line under which a seed draws a scenario. */
const DRAWN: readonly (readonly [flags: string, options: GenerateOptions])[] = [
  ['', {}],
  [' --no-adversaries', { adversaries: false }],
];

/** The options of `swapfold sim` that draw a scenario; null if none do, because it was written or changed by hand. */
export function drawnBy(scenario: Scenario): string | null {
  const { seed } = scenario;
  const found = DRAWN.find(([, options]) => isSame(generateScenario(seed, options), scenario));
  return found === undefined ? null : `--seed ${seed} --runs 1${found[0]}`;
}

function isSame(drawn: Scenario, scenario: Scenario): boolean {
  return canonicalJson(drawn) === canonicalJson(scenario);
}

/**
 * The command that shows a run again. A scenario does not contain the tester's parts, so a run that is not `plain` needs the program that made it.
 */
export function repeatOf(scenario: Scenario, plain: boolean): string {
  const drawn = drawnBy(scenario);
  if (!plain) {
    const value = drawn === null ? 'the same scenario' : `generateScenario(${scenario.seed}${optionText(drawn)})`;
    return `runScenario of ${value} with the same options`;
  }
  return drawn === null ? 'keepRun(result, folder), then: swapfold sim --scenario <folder>' : `swapfold sim ${drawn}`;
}

function optionText(drawn: string): string {
  return drawn.endsWith('--no-adversaries') ? ', { adversaries: false }' : '';
}
