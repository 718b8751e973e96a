import { machineOfRole, type Role } from '../events/catalog.ts';
import type { StoredEvent } from '../events/decode-event.ts';
import { headOfLines, journalOfLine } from '../events/jsonl.ts';
import type { SwapLog } from '../events/saved-swap.ts';
import type { Envelope } from '../primitives/envelope.ts';
import type { Uuid } from '../primitives/ids.ts';
import { outcomeEnd } from '../replay/payment-ends.ts';
import { toldFunds } from '../replay/told-funds.ts';
import type { SwapStatus } from '../runtime/operate/status.ts';
import type { Looked } from './looked.ts';

/** Records that tell the terms of a swap, how its payments were made, and how they ended. */
const TELLING: ReadonlySet<string> = new Set([
  ...['Started', 'TakerFeeSent', 'TakerFeeValidated'],
  ...['MakerPaymentSent', 'MakerPaymentReceived', 'TakerPaymentSent', 'TakerPaymentReceived'],
  ...['MakerPaymentSpent', 'MakerPaymentSpentByWatcher', 'TakerPaymentSpent'],
  ...['MakerPaymentSpendConfirmed', 'TakerPaymentSpendConfirmed'],
  ...['MakerPaymentRefunded', 'TakerPaymentRefunded', 'TakerPaymentRefundedByWatcher'],
  'PaymentSettled',
]);

/** The side of a swap whose stream it is; null for any other stream. */
export function roleOfStream(stream: string): Role | null {
  const machine = stream.slice(0, stream.indexOf('/'));
  return machine === machineOfRole.maker ? 'maker' : machine === machineOfRole.taker ? 'taker' : null;
}

/** What of the records of a swap tells about its payments, to be made a log of where somebody asks. */
export function tellingRecords(records: readonly Envelope[]): readonly Envelope[] {
  return records.filter(({ type }) => TELLING.has(type));
}

/** The log that these records are, as far as payments go. */
function logOfRecords(
  { stream, role }: { readonly stream: string; readonly role: Role },
  records: readonly Envelope[],
): SwapLog {
  const uuid = stream.slice(stream.indexOf('/') + 1) as Uuid;
  const events: StoredEvent[] = [];
  const journal = [];
  for (const envelope of records) {
    const own = journalOfLine({ envelope, role, uuid }, events.length);
    // The log has read what it holds when it was written.
    if (own === undefined)
      events.push({ type: envelope.type, at: envelope.at, data: envelope.data, known: true } as StoredEvent);
    else journal.push(own);
  }
  const head = headOfLines(undefined, { role, uuid });
  return { role, uuid, events, ...head, anomalies: [], journal: { importedAt: null, records: journal } };
}

/** Looks at the records of a swap that tell of its payments. */
export function lookAt(
  { stream, funds, outcome }: Pick<SwapStatus, 'stream' | 'funds' | 'outcome'>,
  records: readonly Envelope[] | undefined,
): Looked {
  const role = roleOfStream(stream);
  const amounts = { maker: funds?.makerPayment.amount ?? null, taker: funds?.takerPayment.amount ?? null };
  if (role === null || funds === null || records === undefined) return { end: null, amounts, impossible: [] };
  const log = logOfRecords({ stream, role }, records);
  const told = toldFunds(funds, log);
  return {
    end: outcomeEnd({ outcome, funds }, { log }),
    amounts: { maker: told.funds.makerPayment.amount, taker: told.funds.takerPayment.amount },
    impossible: told.impossible,
  };
}
