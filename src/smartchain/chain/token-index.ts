import type { OutPoint } from '../../htlc/transaction-encoding.ts';
import type { FiledOutput } from './filed-output.ts';

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

/** Tokens of an id that an owner (key of `ownerKey`) holds; read-only. */
export function heldTokens(index: TokenIndex, tokenId: string, owner: string): HeldTokens {
  return index.get(`${tokenId}/${owner}`) ?? NOTHING;
}

export function trackToken(index: TokenIndex, filed: FiledOutput): void {
  const key = keyOf(filed);
  if (key === undefined) return;
  let held = index.get(key);
  if (held === undefined) {
    held = { unspent: new Map(), balance: 0n };
    index.set(key, held);
  }
  const { txid, vout, name, output } = filed;
  held.unspent.set(name, { txid, vout, amount: output.value });
  held.balance += output.value;
}

export function untrackToken(index: TokenIndex, filed: FiledOutput): void {
  const key = keyOf(filed);
  const held = key === undefined ? undefined : index.get(key);
  if (key === undefined || held === undefined) return;
  const entry = held.unspent.get(filed.name);
  if (entry === undefined) return;
  held.unspent.delete(filed.name);
  held.balance -= entry.amount;
  if (held.unspent.size === 0) index.delete(key);
}

function keyOf({ vout, record, owner }: FiledOutput): string | undefined {
  const { token } = record;
  return token?.outputs.has(vout) === true ? `${token.tokenId}/${owner}` : undefined;
}
