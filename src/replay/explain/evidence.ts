import type { SwapLog } from '../../events/saved-swap.ts';
import type { StoredErrorKind } from '../../events/stored-errors/kinds.ts';
import { isJsonObject } from '../../primitives/json.ts';
import { type ExplainFacts, firstEvent, type Leg } from './facts.ts';

// What a log shows about a payment besides the events that move it: it outranks what the state of the swap alone would suggest.

/** What a node answered to an attempt to take a payment; null if no node refused one. */
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

/** Whether a node refused a payment because it already had it: then it was broadcast, whatever the event's name. */
export function isKnownToNode({ owner }: Leg, { errors }: Pick<ExplainFacts, 'errors'>): boolean {
  const type = owner === 'maker' ? 'MakerPaymentTransactionFailed' : 'TakerPaymentTransactionFailed';
  return errors.some((error) => error.type === type && error.kind === 'alreadyKnown');
}

/** Whether the log shows that a claim or a refund got its confirmations; a broadcast alone is none. */
export function isConfirmed({ owner, status }: Pick<Leg, 'owner' | 'status'>, { log }: Told): boolean {
  const settled = (log.journal?.records ?? []).some(({ type, data }) => {
    if (type !== 'PaymentSettled' || !isJsonObject(data)) return false;
    return data['payment'] === owner && data['how'] === (status === 'spent' ? 'claimed' : 'refunded');
  });
  if (settled || blockOf({ owner, status }, { log }) !== null) return true;
  if (status !== 'spent' || owner === log.role) return false;
  const confirmed = owner === 'maker' ? 'MakerPaymentSpendConfirmed' : 'TakerPaymentSpendConfirmed';
  return firstEvent(log, confirmed) !== undefined;
}

const ENDS: Readonly<Record<Leg['owner'], Readonly<Record<'spent' | 'refunded', readonly string[]>>>> = {
  maker: { spent: ['MakerPaymentSpent', 'MakerPaymentSpentByWatcher'], refunded: ['MakerPaymentRefunded'] },
  taker: { spent: ['TakerPaymentSpent'], refunded: ['TakerPaymentRefunded', 'TakerPaymentRefundedByWatcher'] },
};

/** Names of the events that tell the end of a payment. */
export function endEventsOf({
  owner,
  status,
}: {
  readonly owner: Leg['owner'];
  readonly status: 'spent' | 'refunded';
}): readonly string[] {
  return ENDS[owner][status];
}

type Told = { readonly log: Pick<SwapLog, 'role' | 'events' | 'journal'> };

/** The block in which the node that wrote the log saw the claim or the refund of a payment; null where it stored none, or 0. */
export function blockOf({ owner, status }: Pick<Leg, 'owner' | 'status'>, { log }: Told): number | null {
  if (status !== 'spent' && status !== 'refunded') return null;
  const data = log.events.findLast(({ type }) => ENDS[owner][status].includes(type))?.data;
  if (!isJsonObject(data)) return null;
  // A taker's log alone holds the claim one level down, beside the secret.
  const inner = data['transaction'];
  const height = (isJsonObject(inner) ? inner : data)['block_height'];
  return typeof height === 'number' && Number.isSafeInteger(height) && height > 0 ? height : null;
}

/** `, confirmed in block 957817`; nothing where the log shows no block. */
export function blockText(leg: Pick<Leg, 'owner' | 'status'>, facts: Pick<ExplainFacts, 'log'>): string {
  const block = blockOf(leg, facts);
  return block === null ? '' : `, confirmed in block ${block}`;
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

/** Whether a maker's log lacks the secret that its claim needs, as every answer of my_swap_status does. A claim that the log holds shows it. */
export function lacksSecret(log: Pick<SwapLog, 'role' | 'events'>): boolean {
  if (log.role !== 'maker' || log.events.some(({ type }) => type === 'TakerPaymentSpent')) return false;
  const started = log.events.find(({ type }) => type === 'Started')?.data;
  const secret = isJsonObject(started) ? started['secret'] : undefined;
  return isJsonObject(started) && (typeof secret !== 'string' || /^0*$/.test(secret));
}

export type Stray = { readonly seq: number; readonly hash: string };
