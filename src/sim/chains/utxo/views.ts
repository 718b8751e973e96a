import { paymentScriptWrong, paymentValueWrong, paymentWithoutOutputs } from '../../../htlc/error-texts.ts';
import type { PaymentFunding, PaymentSpend, PaymentTerms, PaymentView, TransactionView } from '../../../ports/chain.ts';
import type { ChainView } from '../blocks.ts';
import { watchLock } from '../network.ts';
import { depthIn, GONE, lockOf, type UtxoEntry, type UtxoLock, type UtxoState } from './state.ts';
import type { UtxoTransaction } from './transaction.ts';

/** What is known about terms: the amount in base units, and where the payment would be. */
export type TermsInfo = {
  readonly terms: PaymentTerms;
  readonly amount: bigint;
  /** Null for terms that no script can hold. */
  readonly lock: UtxoLock | null;
};

export function termsInfo(state: UtxoState, terms: PaymentTerms): TermsInfo {
  const script = state.codec.scriptOf(terms);
  const amount = state.settings.amounts.parse(terms.amount);
  if (script === null) return { terms, amount, lock: null };
  const lock = lockOf(state, script.id);
  lock.script ??= script;
  watchLock(state.network, terms.lock);
  return { terms, amount, lock };
}

/** The payment of the terms as a view of the chain shows it; `claimed` is the transaction that the other side names. */
export function paymentIn(state: UtxoState, info: TermsInfo, { view, claimed, from, own, isOwn }: Asked): PaymentView {
  const { terms, lock } = info;
  const entry =
    lock === null ? null : (ownIn(lock, { view, own }) ?? fundingIn(lock, info.amount, { view, from, isOwn }));
  const named = claimed === undefined ? null : fundingProblem(state.codec.decode(claimed), info);
  const problem = named ?? (entry === null ? null : fundingProblem(entry.tx, info));
  return {
    funding: entry === null ? null : fundingOf(state, entry, view),
    problem,
    spend: entry === null ? null : spendIn(entry, view),
    refundable: view.median > terms.lock,
    clock: view.median,
    height: view.height,
    expiry: { unit: 'seconds', at: terms.lock, now: view.median },
  };
}

export type Asked = {
  readonly view: ChainView;
  readonly claimed: string | undefined;
  readonly from: number;
  /** Id of the payment to prefer. */
  readonly own: string | undefined;
  /** Whether no payment of another amount counts. */
  readonly isOwn: boolean;
};

function ownIn({ fundings }: UtxoLock, { view, own }: Pick<Asked, 'view' | 'own'>): UtxoEntry | null {
  if (own === undefined) return null;
  for (const entry of fundings) if (entry.tx.id === own && depthIn(view, entry) >= 0) return entry;
  return null;
}

function fundingOf({ settings }: UtxoState, entry: UtxoEntry, view: ChainView): PaymentFunding {
  const { notariseEvery } = settings;
  const confirmations = depthIn(view, entry);
  if (notariseEvery === null) return { tx: entry.shown, confirmations };
  const last = view.height - (view.height % notariseEvery);
  return { tx: entry.shown, confirmations, notarised: confirmations > 0 && entry.height <= last };
}

/** The deepest funding with the right value; if there is none, the deepest with a wrong one, of an own payment only if its claim shows the secret. */
function fundingIn(
  { fundings }: UtxoLock,
  amount: bigint,
  { view, from, isOwn }: Pick<Asked, 'view' | 'from' | 'isOwn'>,
): UtxoEntry | null {
  let best: UtxoEntry | null = null;
  let bestRank = -1;
  for (const entry of fundings) {
    const depth = depthIn(view, entry);
    // Nobody searches blocks in which it cannot be.
    if (depth < 0 || (depth > 0 && entry.height < from)) continue;
    const fulfills = entry.tx.outputs[0]?.value === amount;
    if (isOwn && !fulfills && spendIn(entry, view)?.how !== 'secret') continue;
    const rank = depth + (fulfills ? view.height + 1 : 0);
    if (rank > bestRank) {
      best = entry;
      bestRank = rank;
    }
  }
  return best;
}

/** Why a transaction does not fund the terms, in the words of KDF; null when it does. */
export function fundingProblem(tx: UtxoTransaction | null, { amount, lock }: TermsInfo): string | null {
  if (lock === null) return 'These terms cannot be written as a redeem script';
  if (tx === null) return 'Provided payment tx cannot be read';
  const output = tx.outputs[0];
  if (output === undefined) return paymentWithoutOutputs();
  if (output.kind !== 'htlc' || output.lock !== lock.id) {
    return paymentScriptWrong(output.lock, lock.id);
  }
  return output.value === amount ? null : paymentValueWrong(output.value, amount);
}

function spendIn(funding: UtxoEntry, view: ChainView): PaymentSpend | null {
  const taker = funding.takers[0] ?? null;
  if (taker === null) return null;
  const confirmations = depthIn(view, taker);
  if (confirmations < 0) return null;
  const unlock = taker.tx.inputs.find(({ txid, vout }) => vout === 0 && txid === funding.tx.id)?.unlock;
  const secret = unlock?.secret ?? null;
  return { how: secret === null ? 'refund' : 'secret', tx: taker.shown, confirmations, secret };
}

const UNKNOWN: TransactionView = { status: 'unknown', confirmations: 0 };

/** The state of a transaction; `prepared` is the transaction if the wallet made it and the chain may not have seen it. */
export function transactionIn(
  state: UtxoState,
  hash: string,
  { view, prepared }: { readonly view: ChainView; readonly prepared: UtxoTransaction | undefined },
): TransactionView {
  const entry = state.entries.get(hash);
  const depth = entry === undefined ? -1 : depthIn(view, entry);
  if (entry !== undefined && depth >= 0) {
    const { tx_hex } = entry.shown;
    return { status: depth === 0 ? 'mempool' : 'confirmed', confirmations: depth, tx_hex };
  }
  const tx = entry?.tx ?? prepared;
  const conflict = tx === undefined ? 0 : conflictDepth(state, tx, view);
  return conflict === 0 ? UNKNOWN : { status: 'conflicted', confirmations: conflict };
}

/** Confirmations of a transaction that took what this one, or one on which it depends, takes; 0 if there is none. */
export function conflictDepth(state: UtxoState, tx: UtxoTransaction, view: ChainView): number {
  let deepest = 0;
  for (const { txid, vout } of tx.inputs) {
    const source = state.entries.get(txid);
    if (source === undefined) continue;
    const taker = source.takers[vout] ?? null;
    if (taker !== null && taker.tx.id !== tx.id) deepest = Math.max(deepest, depthIn(view, taker));
    if (source.height === GONE) deepest = Math.max(deepest, conflictDepth(state, source.tx, view));
  }
  return deepest;
}
