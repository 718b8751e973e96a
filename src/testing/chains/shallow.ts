import type { Chain, ChainFeed, PaymentQuery } from '../../ports/chain.ts';
import { refused } from './faults.ts';

/**
 * The same chain, asked through an adapter that has read only its last blocks, as after a restart: what it finds there it tells, and
 * of what would be in earlier ones it says that it does not know. A question that needs none of those it can answer in full.
 */
export function shallowChain<C extends Chain & ChainFeed>(chain: C, { blocks }: { readonly blocks: () => number }): C {
  const unknown = refused('unknown', 'the adapter has not read that far back');
  return {
    ...chain,
    payment: async (query: PaymentQuery) => {
      const answer = await chain.payment(query);
      if (!answer.ok) return answer;
      const { funding, height } = answer.value;
      const first = height - blocks() + 1;
      const isRead = (query.from ?? 0) >= first;
      return isRead || (funding !== null && height - funding.confirmations + 1 >= first) ? answer : unknown;
    },
    transaction: async (hash: string) => {
      const answer = await chain.transaction(hash);
      if (!answer.ok) return answer;
      const { status, confirmations } = answer.value;
      return status === 'unknown' || confirmations > blocks() ? unknown : answer;
    },
  };
}
