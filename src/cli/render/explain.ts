import { formatUtc, toUnixSeconds, type UnixSeconds } from '../../primitives/time.ts';
import { errorSentences } from '../../replay/explain/errors.ts';
import type { ExplainedViolation } from '../../replay/explain/violations.ts';
import type { ExplainedEvent, Explanation } from '../../replay/explain.ts';
import { fitted } from './fitted.ts';
import { bullets, clean, offsetText, type Style, section, wrap } from './text.ts';

export type ExplainedFrom = {
  readonly file: string;
  /** The moment that the explanation assumes. */
  readonly now: UnixSeconds;
  readonly violations: readonly ExplainedViolation[];
};

/** A moment before the end of a log takes none of its events away: a position does. */
export const EARLY =
  'The log goes on after this time, and all of its events are shown. Use --at <n> to see the swap as it stood ' +
  'after one of them.';

/** An explanation as paragraphs under headings. */
export function explanationText(
  { file, now, violations }: ExplainedFrom,
  explanation: Explanation,
  style: Style,
): string {
  const { paint, columns } = style;
  const { uuid, headline, upTo, of, happened, errors, funds, next, advice, realNode } = explanation;
  // Nothing that follows can be relied on before one knows what in the log is not so.
  const grave = violations.filter((violation) => !violation.cosmetic);
  const cosmetic = violations.filter((violation) => violation.cosmetic);
  const last = happened.reduce((latest, { at }) => Math.max(latest, toUnixSeconds(at)), 0);
  const early = now < last ? [paint.yellow(wrap(EARLY, { columns }))] : [];
  const cut = upTo === of - 1 ? [] : [paint.yellow(`As it stood after event ${upTo} of a log with ${of} events.`)];
  return [
    `As of ${formatUtc(now)}`,
    fitted(`${paint.bold(uuid)}  ${paint.dim(clean(file))}`, columns),
    paint.bold(wrap(headline, { columns })),
    ...early,
    ...cut,
    ...section('Contradictions in the log', violationTexts(grave, style), style),
    ...section(
      'What happened',
      happened.map((event) => eventText(event, style)),
      style,
    ),
    ...section('What went wrong', bullets(errorSentences(errors), style), style),
    ...section('Where the coins are', bullets(funds, style), style),
    ...section('What comes next', bullets(next, style), style),
    ...section('What to do', bullets(advice, style), style),
    ...section('What is odd about the log', anomalyTexts(explanation, style), style),
    ...section('Contradictions that do not affect the swap', violationTexts(cosmetic, style), style),
    ...section('What the real node says', bullets(realNode, style), style),
    '',
  ].join('\n');
}

function eventText({ seq, at, after, type, sentence }: ExplainedEvent, { paint, columns }: Style): string {
  const time = `${formatUtc(toUnixSeconds(at))}  ${(after === null ? '' : offsetText(after)).padEnd(12)}`;
  const indent = 7;
  return `  ${String(seq).padStart(3)}  ${paint.dim(time)} ${paint.bold(clean(type))}\n${' '.repeat(indent)}${wrap(sentence, { columns, indent })}`;
}

/** What the audit violates; what says nothing about coins is marked like a notice. */
export function violationTexts(violations: readonly ExplainedViolation[], { paint, columns }: Style): string[] {
  return violations.map(({ sentence, cosmetic }) => {
    return `  ${cosmetic ? paint.yellow('-') : paint.red('!')} ${wrap(sentence, { columns, indent: 4 })}`;
  });
}

export function anomalyTexts({ anomalies }: Pick<Explanation, 'anomalies'>, { paint, columns }: Style): string[] {
  return anomalies.map(({ seq, code, message, severity, repair }) => {
    const mark = severity === 'fault' ? paint.red('!') : paint.yellow('-');
    const place = seq === null ? '' : `event ${seq}: `;
    const fix = repair === undefined ? '' : ` Repair: ${repair}.`;
    return `  ${mark} ${wrap(`${place}${message} [${code}]${fix}`, { columns, indent: 4 })}`;
  });
}
