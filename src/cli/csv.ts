import type { StoredEvent } from '../events/decode-event.ts';
import type { SwapLog } from '../events/saved-swap.ts';
import { isJsonObject } from '../primitives/json.ts';
import { formatUtc, toUnixSeconds, type UnixSeconds } from '../primitives/time.ts';
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

/**
 * A value as a cell. A text that starts with `=`, `+`, `-`, `@` (also in full width, also after white space), a tab or a line
 * break gets a quote in front, since spreadsheets run such texts as formulas (OWASP, CSV injection).
 */
export function csvCell(text: string): string {
  const safe = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

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
