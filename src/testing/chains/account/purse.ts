import { MAX_FEE_RATE, rateOf } from '../settings.ts';
import { nextFree, replacementPrice } from './mempool.ts';
import { type AccountState, GONE, type Party } from './state.ts';
import { type AccountTransaction, feeOf } from './transaction.ts';

/** What one process that pays for a party knows: what it has promised to prepared transactions. */
export type Purse = {
  readonly party: Party;
  /** By nonce. */
  readonly reserved: Map<number, AccountTransaction>;
  /** By id, every transaction that this process prepared or was told of. */
  readonly prepared: Map<string, AccountTransaction>;
};

export function purseOf(party: Party): Purse {
  return { party, reserved: new Map(), prepared: new Map() };
}

export function reserve(purse: Purse, tx: AccountTransaction): void {
  purse.prepared.set(tx.id, tx);
  if (tx.from === purse.party.account.address) purse.reserved.set(tx.nonce, tx);
}

export type Slot = { readonly nonce: number; readonly price: number };

/**
 * The nonce and the price of a new transaction: those that replace the earlier variant while its nonce is not used, else the
 * next nonce that nothing has.
 */
export function slotFor(
  state: AccountState,
  { party, reserved }: Purse,
  wanted: { readonly urgency: number; readonly replaced: AccountTransaction | null },
): Slot {
  const { account } = party;
  const price = Math.ceil(rateOf(state.settings, wanted.urgency));
  const used = account.mined.length;
  const { replaced } = wanted;
  if (replaced !== null && replaced.nonce >= used) {
    const dearer = Math.min(MAX_FEE_RATE, replacementPrice(replaced.price));
    return { nonce: replaced.nonce, price: Math.max(price, dearer) };
  }
  let nonce = nextFree(account, used);
  while (reserved.has(nonce)) nonce = nextFree(account, nonce + 1);
  return { nonce, price };
}

/** What the account can still promise, in base units. */
export function spendable(state: AccountState, { party, reserved }: Purse): bigint {
  const { account } = party;
  let units = account.balance;
  for (const { tx } of account.pending) units -= tx.value + feeOf(tx.price, tx.gas);
  for (const tx of reserved.values()) {
    const waiting = tx.nonce >= account.mined.length && (state.entries.get(tx.id)?.height ?? GONE) === GONE;
    if (waiting && account.pending.every((entry) => entry.tx.nonce !== tx.nonce))
      units -= tx.value + feeOf(tx.price, tx.gas);
  }
  return units > 0n ? units : 0n;
}
