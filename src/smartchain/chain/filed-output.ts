import type { TransactionOutput } from '../../htlc/transaction.ts';
import type { OutPoint } from '../../htlc/transaction-encoding.ts';
import type { TxRecord } from './records.ts';
import { ownerKey, scriptOwner } from './script-owner.ts';

/** An output of the active chain with its index keys. */
export type FiledOutput = OutPoint & {
  readonly output: TransactionOutput;
  readonly record: TxRecord;
  /** `<txid>:<vout>`. */
  readonly name: string;
  /** Key of `ownerKey`. */
  readonly owner: string;
};

/** An output for the indexes; undefined if its script has no owner, so no index holds it. */
export function filedOutput(record: TxRecord, vout: number): FiledOutput | undefined {
  const { txid, transaction } = record;
  const output = transaction.outputs[vout] as TransactionOutput;
  const owner = scriptOwner(output.script);
  return owner === undefined
    ? undefined
    : { txid, vout, output, record, name: `${txid}:${vout}`, owner: ownerKey(owner) };
}
