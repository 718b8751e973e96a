import type { Leg } from '../../runtime/command.ts';
import type { Traits } from '../../runtime/sides/common.ts';
import type { SimChainKind } from '../chains/types.ts';
import type { Bodies, Body } from './bodies.ts';

/** A transaction that the network knows: depth 0 in the mempool, else its confirmations up to the cap. */
export type Standing = { readonly id: string; readonly depth: number; readonly reverted?: true };

/**
 * A chain with its mempool, as plain data. Heights are left out: a chain that only grew deeper than anybody asks is the same
 * chain.
 */
export type ChainState = {
  /** The chain's own clock, in seconds since 1970: 0 until a lock of a payment that it holds has passed, then one second after that lock. */
  readonly clock: number;
  /** By id. */
  readonly txs: readonly Standing[];
};

/** What does not change about an abstract chain. */
export type ChainParts = {
  readonly leg: Leg;
  readonly kind: SimChainKind;
  readonly traits: Traits[Leg];
  /** Deeper than this is as deep as this. */
  readonly cap: number;
  readonly bodies: Bodies;
};

export const EMPTY_CHAIN: ChainState = { clock: 0, txs: [] };

export function keyOfChain({ clock, txs }: ChainState): string {
  let key = `${clock}`;
  for (const { id, depth, reverted } of txs) key += ` ${id}:${depth}${reverted === true ? '!' : ''}`;
  return key;
}

export function bodyOf({ bodies }: ChainParts, { id }: Standing): Body {
  return bodies.get(id) as Body;
}

export function standing({ txs }: ChainState, id: string): Standing | null {
  return txs.find((tx) => tx.id === id) ?? null;
}

/** The transaction that takes a coin, a nonce or a locked output, in the chain or the mempool; a given one aside. */
export function takerOf(parts: ChainParts, { txs }: ChainState, taken: { of: string; but: string }): Standing | null {
  for (const tx of txs) {
    if (tx.id !== taken.but && bodyOf(parts, tx).spends.includes(taken.of)) return tx;
  }
  return null;
}

export function withStanding(state: ChainState, added: Standing): ChainState {
  const txs = [...state.txs.filter(({ id }) => id !== added.id), added];
  return { ...state, txs: txs.sort((left, right) => (left.id < right.id ? -1 : 1)) };
}

/** A transaction and what spends it leave the mempool. */
export function without(parts: ChainParts, state: ChainState, gone: string): ChainState {
  const ids = new Set([gone]);
  for (const tx of state.txs) {
    const { funding } = bodyOf(parts, tx);
    if (funding !== null && ids.has(funding) && tx.depth === 0) ids.add(tx.id);
  }
  return { ...state, txs: state.txs.filter(({ id }) => !ids.has(id)) };
}
