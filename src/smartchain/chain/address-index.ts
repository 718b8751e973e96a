import type { OutPoint, TxOutput } from '../transaction/transaction.ts';
import type { TxRecord } from './records.ts';
import { ownerKey, scriptOwner } from './script-owner.ts';

export type UnspentEntry = OutPoint & { readonly output: TxOutput; readonly record: TxRecord };

/** What belongs to one owner. */
export type OwnedOutputs = {
  /** By `<txid>:<vout>`. */
  readonly unspent: Map<string, UnspentEntry>;
  /** Satoshis of the unspent outputs. */
  balance: bigint;
};

/** Unspent outputs of the active chain by owner. */
export type AddressIndex = Map<string, OwnedOutputs>;

const NOTHING: OwnedOutputs = { unspent: new Map(), balance: 0n };

export function addressIndex(): AddressIndex {
  return new Map();
}

/** What an owner holds, by the key of `ownerKey`; not to be changed. */
export function ownedOutputs(index: AddressIndex, key: string): OwnedOutputs {
  return index.get(key) ?? NOTHING;
}

export function addUnspent(index: AddressIndex, { txid, vout }: OutPoint, record: TxRecord): void {
  const output = record.transaction.outputs[vout] as TxOutput;
  const owner = scriptOwner(output.script);
  if (owner === undefined) return;
  const key = ownerKey(owner);
  let owned = index.get(key);
  if (owned === undefined) {
    owned = { unspent: new Map(), balance: 0n };
    index.set(key, owned);
  }
  owned.unspent.set(`${txid}:${vout}`, { txid, vout, output, record });
  owned.balance += output.value;
}

export function removeUnspent(index: AddressIndex, { txid, vout }: OutPoint, record: TxRecord): void {
  const output = record.transaction.outputs[vout] as TxOutput;
  const owner = scriptOwner(output.script);
  if (owner === undefined) return;
  const key = ownerKey(owner);
  const owned = index.get(key);
  if (owned?.unspent.delete(`${txid}:${vout}`) !== true) return;
  owned.balance -= output.value;
  if (owned.unspent.size === 0) index.delete(key);
}

/** Outputs in the order in which the node walks its index: by the bytes of the txid as they are stored, then by number. */
export function inIndexOrder(entries: Iterable<UnspentEntry>): UnspentEntry[] {
  return [...entries]
    .map((entry) => ({ entry, key: storedOrder(entry.txid) }))
    .sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : left.entry.vout - right.entry.vout))
    .map(({ entry }) => entry);
}

/** The txid with its first stored byte first, as a text that sorts like the bytes. */
export function storedOrder(txid: string): string {
  let text = '';
  for (let index = txid.length - 2; index >= 0; index -= 2) text += txid.slice(index, index + 2);
  return text;
}
