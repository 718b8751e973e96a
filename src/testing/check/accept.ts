import type { Answer } from '../../ports/chain.ts';
import { refused } from '../chains/faults.ts';
import { secretMatches } from '../chains/secret-check.ts';
import type { Body } from './bodies.ts';
import { bodyOf, type ChainParts, type ChainState, standing, takerOf, without, withStanding } from './chain-state.ts';
import { conflictDepth, secretHashOfLock } from './views.ts';

export type Accepted = { readonly state: ChainState; readonly answer: Answer<'sent' | 'known' | 'confirmed'> };

/**
 * Offers a transaction to the mempool. One that conflicts with another one there takes its place when it pays more.
 */
export function accept(parts: ChainParts, state: ChainState, body: Body): Accepted {
  const known = standing(state, body.id);
  if (known !== null) return { state, answer: { ok: true, value: known.depth === 0 ? 'known' : 'confirmed' } };
  const refusal = refusalOf(parts, state, body);
  if (refusal !== null) return { state, answer: refusal };
  let next = state;
  for (const of of body.spends) {
    const rival = takerOf(parts, next, { of, but: body.id });
    if (rival !== null) next = without(parts, next, rival.id);
  }
  next = withStanding(next, { id: body.id, depth: 0 });
  if (hasGap(parts, next, body)) return { state: next, answer: refused('nonceGap', 'an earlier nonce is missing') };
  return { state: next, answer: { ok: true, value: 'sent' } };
}

function refusalOf(parts: ChainParts, state: ChainState, body: Body): Accepted['answer'] | null {
  const { kind } = parts;
  if (body.purpose === 'claimPreimage') return refused('invalid', 'the signature is not complete');
  if (body.funding !== null && kind === 'utxo' && standing(state, body.funding) === null) {
    const source = parts.bodies.get(body.funding);
    const gone = source !== undefined && conflictDepth(parts, state, source) > 0;
    return refused(gone ? 'inputsSpent' : 'unavailable', 'missing inputs');
  }
  for (const of of body.spends) {
    const rival = takerOf(parts, state, { of, but: body.id });
    if (rival === null) continue;
    if (rival.depth > 0) return refused(kind === 'utxo' ? 'inputsSpent' : 'nonceUsed', 'another transaction took it');
    if (rival.id === body.funding) return refused('invalid', 'depends on what it replaces');
    if (body.urgency <= bodyOf(parts, rival).urgency) return refused('feeTooLow', 'does not pay enough more');
  }
  if (body.purpose === 'claim' && !secretMatches(body.secret ?? '', secretHashOfLock(body))) {
    return refused('invalid', 'not the secret');
  }
  if (body.purpose === 'refund' && kind === 'utxo' && state.clock <= lockOf(body)) {
    return refused('notFinal', 'the lock time has not passed');
  }
  return null;
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

export function nonceOf({ spends }: Body): { readonly account: string; readonly index: number } | null {
  const [nonce] = spends;
  if (nonce === undefined || !nonce.startsWith('nonce:')) return null;
  const cut = nonce.lastIndexOf(':') + 1;
  return { account: nonce.slice(0, cut), index: Number(nonce.slice(cut)) };
}
