import type { CheckResult, CheckViolation } from '../../check/check.ts';
import type { NamedBounds } from '../../check/published.ts';
import { fitted } from './fitted.ts';
import { clean, clockText, type Style } from './text.ts';

/** One search as two lines, with its counterexamples below. */
export function checkRowText(
  { name, text }: Pick<NamedBounds, 'name' | 'text'>,
  result: CheckResult,
  { paint, columns }: Style,
): string {
  const { states, transitions, depth, ms, complete, violations } = result;
  const figures = `${grouped(states)} states, ${grouped(transitions)} transitions, depth ${depth}, ${(ms / 1000).toFixed(1)} s`;
  const verdict =
    violations.length > 0 ? paint.red('a rule is broken') : complete ? 'complete' : paint.yellow('abandoned');
  const again = violations.length === 0 ? [] : [`  Reproduce: ${result.repeat}`, ''];
  const lines = [`${name}: ${text}`, `  ${figures}, ${verdict}`, ...violations.flatMap(violationLines), ...again];
  return fitted(`${lines.join('\n')}\n`, columns);
}

function grouped(count: number): string {
  return count.toLocaleString('en-GB');
}

function violationLines({ rule, party, text, trace }: CheckViolation): string[] {
  const steps = trace.flatMap(({ at, actor, lines }) =>
    lines.map((line, index) => {
      const head = index === 0 ? `${clockText(at * 1000).padStart(9)}  ${actor.padEnd(11)}` : ''.padEnd(22);
      return `  ${head} ${clean(line)}`;
    }),
  );
  return ['', `  ${rule} broken for the ${party}: ${clean(text)}`, ...steps, ''];
}

export function checkSummary(results: readonly CheckResult[], { columns }: Style): string {
  const states = results.reduce((sum, result) => sum + result.states, 0);
  const broken = results.reduce((sum, result) => sum + result.violations.length, 0);
  const open = results.filter(({ complete }) => !complete).length;
  const sound = open === 0 ? 'No rule was broken.' : 'No rule was broken in the states explored.';
  const verdict = broken === 0 ? sound : `${broken} broken rules.`;
  const given =
    open === 1 ? '1 search was abandoned before it was' : `${open} searches were abandoned before they were`;
  const rest = open === 0 ? '' : ` ${given} complete.`;
  const searches = results.length === 1 ? '1 search' : `${results.length} searches`;
  return fitted(`${grouped(states)} states in ${searches}. ${verdict}${rest}\n`, columns);
}
