import type { Answer, Chain, ChainFeed, PaymentQuery, PaymentView, TransactionView } from '../../ports/chain.ts';
import { refused } from './faults.ts';

const UNKNOWN = refused('unknown', 'the adapter has not read that far back');

/** What an adapter that has read only the last blocks says about a payment. */
export function shallowPayment(
  answer: Answer<PaymentView>,
  { query, blocks }: { readonly query: PaymentQuery; readonly blocks: number },
): Answer<PaymentView> {
  if (!answer.ok) return answer;
  const { funding, height } = answer.value;
  const first = height - blocks + 1;
  const isRead = (query.from ?? 0) >= first;
  return isRead || (funding !== null && height - funding.confirmations + 1 >= first) ? answer : UNKNOWN;
}

/** The same about a transaction. */
export function shallowTransaction(answer: Answer<TransactionView>, blocks: number): Answer<TransactionView> {
  if (!answer.ok) return answer;
  const { status, confirmations } = answer.value;
  return status === 'unknown' || confirmations > blocks ? UNKNOWN : answer;
}

/**
 * The same chain, asked through an adapter that has read only its last blocks, as after a restart. It reports what it finds there, and says that it
 * does not know what earlier blocks hold. It answers in full if a question needs none of those.
 */
export function shallowChain<C extends Chain & ChainFeed>(chain: C, { blocks }: { readonly blocks: () => number }): C {
  return {
    ...chain,
    payment: async (query: PaymentQuery) => shallowPayment(await chain.payment(query), { query, blocks: blocks() }),
    transaction: async (hash: string) => shallowTransaction(await chain.transaction(hash), blocks()),
  };
}
