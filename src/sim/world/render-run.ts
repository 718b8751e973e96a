import { oneLine } from '../../primitives/foreign-text.ts';
import { RULES } from './judge.ts';
import type { RunResult } from './simulate.ts';
import type { RunLine } from './timeline.ts';

/** How to color and cut a timeline; without it, neither happens. */
export type RunStyle = {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly yellow: (text: string) => string;
  /** Characters of a line, at most. */
  readonly columns: number;
};

const as = (text: string): string => text;
const PLAIN: RunStyle = { bold: as, dim: as, yellow: as, columns: 400 };

/**
 * A run as the command line prints it: every event of both parties with its time, what became of their money, the broken rules, what of the plan
 * never happened, and how to see the run again.
 *
 * @param from where the scenario came from, in place of its seed.
 *
 * @example
 * ```ts
 * import { calmScenario, renderRun, runScenario } from 'swapfold/testing';
 *
 * const lines = renderRun(runScenario(calmScenario({ seed: 7 }))).split('\n');
 * lines[0]; // → 'Seed 7'
 * lines.slice(-5); // → [
 * //   'maker  swapped, in state finished',
 * //   'taker  swapped, in state finished',
 * //   '',
 * //   'No rule was broken.',
 * //   '',
 * // ]
 * ```
 */
export function renderRun(
  result: RunResult,
  { style = PLAIN, from }: { style?: RunStyle; from?: string } = {},
): string {
  const { seed, timeline, endings, unfired, notices, repeat } = result;
  const rows = timeline.map((line) => rowOf(line, style));
  const ends = endings.map(({ party, state, money, broken }) => {
    const because = broken.length === 0 ? '' : `; given up: ${broken.join(', ')}`;
    return `${party.padEnd(5)}  ${money}, in state ${state}${because}`;
  });
  const head = from === undefined ? `Seed ${seed}` : `Scenario of ${plain(from)}`;
  const never = unfired.length === 0 ? [] : ['', 'Planned, and without effect:', ...unfired.map((text) => `  ${text}`)];
  const told = notices.length === 0 ? [] : ['', ...notices.map((text) => `Note: ${text}.`)];
  const again = result.violations.length === 0 ? [] : ['', `See it again: ${repeat}`];
  return `${[head, '', ...rows, '', ...ends, ...brokenLines(result), ...never, ...told, ...again].join('\n')}\n`;
}

function rowOf({ at, party, kind, text }: RunLine, { bold, dim, yellow, columns }: RunStyle): string {
  const line = `${timeOf(at).padStart(8)}  ${party.padEnd(5)}  ${plain(text)}`.slice(0, columns);
  if (kind === 'public') return bold(line);
  return kind === 'journal' ? dim(line) : yellow(line);
}

function brokenLines({ violations, seed }: Pick<RunResult, 'violations' | 'seed'>): readonly string[] {
  if (violations.length === 0) return ['', 'No rule was broken.'];
  return violations.flatMap(({ rule, party, at, text }) => [
    '',
    `${rule} broken by the ${party} at ${timeOf(at)} (seed ${seed}): ${plain(text)}`,
    `  ${RULES[rule]}`,
  ]);
}

/** Without characters that a text must not send to a terminal. */
export function plain(text: string): string {
  return oneLine(text);
}

/** `1:02:03` for 3723 seconds, `-0:00:41` for 41 s before the beginning. */
export function timeOf(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const passed = Math.abs(seconds);
  // A clock that is behind stamps the first events with a moment before the beginning.
  const sign = seconds < 0 ? '-' : '';
  return `${sign}${Math.floor(passed / 3600)}:${two(Math.floor(passed / 60) % 60)}:${two(passed % 60)}`;
}

/**
 * A run that broke a rule. The text is that of {@link renderRun}.
 *
 * @example
 * ```ts
 * import { assertSound, BrokenRuleError, runScenario } from 'swapfold/testing';
 * import { SOUND, scenario, storageFaultAt } from 'swapfold/testing';
 *
 * const lost = scenario(storageFaultAt('taker', { at: 3, how: 'lost' }));
 * const behaviours = { taker: { ...SOUND, publishFirst: true } };
 * const check = async () => assertSound(runScenario(lost, { behaviours }));
 * const broken: unknown = await check().catch((error: unknown) => error);
 * broken instanceof BrokenRuleError && broken.result.violations[0]?.rule; // → 'R8'
 * ```
 */
export class BrokenRuleError extends Error {
  readonly code = 'RULE_BROKEN';
  readonly result: RunResult;

  constructor(result: RunResult) {
    super(renderRun(result));
    this.name = 'BrokenRuleError';
    this.result = result;
  }
}

/**
 * What a test says of a run that must keep every rule. @throws BrokenRuleError with the whole timeline.
 *
 * @example
 * ```ts
 * import { assertSound, runScenario, SOUND, scenario, storageFaultAt } from 'swapfold/testing';
 *
 * const lost = scenario(storageFaultAt('taker', { at: 3, how: 'lost' }));
 * assertSound(runScenario(lost)); // → undefined
 * const behaviours = { taker: { ...SOUND, publishFirst: true } };
 * assertSound(runScenario(lost, { behaviours })); // throws BrokenRuleError
 * ```
 */
export function assertSound(result: RunResult): void {
  if (result.violations.length > 0) throw new BrokenRuleError(result);
}
