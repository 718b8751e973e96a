import { type HtlcInput, parseHtlcInput } from '../../htlc/htlc-input.ts';
import type { TransactionInput } from '../../htlc/transaction.ts';

// Several checks ask about the same input, and taking a script apart costs more than most of them.
const parsed = new WeakMap<TransactionInput, { readonly input: HtlcInput | undefined }>();

/** The hash time lock that an input of a logged transaction takes; undefined where it takes none. */
export function takenLock(input: TransactionInput): HtlcInput | undefined {
  const known = parsed.get(input) ?? { input: parseHtlcInput(input) };
  parsed.set(input, known);
  return known.input;
}
