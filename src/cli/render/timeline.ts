import { formatUtc, toUnixSeconds } from '../../primitives/time.ts';
import type { JoinedRow } from '../../replay/compare/joined-timeline.ts';
import type { MoneyTimeline, TimelineLeg, TimelineRow } from '../../replay/timeline.ts';
import { clean, clockText, type Style, shortAmount } from './text.ts';

const PARTY = { maker: 'M', taker: 'T', watcher: 'W' } as const;

const TITLES = ['time', 'offset', 'event', 'state', 'maker', 'taker'];

/** A table: time, offset, event, state, both payments; deadlines as lines between the events. */
export function timelineText(file: string, { uuid, role, rows }: MoneyTimeline, style: Style): string {
  const { paint } = style;
  return tableText(`${paint.bold(uuid)}  ${role}  ${paint.dim(clean(file))}`, rows, style);
}

export type JoinedTimeline = {
  readonly uuid: string;
  readonly files: Readonly<Record<'maker' | 'taker', string>>;
  readonly rows: readonly JoinedRow[];
};

/** The same table over the logs of both sides; each event is marked with the side whose log holds it. */
export function joinedTimelineText({ uuid, files, rows }: JoinedTimeline, style: Style): string {
  const { paint } = style;
  const named = (['maker', 'taker'] as const).map((side) => `\n  ${PARTY[side]}  ${paint.dim(clean(files[side]))}`);
  const marked = rows.map((row) => (row.kind === 'event' ? { ...row, event: `${PARTY[row.side]} ${row.event}` } : row));
  return tableText(`${paint.bold(uuid)}  both sides${named.join('')}`, marked, style);
}

function tableText(head: string, rows: readonly TimelineRow[], { paint }: Style): string {
  const [first] = rows;
  if (first === undefined) return `${head}\n  The log has no events.\n`;
  const table = rows.map((row) => cellsOf(row));
  const widths = TITLES.map((title, column) =>
    table.reduce((widest, row) => Math.max(widest, widthOf(row, column)), title.length),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join(' ')
      .trimEnd();
  const lines = table.map(({ cells, deadline, odd }) => {
    if (!deadline) return odd ? paint.yellow(line(cells)) : line(cells);
    const space = (widths[2] ?? 0) + (widths[3] ?? 0) + 1;
    const [time = '', offset = '', text = '', , maker = '', taker = ''] = cells;
    const middle = `-- ${text} `.padEnd(space, '-');
    return paint.dim(`${line([time, offset])} ${middle} ${maker.padEnd(widths[4] ?? 0)} ${taker}`.trimEnd());
  });
  const last = rows.at(-1) ?? first;
  const day = formatUtc(toUnixSeconds(first.at)).slice(0, 10);
  const pays = `maker pays ${amountOf(last.makerPayment)}, taker pays ${amountOf(last.takerPayment)}`;
  const legend = 'M maker, T taker, W watcher; [who can move a locked payment at that moment]';
  return [head, `${day} UTC, ${pays}`, paint.dim(legend), paint.bold(line(TITLES)), ...lines, ''].join('\n');
}

function widthOf({ cells, deadline }: Cells, column: number): number {
  return deadline && (column === 2 || column === 3) ? 0 : (cells[column]?.length ?? 0);
}

type Cells = { readonly cells: readonly string[]; readonly deadline: boolean; readonly odd: boolean };

function cellsOf(row: TimelineRow): Cells {
  const days = Math.floor(row.at / 86_400_000) - Math.floor((row.at - row.offset) / 86_400_000);
  const time = `${formatUtc(toUnixSeconds(row.at)).slice(11, 19)}${days === 0 ? '' : ` ${days > 0 ? '+' : ''}${days} d`}`;
  const legs = [legText(row.makerPayment), legText(row.takerPayment)];
  const offset = `${row.offset < 0 ? '' : '+'}${clockText(row.offset)}`;
  if (row.kind === 'deadline') return { cells: [time, offset, row.text, '', ...legs], deadline: true, odd: false };
  const odd = row.anomalies.length > 0;
  return { cells: [time, offset, `${clean(row.event)}${odd ? ' !' : ''}`, row.state, ...legs], deadline: false, odd };
}

function legText({ status, by, movableBy }: TimelineLeg): string {
  if (status === 'none') return '.';
  if (status === 'spent' || status === 'refunded') return `${status} ${by === null ? '' : PARTY[by]}`.trim();
  return `${status} [${movableBy.map((party) => PARTY[party]).join('') || '-'}]`;
}

function amountOf({ coin, amount }: TimelineLeg): string {
  return coin === null ? 'an unknown coin' : `${shortAmount(amount)} ${clean(coin)}`;
}
