import type { SwapLog } from '../../events/saved-swap.ts';
import { readStoredError, type StoredError } from '../../events/stored-errors/read.ts';
import { isJsonObject } from '../../primitives/json.ts';

/** An error that the log states, read for people. */
export type ExplainedError = StoredError & { readonly seq: number; readonly type: string };

/** The errors of a log, in its order; an event without a text states none. */
export function explainedErrors({ events }: Pick<SwapLog, 'events'>): readonly ExplainedError[] {
  return events.flatMap(({ type, data }, seq) => {
    const text = isJsonObject(data) ? data['error'] : undefined;
    return typeof text === 'string' && text.trim() !== '' ? [{ seq, type, ...readStoredError(text) }] : [];
  });
}

/** `Event 8: the node refused the transaction because its fee was too low.` Nothing where the table does not know the text, which is quoted elsewhere. */
export function errorSentences(errors: readonly ExplainedError[]): readonly string[] {
  return errors.filter(({ kind }) => kind !== 'unknown').map(({ seq, means }) => `Event ${seq}: ${means}.`);
}
