import { promiseProblem } from '../htlc/reward-role.ts';
import type {
  FeeCheck,
  PaymentQuery,
  PaymentSpend,
  PaymentTerms,
  PaymentView,
  TransactionView,
} from '../ports/chain.ts';
import type { UnixSeconds } from '../primitives/time.ts';
import { secretMatches } from '../sim/chains/secret-check.ts';
import { type Body, lockKeyOf, type Owner } from './bodies.ts';
import { bodyOf, type ChainParts, type ChainState, type Standing, standing, takerOf } from './chain-state.ts';

/** The truth about a payment. */
export type PaymentTruth = {
  /** Right amount, in the chain or the mempool. */
  readonly funding: { readonly id: string; readonly depth: number } | null;
  readonly spend: {
    readonly how: 'secret' | 'refund';
    readonly id: string;
    readonly depth: number;
    readonly owner: Owner;
  } | null;
};

/** The height that every abstract chain tells. */
export const HEIGHT = 1000;

/** Whether a claim shows the secret that its payment requires. */
export function isRightSecret({ secret, lockKey }: Body): boolean {
  return secretMatches(secret ?? '', (lockKey ?? '').split('/')[1] ?? '');
}

function fundingOf(parts: ChainParts, state: ChainState, terms: PaymentTerms): Standing | null {
  const key = lockKeyOf(terms);
  let best: Standing | null = null;
  let bestRank = -1;
  for (const tx of state.txs) {
    const body = bodyOf(parts, tx);
    if (body.purpose !== 'payment' || body.lockKey !== key || tx.reverted === true) continue;
    const rank = tx.depth + (body.terms?.amount === terms.amount ? 100 : 0) + standingOf(parts, state, tx);
    if (rank > bestRank) {
      best = tx;
      bestRank = rank;
    }
  }
  return best;
}

/** Of several payments under one lock, the claimed one counts, else one that can be claimed. */
function standingOf(parts: ChainParts, state: ChainState, funding: Standing): number {
  const spend = spendOf(parts, state, funding);
  if (spend === null) return 20;
  return bodyOf(parts, spend).purpose === 'claim' ? 40 : 0;
}

function spendOf(parts: ChainParts, state: ChainState, funding: Standing): Standing | null {
  const { lockKey } = bodyOf(parts, funding);
  let waiting: Standing | null = null;
  for (const tx of state.txs) {
    const body = bodyOf(parts, tx);
    const { purpose, funding: spent, lockKey: key } = body;
    if ((purpose !== 'claim' && purpose !== 'refund') || tx.reverted === true) continue;
    if (parts.kind === 'utxo' ? spent !== funding.id : key !== lockKey) continue;
    if (tx.depth > 0) return tx;
    if (purpose === 'refund' || isRightSecret(body)) waiting ??= tx;
  }
  return waiting;
}

/** What the chain holds under terms, without a node between; nothing under terms that were never agreed. */
export function truthOf(parts: ChainParts, state: ChainState, terms: PaymentTerms | null): PaymentTruth {
  if (terms === null) return { funding: null, spend: null };
  const funding = fundingOf(parts, state, terms);
  if (funding === null || bodyOf(parts, funding).terms?.amount !== terms.amount) return { funding: null, spend: null };
  const spend = spendOf(parts, state, funding);
  if (spend === null) return { funding, spend: null };
  const { purpose, owner } = bodyOf(parts, spend);
  const how = purpose === 'claim' ? 'secret' : 'refund';
  return { funding, spend: { how, id: spend.id, depth: spend.depth, owner } };
}

/** The answer of a node that sees the whole chain: a problem with what is there comes before one with what was named. */
export function paymentView(parts: ChainParts, state: ChainState, { terms, claimed }: PaymentQuery): PaymentView {
  const funding = fundingOf(parts, state, terms);
  const found = funding === null ? null : problemOf(bodyOf(parts, funding), terms);
  const named = claimed === undefined ? null : problemOf(parts.bodies.get(claimed) ?? null, terms);
  return {
    funding: funding === null ? null : { tx: transaction(funding.id), confirmations: funding.depth },
    problem: found ?? named,
    spend: funding === null ? null : spendView(parts, spendOf(parts, state, funding)),
    refundable: state.clock > terms.lock,
    clock: state.clock as UnixSeconds,
    height: HEIGHT,
  };
}

function problemOf(body: Body | null, terms: PaymentTerms): string | null {
  if (body === null) return 'Provided payment tx cannot be read';
  if (body.lockKey !== lockKeyOf(terms)) return 'the payment is locked by other terms';
  if (body.terms?.amount !== terms.amount) return 'the payment has another amount';
  const { reward: role } = terms;
  return body.reward === undefined || role === undefined ? null : promiseProblem(body.reward, { role, isToken: false });
}

function spendView(parts: ChainParts, spend: Standing | null): PaymentSpend | null {
  if (spend === null) return null;
  const { purpose, secret, owner } = bodyOf(parts, spend);
  return {
    how: purpose === 'claim' ? 'secret' : 'refund',
    tx: owner === 'chain' ? null : transaction(spend.id),
    confirmations: spend.depth,
    secret,
  };
}

export function transaction(id: string): { readonly tx_hex: string; readonly tx_hash: string } {
  return { tx_hex: id, tx_hash: id };
}

const UNKNOWN: TransactionView = { status: 'unknown', confirmations: 0 };

export function transactionView(parts: ChainParts, state: ChainState, id: string): TransactionView {
  const known = standing(state, id);
  if (known !== null) {
    const { depth, reverted } = known;
    if (depth === 0) return { status: 'mempool', confirmations: 0 };
    return { status: reverted === true ? 'reverted' : 'confirmed', confirmations: depth };
  }
  const body = parts.bodies.get(id);
  const depth = body === undefined ? 0 : conflictDepth(parts, state, body);
  return depth === 0 ? UNKNOWN : { status: 'conflicted', confirmations: depth };
}

/** Confirmations of what replaced a transaction, or one on which it depends; 0 if nothing did. */
export function conflictDepth(parts: ChainParts, state: ChainState, body: Body): number {
  let deepest = 0;
  for (const of of body.spends) deepest = Math.max(deepest, takerOf(parts, state, { of, but: body.id })?.depth ?? 0);
  const source = body.funding === null ? undefined : parts.bodies.get(body.funding);
  if (source !== undefined && standing(state, source.id) === null) {
    deepest = Math.max(deepest, conflictDepth(parts, state, source));
  }
  return deepest;
}

/** Null if the transaction is a taker fee that the network knows. */
export function feeProblem(parts: ChainParts, state: ChainState, { hash }: FeeCheck): string | null {
  const known = standing(state, hash);
  if (known === null) return `Provided dex fee tx ${hash} is not found`;
  const { purpose, owner } = bodyOf(parts, known);
  return purpose === 'fee' && owner === 'taker' ? null : 'the transaction is no fee of the taker';
}
