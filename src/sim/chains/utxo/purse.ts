import type { ChainView } from '../blocks.ts';
import { rateOf } from '../settings.ts';
import { type Coin, depthIn, GONE, type Party, type UtxoEntry, type UtxoState } from './state.ts';
import { nominalSize, outpointOf, paymentSize, type UtxoTransaction } from './transaction.ts';
import { conflictDepth } from './views.ts';

/** What one process that pays for a party knows: its coins, and what it has committed to prepared transactions and to swaps. */
export type Purse = {
  readonly party: Party;
  /** By outpoint, the prepared transactions that take it, of which at most one can confirm. */
  readonly reserved: Map<string, readonly UtxoTransaction[]>;
  /** By id, every transaction that this process prepared or learned of. */
  readonly prepared: Map<string, UtxoTransaction>;
  /** What each swap will still take, in base units. */
  readonly held: Map<string, bigint>;
  /** Ids of what was marked, not made. */
  readonly marked: Set<string>;
};

export function purseOf(party: Party): Purse {
  return { party, reserved: new Map(), prepared: new Map(), held: new Map(), marked: new Set() };
}

/** Marks what a prepared transaction takes as taken. */
export function reserve(purse: Purse, tx: UtxoTransaction): void {
  purse.prepared.set(tx.id, tx);
  for (const { txid, vout, unlock } of tx.inputs) {
    if (unlock.by !== 'key') continue;
    const outpoint = `${txid}:${vout}`;
    const holders = purse.reserved.get(outpoint) ?? [];
    if (holders.every(({ id }) => id !== tx.id)) purse.reserved.set(outpoint, [...holders, tx]);
  }
}

/** Gives back what a transaction that will never go out took, unless another transaction takes it too. */
export function release({ reserved }: Purse, tx: UtxoTransaction): void {
  for (const input of tx.inputs) {
    const outpoint = outpointOf(input);
    const others = (reserved.get(outpoint) ?? []).filter(({ id }) => id !== tx.id);
    if (others.length === 0) reserved.delete(outpoint);
    else reserved.set(outpoint, others);
  }
}

/** Gives back what an earlier process over this wallet made, except for what was marked and what the network has. */
export function releaseUnmarked({ entries }: UtxoState, purse: Purse): void {
  for (const tx of new Set([...purse.reserved.values()].flat())) {
    if (!purse.marked.has(tx.id) && (entries.get(tx.id)?.height ?? GONE) === GONE) release(purse, tx);
  }
}

/** The least fee that would be relayed, in base units: more than may be paid. */
export type TooDear = { readonly least: bigint };

export type Selection = { readonly coins: readonly Coin[]; readonly fee: bigint; readonly change: bigint };

type Wanted = {
  /** What the outputs hold, in base units. */
  readonly value: bigint;
  /** The number of outputs besides the change. */
  readonly outputs: number;
  readonly urgency: number;
  readonly view: ChainView;
  /** Its coins are taken first, and its fee is exceeded, so that at most one of both confirms. */
  readonly replaced: Replaced | null;
  /** The highest fee, in base units; null for no bound. */
  readonly maxFee: bigint | null;
};

/** An earlier variant that is not settled yet. */
export type Replaced = { readonly coins: readonly Coin[]; readonly fee: bigint; readonly rate: number };

/** Coins that pay for the outputs and the fee: confirmed ones first, then own change. */
export function select(state: UtxoState, purse: Purse, wanted: Wanted): Selection | 'tooFew' | TooDear {
  const coins: Coin[] = [];
  let total = 0n;
  for (const coin of wanted.replaced?.coins ?? []) {
    coins.push(coin);
    total += coin.value;
  }
  const enough = coins.length > 0 ? selectionOf(state, wanted, { coins, total }) : null;
  if (enough !== null) return enough;
  for (const confirmed of [true, false]) {
    for (const coin of purse.party.coins) {
      if (coins.includes(coin) || !isUsable(state, purse, { coin, view: wanted.view, confirmed })) continue;
      coins.push(coin);
      total += coin.value;
      const selection = selectionOf(state, wanted, { coins, total });
      if (selection !== null) return selection;
    }
  }
  return 'tooFew';
}

/** Null if the coins do not pay for all of it. */
function selectionOf(
  state: UtxoState,
  wanted: Wanted,
  { coins, total }: { readonly coins: readonly Coin[]; readonly total: bigint },
): Selection | TooDear | null {
  const { fee, least } = feeFor(state, wanted, coins.length);
  if (fee === null) return { least };
  const change = total - wanted.value - fee;
  if (change < 0n) return null;
  // Change too small to be sent goes to the miner.
  return change < state.settings.minTxAmount ? { coins, fee: fee + change, change: 0n } : { coins, fee, change };
}

