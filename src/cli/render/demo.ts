import type { DecimalText } from '../../primitives/decimal.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import type { Millis } from '../../primitives/time.ts';
import type { Demo } from '../demo/demo.ts';
import type { Side } from '../demo/side.ts';
import { clean, clockText, type Style } from './text.ts';

type Shown = { readonly side: Side; readonly envelope: Envelope; readonly began: Millis };

/** A durable event as a line of the live timeline. */
export function demoEntryText({ side, envelope, began }: Shown, { paint, columns }: Style): string {
  const { at, type, data } = envelope;
  const { tx_hash, transaction, error, purpose, kind } = (data ?? {}) as {
    readonly tx_hash?: string;
    readonly transaction?: { readonly tx_hash: string };
    readonly error?: string;
    readonly purpose?: string;
    readonly kind?: string;
  };
  const hash = tx_hash ?? transaction?.tx_hash;
  const detail = [purpose, kind, hash?.slice(0, 12), error]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  const line = `${clockText(at - began).padStart(9)}  ${side.padEnd(5)}  ${type.padEnd(34)} ${clean(detail)}`.trimEnd();
  const cut = line.slice(0, columns);
  return `${side === 'maker' ? paint.cyan(cut) : paint.green(cut)}\n`;
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

export function demoHeading({ opened, dir }: Opened, { paint }: Style): string {
  const { uuid, scenario, resumed } = opened;
  const lead = resumed ? 'Goes on from its logs with' : 'Starts';
  return `${paint.bold(`${lead} swap ${uuid}`)}: ${scenario.text}. Logs in ${clean(dir)}.\n`;
}

type Held = {
  readonly coin: string;
  readonly before: DecimalText;
  readonly after: DecimalText;
  readonly fees: DecimalText;
};

export type DemoMoney = { readonly side: Side; readonly uuid: string; readonly maker: Held; readonly taker: Held };

/** Where the money is, as the chains themselves say. */
export function demoEnding(
  { money, paths }: { readonly demo: Demo; readonly money: readonly DemoMoney[]; readonly paths: readonly string[] },
  { paint }: Style,
): string {
  const rows = money.flatMap(({ side, maker, taker }) =>
    [maker, taker].map(({ coin, before, after, fees }) => {
      const cell = (value: DecimalText) => value.padStart(14);
      return `  ${side.padEnd(5)} ${coin.padEnd(6)}${cell(before)} ${cell(after)} ${cell(fees)}`;
    }),
  );
  const head = `  ${''.padEnd(12)}${'before'.padStart(14)} ${'after'.padStart(14)} ${'network fees'.padStart(14)}`;
  return `${['', paint.bold('Where the money is, by the chains'), head, ...rows, '', `Logs: ${paths.join(', ')}`].join('\n')}\n`;
}
