import { hasGap, lockOf } from './accept.ts';
import type { Body } from './bodies.ts';
import { bodyOf, type ChainParts, type ChainState, type Standing, without, withStanding } from './chain-state.ts';
import { isRightSecret } from './views.ts';

/** When a block is mined, in seconds since 1970, and what it leaves out although it could include it. */
export type Block = { readonly now: number; readonly without?: string };

/** Adds a block with everything that it can include. */
export function mine(parts: ChainParts, state: ChainState, { now, without: left }: Block): ChainState {
  const txs = state.txs.map((tx) => deeper(parts, tx));
  const short = Math.max(0, state.short - 1);
  // A contract goes by the time of the block itself, a lock time by that of the blocks before.
  let next: ChainState = { txs, short, clock: parts.kind === 'utxo' ? state.clock : clockAt(parts, state, now) };
  for (let again = true; again; ) {
    again = false;
    for (const tx of next.txs) {
      if (tx.depth > 0 || tx.id === left || !isIncludable(parts, next, bodyOf(parts, tx))) continue;
      next = withStanding(parts, next, { added: included(parts, next, tx) });
      again = true;
      break;
    }
  }
  const clocked = { ...next, clock: clockAt(parts, next, now) };
  return parts.kind === 'autoRefund' ? expire(parts, clocked) : clocked;
}

function deeper({ cap }: ChainParts, tx: Standing): Standing {
  return tx.depth === 0 || tx.depth >= cap ? tx : { ...tx, depth: tx.depth + 1 };
}

function isIncludable(parts: ChainParts, state: ChainState, body: Body): boolean {
  if (parts.kind !== 'utxo') return !hasUnminedGap(parts, state, body);
  return body.funding === null || state.txs.some(({ id, depth }) => id === body.funding && depth > 0);
}

function hasUnminedGap(parts: ChainParts, state: ChainState, body: Body): boolean {
  return hasGap(parts, { ...state, txs: state.txs.filter(({ depth }) => depth > 0) }, body);
}

/** Nobody asks how deep a fee is, so it counts as settled at once. */
function included(parts: ChainParts, state: ChainState, { id }: Standing): Standing {
  const body = bodyOf(parts, { id, depth: 0 });
  const depth = body.purpose === 'fee' ? parts.cap : 1;
  return parts.kind !== 'utxo' && reverts(parts, state, body) ? { id, depth, reverted: true } : { id, depth };
}

/** Whether the contract refuses it: a payment under a used id, or the end of a payment that does not exist, or one that comes too early. */
function reverts(parts: ChainParts, state: ChainState, body: Body): boolean {
  if (body.lockKey === null) return false;
  const same = state.txs.filter((tx) => {
    return tx.id !== body.id && tx.depth > 0 && tx.reverted !== true && bodyOf(parts, tx).lockKey === body.lockKey;
  });
  const paid = same.some((tx) => bodyOf(parts, tx).purpose === 'payment');
  if (body.purpose === 'payment') return paid;
  const ended = same.some((tx) => bodyOf(parts, tx).purpose !== 'payment');
  const isWrong = body.purpose === 'claim' && !isRightSecret(body);
  return !paid || ended || isWrong || (body.purpose === 'refund' && state.clock <= lockOf(body));
}

/** One second after the last lock that has passed, among the locks of the payments here and of the one to be agreed on. */
function clockAt(parts: ChainParts, { txs, clock }: ChainState, now: number): number {
  let latest = parts.lock < now ? Math.max(clock, parts.lock + 1) : clock;
  for (const tx of txs) {
    const lock = bodyOf(parts, tx).terms?.lock;
    if (lock !== undefined && lock < now && lock + 1 > latest) latest = lock + 1;
  }
  return latest;
}

function expire(parts: ChainParts, state: ChainState): ChainState {
  let next = state;
  for (const tx of state.txs) {
    const body = bodyOf(parts, tx);
    if (body.terms === null || tx.depth === 0 || tx.reverted === true || state.clock <= body.terms.lock) continue;
    const ended = next.txs.some((other) => {
      const { purpose, lockKey } = bodyOf(parts, other);
      return purpose !== 'payment' && lockKey === body.lockKey && other.depth > 0 && other.reverted !== true;
    });
    if (ended) continue;
    const { chain, lockKey } = body;
    const rest = { purpose: 'refund', owner: 'chain', spends: [], terms: null, secret: null, urgency: 0 } as const;
    const refund = parts.bodies.make({ ...rest, chain, lockKey, funding: tx.id });
    next = withStanding(parts, next, { added: { id: refund.id, depth: 1 } });
  }
  return next;
}

/**
 * Disconnects the last block; its transactions wait again, or are gone. Null if that changes nothing, or would remove what someone relies on. Several
 * in a row go deeper, counted from the highest block that the chain has had.
 */
export function reorg(parts: ChainParts, state: ChainState, how: 'returned' | 'dropped'): ChainState | null {
  const { reliedOn, cap } = parts;
  const top = state.txs.filter(({ depth }) => depth === 1);
  if (cap === 1 || !state.txs.some(({ depth }) => depth > 0 && depth < cap)) return null;
  if (top.some((tx) => 1 + state.short >= reliedOn(bodyOf(parts, tx)))) return null;
  let next: ChainState = { ...state, short: state.short + 1, txs: state.txs.map((tx) => shallower(parts, tx)) };
  for (const { id } of top) {
    const byItself = parts.bodies.get(id)?.owner === 'chain';
    if (byItself || how === 'dropped') next = without(parts, next, id);
  }
  return next;
}

/** What is as deep as anyone asks stays so: a reorg of one block cannot reach it. */
function shallower({ cap }: ChainParts, tx: Standing): Standing {
  if (tx.depth === 0 || tx.depth === cap) return tx;
  return tx.depth === 1 ? { id: tx.id, depth: 0 } : { ...tx, depth: tx.depth - 1 };
}
