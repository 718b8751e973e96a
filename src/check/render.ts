import type { CheckViolation } from './check.ts';
import { CHECKED_RULES } from './rules.ts';

const TIME = 8;
const ACTOR = 18;

/**
 * A broken rule and the shortest way to it, as text: one line for each step, with its time and who did it.
 *
 * @example
 * ```ts
 * import { check, renderViolation, SOUND } from 'swapfold/testing';
 *
 * const eager = { ...SOUND, publishFirst: true };
 * const [found] = check({}, { behaviours: { taker: eager } }).violations;
 * const text = found && renderViolation(found).split('\n')[0];
 * text; // → 'R8 taker: MessageReceived was told and the log does not hold it'
 * ```
 */
export function renderViolation({ rule, party, text, trace }: CheckViolation): string {
  const head = [`${rule} ${party}: ${text}`, `rule: ${CHECKED_RULES[rule]}`, ''];
  const steps = trace.flatMap(({ at, actor, lines }) => {
    return lines.map((line, index) => {
      const [time, who] = index === 0 ? [`${at} s`, actor] : ['', ''];
      return `${time.padStart(TIME)}  ${who.padEnd(ACTOR)}${line}`;
    });
  });
  return [...head, ...steps, ''].join('\n');
}
