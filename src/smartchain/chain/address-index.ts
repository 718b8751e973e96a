import type { TransactionOutput } from '../../htlc/transaction.ts';
import type { OutPoint } from '../../htlc/transaction-encoding.ts';
import type { FiledOutput } from './filed-output.ts';
import type { TxRecord } from './records.ts';

export type UnspentEntry = OutPoint & { readonly output: TransactionOutput; readonly record: TxRecord };

/** The outputs of one owner. */
export type OwnedOutputs = {
  /** By `<txid>:<vout>`. */
  readonly unspent: Map<string, UnspentEntry>;
  /** Satoshis of the unspent outputs. */
  balance: bigint;
  /** Satoshis of all outputs, including spent ones. */
  received: bigint;
  /** Number of all outputs, including spent ones. */
  outputs: number;
};

/** Outputs of the active chain by owner. An owner stays as long as any of its outputs is in the chain. */
export type AddressIndex = Map<string, OwnedOutputs>;

const NOTHING: OwnedOutputs = { unspent: new Map(), balance: 0n, received: 0n, outputs: 0 };

export function addressIndex(): AddressIndex {
  return new Map();
}

/** The outputs of an owner, by the key of `ownerKey`; read-only. */
export function ownedOutputs(index: AddressIndex, key: string): OwnedOutputs {
  return index.get(key) ?? NOTHING;
}

/** Adds a new output. */
export function addOutput(index: AddressIndex, filed: FiledOutput): void {
  let owned = index.get(filed.owner);
  if (owned === undefined) {
    owned = { unspent: new Map(), balance: 0n, received: 0n, outputs: 0 };
    index.set(filed.owner, owned);
  }
  owned.received += filed.output.value;
  owned.outputs++;
  hold(owned, filed);
}

/** Removes an output whose transaction leaves the chain; it must be unspent. */
export function dropOutput(index: AddressIndex, filed: FiledOutput): void {
  const owned = index.get(filed.owner);
  if (owned === undefined) return;
  letGo(owned, filed);
  owned.received -= filed.output.value;
  owned.outputs--;
  if (owned.outputs === 0) index.delete(filed.owner);
}

/** Marks an output as spent. */
export function spendOutput(index: AddressIndex, filed: FiledOutput): void {
  const owned = index.get(filed.owner);
  if (owned !== undefined) letGo(owned, filed);
}

/** Marks an output as unspent again. */
export function restoreOutput(index: AddressIndex, filed: FiledOutput): void {
  const owned = index.get(filed.owner);
  if (owned !== undefined) hold(owned, filed);
}

function hold(owned: OwnedOutputs, { txid, vout, output, record, name }: FiledOutput): void {
  owned.unspent.set(name, { txid, vout, output, record });
  owned.balance += output.value;
}

function letGo(owned: OwnedOutputs, { name, output }: FiledOutput): void {
  if (owned.unspent.delete(name)) owned.balance -= output.value;
}

/** Outputs in the order of the node's index: by the bytes of the txid as stored, then by number. */
export function inIndexOrder<Entry extends OutPoint>(entries: Iterable<Entry>): Entry[] {
  return [...entries]
    .map((entry) => ({ entry, key: storedOrder(entry.txid) }))
    .sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : left.entry.vout - right.entry.vout))
    .map(({ entry }) => entry);
}

/** The txid with its first stored byte first, as a text that sorts like the bytes. */
function storedOrder(txid: string): string {
  let text = '';
  for (let index = txid.length - 2; index >= 0; index -= 2) text += txid.slice(index, index + 2);
  return text;
}
