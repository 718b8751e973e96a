import type { ChainView } from '../blocks.ts';
import { rateOf } from '../settings.ts';
import { type Coin, depthIn, GONE, type Party, type UtxoEntry, type UtxoState } from './state.ts';
import { nominalSize, outpointOf, paymentSize, type UtxoTransaction } from './transaction.ts';
import { conflictDepth } from './views.ts';

/** What one process that pays for a party knows: its coins, and what it has promised to prepared transactions. */
export type Purse = {
  readonly party: Party;
  /** By outpoint, the prepared transaction that takes it. */
  readonly reserved: Map<string, UtxoTransaction>;
  /** By id, every transaction that this process prepared or was told of. */
  readonly prepared: Map<string, UtxoTransaction>;
};

export function purseOf(party: Party): Purse {
  return { party, reserved: new Map(), prepared: new Map() };
}

/** Marks what a prepared transaction takes as taken. */
export function reserve(purse: Purse, tx: UtxoTransaction): void {
  purse.prepared.set(tx.id, tx);
  for (const { txid, vout, unlock } of tx.inputs) {
    if (unlock.by === 'key') purse.reserved.set(`${txid}:${vout}`, tx);
  }
}

export type Selection = { readonly coins: readonly Coin[]; readonly fee: bigint; readonly change: bigint };

type Wanted = {
  /** What the outputs hold, in base units. */
  readonly value: bigint;
  /** How many outputs there are beside the change. */
  readonly outputs: number;
  readonly urgency: number;
  readonly view: ChainView;
  /** Its coins are taken first, and its fee is exceeded, so that at most one of both confirms. */
  readonly replaced: Replaced | null;
};

/** An earlier variant that is not settled yet. */
export type Replaced = { readonly coins: readonly Coin[]; readonly fee: bigint; readonly rate: number };

/** Coins that pay for the outputs and the fee: confirmed ones first, then own change; null when there are too few. */
export function select(state: UtxoState, purse: Purse, wanted: Wanted): Selection | null {
  const coins: Coin[] = [];
  let total = 0n;
  for (const coin of wanted.replaced?.coins ?? []) {
    coins.push(coin);
    total += coin.value;
  }
  if (coins.length > 0 && total >= wanted.value + feeFor(state, wanted, coins.length)) {
    return selectionOf(state, wanted, { coins, total });
  }
  for (const confirmed of [true, false]) {
    for (const coin of purse.party.coins) {
      if (coins.includes(coin) || !isUsable(state, purse, { coin, view: wanted.view, confirmed })) continue;
      coins.push(coin);
      total += coin.value;
      if (total >= wanted.value + feeFor(state, wanted, coins.length)) {
        return selectionOf(state, wanted, { coins, total });
      }
    }
  }
  return null;
}

function selectionOf(
  state: UtxoState,
  wanted: Wanted,
  { coins, total }: { readonly coins: readonly Coin[]; readonly total: bigint },
): Selection {
  const fee = feeFor(state, wanted, coins.length);
  const change = total - wanted.value - fee;
  // Too little to be sent is left to the miner.
  return change < state.settings.minTxAmount ? { coins, fee: fee + change, change: 0n } : { coins, fee, change };
}

function feeFor({ settings }: UtxoState, { urgency, outputs, replaced }: Wanted, inputs: number): bigint {
  const size = paymentSize(inputs, outputs + 1);
  const step = settings.feeRate / 2;
  const rate = Math.max(rateOf(settings, urgency), replaced === null ? 0 : replaced.rate + step);
  const fee = BigInt(Math.ceil(rate * size));
  const least = replaced === null ? 0n : replaced.fee + BigInt(Math.ceil(step * size));
  return fee < least ? least : fee;
}

/** What a replacement must know of the earlier variant; null when that one is in a block or can never be in one. */
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

type Candidate = { readonly coin: Coin; readonly view: ChainView; readonly confirmed: boolean };

function isUsable(state: UtxoState, purse: Purse, { coin, view, confirmed }: Candidate): boolean {
  const { entry, vout, outpoint } = coin;
  if (entry.height === GONE || (entry.takers[vout] ?? null) !== null) return false;
  if (depthIn(view, entry) > 0 !== confirmed) return false;
  return (confirmed || isOwnChange(purse, entry)) && !isReserved(state, purse, { outpoint, view });
}

/** Nobody but the wallet itself can replace these; a claim may be replaced by a dearer one at any moment. */
function isOwnChange({ party }: Purse, { party: owner, purpose }: UtxoEntry): boolean {
  return owner === party.name && (purpose === 'fee' || purpose === 'payment' || purpose === 'void');
}

function isReserved(
  state: UtxoState,
  { reserved }: Purse,
  { outpoint, view }: { readonly outpoint: string; readonly view: ChainView },
): boolean {
  const holder = reserved.get(outpoint);
  if (holder === undefined) return false;
  // It can never confirm any more, so that what else it would have taken is free.
  if (conflictDepth(state, holder, view) < state.settings.finality) return true;
  reserved.delete(outpoint);
  return false;
}
