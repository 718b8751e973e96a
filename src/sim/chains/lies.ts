import type { Answer, PaymentQuery, PaymentView, TransactionView } from '../../ports/chain.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import type { ChainModel } from './chain-model.ts';
import type { Lie } from './types.ts';

/** Confirmations that a lying node claims for what has none. */
const MADE_UP_DEPTH = 100;

/** What a lying node says instead of the true answer about a payment. */
export function liedPayment(
  model: ChainModel,
  query: PaymentQuery,
  { truth, says }: { readonly truth: Answer<PaymentView>; readonly says: Lie },
): Answer<PaymentView> {
  if (!truth.ok) return truth;
  const view = truth.value;
  const lied = (value: PaymentView): Answer<PaymentView> => ({ ok: true, value });
  if (says === 'absent') return lied({ ...view, funding: null, spend: null });
  if (says === 'spendHidden') return lied({ ...view, spend: null });
  if (says === 'refundable') {
    const passed = Math.max(view.clock, query.terms.lock + 1) as UnixSeconds;
    const { expiry } = view;
    const over =
      expiry === undefined ? {} : { expiry: { ...expiry, now: Math.max(expiry.now, expiry.at + 1) } as typeof expiry };
    return lied({ ...view, refundable: true, clock: passed, ...over });
  }
  const tx = view.funding?.tx ?? model.pretend(query);
  const found = view.funding?.confirmations ?? 0;
  const confirmed = says === 'confirmed';
  const notarised = confirmed || view.funding?.notarised === true;
  const told = model.traits.notarised === true ? { notarised } : {};
  return lied({ ...view, funding: { tx, confirmations: confirmed ? found + MADE_UP_DEPTH : found, ...told } });
}

/** What a lying node says instead of the true answer about a transaction that funds or spends a payment. */
export function liedTransaction(
  truth: Answer<TransactionView>,
  { says, spends }: { readonly says: Lie; readonly spends: boolean },
): Answer<TransactionView> {
  if (!truth.ok) return truth;
  const { status, confirmations } = truth.value;
  const lied = (value: TransactionView): Answer<TransactionView> => ({ ok: true, value });
  if (says === 'absent' || (says === 'spendHidden' && spends)) return lied({ status: 'unknown', confirmations: 0 });
  if (spends || (says !== 'present' && says !== 'confirmed')) return truth;
  if (says === 'confirmed') return lied({ status: 'confirmed', confirmations: confirmations + MADE_UP_DEPTH });
  return status === 'mempool' || status === 'confirmed' ? truth : lied({ status: 'mempool', confirmations: 0 });
}
