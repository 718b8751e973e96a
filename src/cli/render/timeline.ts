import { formatUtc, toUnixSeconds } from '../../primitives/time.ts';
import type { JoinedRow } from '../../replay/compare/joined-timeline.ts';
import type { ShownEnd } from '../../replay/payment-ends.ts';
import type { MoneyTimeline, TimelineLeg, TimelineRow } from '../../replay/timeline.ts';
import { fitted } from './fitted.ts';
import { clean, clockText, type Style, wholeAmount, wrap } from './text.ts';

const PARTY = { maker: 'M', taker: 'T', watcher: 'W' } as const;

const TITLES = ['time', 'offset', 'event', 'state', 'maker', 'taker'];

/** A table: time, offset, event, state, both payments; deadlines as lines between the events. */
export function timelineText(
  file: string,
  { uuid, role, rows, impossible = [] }: MoneyTimeline & { readonly impossible?: readonly string[] },
  style: Style,
): string {
  const { paint } = style;
  return tableText({ head: `${paint.bold(uuid)}  ${role}  ${paint.dim(clean(file))}`, rows, impossible }, style);
}

export type JoinedTimeline = {
  readonly uuid: string;
  readonly files: Readonly<Record<'maker' | 'taker', string>>;
  readonly rows: readonly JoinedRow[];
  /** One sentence for each amount that no chain can hold. @defaultValue none */
  readonly impossible?: readonly string[];
};

type Table = {
  readonly head: string;
  readonly rows: readonly TimelineRow[];
  readonly impossible: readonly string[];
};

/** The same table over the logs of both sides; each event is marked with the side whose log holds it. */
export function joinedTimelineText({ uuid, files, rows, impossible = [] }: JoinedTimeline, style: Style): string {
  const { paint } = style;
  const named = (['maker', 'taker'] as const).map((side) => `\n  ${PARTY[side]}  ${paint.dim(clean(files[side]))}`);
  const marked = rows.map((row) => (row.kind === 'event' ? { ...row, event: `${PARTY[row.side]} ${row.event}` } : row));
  return tableText({ head: `${paint.bold(uuid)}  both sides${named.join('')}`, rows: marked, impossible }, style);
}

function tableText({ head, rows, impossible }: Table, style: Style): string {
  const { paint, columns } = style;
  const [first] = rows;
  if (first === undefined) return fitted(`${head}\n  The log has no events.\n`, columns);
  const table = rows.map((row) => cellsOf(row, columns >= WIDE));
  const widths = widthsOf(table, columns);
  const lines = table.map((row) => {
    if (row.deadline) return paint.dim(deadlineText(row.cells, widths));
    return row.odd ? paint.yellow(lineText(row.cells, widths)) : lineText(row.cells, widths);
  });
  const last = rows.at(-1) ?? first;
  const day = formatUtc(toUnixSeconds(first.at)).slice(0, 10);
  const pays = `maker pays ${amountOf(last.makerPayment)}, taker pays ${amountOf(last.takerPayment)}`;
  const parts = [
    'M maker, T taker, W watcher',
    '[who can move a locked payment at that moment]',
    ...(hasEnd(rows, 'unconfirmed') ? ['? not confirmed'] : []),
    ...(hasEnd(rows, 'denied') ? ['denied: the transaction does not spend that payment'] : []),
    ...(table.some((row) => row.odd) ? ['! an anomaly of the log'] : []),
  ];
  const legend = wrap(parts.join('; '), style);
  const amounts = impossible.map((sentence) => paint.yellow(wrap(sentence, style)));
  return fitted(
    [
      head,
      `${day} UTC, ${pays}`,
      ...amounts,
      paint.dim(legend),
      paint.bold(lineText(TITLES, widths)),
      ...lines,
      '',
    ].join('\n'),
    columns,
  );
}

function hasEnd(rows: readonly TimelineRow[], shown: ShownEnd): boolean {
  return rows.some(({ makerPayment, takerPayment }) => makerPayment.shown === shown || takerPayment.shown === shown);
}

/** Columns from which each row has room for its day. */
const WIDE = 130;

