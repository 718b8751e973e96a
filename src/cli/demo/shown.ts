import { isJournalType } from '../../events/journal.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { REDACTED } from '../../primitives/secret.ts';
import type { Side } from './side.ts';

type Told = { readonly side: Side; readonly envelope: Envelope };

/** A line of the timeline, with what only the events before it tell; null for one that is left out. */
export type Shown = { readonly note: string } | null;

type Sent = { readonly purpose: string; readonly tx_hash: string; readonly how: string };

/** What went wrong with a transaction, which a reader of the timeline wants to see among the public events. */
const TROUBLE: ReadonlySet<string> = new Set(['TransactionReverted', 'TransactionDropped', 'PaymentReorged']);

/** Picks what is told of a swap: the public events, and of the journal what went wrong, or all of it. */
export function createPicker({ journal }: { readonly journal: boolean }): (told: Told) => Shown {
  const latest = new Map<string, string>();
  return ({ side, envelope: { type, data } }) => {
    if (type !== 'BroadcastAccepted') {
      return journal || !isJournalType(type) || TROUBLE.has(type) ? { note: '' } : null;
    }
    const { purpose, tx_hash, how } = data as Sent;
    const key = `${side} ${purpose}`;
    const before = latest.get(key);
    latest.set(key, tx_hash);
    if (before !== undefined && before !== tx_hash) return { note: `in place of ${before.slice(0, 12)}` };
    if (before !== undefined && how === 'sent') return { note: 'again' };
    return journal ? { note: '' } : null;
  };
}

/** Takes the maker's secret out of what is printed, until the maker has shown it to the network. */
export function createSecretGuard(secret: () => string): (told: Told) => unknown {
  let shown = false;
  return ({ side, envelope: { type, data } }) => {
    const claimed = type === 'BroadcastAccepted' && side === 'maker' && (data as Sent).purpose === 'claim';
    shown ||= claimed || type === 'TakerPaymentSpent';
    return shown ? data : without(data, secret());
  };
}

function without(value: unknown, secret: string): unknown {
  if (typeof value === 'string') return value.includes(secret) ? REDACTED : value;
  if (Array.isArray(value)) return value.map((item) => without(item, secret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, without(member, secret)]));
}
