import type { StoredEvent } from '../events/decode-event.ts';
import type { SwapLog } from '../events/saved-swap.ts';
import { isJsonObject } from '../primitives/json.ts';
import { formatUtc, toUnixSeconds, type UnixSeconds } from '../primitives/time.ts';
import { outcomeEnd } from '../replay/payment-ends.ts';
import { type ReplayedSwap, replaySwap } from '../replay/swaps.ts';

type Column = readonly [name: string, value: (log: SwapLog, swap: ReplayedSwap, file: string) => string];

const COLUMNS: readonly Column[] = [
  ['uuid', ({ uuid }) => uuid],
  ['role', ({ role }) => role],
  ['started_utc', (log) => timeText(startOf(log))],
  ['finished_utc', (log, { kdf }) => (kdf.finished ? timeText(lastOf(log)) : '')],
  ['maker_coin', ({ head }, { funds }) => funds.makerPayment.coin ?? head.maker_coin ?? ''],
  ['maker_amount', ({ head }, { funds }) => funds.makerPayment.amount ?? head.maker_amount ?? ''],
  ['taker_coin', ({ head }, { funds }) => funds.takerPayment.coin ?? head.taker_coin ?? ''],
  ['taker_amount', ({ head }, { funds }) => funds.takerPayment.amount ?? head.taker_amount ?? ''],
  ['outcome', (_, { outcome }) => outcome],
  ['outcome_shown', (log, swap) => outcomeEnd(swap, { log })?.shown ?? ''],
  ['kdf_finished', (_, { kdf }) => String(kdf.finished)],
  ['kdf_success', (_, { kdf }) => (kdf.success === null ? '' : String(kdf.success))],
  ['kdf_recoverable', (_, { kdf }) => String(kdf.recoverable)],
  ['taker_fee_tx', (log) => txOf(log, 'TakerFeeSent', 'TakerFeeValidated')],
  ['maker_payment_tx', (log) => txOf(log, 'MakerPaymentSent', 'MakerPaymentReceived')],
  ['taker_payment_tx', (log) => txOf(log, 'TakerPaymentSent', 'TakerPaymentReceived')],
  ['taker_payment_spend_tx', (log) => txOf(log, 'TakerPaymentSpent')],
  ['maker_payment_spend_tx', (log) => txOf(log, 'MakerPaymentSpent', 'MakerPaymentSpentByWatcher')],
  ['taker_payment_refund_tx', (log) => txOf(log, 'TakerPaymentRefunded', 'TakerPaymentRefundedByWatcher')],
  ['maker_payment_refund_tx', (log) => txOf(log, 'MakerPaymentRefunded')],
  ['errors', ({ events }) => events.flatMap(errorOf).join('; ')],
  ['anomalies', (_, { anomalies }) => anomalies.map(({ code }) => code).join('; ')],
  ['file', (_log, _swap, file) => file],
];

/** The names of the columns, with the line end. */
export function csvHeader(): string {
  return `${COLUMNS.map(([name]) => name).join(',')}\r\n`;
}

/** A swap as a line of comma-separated values (RFC 4180), which no spreadsheet takes for a formula. */
export function csvRow(file: string, log: SwapLog): string {
  const swap = replaySwap(log);
  return `${COLUMNS.map(([, value]) => csvCell(value(log, swap, file))).join(',')}\r\n`;
}

/** What spreadsheets take for the beginning of a formula, behind whatever they do not see. */
const FORMULA = /^([\s\p{Cf}]*)(?=[=+\-@＝＋－＠])/u;

/** The same behind what another locale takes for the end of a cell. */
const FORMULA_INSIDE = /([;|\t\r\n][\s\p{Cf}]*)(?=[=+\-@＝＋－＠])/gu;

/**
 * A value as a cell. Spreadsheets run texts that start with `=`, `+`, `-` or `@` as formulas, also in full width, behind white space or what has no width,
 * and behind a semicolon where that ends a cell: such a text, and one that starts with a tab or a line break, gets a quote in front, and one inside its quote
 * there (OWASP, CSV injection). Control characters, by which terminals can be told things, are replaced by spaces.
 */
export function csvCell(text: string): string {
  const shown = text.replace(CONTROLS, ' ').replace(FORMULA_INSIDE, "$1'");
  const safe = FORMULA.test(shown) || /^[\t\r\n]/.test(shown) ? `'${shown}` : shown;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that a log must not send to a terminal; tabs and line breaks are text.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function startOf({ events }: SwapLog): UnixSeconds | undefined {
  const started = events.find(({ type }) => type === 'Started');
  const data = started?.data;
  if (isJsonObject(data) && typeof data['started_at'] === 'number') return data['started_at'] as UnixSeconds;
  const at = events[0]?.at;
  return at === undefined ? undefined : toUnixSeconds(at);
}

function lastOf({ events }: SwapLog): UnixSeconds | undefined {
  const at = events.at(-1)?.at;
  return at === undefined ? undefined : toUnixSeconds(at);
}

function timeText(at: UnixSeconds | undefined): string {
  return at === undefined ? '' : formatUtc(at).replace(' UTC', 'Z').replace(' ', 'T');
}

function txOf({ events }: SwapLog, ...types: readonly string[]): string {
  const data = events.find(({ type }) => types.includes(type))?.data;
  if (!isJsonObject(data)) return '';
  const transaction = isJsonObject(data['transaction']) ? data['transaction'] : data;
  const hash = transaction['tx_hash'];
  return typeof hash === 'string' ? hash : '';
}

function errorOf({ type, data }: StoredEvent): string[] {
  return isJsonObject(data) && typeof data['error'] === 'string' && data['error'] !== ''
    ? [`${type}: ${data['error']}`]
    : [];
}
