import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Outcome } from '../../../machines/swap-verdict.ts';
import { formatUtc, type Millis, toUnixSeconds } from '../../primitives/time.ts';
import type { ReplayedSwap } from '../../replay/swaps.ts';
import { briefText, clean, count, counted, type Paint, type Style, shortAmount, tally, wrap } from './text.ts';

/** First and last moment of a log; absent where it has no events. */
export type Span = { readonly from: Millis; readonly to: Millis };

const COLOURS: Readonly<Record<Outcome, keyof Paint & ('green' | 'cyan' | 'yellow' | 'red' | 'blue')>> = {
  completed: 'green',
  refunded: 'cyan',
  'failed-before-payment': 'yellow',
  'in-progress': 'blue',
  'claim-pending': 'blue',
  'refund-pending': 'blue',
  'funds-at-risk': 'red',
};

export type ReplayedFrom = {
  readonly span: Span | undefined;
  /** The file, where it is to be named. */
  readonly file?: string;
};

/** One line for a swap, and where its log has a fault, one more for each of its anomalies: a notice may explain it. */
export function replayLines(swap: ReplayedSwap, { span, file }: ReplayedFrom, { paint, columns }: Style): string {
  const { uuid, role, state, outcome, anomalies } = swap;
  const start = span === undefined ? '' : formatUtc(toUnixSeconds(span.from)).slice(0, 10);
  const lasted = span === undefined ? '' : briefText(span.to - span.from);
  const odd = anomalies.length === 1 ? '1 anomaly' : `${anomalies.length} anomalies`;
  const cells = [
    uuid.slice(0, 8),
    role.padEnd(5),
    paint[COLOURS[outcome]](outcome.padEnd(21)),
    clean(tradeText(swap)).padEnd(24),
    paint.dim(start.padEnd(10)),
    paint.dim(lasted.padStart(8)),
    state.padEnd(8),
    anomalies.length === 0 ? '' : paint.yellow(odd),
  ];
  const faulty = anomalies.some(({ severity }) => severity === 'fault');
  const told = (faulty ? anomalies : []).map(({ seq, code, message, repair, severity }) => {
    const fix = repair === undefined ? '' : ` Repair: ${repair}.`;
    const place = seq === null ? '' : ` at event ${seq}`;
    const text = wrap(`${code}${place}: ${message}${fix}`, { columns, indent: 9 });
    return `\n         ${(severity === 'fault' ? paint.red : paint.yellow)(code)}${text.slice(code.length)}`;
  });
  const line = cells.join(' ').trimEnd();
  return `${line}${nameText(swap, { line, file, style: { paint, columns } })}${told.join('')}\n`;
}

/** The file's name, on a line of its own where it does not fit; a name that starts with the uuid says nothing new. */
function nameText(
  { uuid }: ReplayedSwap,
  { line, file, style }: { readonly line: string; readonly file: string | undefined; readonly style: Style },
): string {
  const name = file === undefined ? '' : clean(basename(file));
  if (name === '' || name.startsWith(uuid)) return '';
  const fits = stripVTControlCharacters(line).length + 1 + name.length <= style.columns;
  return `${fits ? ' ' : `\n${' '.repeat(9)}`}${style.paint.dim(name)}`;
}

function tradeText({ role, funds: { makerPayment, takerPayment } }: ReplayedSwap): string {
  const [gives, gets] = role === 'taker' ? [takerPayment, makerPayment] : [makerPayment, takerPayment];
  if (gives.coin === null || gets.coin === null) return 'unknown coins';
  return `${shortAmount(gives.amount)} ${gives.coin} > ${shortAmount(gets.amount)} ${gets.coin}`;
}

export type ReplayTotals = {
  swaps: number;
  readonly outcomes: Map<string, number>;
  readonly anomalies: Map<string, number>;
  readonly errors: Map<string, number>;
};

export function emptyTotals(): ReplayTotals {
  return { swaps: 0, outcomes: new Map(), anomalies: new Map(), errors: new Map() };
}

export function addSwap(totals: ReplayTotals, { outcome, anomalies }: ReplayedSwap): void {
  totals.swaps++;
  count(totals.outcomes, outcome);
  for (const { code } of anomalies) count(totals.anomalies, code);
}

/** What the whole run found: swaps by outcome, anomalies and errors by code. */
export function replaySummary({ swaps, outcomes, anomalies, errors }: ReplayTotals, { paint }: Style): string {
  const lines = [`${paint.bold(counted(swaps, 'swap'))}${swaps === 0 ? '' : `: ${tally(outcomes)}`}`];
  if (anomalies.size > 0) lines.push(`${paint.yellow('anomalies')}: ${tally(anomalies)}`);
  if (errors.size > 0) lines.push(`${paint.red('not readable')}: ${tally(errors)}`);
  return `${lines.join('\n')}\n`;
}
