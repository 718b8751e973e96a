import type { TransactionOutput } from '../../htlc/transaction.ts';
import type { OutPoint } from '../../htlc/transaction-encoding.ts';
import { rememberingBytes } from '../../primitives/remember.ts';
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
  const { script } = output;
  const owner = script.length > LONGEST_KEPT ? ownerOf(script) : ownerAgain(script);
  return owner === NOBODY ? undefined : { txid, vout, output, record, name: `${txid}:${vout}`, owner };
}

/** Outputs to keys, scripts and conditions are shorter; the owners of some thousands are kept, because the same few come up again and again. */
const LONGEST_KEPT = 80;
const MOST_KEPT = 4096;
const NOBODY = '';
const ownerAgain = rememberingBytes(ownerOf, MOST_KEPT);

function ownerOf(script: Uint8Array): string {
  const owner = scriptOwner(script);
  return owner === undefined ? NOBODY : ownerKey(owner);
}
