import type { Answer } from '../ports/chain.ts';
import { refused } from '../sim/chains/faults.ts';
import type { Body } from './bodies.ts';
import {
  bodyOf,
  type ChainParts,
  type ChainState,
  nonceOf,
  standing,
  takerOf,
  without,
  withStanding,
} from './chain-state.ts';
import { conflictDepth, isRightSecret } from './views.ts';

export type Accepted = { readonly state: ChainState; readonly answer: Answer<'sent' | 'known' | 'confirmed'> };

/**
 * Offers a transaction to the mempool. One that conflicts with another replaces it if it pays more. `ahead`: it is included before everything that
 * already waits.
 */
export function accept(
  parts: ChainParts,
  state: ChainState,
  { body, ahead = false }: { readonly body: Body; readonly ahead?: boolean },
): Accepted {
  const known = standing(state, body.id);
  if (known !== null) return { state, answer: { ok: true, value: known.depth === 0 ? 'known' : 'confirmed' } };
  const refusal = refusalOf(parts, state, body);
  if (refusal !== null) return { state, answer: refusal };
  let next = state;
  for (const of of body.spends) {
    const rival = takerOf(parts, next, { of, but: body.id });
    if (rival !== null) next = without(parts, next, rival.id);
  }
  const gap = hasGap(parts, next, body);
  if (gap && parts.kind === 'autoRefund') return { state, answer: refused('nonceGap', 'an earlier nonce is missing') };
  next = withStanding(parts, next, { added: { id: body.id, depth: 0 }, ahead });
  if (gap) return { state: next, answer: refused('nonceGap', 'an earlier nonce is missing') };
  return { state: next, answer: { ok: true, value: 'sent' } };
}

/** In the order in which a node checks. */
function refusalOf(parts: ChainParts, state: ChainState, body: Body): Accepted['answer'] | null {
  const { kind } = parts;
  if (body.purpose === 'claimPreimage') return refused('invalid', 'the signature is not complete');
  if (body.funding !== null && kind === 'utxo' && standing(state, body.funding) === null) {
    const source = parts.bodies.get(body.funding);
    const gone = source !== undefined && conflictDepth(parts, state, source) > 0;
    return refused(gone ? 'inputsSpent' : 'parentsUnknown', 'missing inputs');
  }
  const isWrong = body.purpose === 'claim' && !isRightSecret(body);
  if (isWrong && kind === 'utxo') return refused('invalid', 'not the secret');
  const rivals = body.spends.flatMap((of) => takerOf(parts, state, { of, but: body.id }) ?? []);
  if (rivals.some(({ depth }) => depth > 0)) {
    return refused(kind === 'utxo' ? 'inputsSpent' : 'nonceUsed', 'another transaction took it');
  }
  if (body.purpose === 'refund' && kind === 'utxo' && state.clock <= lockOf(body)) {
    return refused('notFinal', 'the lock time has not passed');
  }
  if (rivals.some(({ id }) => id === body.funding)) return refused('invalid', 'depends on what it replaces');
  if (kind === 'autoRefund' && rivals.length > 0)
    return refused('noReplacement', 'the nonce is taken by one that waits');
  const isDear = body.urgency >= leastUrgency(parts, state, body);
  return isDear ? null : refused('feeTooLow', 'does not pay enough more');
}

/** The least urgency with which a transaction replaces what waits, and what depends on it. */
export function leastUrgency(parts: ChainParts, state: ChainState, body: Body): number {
  let least = 0;
  for (const of of body.spends) {
    const rival = takerOf(parts, state, { of, but: body.id });
    if (rival === null || rival.depth > 0) continue;
    // A chain that refunds automatically lets nothing replace a transaction that waits.
    if (parts.kind === 'autoRefund') return Number.POSITIVE_INFINITY;
    const leaving = state.txs.length - without(parts, state, rival.id).txs.length;
    least = Math.max(least, bodyOf(parts, rival).urgency + leaving);
  }
  return least;
}

/** Lock of the payment that a refund spends, in seconds since 1970. */
export function lockOf({ lockKey }: Body): number {
  return Number((lockKey ?? '0').split('/')[0]);
}

/** Whether an earlier nonce of the same account is neither in the chain nor in the mempool. */
export function hasGap(parts: ChainParts, state: ChainState, body: Body): boolean {
  if (parts.kind === 'utxo') return false;
  const own = nonceOf(body);
  if (own === null) return false;
  for (let index = 0; index < own.index; index += 1) {
    if (takerOf(parts, state, { of: `${own.account}${index}`, but: '' }) === null) return true;
  }
  return false;
}
