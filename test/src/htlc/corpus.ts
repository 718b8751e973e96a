import { htlcKeys, type PaymentKeys } from '../../../src/htlc/keys.ts';
import { type DecimalText, isDecimalText } from '../../../src/primitives/decimal.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { hexToBytes } from '../../../src/primitives/hex.ts';
import { type UnixSeconds, unixSecondsOf } from '../../../src/primitives/time.ts';
import { type ManifestRow, manifest, readShared } from '../../support/shared.ts';

type Fields = Record<string, unknown>;

export type StoredTransaction = { readonly event: string; readonly tx_hex: string; readonly tx_hash: string };

/** A recorded swap, read loosely: just what the rules of a hash time lock need. */
export type RecordedSwap = {
  readonly row: ManifestRow;
  readonly started: Fields;
  readonly negotiated: Fields | undefined;
  readonly transactions: readonly StoredTransaction[];
  readonly events: ReadonlyMap<string, unknown>;
};

export function recordedSwaps(): readonly RecordedSwap[] {
  return manifest().map(readSwap);
}

function readSwap(row: ManifestRow): RecordedSwap {
  const swap = JSON.parse(readShared(`swaps/${row.file}`)) as { events: { event: { type: string; data?: unknown } }[] };
  const events = new Map(swap.events.map(({ event }) => [event.type, event.data]));
  const transactions: StoredTransaction[] = [];
  for (const [event, data] of events) {
    if (event === 'Started' || event === 'Negotiated') continue;
    const fields = (data ?? {}) as Fields;
    for (const candidate of [fields, (fields['transaction'] ?? {}) as Fields]) {
      const { tx_hex, tx_hash } = candidate;
      // One third-party tool fills every event with empty fields, so two empty texts are a transaction in TakerFeeSent alone.
      if (typeof tx_hex !== 'string' || typeof tx_hash !== 'string') continue;
      if (tx_hex !== '' || tx_hash !== '' || event === 'TakerFeeSent') transactions.push({ event, tx_hex, tx_hash });
    }
  }
  const started = (events.get('Started') ?? {}) as Fields;
  return { row, started, negotiated: events.get('Negotiated') as Fields | undefined, transactions, events };
}

export function textOf(fields: Fields | undefined, name: string): string | undefined {
  const value = fields?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** 0 where the recorded event lacks the field, as some that third-party tools wrote do. */
export function secondsOf(fields: Fields | undefined, name: string): UnixSeconds {
  return unixSecondsOf(Number(fields?.[name] ?? 0));
}

export function decimalOf(fields: Fields, name: string): DecimalText {
  const text = String(fields[name] ?? '0');
  if (!isDecimalText(text)) throw new Error(`${name} of a recorded swap is ${text}`);
  return text;
}

export function transactionOf(swap: RecordedSwap, ...events: string[]): StoredTransaction | undefined {
  return swap.transactions.find(({ event }) => events.includes(event));
}

/** A maker log of 2019 stores the secret alone. */
export function secretHashOf(swap: RecordedSwap): Uint8Array | undefined {
  const text = textOf(swap.negotiated, 'secret_hash') ?? textOf(swap.started, 'secret_hash');
  if (text !== undefined) return hexToBytes(text);
  const secret = textOf(swap.started, 'secret');
  return secret === undefined ? undefined : hash160(hexToBytes(secret));
}

export type RecordedPayment = PaymentKeys & {
  readonly transaction: StoredTransaction | undefined;
  readonly lockTime: UnixSeconds;
  readonly amount: DecimalText;
};

/** Both payments of a swap with the terms that its own events give. */
export function paymentsOf(swap: RecordedSwap): { makerPayment: RecordedPayment; takerPayment: RecordedPayment } {
  const { started, negotiated } = swap;
  const taker = swap.row.role === 'Taker';
  const coinKeys = (fields: Fields | undefined) => ({
    makerCoin: textOf(fields, 'maker_coin_htlc_pubkey'),
    takerCoin: textOf(fields, 'taker_coin_htlc_pubkey'),
  });
  const own = { persistent: textOf(started, 'my_persistent_pub'), ...coinKeys(started) };
  const other = { persistent: textOf(negotiated, taker ? 'maker_pubkey' : 'taker_pubkey'), ...coinKeys(negotiated) };
  const keys = htlcKeys(taker ? { maker: other, taker: own } : { maker: own, taker: other });
  return {
    makerPayment: {
      ...keys.makerPayment,
      transaction: transactionOf(swap, 'MakerPaymentSent', 'MakerPaymentReceived'),
      lockTime: taker ? secondsOf(negotiated, 'maker_payment_locktime') : secondsOf(started, 'maker_payment_lock'),
      amount: decimalOf(started, 'maker_amount'),
    },
    takerPayment: {
      ...keys.takerPayment,
      transaction: transactionOf(swap, 'TakerPaymentSent', 'TakerPaymentReceived'),
      lockTime: taker ? secondsOf(started, 'taker_payment_lock') : secondsOf(negotiated, 'taker_payment_locktime'),
      amount: decimalOf(started, 'taker_amount'),
    },
  };
}
