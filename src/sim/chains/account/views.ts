import { paymentValueWrong } from '../../../htlc/error-texts.ts';
import { promiseProblem } from '../../../htlc/reward-role.ts';
import type { PaymentSpend, PaymentView, TransactionView } from '../../../ports/chain.ts';
import type { ChainView } from '../blocks.ts';
import { secretMatches } from '../secret-check.ts';
import { isSameReward, rewardIn } from './contract.ts';
import { takerOf } from './mempool.ts';
import { type AccountEntry, type AccountState, depthIn, type TermsInfo } from './state.ts';
import type { AccountTransaction } from './transaction.ts';

type Question = { readonly view: ChainView; readonly claimed: string | undefined; readonly from: number };

/** The payment of the terms as a view of the chain shows it; `claimed` is the transaction that the other side names. */
export function paymentIn(state: AccountState, info: TermsInfo, { view, claimed, from }: Question): PaymentView {
  const { terms, named } = info;
  const entries = named === null ? NONE : (state.swaps.get(named.id)?.entries ?? NONE);
  const found = fundingIn(info, { entries, view });
  // Nobody searches blocks in which it cannot be.
  const entry = found !== null && depthIn(view, found) > 0 && found.height < from ? null : found;
  const depth = entry === null ? 0 : depthIn(view, entry);
  const shown = claimed === undefined ? (entry?.tx ?? null) : state.codec.decode(claimed);
  const expiry =
    entry !== null && depth > 0 ? state.module.expiryOf(entry.tx, { height: entry.height, time: 0 }) : undefined;
  const clock = { time: terms.lock, expiry };
  return {
    funding: entry === null ? null : { tx: entry.shown, confirmations: depth },
    problem: claimed === undefined && entry === null ? null : fundingProblem(state, info, { tx: shown, entry, view }),
    spend: entry === null ? null : spendIn(entry, { entries, view, expiry }),
    refundable: state.module.isRefundable(clock, view),
    clock: view.time,
    height: view.height,
    expiry: state.module.expiryTold(clock, view),
  };
}

const NONE: readonly AccountEntry[] = [];

type Seen = { readonly entries: readonly AccountEntry[]; readonly view: ChainView };

/** The payment that the contract keeps under the id, else a waiting one, the fitting one first. */
function fundingIn(info: TermsInfo, { entries, view }: Seen): AccountEntry | null {
  let best: AccountEntry | null = null;
  for (const entry of entries) {
    if (entry.tx.call.kind !== 'payment') continue;
    const depth = depthIn(view, entry);
    if (depth > 0 && entry.succeeded) return entry;
    if (depth !== 0 || (best !== null && callProblem(info, best.tx) === null)) continue;
    best = entry;
  }
  return best;
}

type Funding = {
  readonly tx: AccountTransaction | null;
  readonly entry: AccountEntry | null;
  readonly view: ChainView;
};

function fundingProblem(state: AccountState, info: TermsInfo, { tx, entry, view }: Funding): string | null {
  if (tx === null) return 'Provided payment tx cannot be read';
  const problem = callProblem(info, tx);
  if (problem !== null) return problem;
  const found = state.entries.get(tx.id);
  if (found !== undefined && depthIn(view, found) > 0 && !found.succeeded) return `Payment tx ${tx.id} is reverted`;
  // Another transaction may have filled the id with other terms; then this one can have no effect.
  if (entry !== null && entry.tx !== tx) {
    const other = callProblem(info, entry.tx);
    if (other !== null) return other;
  }
  return lockProblem(state, info, { tx, found, view });
}

