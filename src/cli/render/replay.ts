import { basename } from 'node:path';
import type { Outcome } from '../../../machines/swap-verdict.ts';
import { formatUtc, type Millis, toUnixSeconds } from '../../primitives/time.ts';
import type { PaymentEnd } from '../../replay/payment-ends.ts';
import type { ReplayedSwap } from '../../replay/swaps.ts';
import { fitted, flowed, visibleLength } from './fitted.ts';
import { outcomeText } from './outcome.ts';
import {
  briefText,
  clean,
  count,
  counted,
  type Paint,
  type Style,
  shortAmount,
  tally,
  wholeAmount,
  wrap,
} from './text.ts';

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
  lost: 'red',
};

export type ReplayedFrom = {
  readonly span: Span | undefined;
  /** The file, where it is to be named. */
  readonly file?: string;
  /** The end that makes the outcome, where the log was looked at for it. */
  readonly end?: PaymentEnd | null;
};

/** Columns from which a line has room for a whole uuid, whole amounts and the longest state. */
const WIDE = 150;

/** Columns below which a line leaves out what it says twice. */
const NARROW = 100;

/** Where a swap needs further lines, they stand below what follows the beginning of its uuid. */
const INDENT = 9;

/** One line for a swap where it fits, and where its log has a fault, one more for each of its anomalies: a notice may explain it. */
export function replayLines(
  swap: ReplayedSwap,
  { span, file, end = null }: ReplayedFrom,
  { paint, columns }: Style,
): string {
  const { uuid, role, state, outcome, anomalies } = swap;
  const start = span === undefined ? '' : formatUtc(toUnixSeconds(span.from)).slice(0, 10);
  const lasted = span === undefined ? '' : briefText(span.to - span.from);
  const odd = anomalies.length === 1 ? '1 anomaly' : `${anomalies.length} anomalies`;
  const [isWide, isNarrow] = [columns >= WIDE, columns < NARROW];
  const trade = clean(tradeText(swap, isWide ? wholeAmount : shortAmount));
  // Where there is little room, the outcome says that a swap is finished.
  const shownState = isNarrow && state === 'finished' ? '' : state.padEnd(isWide ? 24 : 8);
  const cells = [
    isWide ? uuid : uuid.slice(0, 8),
    role.padEnd(5),
    paint[end?.shown === 'denied' ? 'red' : COLOURS[outcome]](outcomeText(outcome, end).padEnd(21)),
    trade.padEnd(isWide ? 36 : isNarrow ? 23 : 24),
    paint.dim(start.padEnd(10)),
    paint.dim(lasted.padStart(8)),
    shownState,
    anomalies.length === 0 ? '' : paint.yellow(odd),
  ];
  const faulty = anomalies.some(({ severity }) => severity === 'fault');
  const told = (faulty ? anomalies : []).map(({ seq, code, message, repair, severity }) => {
    const fix = repair === undefined ? '' : ` Repair: ${repair}.`;
    const place = seq === null ? '' : ` at event ${seq}`;
    const text = wrap(`${code}${place}: ${message}${fix}`, { columns, indent: INDENT });
    return `\n${' '.repeat(INDENT)}${(severity === 'fault' ? paint.red : paint.yellow)(code)}${text.slice(code.length)}`;
  });
  const line = flowed(cells, { columns, indent: INDENT });
  return `${line}${nameText(swap, { line, file, style: { paint, columns } })}${told.join('')}\n`;
}

/** The file's name, on a line of its own where it does not fit; a name that starts with the uuid says nothing new. */
function nameText(
  { uuid }: ReplayedSwap,
  { line, file, style }: { readonly line: string; readonly file: string | undefined; readonly style: Style },
): string {
  const name = file === undefined ? '' : clean(basename(file));
  if (name === '' || name.startsWith(uuid)) return '';
  const last = line.slice(line.lastIndexOf('\n') + 1);
  const fits = visibleLength(last) + 1 + name.length <= style.columns;
  return `${fits ? ' ' : `\n${' '.repeat(INDENT)}`}${style.paint.dim(name)}`;
}

function tradeText(
  { role, funds: { makerPayment, takerPayment } }: ReplayedSwap,
  amountText: typeof shortAmount,
): string {
  const [gives, gets] = role === 'taker' ? [takerPayment, makerPayment] : [makerPayment, takerPayment];
  if (gives.coin === null || gets.coin === null) return 'unknown coins';
  return `${amountText(gives.amount)} ${gives.coin} > ${amountText(gets.amount)} ${gets.coin}`;
}

export type ReplayTotals = {
  swaps: number;
  readonly outcomes: Map<string, number>;
  /** Ends that the logs do not bear out, as a line calls them. */
  readonly doubtful: Map<string, number>;
  readonly anomalies: Map<string, number>;
  readonly errors: Map<string, number>;
};

export function emptyTotals(): ReplayTotals {
  return { swaps: 0, outcomes: new Map(), doubtful: new Map(), anomalies: new Map(), errors: new Map() };
}

export function addSwap(
  totals: ReplayTotals,
  { outcome, anomalies }: ReplayedSwap,
  end: PaymentEnd | null = null,
): void {
  totals.swaps++;
  count(totals.outcomes, outcome);
  const text = outcomeText(outcome, end);
  if (text !== outcome) count(totals.doubtful, text);
  for (const { code } of anomalies) count(totals.anomalies, code);
}

/** What the whole run found: swaps by outcome, anomalies and errors by code. */
export function replaySummary(
  { swaps, outcomes, doubtful, anomalies, errors }: ReplayTotals,
  { paint, columns }: Style,
): string {
  const lines = [`${paint.bold(counted(swaps, 'swap'))}${swaps === 0 ? '' : `: ${tally(outcomes)}`}`];
  if (doubtful.size > 0) lines.push(`${paint.yellow('in doubt')}: ${tally(doubtful)}`);
  if (anomalies.size > 0) lines.push(`${paint.yellow('anomalies')}: ${tally(anomalies)}`);
  if (errors.size > 0) lines.push(`${paint.red('not readable')}: ${tally(errors)}`);
  return fitted(`${lines.join('\n')}\n`, columns);
}
