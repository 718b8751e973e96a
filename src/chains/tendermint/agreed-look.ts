import { type Agreeing, agreement, everyone, middleOf } from '../accounts/agreement.ts';
import type { TendermintBlock, TendermintLook } from './reader.ts';

/** A look of several nodes at one block: a quorum gave each answer. */
export function agreedLook(agreeing: Agreeing<TendermintBlock, TendermintLook>): TendermintLook {
  const { head, settled } = agreeing;
  const agreed = <T>(question: (look: TendermintLook) => Promise<T>): Promise<T> => agreement(agreeing, question);
  const all = <T>(question: (look: TendermintLook) => Promise<T>): Promise<readonly T[]> =>
    everyone(agreeing, question);
  return {
    head,
    settled,
    account: (address, at) => agreed((look) => look.account(address, at)),
    balance: (owned) => agreed((look) => look.balance(owned)),
    payment: (id) => agreed((look) => look.payment(id)),
    included: (id) => agreed((look) => look.included(id)),
    block: (height) => agreed((look) => look.block(height)),
    contents: (height) => agreed((look) => look.contents(height)),
    // The union of their answers: a transaction counts by what they agree on, and a secret by its hash.
    search: async (event) => [...new Set((await all((look) => look.search(event))).flat())],
    waiting: async () => [...new Set((await all((look) => look.waiting())).flat())],
    gas: async (hex) => {
      const told = (await all((look) => look.gas(hex))).filter((gas) => gas !== null);
      return told.length === 0 ? null : middleOf(told);
    },
  };
}
