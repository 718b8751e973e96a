import type { PreparedTransaction } from '../../../ports/chain.ts';
import type { DecimalText } from '../../../primitives/decimal.ts';
import type { ChainView } from '../blocks.ts';
import type { Settings } from '../settings.ts';
import type { TermsBook } from '../terms-book.ts';
import type { Purse } from './purse.ts';
import type { UtxoState } from './state.ts';
import { outpointOf, type UtxoTransaction } from './transaction.ts';
import type { TermsInfo } from './views.ts';

/** Everything that making a transaction needs. */
export type Workshop = {
  readonly state: UtxoState;
  readonly book: TermsBook<TermsInfo>;
  readonly purse: Purse;
  readonly view: ChainView;
  /** For which swap; null if none is named. */
  readonly swap: string | null;
  /** What a fee carries to name its swap; null if the key of the swap's payments signs it. */
  readonly feeName: string | null;
};

/** The bound of a fee in base units, rounded down; null for none. */
export function maxFeeOf({ amounts }: Settings, { maxFee }: { readonly maxFee?: DecimalText }): bigint | null {
  return maxFee === undefined ? null : amounts.parse(maxFee);
}

/** A transaction as the port returns it. */
export function preparedOf({ amounts }: Settings, tx: UtxoTransaction, fee: bigint): PreparedTransaction {
  return { tx_hex: tx.hex, tx_hash: tx.id, spends: tx.inputs.map(outpointOf), fee: amounts.format(fee) };
}

/** What the outputs hold, in base units. */
export function paidOut({ outputs }: UtxoTransaction): bigint {
  let total = 0n;
  for (const { value } of outputs) total += value;
  return total;
}
