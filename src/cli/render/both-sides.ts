import type { Role } from '../../events/catalog.ts';
import { formatUtc, millisOf, toUnixSeconds, type UnixSeconds } from '../../primitives/time.ts';
import type { SideComparison, StoryEvent } from '../../replay/compare/sides.ts';
import { errorSentences } from '../../replay/explain/errors.ts';
import type { ExplainedViolation } from '../../replay/explain/violations.ts';
import type { Explanation } from '../../replay/explain.ts';
import { sideSections } from './compare.ts';
import { anomalyTexts, EARLY, violationTexts } from './explain.ts';
import { fitted } from './fitted.ts';
import { bullets, clean, type Style, section, wrap } from './text.ts';

export type ExplainedSide = {
  readonly file: string;
  readonly explanation: Explanation;
  readonly violations: readonly ExplainedViolation[];
};

export type BothSides = Readonly<Record<Role, ExplainedSide>> & {
  readonly comparison: SideComparison;
  /** The moment that the explanation assumes. */
  readonly now: UnixSeconds;
};

const ROLES: readonly Role[] = ['maker', 'taker'];

/** The logs of both sides of a swap as one story. */
export function bothSidesText(sides: BothSides, style: Style): string {
  const { paint, columns } = style;
  const { comparison, now } = sides;
  const { uuid } = sides.maker.explanation;
  const last = Math.max(...comparison.story.map(({ at }) => toUnixSeconds(millisOf(at))));
  return [
    `As of ${formatUtc(now)}`,
    `${paint.bold(uuid)}  both sides`,
    ...ROLES.map((role) => fitted(`  ${markOf(role)}  ${role}  ${paint.dim(clean(sides[role].file))}`, columns)),
    ...(now < last ? [paint.yellow(wrap(EARLY, style))] : []),
    ...ROLES.map((role) => paint.bold(wrap(sides[role].explanation.headline, style))),
    ...section('What happened, from both logs', storyLines(sides, style), style),
    ...perSide('What went wrong', { sides, style }, ({ errors }) => bullets(errorSentences(errors), style)),
    ...sideSections(comparison, style),
    ...whatToDo(sides, style),
    ...perSide('What is odd about the log', { sides, style }, (explanation) => anomalyTexts(explanation, style)),
    ...ROLES.flatMap((role) =>
      section(`Contradictions in the log (${role})`, violationTexts(sides[role].violations, style), style),
    ),
    ...perSide('What the real node says', { sides, style }, ({ realNode }) => bullets(realNode, style)),
    '',
  ].join('\n');
}

function markOf(role: Role): string {
  return role === 'maker' ? 'M' : 'T';
}

type Shown = { readonly sides: BothSides; readonly style: Style };

function perSide(title: string, { sides, style }: Shown, lines: (of: Explanation) => readonly string[]): string[] {
  return ROLES.flatMap((role) => section(`${title} (${role})`, lines(sides[role].explanation), style));
}

function storyLines({ comparison, maker, taker }: BothSides, { paint, columns }: Style): string[] {
  const sentences = { maker: maker.explanation.happened, taker: taker.explanation.happened };
  const indent = 7;
  return comparison.story.map(({ role, seq, type, at }: StoryEvent) => {
    const time = paint.dim(formatUtc(toUnixSeconds(millisOf(at))));
    const sentence = sentences[role][seq]?.sentence ?? '';
    const head = `  ${markOf(role)} ${String(seq).padStart(2)} ${time} ${paint.bold(clean(type))}`;
    return `${head}\n${' '.repeat(indent)}${wrap(sentence, { columns, indent })}`;
  });
}

/** What one log leaves open the other may have settled, so the advice of a side alone is told only where both leave something open. */
function whatToDo(sides: BothSides, style: Style): string[] {
  const { settled } = sides.comparison;
  if (settled === 'confirmed') {
    return section(
      'What to do',
      bullets(['Nothing: both logs together show that everything is settled.'], style),
      style,
    );
  }
  if (settled === 'broadcast') {
    const look = 'Check whether the last transaction of each payment is confirmed. If it is, there is nothing to do.';
    return section('What to do', bullets([look], style), style);
  }
  return [
    ...perSide('What comes next', { sides, style }, ({ next }) => bullets(next, style)),
    ...perSide('What to do', { sides, style }, ({ advice }) => bullets(advice, style)),
  ];
}
