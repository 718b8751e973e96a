import type { MakerSwapContext } from '../../machines/maker-swap/context.ts';
import type { LegFunds, Party, SwapFunds } from '../../machines/swap-verdict.ts';
import type { TakerSwapContext } from '../../machines/taker-swap/context.ts';
import type { StoredEvent } from '../events/decode-event.ts';
import type { JournalRecord } from '../events/journal.ts';
import { headOfLines } from '../events/jsonl.ts';
import type { StoredTransaction } from '../events/payloads.ts';
import type { SwapLog } from '../events/saved-swap.ts';
import type { Uuid } from '../primitives/ids.ts';
import { isJsonObject } from '../primitives/json.ts';
import { millisOf } from '../primitives/time.ts';
import { type AuditedSwap, auditedSwap } from './audit/swap-view.ts';
import { endEventsOf, isConfirmed } from './explain/evidence.ts';
import { foreignSpend } from './explain/foreign-spend.ts';
import type { ReplayedSwap } from './swaps.ts';

/**
 * How far a log supports what it calls the end of a payment. `confirmed`: it shows a confirmation; `unconfirmed`: only that the transaction was
 * broadcast; `denied`: the bytes of the transaction do not spend that payment.
 */
export type ShownEnd = 'confirmed' | 'unconfirmed' | 'denied';

/** The claim or the refund of a payment, as a log states it. */
export type PaymentEnd = {
  readonly payment: Party;
  readonly how: 'claim' | 'refund';
  /** Id of the transaction; null if the log names none. */
  readonly tx: string | null;
  readonly shown: ShownEnd;
};

type Told = {
  readonly log: Pick<SwapLog, 'role' | 'events' | 'journal'>;
  /** The same log, parsed; without it, transactions are parsed only if their text is not enough. */
  readonly view?: AuditedSwap;
};

type Ended = { readonly owner: Party; readonly status: 'spent' | 'refunded' };

/** The end of a payment that was spent or refunded; null for any other. */
export function paymentEnd(payment: Party, leg: Pick<LegFunds, 'status' | 'tx'>, told: Told): PaymentEnd | null {
  const { status, tx } = leg;
  if (status !== 'spent' && status !== 'refunded') return null;
  const ended: Ended = { owner: payment, status };
  const shown = isDenied(ended, told) ? 'denied' : isConfirmed(ended, told) ? 'confirmed' : 'unconfirmed';
  return { payment, how: status === 'spent' ? 'claim' : 'refund', tx, shown };
}

/** The end that decides an outcome: of the other payment if the swap completed, of the own one if it was refunded; null for any other outcome. */
export function outcomeEnd(
  { outcome, funds }: { readonly outcome: string | null; readonly funds: SwapFunds },
  told: Told,
): PaymentEnd | null {
  if (outcome !== 'completed' && outcome !== 'refunded') return null;
  const isMakers = (told.log.role === 'maker') === (outcome === 'refunded');
  return isMakers ? paymentEnd('maker', funds.makerPayment, told) : paymentEnd('taker', funds.takerPayment, told);
}

function isDenied(ended: Ended, { log, view }: Told): boolean {
  if (view !== undefined) return foreignSpend(ended, { view }) !== null;
  const payment = transactionOf(log.events.find(({ type }) => PAYMENTS[ended.owner].includes(type)));
  const end = transactionOf(log.events.findLast(({ type }) => endEventsOf(ended).includes(type)));
  if (end.hex === '' || isNamedIn(end.hex, payment.hash)) return false;
  // Reading transactions is what takes time, so no other one is read.
  const events = log.events.filter(
    ({ type }) => PAYMENTS[ended.owner].includes(type) || endEventsOf(ended).includes(type),
  );
  return foreignSpend(ended, { view: auditedSwap(logOf(log.role, events)) }) !== null;
}

const PAYMENTS: Readonly<Record<Party, readonly string[]>> = {
  maker: ['MakerPaymentSent', 'MakerPaymentReceived'],
  taker: ['TakerPaymentSent', 'TakerPaymentReceived'],
};

function transactionOf(event: StoredEvent | undefined): { readonly hex: string; readonly hash: string } {
  const data = event?.data;
  if (!isJsonObject(data)) return { hex: '', hash: '' };
  const inner = isJsonObject(data['transaction']) ? data['transaction'] : data;
  const text = (name: string) => (typeof inner[name] === 'string' ? inner[name] : '');
  return { hex: text('tx_hex'), hash: text('tx_hash') };
}

const FIRST_OUTPUT = '00000000';

/** Whether a transaction plainly takes output 0 of the one with this id, which stands in its bytes from the last one to the first. */
function isNamedIn(hex: string, id: string): boolean {
  if (id.length !== 64) return false;
  let reversed = '';
  for (let at = 62; at >= 0; at -= 2) reversed += id.slice(at, at + 2);
  return hex.toLowerCase().includes(reversed.toLowerCase() + FIRST_OUTPUT);
}

function logOf(role: Party, events: readonly StoredEvent[]): SwapLog {
  return { role, uuid: ANY, events, ...headOfLines(undefined, { role, uuid: ANY }), anomalies: [] };
}

const ANY = '00000000-0000-4000-8000-000000000000' as Uuid;

/** A swap that was folded without keeping its log. */
export type FoldedSwap = Pick<ReplayedSwap, 'role' | 'outcome' | 'funds'> & {
  readonly context: unknown;
  /** Records of the engine; null if there were none. */
  readonly records: readonly JournalRecord[] | null;
};

/** {@link outcomeEnd} of what is left of a log once it is folded. */
export function foldedEnd({ role, outcome, funds, context, records }: FoldedSwap): PaymentEnd | null {
  const facts = context as Partial<MakerSwapContext & TakerSwapContext>;
  const at = millisOf(0);
  const events: StoredEvent[] = [];
  const add = (type: string, data: StoredTransaction | null | undefined): void => {
    // A payload may be a view of the file's bytes, whose members are not its own.
    const told = data === null || data === undefined ? null : { ...data, tx_hex: data.tx_hex, tx_hash: data.tx_hash };
    if (told !== null) events.push({ type, at, data: told, known: true });
  };
  add('MakerPaymentSent', facts.makerPayment);
  add('TakerPaymentSent', facts.takerPayment);
  add('TakerPaymentSpent', facts.takerPaymentSpend);
  add('MakerPaymentSpent', facts.makerPaymentSpend);
  add('MakerPaymentRefunded', facts.makerPaymentRefund);
  add('TakerPaymentRefunded', facts.takerPaymentRefund);
  if (facts.makerPaymentSpendConfirmed)
    events.push({ type: 'MakerPaymentSpendConfirmed', at, data: null, known: true });
  if (facts.takerPaymentSpendConfirmed)
    events.push({ type: 'TakerPaymentSpendConfirmed', at, data: null, known: true });
  const journal = records === null ? {} : { journal: { importedAt: null, records } };
  return outcomeEnd({ outcome, funds }, { log: { role, events, ...journal } });
}