/** Why a transaction does not pay what the terms ask for; null when it does. */
export function callProblem(info: TermsInfo, tx: AccountTransaction): string | null {
  const { named, amount } = info;
  if (named === null) return 'These terms cannot be written as a call of the swap contract';
  const { call } = tx;
  if (call.kind !== 'payment') return `Payment tx ${tx.id} is a ${call.kind}`;
  if (call.swap !== named.id) return `Payment tx swap_id arg ${call.swap} is invalid, expected ${named.id}`;
  if (tx.from !== named.sender) return `Payment tx was sent from wrong address ${tx.from}, expected ${named.sender}`;
  if (call.party !== named.receiver)
    return `Payment tx receiver arg ${call.party} is invalid, expected ${named.receiver}`;
  if (call.hash !== named.hash) return `Payment tx secret_hash arg ${call.hash} is invalid, expected ${named.hash}`;
  const owed = tx.value - rewardIn(call);
  if (owed !== amount) return paymentValueWrong(owed, amount);
  const { reward: role } = info.terms;
  return call.reward === undefined || role === undefined ? null : promiseProblem(call.reward, { role, isToken: false });
}

type Lock = { readonly tx: AccountTransaction; readonly found: AccountEntry | undefined; readonly view: ChainView };

/** Why a payment is refunded at another time than its terms say, counted from the block that holds it or from now. */
function lockProblem(state: AccountState, { terms }: TermsInfo, { tx, found, view }: Lock): string | null {
  const { blocks } = state.list;
  const first = blocks[0]?.height ?? 0;
  const paidAt = found !== undefined && depthIn(view, found) > 0 ? blocks[found.height - first]?.time : view.time;
  return state.module.lockProblem(tx, terms, paidAt ?? view.time);
}

type Spending = Seen & { readonly expiry: number | undefined };

function spendIn(funding: AccountEntry, { entries, view, expiry }: Spending): PaymentSpend | null {
  let waiting: AccountEntry | null = null;
  for (const entry of entries) {
    const { kind } = entry.tx.call;
    if (kind !== 'claim' && kind !== 'refund') continue;
    const depth = depthIn(view, entry);
    if (depth > 0 && entry.succeeded) return spendOf(entry, depth);
    if (depth === 0 && waiting === null && isPromising(entry, funding)) waiting = entry;
  }
  if (expiry !== undefined && expiry <= view.height) {
    return { how: 'refund', tx: null, confirmations: view.height - expiry + 1, secret: null };
  }
  return waiting === null ? null : spendOf(waiting, 0);
}

function spendOf(entry: AccountEntry, confirmations: number): PaymentSpend {
  const { kind, secret } = entry.tx.call;
  return { how: kind === 'claim' ? 'secret' : 'refund', tx: entry.shown, confirmations, secret };
}

/** Whether a waiting transaction will have its effect, as far as its arguments show. */
export function isPromising({ tx }: AccountEntry, { tx: paid }: AccountEntry): boolean {
  const { reward } = tx.call;
  const promised = paid.call.reward;
  const isOfKind =
    promised === undefined || reward === undefined ? promised === reward : isSameReward(reward, promised);
  if (tx.call.kind === 'refund') return isOfKind && (reward?.owner ?? tx.from) === paid.from;
  return isOfKind && secretMatches(tx.call.secret ?? '', paid.call.hash);
}

const UNKNOWN: TransactionView = { status: 'unknown', confirmations: 0 };

type Asked = { readonly view: ChainView; readonly prepared: AccountTransaction | undefined };

/** The state of a transaction; `prepared` is the transaction if the wallet made it and the chain may not have seen it. */
export function transactionIn(state: AccountState, hash: string, { view, prepared }: Asked): TransactionView {
  const entry = state.entries.get(hash);
  const depth = entry === undefined ? -1 : depthIn(view, entry);
  if (entry !== undefined && depth > 0)
    return { status: entry.succeeded ? 'confirmed' : 'reverted', confirmations: depth };
  if (depth === 0) return { status: 'mempool', confirmations: 0 };
  const tx = entry?.tx ?? prepared;
  const taker = tx === undefined ? null : takerOf(state, tx);
  const conflict = taker === null ? 0 : depthIn(view, taker);
  return conflict > 0 ? { status: 'conflicted', confirmations: conflict } : UNKNOWN;
}
