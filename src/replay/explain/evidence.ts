import type { StoredErrorKind } from '../../events/stored-errors/kinds.ts';
import { isJsonObject } from '../../primitives/json.ts';
import { type ExplainFacts, firstEvent, type Leg } from './facts.ts';

// What a log shows of a payment beside the events that move it: it outranks what the state of the swap alone would let one say.

/** What a node answered to whoever tried to take a payment; null where nobody was answered that it cannot be taken. */
export type Denial = {
  readonly kind: Extract<StoredErrorKind, 'outputSpent' | 'inputsMissing'>;
  /** Position of the event. */
  readonly seq: number;
};

/** The last answer of a node to the party's own attempt: at its refund, or at its claim. */
export function denialOf(leg: Leg, { errors, log }: Pick<ExplainFacts, 'errors' | 'log'>): Denial | null {
  const name = leg.owner === 'maker' ? 'MakerPayment' : 'TakerPayment';
  const attempts =
    leg.owner === log.role ? [`${name}RefundFailed`] : [`${name}SpendFailed`, `${name}SpendConfirmFailed`];
  for (const { type, kind, seq } of [...errors].reverse()) {
    if (attempts.includes(type) && (kind === 'outputSpent' || kind === 'inputsMissing')) return { kind, seq };
  }
  return null;
}

/** Whether a node refused a payment for having it already: it was broadcast, whatever the event is called. */
export function isKnownToNode({ owner }: Leg, { errors }: Pick<ExplainFacts, 'errors'>): boolean {
  const type = owner === 'maker' ? 'MakerPaymentTransactionFailed' : 'TakerPaymentTransactionFailed';
  return errors.some((error) => error.type === type && error.kind === 'alreadyKnown');
}

/** Whether the log shows that a claim or a refund got its confirmations; a broadcast alone is none. */
export function isConfirmed(
  { owner, status }: Pick<Leg, 'owner' | 'status'>,
  { log }: Pick<ExplainFacts, 'log'>,
): boolean {
  const settled = (log.journal?.records ?? []).some(({ type, data }) => {
    if (type !== 'PaymentSettled' || !isJsonObject(data)) return false;
    return data['payment'] === owner && data['how'] === (status === 'spent' ? 'claimed' : 'refunded');
  });
  if (settled) return true;
  if (status !== 'spent' || owner === log.role) return false;
  const confirmed = owner === 'maker' ? 'MakerPaymentSpendConfirmed' : 'TakerPaymentSpendConfirmed';
  return firstEvent(log, confirmed) !== undefined;
}

/**
 * A payment that the log holds although its state knows of none: its events stand in an order in which nobody reads them, or one before it is missing. Null
 * where there is none.
 */
export function strayPayment({ owner, status }: Leg, { log }: Pick<ExplainFacts, 'log'>): Stray | null {
  if (status !== 'none') return null;
  const name = owner === 'maker' ? 'MakerPayment' : 'TakerPayment';
  for (const [seq, { type, data }] of log.events.entries()) {
    if (type !== `${name}Sent` && type !== `${name}Received`) continue;
    const hash = isJsonObject(data) ? data['tx_hash'] : undefined;
    if (typeof hash === 'string' && hash !== '') return { seq, hash };
  }
  return null;
}

export type Stray = { readonly seq: number; readonly hash: string };
