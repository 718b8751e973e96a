import { type ObservedTransaction, transactionPriority } from './fee-estimator.ts';
import type { Ledger } from './ledger.ts';
import type { MempoolEntry } from './mempool.ts';

/** Priority of an unconfirmed transaction at a height of the chain: unconfirmed coins have no age. */
export function entryPriority(entry: MempoolEntry, { ledger, height }: { ledger: Ledger; height: number }): number {
  const { inputs } = entry.transaction;
  const spent = inputs.flatMap(({ txid, vout }) => {
    const record = ledger.transactions.get(txid);
    const output = record?.transaction.outputs[vout];
    return record === undefined || output === undefined ? [] : [{ value: output.value, height: record.height }];
  });
  const scripts = inputs.map(({ scriptSig }) => scriptSig.length);
  return transactionPriority({ spent, scripts, size: entry.bytes.length, height });
}

/** A mempool transaction in the form that a fee estimator reads. */
export function observedEntry(entry: MempoolEntry, ledger: Ledger): ObservedTransaction {
  const { txid, fee, bytes, height, parents } = entry;
  const priority = entryPriority(entry, { ledger, height });
  return { txid, fee, size: bytes.length, priority, height, hasParents: parents.size > 0 };
}
