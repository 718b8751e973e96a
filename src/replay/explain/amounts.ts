import { toldAmount } from '../../../machines/told-amount.ts';
import { type DecimalText, fromBaseUnits, toBaseUnits, toBigNumber } from '../../primitives/decimal.ts';
import { decimalField } from '../audit/stored-fields.ts';
import type { AuditedPayment, AuditedSwap } from '../audit/swap-view.ts';
import type { LoggedTransaction, TransactionUse } from '../audit/transactions.ts';

/** Decimals of coins whose transactions are those of Bitcoin's family. */
const UTXO_DECIMALS = 8;

/**
 * An amount with no more digits than its chain has: what logs write of amounts is what is left of a division. The rest is cut off, as it is where the
 * payment is made. The number is what it was where cutting is not safe.
 */
export function amountOf(
  written: DecimalText,
  { transaction }: Pick<AuditedPayment, 'transaction'>,
  fee?: LoggedTransaction,
): DecimalText {
  if (toBigNumber(written).isNegative()) return written;
  // The fee goes out on the chain of the taker coin, whose kind it tells where no payment does; a call of a token's contract pays nothing itself.
  const paidFee = transaction === undefined ? fee?.utxo?.outputs[0]?.value : undefined;
  const units = paidFee === undefined || paidFee === 0n ? 0n : toBaseUnits(written, UTXO_DECIMALS);
  if (units > 0n) return fromBaseUnits(units, UTXO_DECIMALS);
  const locked = transaction?.utxo?.outputs[0]?.value;
  const isOfChain = locked !== undefined && locked === toBaseUnits(written, UTXO_DECIMALS);
  if (isOfChain) return fromBaseUnits(locked, UTXO_DECIMALS);
  return toldAmount(written);
}

/** What a claim or a refund brings to whom it pays, in coin units. */
export type Brought = {
  /** Less the fee of the transaction; null where the log does not tell. */
  readonly net: DecimalText | null;
  /** Whether the fee is paid out of the amount itself, as on chains of Bitcoin's family; null where the log does not tell. */
  readonly feeInside: boolean | null;
};

/** What the log knows about what arrived by the last claim or refund of a payment. */
export function broughtBy({ transactions }: Pick<AuditedSwap, 'transactions'>, use: TransactionUse): Brought {
  const made = transactions.filter((transaction) => isUse(transaction.use, use)).at(-1);
  if (made === undefined) return { net: null, feeInside: null };
  if (made.evm !== undefined) return { net: null, feeInside: false };
  const told = toldChange(made);
  if (told !== null) return { net: told, feeInside: true };
  const { utxo } = made;
  if (utxo === undefined || utxo.inputs.length !== 1) return { net: null, feeInside: null };
  const all = utxo.outputs.reduce((sum, { value }) => sum + value, 0n);
  return { net: fromBaseUnits(all, UTXO_DECIMALS), feeInside: true };
}

function isUse(use: TransactionUse, wanted: TransactionUse): boolean {
  return use.kind === wanted.kind && (use.kind === 'fee' || wanted.kind === 'fee' || use.payer === wanted.payer);
}

/** Releases of 2019 and 2020 stored by how much a transaction changed the balance. */
function toldChange({ stored }: LoggedTransaction): DecimalText | null {
  const change = decimalField(stored, 'my_balance_change');
  return change !== undefined && toBigNumber(change).isPositive() && !toBigNumber(change).isZero() ? change : null;
}
