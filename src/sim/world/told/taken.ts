import type { JournalPayloads } from '../../../events/journal.ts';
import type { AskResult, Question } from '../../../runtime/command.ts';
import type { SimNode } from '../node.ts';

// Rule R8 of what a node took: the log says so before the swap is over, so that a restart knows who may have it.

/** What nodes took of a party, by id, with how often its process had begun anew. */
export type Taken = Map<string, number>;

export function noteTaken(taken: Taken, { restarts }: SimNode, asked: { question: Question; result: AskResult }): void {
  const { question, result } = asked;
  if (question.op === 'broadcast' && result.ok) taken.set(question.transaction.tx_hash, restarts);
}

/** What must not go out a second time. Of claims and refunds only one variant can confirm, and the one that does is told by its end. */
const PAID: ReadonlySet<string> = new Set(['fee', 'payment']);

/** Payments of its own that a node took and of which the log does not say so; only of a process that heard every answer. */
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
