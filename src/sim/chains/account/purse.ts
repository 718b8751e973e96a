import { MAX_FEE_RATE, rateOf } from '../settings.ts';
import { nextFree, replacementPrice } from './mempool.ts';
import { type AccountState, GONE, type Party } from './state.ts';
import { type AccountTransaction, feeOf } from './transaction.ts';

type Held = {
  /** In base units. */
  readonly amount: bigint;
  /** Of claims and refunds in it that are not signed: they cost no less than the price of the day. */
  readonly gas: number;
};

/** What one process that pays for a party knows: what it has committed to prepared transactions. */
export type Purse = {
  readonly party: Party;
  /** By nonce, the transactions that have it, of which at most one can be included; the newest last. */
  readonly reserved: Map<number, readonly AccountTransaction[]>;
  /** By id, every transaction that this process prepared or learned of. */
  readonly prepared: Map<string, AccountTransaction>;
  /** What each swap will still take. */
  readonly held: Map<string, Held>;
  /** Ids of what was marked, not made. */
  readonly marked: Set<string>;
  /** What fills nonces that nothing uses any more. */
  readonly fillers: Set<AccountTransaction>;
  /** Everything signed before is marked: a nonce that nothing uses will never be used without help. */
  complete: boolean;
};

export function purseOf(party: Party): Purse {
  return {
    party,
    reserved: new Map(),
    prepared: new Map(),
    held: new Map(),
    marked: new Set(),
    fillers: new Set(),
    complete: false,
  };
}

export function reserve(purse: Purse, tx: AccountTransaction): void {
  purse.prepared.set(tx.id, tx);
  if (tx.from !== purse.party.account.address) return;
  const others = (purse.reserved.get(tx.nonce) ?? []).filter(({ id }) => id !== tx.id);
  purse.reserved.set(tx.nonce, [...others, tx]);
}

/** Gives back the nonce of a transaction that will never go out, unless another transaction has it too. */
export function release({ reserved }: Purse, tx: AccountTransaction): void {
  const others = (reserved.get(tx.nonce) ?? []).filter(({ id }) => id !== tx.id);
  if (others.length === 0) reserved.delete(tx.nonce);
  else reserved.set(tx.nonce, others);
}

/** Gives back what an earlier process over this wallet made, except for what was marked and what the network has. */
export function releaseUnmarked({ entries }: AccountState, purse: Purse): void {
  for (const tx of [...purse.reserved.values()].flat()) {
    const isKept = purse.marked.has(tx.id) || purse.fillers.has(tx);
    if (!isKept && (entries.get(tx.id)?.height ?? GONE) === GONE) release(purse, tx);
  }
}

/** The least free nonce below a signed one, which it blocks; null for none. */
export function gapIn({ party, reserved }: Purse): number | null {
  const { account } = party;
  let free = nextFree(account, account.mined.length);
  while (reserved.has(free)) free = nextFree(account, free + 1);
  for (const nonce of reserved.keys()) if (nonce > free) return free;
  return null;
}

/** The least price that would be relayed, in base units: more than may be paid. */
export type TooDear = { readonly least: number };

export type Slot = { readonly nonce: number; readonly price: number };

type Wanted = {
  readonly urgency: number;
  readonly replaced: AccountTransaction | null;
  /** The highest price; null for no bound. */
  readonly maxPrice: number | null;
};

/**
 * The nonce and the price of a new transaction: those that replace the earlier variant while its nonce is unused, else the next free nonce. If
 * nothing within the bound would be relayed, the least price that would.
 */
export function slotFor(state: AccountState, { party, reserved }: Purse, wanted: Wanted): Slot | TooDear {
  const { account } = party;
  const price = Math.ceil(rateOf(state.settings, wanted.urgency));
  const used = account.mined.length;
  const { replaced, maxPrice } = wanted;
  if (replaced !== null && replaced.nonce >= used) {
    const dearer = Math.min(MAX_FEE_RATE, replacementPrice(replaced.price));
    return bounded({ nonce: replaced.nonce, price: Math.max(price, dearer) }, { least: dearer, maxPrice });
  }
  let nonce = nextFree(account, used);
  while (reserved.has(nonce)) nonce = nextFree(account, nonce + 1);
  return bounded({ nonce, price }, { least: state.settings.feeRate / 2, maxPrice });
}

function bounded(
  slot: Slot,
  { least, maxPrice }: { readonly least: number; readonly maxPrice: number | null },
): Slot | TooDear {
  if (maxPrice === null || slot.price <= maxPrice) return slot;
  return maxPrice >= least ? { ...slot, price: maxPrice } : { least: Math.ceil(least) };
}

type Holding = { readonly state: AccountState; readonly purse: Purse };

/** What is held for all swaps but this one, in base units. */
export function heldByOthers({ state, purse }: Holding, swap: string | null): bigint {
  const price = Math.ceil(rateOf(state.settings, 0));
  let total = 0n;
  for (const [holder, { amount, gas }] of purse.held) {
    const ends = feeOf(price, gas);
    if (holder !== swap) total += amount > ends ? amount : ends;
  }
  return total;
}

/** A transaction of a swap was made, so less is held for that swap. */
export function takeFromHeld({ held }: Purse, swap: string | null, amount: bigint): void {
  const before = swap === null ? undefined : held.get(swap);
  if (swap === null || before === undefined) return;
  held.set(swap, { ...before, amount: before.amount > amount ? before.amount - amount : 0n });
}

/** What the account can still commit, in base units. */
export function spendable(state: AccountState, { party, reserved }: Purse): bigint {
  const { account } = party;
  let units = account.balance;
  for (const { tx } of account.pending) units -= tx.value + feeOf(tx.price, tx.gas);
  for (const holders of reserved.values()) {
    const tx = holders.at(-1) as AccountTransaction;
    const waiting = tx.nonce >= account.mined.length && (state.entries.get(tx.id)?.height ?? GONE) === GONE;
    if (waiting && account.pending.every((entry) => entry.tx.nonce !== tx.nonce))
      units -= tx.value + feeOf(tx.price, tx.gas);
  }
  return units > 0n ? units : 0n;
}
