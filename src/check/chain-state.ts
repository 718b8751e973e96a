import type { Leg } from '../runtime/command.ts';
import type { Traits } from '../runtime/swap/side-inputs.ts';
import type { SimChainKind } from '../sim/chains/types.ts';
import type { Bodies, Body } from './bodies.ts';

/** A transaction that the network knows: depth 0 in the mempool, else its confirmations up to the cap. */
export type Standing = { readonly id: string; readonly depth: number; readonly reverted?: true };

/** A chain with its mempool, as plain data. Heights are omitted: a chain that only grew deeper than anyone asks is the same chain. */
export type ChainState = {
  /** The chain's own clock, in seconds since 1970: 0, or one second after the last lock that matters on it and has passed. */
  readonly clock: number;
  readonly txs: readonly Standing[];
  /** Disconnected blocks that no new block has replaced yet. */
  readonly short: number;
};

/** The fixed properties of an abstract chain. */
export type ChainParts = {
  readonly leg: Leg;
  readonly kind: SimChainKind;
  readonly traits: Traits[Leg];
  /** Lock of the payment to be agreed on, in seconds since 1970. */
  readonly lock: number;
  /** Greater depths count as this one. */
  readonly cap: number;
  /** How deep a transaction must be for someone to rely on it. */
  readonly reliedOn: (body: Body) => number;
  readonly bodies: Bodies;
  /** Whether the chain of the other coin pays watchers. */
  readonly otherPays: boolean;
};

export const EMPTY_CHAIN: ChainState = { clock: 0, txs: [], short: 0 };

export function keyOfChain({ clock, txs, short }: ChainState): string {
  let key = short === 0 ? `${clock}` : `${clock}-${short}`;
  for (const { id, depth, reverted } of txs) key += ` ${id}:${depth}${reverted === true ? '!' : ''}`;
  return key;
}

export function bodyOf({ bodies }: ChainParts, { id }: Standing): Body {
  return bodies.get(id) as Body;
}

export function standing({ txs }: ChainState, id: string): Standing | null {
  return txs.find((tx) => tx.id === id) ?? null;
}

/** The transaction that takes a coin, a nonce or a locked output, in the chain or the mempool, except a given one. */
export function takerOf(parts: ChainParts, { txs }: ChainState, taken: { of: string; but: string }): Standing | null {
  for (const tx of txs) {
    if (tx.id !== taken.but && bodyOf(parts, tx).spends.includes(taken.of)) return tx;
  }
  return null;
}

/**
 * Puts a transaction where it stands. What is in the chain is sorted by id; what waits is too where two that wait can never get in each other's way,
 * and else stands in the order of its arrival, by which it is included.
 */
export function withStanding(
  { kind }: ChainParts,
  state: ChainState,
  { added, ahead = false }: { readonly added: Standing; readonly ahead?: boolean },
): ChainState {
  const others = state.txs.filter(({ id }) => id !== added.id);
  const byId = (left: Standing, right: Standing) => (left.id < right.id ? -1 : 1);
  if (kind === 'utxo') return { ...state, txs: [...others, added].sort(byId) };
  const mined = others.filter(({ depth }) => depth > 0);
  const waiting = others.filter(({ depth }) => depth === 0);
  if (added.depth > 0) return { ...state, txs: [...[...mined, added].sort(byId), ...waiting] };
  return { ...state, txs: ahead ? [...mined, added, ...waiting] : [...mined, ...waiting, added] };
}

/**
 * A transaction leaves the mempool, and with it what cannot be included without it: on a UTXO chain what spends it, on a chain that takes no nonce
 * ahead of its time what has a later one.
 */
export function without(parts: ChainParts, state: ChainState, gone: string): ChainState {
  const from = parts.bodies.get(gone);
  const nonce = parts.kind === 'autoRefund' && from !== undefined ? nonceOf(from) : null;
  const leaves = (tx: Standing): boolean => {
    if (tx.id === gone) return true;
    if (tx.depth > 0) return false;
    if (parts.kind === 'utxo') return bodyOf(parts, tx).funding === gone;
    const own = nonce === null ? null : nonceOf(bodyOf(parts, tx));
    return own !== null && nonce !== null && own.account === nonce.account && own.index > nonce.index;
  };
  return { ...state, txs: state.txs.filter((tx) => !leaves(tx)) };
}

/** The account and the place in its order that a transaction of a chain with accounts has. */
export function nonceOf({ spends }: Body): { readonly account: string; readonly index: number } | null {
  const [nonce] = spends;
  if (nonce === undefined || !nonce.startsWith('nonce:')) return null;
  const cut = nonce.lastIndexOf(':') + 1;
  return { account: nonce.slice(0, cut), index: Number(nonce.slice(cut)) };
}
