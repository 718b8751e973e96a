import type { JournalRecord } from '../../events/journal.ts';
import { shownLog } from '../../events/redact.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { isJsonObject } from '../../primitives/json.ts';
import type { LoneEvent } from './aligned.ts';
import { hasRecords } from './journals.ts';

/** The engine's own records of two logs of which only one has any, as where the other came from elsewhere or was exported. */
export type OneJournal = { readonly only: 'left' | 'right'; readonly records: readonly ToldRecord[] };

/** A record, its position counting from 0 among the records, and what it is about: `payment ab12…, sent`; null where its type says all. */
export type ToldRecord = LoneEvent & { readonly about: string | null };

/** What the journal of one of two logs tells; null where both have one, or none has. Secrets are never told. */
export function oneJournal(left: SwapLog, right: SwapLog): OneJournal | null {
  const [isLeft, isRight] = [hasRecords(left.journal), hasRecords(right.journal)];
  if (isLeft === isRight) return null;
  const records = shownLog(isLeft ? left : right).journal?.records ?? [];
  return {
    only: isLeft ? 'left' : 'right',
    records: records.map(({ type, at, data }, seq) => ({ seq, type, at, about: aboutText(type, data) })),
  };
}

type Members = Readonly<Record<string, unknown>>;

function aboutText(type: JournalRecord['type'], data: unknown): string | null {
  const parts = isJsonObject(data) ? ABOUT[type]?.(data) : undefined;
  const told = (parts ?? []).filter((part) => part !== '');
  return told.length === 0 ? null : told.join(', ');
}

const ABOUT: Readonly<Partial<Record<JournalRecord['type'], (data: Members) => readonly string[]>>> = {
  TransactionPrepared: ({ purpose, tx }) => [phrase(purpose, hashOf(tx))],
  BroadcastAttempted: ({ purpose, tx_hash }) => [phrase(purpose, tx_hash)],
  BroadcastAccepted: ({ purpose, tx_hash, how }) => [phrase(purpose, tx_hash), phrase(how)],
  BroadcastRefused: ({ purpose, tx_hash, kind, message }) => [phrase(purpose, tx_hash), phrase(kind), phrase(message)],
  TransactionDropped: ({ purpose, tx_hash }) => [phrase(purpose, tx_hash)],
  TransactionReverted: ({ purpose, tx_hash }) => [phrase(purpose, tx_hash)],
  PaymentReorged: ({ payment, tx_hash, before, confirmations }) => [
    phrase(payment, 'payment', tx_hash),
    phrase('confirmations:', before, 'before,', confirmations, 'after'),
  ],
  PaymentSettled: ({ payment, how, by, tx_hash, confirmations }) => [
    phrase(payment, 'payment', how, 'by', BY.get(by) ?? by),
    phrase(tx_hash),
    phrase('confirmations:', confirmations),
  ],
  MessageReceived: ({ message }) => [isJsonObject(message) ? phrase(message['kind']) : ''],
  DeadlineReached: ({ kind, clock }) => [phrase(kind), phrase('by the clock of', CLOCK.get(clock) ?? clock)],
  OperatorActed: ({ action, reason }) => [phrase(action), phrase(reason)],
  FundsRecovered: ({ action, tx }) => [phrase(action), phrase(hashOf(tx))],
  RecoveryRefused: ({ reason }) => [phrase(reason)],
};

const BY: ReadonlyMap<unknown, string> = new Map([
  ['self', 'the own side'],
  ['counterparty', 'the other side'],
  ['watcher', 'a watcher'],
  ['chain', 'the chain'],
]);

const CLOCK: ReadonlyMap<unknown, string> = new Map([
  ['host', 'the host'],
  ['makerChain', "the maker's chain"],
  ['takerChain', "the taker's chain"],
]);

/** The words in a row; nothing where one of them is missing. */
function phrase(...words: readonly unknown[]): string {
  const texts = words.map((word) => (typeof word === 'string' || typeof word === 'number' ? String(word) : ''));
  return texts.includes('') ? '' : texts.join(' ');
}

function hashOf(tx: unknown): unknown {
  return isJsonObject(tx) ? tx['tx_hash'] : undefined;
}
