import type { Envelope } from '../../primitives/envelope.ts';
import type { Millis } from '../../primitives/time.ts';
import type { Demo } from '../demo/demo.ts';
import type { DemoMoney } from '../demo/money.ts';
import type { SentName } from '../demo/sent-names.ts';
import type { Side } from '../demo/side.ts';
import { fitted } from './fitted.ts';
import { clean, clockText, type Style } from './text.ts';

/** Columns from which a line has room for a whole transaction id. */
const WIDE = 150;

type Shown = { readonly side: Side; readonly envelope: Envelope; readonly began: Millis; readonly note: string };

/** A durable event as a line of the live timeline. */
export function demoEntryText({ side, envelope, began, note }: Shown, { paint, columns }: Style): string {
  const { at, type, data } = envelope;
  const { tx_hash, transaction, error, purpose, kind, tx, confirmations, before } = (data ?? {}) as {
    readonly tx_hash?: string;
    readonly transaction?: { readonly tx_hash: string };
    readonly error?: string;
    readonly purpose?: string;
    readonly kind?: string;
    readonly tx?: { readonly tx_hash: string };
    readonly confirmations?: number;
    readonly before?: number;
  };
  const hash = tx_hash ?? transaction?.tx_hash ?? tx?.tx_hash;
  const lost = before === undefined ? undefined : `${confirmations} confirmations after ${before}`;
  const detail = [purpose, kind, columns >= WIDE ? hash : hash?.slice(0, 12), lost, error, note]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  const line = `${clockText(at - began).padStart(9)}  ${side.padEnd(5)}  ${type.padEnd(34)} ${clean(detail)}`.trimEnd();
  return `${fitted(side === 'maker' ? paint.cyan(line) : paint.green(line), columns)}\n`;
}

export function presenceText(
  {
    side,
    present,
    at,
    began,
  }: { readonly side: Side; readonly present: boolean; readonly at: Millis; readonly began: Millis },
  { paint }: Style,
): string {
  const text = present ? 'is back' : 'is gone: its process has ended';
  return `${paint.yellow(`${clockText(at - began).padStart(9)}  ${side.padEnd(5)}  ${text}`)}\n`;
}

type Opened = { readonly opened: Pick<Demo, 'uuid' | 'scenario' | 'resumed'>; readonly dir: string };

export function demoHeading({ opened, dir }: Opened, { paint, columns }: Style): string {
  const { uuid, scenario, resumed } = opened;
  const lead = resumed ? 'Resumes' : 'Starts';
  return fitted(`${paint.bold(`${lead} swap ${uuid}`)}: ${scenario.text}. Logs in ${clean(dir)}.\n`, columns);
}

type Ending = {
  readonly money: readonly DemoMoney[];
  /** How many payments of each side the chains hold. */
  readonly payments: Readonly<Record<Side, number>>;
  readonly paths: readonly string[];
};

const COLUMNS = ['before', 'swapped', 'taker fee', 'network fees', 'after'];

/** Where the money is, as the chains themselves say. */
export function demoEnding({ money, payments, paths }: Ending, { paint, columns }: Style): string {
  const rows = money.flatMap(({ side, maker, taker }) =>
    [maker, taker].map(({ coin, before, swapped, takerFee, fees, after }) => ({
      lead: `  ${side.padEnd(5)} ${coin.padEnd(6)}`,
      cells: [
        before,
        swapped.startsWith('-') || swapped === '0' ? swapped : `+${swapped}`,
        minus(takerFee),
        minus(fees),
        after,
      ],
    })),
  );
  const widths = COLUMNS.map((name, at) => Math.max(name.length, ...rows.map(({ cells }) => cells[at]?.length ?? 0)));
  const line = (lead: string, cells: readonly string[]) =>
    `${lead}${cells.map((cell, at) => cell.padStart((widths[at] ?? 0) + 2)).join('')}`;
  const text = [
    '',
    paint.bold('Where the money is, according to the chains'),
    line(''.padEnd(14), COLUMNS),
    ...rows.map(({ lead, cells }) => line(lead, cells)),
    `Payments on the chains: ${payments.maker} of the maker, ${payments.taker} of the taker.`,
    '',
    `Logs: ${paths.join(', ')}`,
  ];
  return fitted(`${text.join('\n')}\n`, columns);
}

function minus(amount: string): string {
  return amount === '0' ? amount : `-${amount}`;
}

/** That a swap went to its end although it was to be killed. */
export function unkilledText(
  { killAt, boundaries }: { readonly killAt: number | SentName; readonly boundaries: number },
  { paint, columns }: Style,
): string {
  const why =
    typeof killAt === 'number'
      ? `this run had ${boundaries} inputs and outputs, fewer than ${killAt}`
      : `this run sent no ${killAt}; an earlier run may have`;
  return `${fitted(paint.yellow(`Nothing was killed: ${why}.`), columns)}\n`;
}