const OFFSET = 1;
const EVENT = 2;
const STATE = 3;

/** Widths of the columns. Where there is no room for all of them, the state goes, then the offset: the event and the time say nearly the same. */
function widthsOf(table: readonly Cells[], columns: number): readonly number[] {
  const widths = TITLES.map((title, column) =>
    table.reduce((widest, row) => Math.max(widest, widthOf(row, column)), title.length),
  );
  for (const column of [STATE, OFFSET]) if (tableWidth(widths) > columns) widths[column] = 0;
  const tooWide = tableWidth(widths) - columns;
  if (tooWide > 0) widths[EVENT] = Math.max(8, (widths[EVENT] ?? 0) - tooWide);
  return widths;
}

function tableWidth(widths: readonly number[]): number {
  const shown = widths.filter((width) => width > 0);
  return shown.reduce((sum, width) => sum + width, shown.length - 1);
}

function lineText(texts: readonly string[], widths: readonly number[]): string {
  return texts
    .flatMap((text, column) => {
      const width = widths[column] ?? 0;
      return width === 0 ? [] : [cut(text, width).padEnd(width)];
    })
    .join(' ')
    .trimEnd();
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

/** A deadline as a line over the columns of event and state; its own text goes on below where they are too narrow for it. */
function deadlineText(
  [time = '', offset = '', text = '', , maker = '', taker = '']: readonly string[],
  widths: readonly number[],
): string {
  const space = (widths[EVENT] ?? 0) + ((widths[STATE] ?? 0) === 0 ? 0 : 1 + (widths[STATE] ?? 0));
  const before = lineText([time, offset], widths.slice(0, EVENT));
  const indent = tableWidth(widths.slice(0, EVENT)) + 1;
  const [head = '', ...rest] = wrap(`-- ${text}`, { columns: space }).split('\n');
  const legs = lineText([maker, taker], widths.slice(STATE + 1));
  const line = `${before.padEnd(indent - 1)} ${`${head} `.padEnd(space, rest.length === 0 ? '-' : ' ').slice(0, Math.max(space, head.length))} ${legs}`;
  const below = rest.map((part) => ' '.repeat(indent + 3) + part);
  return [line.trimEnd(), ...below].join('\n');
}

function widthOf({ cells, deadline }: Cells, column: number): number {
  return deadline && (column === EVENT || column === STATE) ? 0 : (cells[column]?.length ?? 0);
}

type Cells = { readonly cells: readonly string[]; readonly deadline: boolean; readonly odd: boolean };

function cellsOf(row: TimelineRow, isWide: boolean): Cells {
  const stamp = formatUtc(toUnixSeconds(row.at));
  const days = Math.floor(row.at / 86_400_000) - Math.floor((row.at - row.offset) / 86_400_000);
  const later = days === 0 ? '' : ` ${days > 0 ? '+' : ''}${days} d`;
  const time = isWide ? stamp.slice(0, 19) : `${stamp.slice(11, 19)}${later}`;
  const legs = [legText(row.makerPayment), legText(row.takerPayment)];
  const offset = `${row.offset < 0 ? '' : '+'}${clockText(row.offset)}`;
  if (row.kind === 'deadline') return { cells: [time, offset, row.text, '', ...legs], deadline: true, odd: false };
  const odd = row.anomalies.length > 0;
  return { cells: [time, offset, `${clean(row.event)}${odd ? ' !' : ''}`, row.state, ...legs], deadline: false, odd };
}

function legText({ status, by, movableBy, shown }: TimelineLeg): string {
  if (status === 'none') return '.';
  if (shown === 'denied') return status === 'spent' ? 'claim denied' : 'refund denied';
  const doubt = shown === 'unconfirmed' ? '?' : '';
  if (status === 'spent' || status === 'refunded') return `${status}${doubt} ${by === null ? '' : PARTY[by]}`.trim();
  return `${status} [${movableBy.map((party) => PARTY[party]).join('') || '-'}]`;
}

function amountOf({ coin, amount }: TimelineLeg): string {
  return coin === null ? 'an unknown coin' : `${wholeAmount(amount)} ${clean(coin)}`;
}
