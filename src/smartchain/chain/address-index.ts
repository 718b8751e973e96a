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
  /** Satoshis of all outputs, spent ones too. */
  received: bigint;
  /** Count of all outputs, spent ones too. */
  outputs: number;
};

/** Outputs of the active chain by owner. An owner stays as long as any of its outputs is in the chain. */
export type AddressIndex = Map<string, OwnedOutputs>;

const NOTHING: OwnedOutputs = { unspent: new Map(), balance: 0n, received: 0n, outputs: 0 };

export function addressIndex(): AddressIndex {
  return new Map();
}

/** What an owner holds, by the key of `ownerKey`; not to be changed. */
export function ownedOutputs(index: AddressIndex, key: string): OwnedOutputs {
  return index.get(key) ?? NOTHING;
}

/** Adds an output that a transaction made. */
export function addOutput(index: AddressIndex, outPoint: OutPoint, record: TxRecord): void {
  const found = ownerOf(outPoint, record);
  if (found === undefined) return;
  const { key, output } = found;
  let owned = index.get(key);
  if (owned === undefined) {
    owned = { unspent: new Map(), balance: 0n, received: 0n, outputs: 0 };
    index.set(key, owned);
  }
  owned.received += output.value;
  owned.outputs++;
  hold(owned, { ...outPoint, output, record });
}

/** Takes back that a transaction made an output, which must be unspent. */
export function dropOutput(index: AddressIndex, outPoint: OutPoint, record: TxRecord): void {
  const found = ownerOf(outPoint, record);
  const owned = found === undefined ? undefined : index.get(found.key);
  if (found === undefined || owned === undefined) return;
  letGo(owned, { ...outPoint, output: found.output });
  owned.received -= found.output.value;
  owned.outputs--;
  if (owned.outputs === 0) index.delete(found.key);
}

/** Notes that an output was spent. */
export function spendOutput(index: AddressIndex, outPoint: OutPoint, record: TxRecord): void {
  const found = ownerOf(outPoint, record);
  const owned = found === undefined ? undefined : index.get(found.key);
  if (found !== undefined && owned !== undefined) letGo(owned, { ...outPoint, output: found.output });
}

/** Takes back that an output was spent. */
export function restoreOutput(index: AddressIndex, outPoint: OutPoint, record: TxRecord): void {
  const found = ownerOf(outPoint, record);
  const owned = found === undefined ? undefined : index.get(found.key);
  if (found !== undefined && owned !== undefined) hold(owned, { ...outPoint, output: found.output, record });
}

function hold(owned: OwnedOutputs, { txid, vout, output, record }: UnspentEntry): void {
  owned.unspent.set(`${txid}:${vout}`, { txid, vout, output, record });
  owned.balance += output.value;
}

function letGo(owned: OwnedOutputs, { txid, vout, output }: OutPoint & { readonly output: TxOutput }): void {
  if (owned.unspent.delete(`${txid}:${vout}`)) owned.balance -= output.value;
}

function ownerOf({ vout }: OutPoint, record: TxRecord): { key: string; output: TxOutput } | undefined {
  const output = record.transaction.outputs[vout] as TxOutput;
  const owner = scriptOwner(output.script);
  return owner === undefined ? undefined : { key: ownerKey(owner), output };
}

/** Outputs in the order in which the node walks its index: by the bytes of the txid as they are stored, then by number. */
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
