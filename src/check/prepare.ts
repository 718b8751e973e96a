import type { Answer, PreparedTransaction, PrepareRequest, SignedTransaction } from '../ports/chain.ts';
import type { DecimalText } from '../primitives/decimal.ts';
import { refused } from '../sim/chains/faults.ts';
import { type Body, lockKeyOf } from './bodies.ts';
import { type ChainParts, type ChainState, takerOf } from './chain-state.ts';
import { handedFor, rewardOf } from './rewards.ts';
import { conflictDepth, truthOf } from './views.ts';

/** Who signs, and what it has already committed. */
export type Signer = { readonly party: 'maker' | 'taker' | 'watcher'; readonly reserved: ReadonlySet<string> };

/** Makes and signs what the request asks for; equal requests over equal chains give equal transactions. */
export function prepare(
  parts: ChainParts,
  state: ChainState,
  asked: { readonly request: PrepareRequest; readonly signer: Signer },
): Answer<PreparedTransaction> {
  if (isTooLate(parts, state, asked.request)) return refused('nonceUsed', 'the nonce is used');
  if (isInVain(parts, state, asked.request)) return refused('unavailable', 'the contract refuses this call now');
  const body = bodyFor(parts, state, asked);
  if (body === null) return refused('unsupported', 'this chain cannot do that');
  const { id, spends } = body;
  return { ok: true, value: { tx_hex: id, tx_hash: id, spends, fee: '0' as DecimalText } };
}

/** On a chain with accounts, what is included cannot be cancelled. */
function isTooLate(parts: ChainParts, state: ChainState, request: PrepareRequest): boolean {
  if (request.purpose !== 'void' || parts.kind === 'utxo') return false;
  return request.target.spends?.some((of) => (takerOf(parts, state, { of, but: '' })?.depth ?? 0) > 0) === true;
}

/** A watcher makes its call only while the contract takes it. */
function isInVain(parts: ChainParts, state: ChainState, request: PrepareRequest): boolean {
  if (request.purpose !== 'claimFor' && request.purpose !== 'refundFor') return false;
  const { funding, spend } = truthOf(parts, state, request.terms);
  const isOpen = funding !== null && funding.depth > 0 && (spend === null || spend.depth === 0);
  return !isOpen || (request.purpose === 'refundFor' && state.clock <= request.terms.lock);
}

type Asked<P extends PrepareRequest = PrepareRequest> = { readonly request: P; readonly signer: Signer };

function bodyFor(parts: ChainParts, state: ChainState, asked: Asked): Body | null {
  const { request, signer } = asked;
  const { bodies, leg: chain, kind } = parts;
  const { party: owner } = signer;
  const none = { terms: null, lockKey: null, funding: null, secret: null } as const;
  switch (request.purpose) {
    case 'fee':
    case 'payment': {
      const spends = [coinFor(parts, state, { signer, replaces: request.replaces })];
      const terms = request.purpose === 'payment' ? request.terms : null;
      const lockKey = terms === null ? null : lockKeyOf(terms);
      const { purpose, urgency } = request;
      const reward = request.purpose === 'payment' ? rewardOf(parts, request) : undefined;
      if (reward === null) return null;
      const promised = reward === undefined ? {} : { reward };
      return bodies.make({ ...none, chain, purpose, owner, spends, terms, lockKey, urgency, ...promised });
    }
    case 'void': {
      const { urgency, target } = request;
      return bodies.make({ ...none, chain, purpose: 'void', owner, spends: target.spends ?? [], urgency });
    }
    case 'claim':
    case 'refund':
      return spendFor(parts, state, { request, signer });
    case 'claimPreimage':
    case 'refundPreimage': {
      const end = request.purpose === 'refundPreimage' ? 'refund' : 'claim';
      if (parts.traits.rewards === true) return handedFor(parts, end, request.funding.tx_hash);
      if (kind !== 'utxo') return null;
      const purpose = request.purpose === 'refundPreimage' ? 'refund' : 'claimPreimage';
      const funding = request.funding.tx_hash;
      const lockKey = lockKeyOf(request.terms);
      const spends = [outputOf(funding)];
      // Not the owner of the party's own spend: these are signed for the watcher, with their own fee.
      return bodies.make({ ...none, chain, purpose, owner: 'watcher', spends, lockKey, funding, urgency: 1 });
    }
    case 'completePreimage': {
      const signed = bodies.get(request.preimage);
      if (signed?.purpose !== 'claimPreimage') return null;
      const { id: _, ...content } = signed;
      return bodies.make({ ...content, purpose: 'claim', secret: request.secret });
    }
    case 'claimFor':
    case 'refundFor': {
      const { purpose, ...rest } = request;
      const end = purpose === 'claimFor' ? 'claim' : 'refund';
      if (handedFor(parts, end, request.funding.tx_hash) === null) return null;
      const call =
        'secret' in rest ? ({ ...rest, purpose: 'claim' } as const) : ({ ...rest, purpose: 'refund' } as const);
      return spendFor(parts, state, { request: call, signer });
    }
    case 'child':
      return null;
    default:
      return request satisfies never;
  }
}

function spendFor(
  parts: ChainParts,
  state: ChainState,
  { request, signer }: Asked<Extract<PrepareRequest, { purpose: 'claim' | 'refund' }>>,
): Body | null {
  const { kind, leg: chain, bodies } = parts;
  const { purpose, urgency, replaces } = request;
  if (purpose === 'refund' && kind === 'autoRefund') return null;
  const funding = request.funding.tx_hash;
  const lockKey = lockKeyOf(request.terms);
  const spends = kind === 'utxo' ? [outputOf(funding)] : [coinFor(parts, state, { signer, replaces })];
  const secret = purpose === 'claim' ? request.secret : null;
  const { party: owner } = signer;
  return bodies.make({ chain, purpose, owner, spends, terms: null, lockKey, funding, secret, urgency });
}

export function outputOf(funding: string): string {
  return `output:${funding}`;
}

/** The first coin or nonce that is neither taken nor committed; that of an earlier variant while it can be replaced. */
function coinFor(
  parts: ChainParts,
  state: ChainState,
  { signer, replaces }: { readonly signer: Signer; readonly replaces: SignedTransaction | null },
): string {
  const earlier = replaces === null ? undefined : parts.bodies.get(replaces.tx_hash);
  const [kept] = earlier?.spends ?? [];
  if (earlier !== undefined && kept !== undefined && isOpen(parts, state, earlier)) return kept;
  const unit = parts.kind === 'utxo' ? 'coin' : 'nonce';
  for (let index = 0; ; index += 1) {
    const coin = `${unit}:${parts.leg}:${signer.party}:${index}`;
    if (!signer.reserved.has(coin) && takerOf(parts, state, { of: coin, but: '' }) === null) return coin;
  }
}

function isOpen(parts: ChainParts, state: ChainState, body: Body): boolean {
  const own = state.txs.find(({ id }) => id === body.id);
  return (own === undefined || own.depth === 0) && conflictDepth(parts, state, body) === 0;
}
