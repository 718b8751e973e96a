import type { OutPoint, TxOutput } from '../transaction/transaction.ts';
import type { TxRecord } from './records.ts';
import { ownerKey, scriptOwner } from './script-owner.ts';

/** Unspent tokens of one kind at one address. */
export type HeldTokens = {
  /** By `<txid>:<vout>`. */
  readonly unspent: Map<string, OutPoint & { readonly amount: bigint }>;
  balance: bigint;
};

/** By token id and owner. */
export type TokenIndex = Map<string, HeldTokens>;

const NOTHING: HeldTokens = { unspent: new Map(), balance: 0n };

export function tokenIndex(): TokenIndex {
  return new Map();
}

/** Tokens of an id that an owner (key of `ownerKey`) holds; not to be changed. */
export function heldTokens(index: TokenIndex, tokenId: string, owner: string): HeldTokens {
  return index.get(`${tokenId}/${owner}`) ?? NOTHING;
}

export function trackToken(index: TokenIndex, outPoint: OutPoint, record: TxRecord): void {
  const key = keyOf(outPoint, record);
  if (key === undefined) return;
  let held = index.get(key);
  if (held === undefined) {
    held = { unspent: new Map(), balance: 0n };
    index.set(key, held);
  }
  const { txid, vout } = outPoint;
  const { value } = record.transaction.outputs[vout] as TxOutput;
  held.unspent.set(`${txid}:${vout}`, { txid, vout, amount: value });
  held.balance += value;
}

export function untrackToken(index: TokenIndex, outPoint: OutPoint, record: TxRecord): void {
  const key = keyOf(outPoint, record);
  const held = key === undefined ? undefined : index.get(key);
  if (key === undefined || held === undefined) return;
  const name = `${outPoint.txid}:${outPoint.vout}`;
  const entry = held.unspent.get(name);
  if (entry === undefined) return;
  held.unspent.delete(name);
  held.balance -= entry.amount;
  if (held.unspent.size === 0) index.delete(key);
}

function keyOf({ vout }: OutPoint, { transaction, token }: TxRecord): string | undefined {
  if (token === undefined || !token.outputs.has(vout)) return undefined;
  const owner = scriptOwner((transaction.outputs[vout] as TxOutput).script);
  return owner === undefined ? undefined : `${token.tokenId}/${ownerKey(owner)}`;
}
