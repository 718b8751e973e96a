import { standardLists } from '../../src/events/event-lists.ts';
import { IMPORTED, isJournalType, type SwapRequest } from '../../src/events/journal.ts';
import { createMemoryLog } from '../../src/log/memory/index.ts';
import type { SimChain, SimWallet } from '../../src/sim/chains/types.ts';
import { type Coin, createPair, type Pair, type PairOptions, requestOf, type Side, UUID } from './swap-pair.ts';

type StoredEvent = { readonly timestamp: number; readonly event: { readonly type: string; readonly data?: unknown } };

/** The public events of a side's swap, as the real node stores them. */
export async function storedEvents(pair: Pair, side: Side): Promise<readonly StoredEvent[]> {
  const records = await pair.nodes[side].log.read(`${side}-swap/${UUID}`);
  return records
    .filter(({ type }) => !isJournalType(type) && type !== IMPORTED)
    .map(({ at, type, data }) => ({ timestamp: at, event: data === null ? { type } : { type, data } }));
}

/** A saved swap of the real node. */
export function savedSwap(side: Side, events: readonly StoredEvent[]): string {
  const { success, error } = standardLists(side);
  return JSON.stringify({
    type: side === 'maker' ? 'Maker' : 'Taker',
    uuid: UUID,
    maker_coin: 'DOC',
    taker_coin: 'MARTY',
    events,
    success_events: success,
    error_events: error,
  });
}

export type ForeignSwap = {
  readonly side: Side;
  /** The other side's process dies as soon as its log holds this event. @defaultValue it lives on */
  readonly otherDiesAfter?: string;
  /** Up to which event both engines run. */
  readonly runUntil: string;
  /** The stored log ends before this event of the engine. @defaultValue it holds all */
  readonly cutBefore?: string;
  /** What the real node stored instead. */
  readonly stored?: readonly { readonly type: string; readonly data?: unknown }[] | undefined;
  readonly pair?: PairOptions;
  /** Changes what both sides ask their node for. */
  readonly request?: Partial<SwapRequest>;
};

/**
 * A node over an empty log, about to take over a swap that another node began: the chains hold what that one did, and the
 * text what it stored.
 */
export async function foreignSwap(given: ForeignSwap): Promise<{ readonly pair: Pair; readonly text: string }> {
  const { side, otherDiesAfter, runUntil, cutBefore, stored = [] } = given;
  const other = side === 'maker' ? 'taker' : 'maker';
  const pair = createPair(given.pair);
  for (const each of ['maker', 'taker'] as const)
    await pair.nodes[each].runtime.startSwap(requestOf(each, given.request));
  if (otherDiesAfter !== undefined) {
    await pair.until(() => pair.types(other).includes(otherDiesAfter), 60);
    pair.nodes[other].die();
  }
  const reached = await pair.until(() => pair.types(side).includes(runUntil), 600);
  if (!reached) throw new Error(`the ${side} never came to ${runUntil}`);
  const events = await storedEvents(pair, side);
  const found = events.findIndex(({ event }) => event.type === cutBefore);
  const cut = found < 0 ? events.length : found;
  const at = (events[Math.min(cut, events.length - 1)] as StoredEvent).timestamp;
  const text = savedSwap(side, [...events.slice(0, cut), ...stored.map((event) => ({ timestamp: at, event }))]);
  pair.nodes[side].die();
  Object.assign(pair.nodes[side], { log: createMemoryLog() });
  pair.restart(side);
  return { pair, text };
}

/** What a party has in a chain beyond what it was given, in base units. */
export function gainOf(pair: Pair, coin: Coin, party: Side): bigint {
  const { ledger } = pair.chains[coin];
  if (ledger === undefined) throw new TypeError('the chain has no ledger');
  return ledger.balance(party).confirmed - ledger.funded(party);
}

/** The wallet of a side, whose node can be put at fault. */
export function walletOf(pair: Pair, side: Side, coin: Coin): SimWallet {
  return pair.nodes[side].wallets[coin] as SimWallet;
}

export function chainOf(pair: Pair, coin: Coin): SimChain {
  const { sim } = pair.chains[coin];
  if (sim === undefined) throw new TypeError('the chain is not simulated');
  return sim;
}

/** Purposes of what a party has in the best chain or the mempool. */
export function standing(pair: Pair, coin: Coin, party: Side): readonly string[] {
  const seen = pair.chains[coin].ledger?.transactions(party) ?? [];
  return seen.filter(({ status }) => status === 'mempool' || status === 'confirmed').map(({ purpose }) => purpose);
}
