import type { JournalPayloads } from '../../../events/journal.ts';
import type { AskResult, Question } from '../../../runtime/command.ts';
import type { SimNode } from '../node.ts';

// Rule R8 for what a node accepted: the log says so before the swap is over, so that a restart knows who may have it.

/** What nodes accepted from a party, by id, with the number of its process's restarts. */
export type Taken = Map<string, number>;

export function noteTaken(taken: Taken, { restarts }: SimNode, asked: { question: Question; result: AskResult }): void {
  const { question, result } = asked;
  if (question.op === 'broadcast' && result.ok) taken.set(question.transaction.tx_hash, restarts);
}

/** What must not be sent a second time. Only one variant of a claim or refund can confirm, and its end names the one that does. */
const PAID: ReadonlySet<string> = new Set(['fee', 'payment']);

/** Own payments that a node accepted although the log does not say so; only for a process that heard every answer. */
export function untoldTaking({ records, restarts, done }: SimNode, taken: Taken): readonly string[] {
  if (!done || restarts > 0) return [];
  const waiting = new Map<string, string>();
  for (const { type, data } of records) {
    if (type === 'TransactionPrepared') {
      const { purpose, tx } = data as JournalPayloads['TransactionPrepared'];
      if (PAID.has(purpose) && taken.has(tx.tx_hash)) waiting.set(tx.tx_hash, purpose);
    }
    if (type === 'BroadcastAccepted') waiting.delete((data as JournalPayloads['BroadcastAccepted']).tx_hash);
  }
  return [...waiting].map(
    ([hash, purpose]) => `a node took the ${purpose} ${hash.slice(0, 12)}, and the log never says so`,
  );
}