/** The fee is null if nothing within the bound would be relayed. */
function feeFor(
  { settings }: UtxoState,
  { urgency, outputs, replaced, maxFee }: Wanted,
  inputs: number,
): { readonly fee: bigint | null; readonly least: bigint } {
  const size = paymentSize(inputs, outputs + 1);
  const step = settings.feeRate / 2;
  const rate = Math.max(rateOf(settings, urgency), replaced === null ? 0 : replaced.rate + step);
  const fee = BigInt(Math.ceil(rate * size));
  const least = (replaced?.fee ?? 0n) + BigInt(Math.ceil(step * size));
  return { fee: within({ fee: fee < least ? least : fee, least }, maxFee), least };
}

/** What one coin pays at least for so many outputs and change, in base units. */
export function leastFee({ settings }: UtxoState, outputs: number): bigint {
  return BigInt(Math.ceil(rateOf(settings, 0) * paymentSize(1, outputs + 1)));
}

/** A fee, or as much of it as a bound permits; null if that is less than the least. */
export function within(
  { fee, least }: { readonly fee: bigint; readonly least: bigint },
  maxFee: bigint | null,
): bigint | null {
  if (maxFee === null || fee <= maxFee) return fee;
  return maxFee >= least ? maxFee : null;
}

/** What a replacement must know about the earlier variant; null if that is in a block or can never be in one. */
export function replacedOf(
  state: UtxoState,
  purse: Purse,
  { hex, view }: { readonly hex: string | undefined; readonly view: ChainView },
): Replaced | null {
  const tx = hex === undefined ? null : state.codec.decode(hex);
  if (tx === null || (state.entries.get(tx.id)?.height ?? GONE) >= 0) return null;
  if (conflictDepth(state, tx, view) > 0) return null;
  const coins: Coin[] = [];
  let fee = 0n;
  for (const input of tx.inputs) {
    const coin = purse.party.coins.find(({ outpoint }) => outpoint === outpointOf(input));
    if (coin === undefined || coin.entry.height === GONE) return null;
    coins.push(coin);
    fee += coin.value;
  }
  for (const { value } of tx.outputs) fee -= value;
  return { coins, fee, rate: Number(fee) / nominalSize(tx) };
}

/** What all usable coins hold, in base units. */
export function spendable(state: UtxoState, purse: Purse, view: ChainView): bigint {
  let total = 0n;
  for (const coin of purse.party.coins) {
    for (const confirmed of [true, false]) {
      if (isUsable(state, purse, { coin, view, confirmed })) total += coin.value;
    }
  }
  return total;
}

/** Change that becomes usable once the prepared, unsent transactions confirm; in base units. */
export function coming({ owners, entries }: UtxoState, { party, reserved }: Purse): bigint {
  const last = new Set<UtxoTransaction>();
  for (const holders of reserved.values()) last.add(holders.at(-1) as UtxoTransaction);
  let total = 0n;
  for (const { id, outputs } of last) {
    if ((entries.get(id)?.height ?? GONE) !== GONE) continue;
    for (const { kind, lock, value } of outputs) {
      if (kind === 'key' && owners.get(lock)?.party === party) total += value;
    }
  }
  return total;
}

/** What is held for all swaps but this one, in base units. */
export function heldByOthers({ held }: Purse, swap: string | null): bigint {
  let total = 0n;
  for (const [holder, amount] of held) if (holder !== swap) total += amount;
  return total;
}

/** A transaction of a swap was made, so less is held for that swap. */
export function takeFromHeld({ held }: Purse, swap: string | null, amount: bigint): void {
  const before = swap === null ? undefined : held.get(swap);
  if (swap === null || before === undefined) return;
  held.set(swap, before > amount ? before - amount : 0n);
}

type Candidate = { readonly coin: Coin; readonly view: ChainView; readonly confirmed: boolean };

function isUsable(state: UtxoState, purse: Purse, { coin, view, confirmed }: Candidate): boolean {
  const { entry, vout, outpoint } = coin;
  if (entry.height === GONE || (entry.takers[vout] ?? null) !== null) return false;
  if (depthIn(view, entry) > 0 !== confirmed) return false;
  return (confirmed || isOwnChange(purse, entry)) && !isReserved(state, purse, { outpoint, view });
}

/** Only the wallet itself can replace these; a dearer claim may replace a claim at any moment. */
function isOwnChange({ party }: Purse, { party: owner, purpose }: UtxoEntry): boolean {
  return owner === party.name && (purpose === 'fee' || purpose === 'payment' || purpose === 'void');
}

function isReserved(
  state: UtxoState,
  { reserved }: Purse,
  { outpoint, view }: { readonly outpoint: string; readonly view: ChainView },
): boolean {
  const holders = reserved.get(outpoint);
  if (holders === undefined) return false;
  // One that can never confirm any more frees what else it would have taken.
  const open = holders.filter((holder) => conflictDepth(state, holder, view) < state.settings.finality);
  if (open.length === 0) reserved.delete(outpoint);
  else if (open.length < holders.length) reserved.set(outpoint, open);
  return open.length > 0;
}
