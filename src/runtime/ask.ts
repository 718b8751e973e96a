import type { Chain } from '../ports/chain.ts';
import type { Awaitable } from '../ports/event-log.ts';
import type { AskResult, Question } from './command.ts';

/** Puts a question to a chain, for a swap. */
export function askChain(chain: Chain, question: Question, given?: { readonly swap: string }): Awaitable<AskResult> {
  switch (question.op) {
    case 'quote':
      return chain.quote();
    case 'payment':
      return chain.payment(question.query);
    case 'transaction':
      return chain.transaction(question.hash);
    case 'checkFee':
      return chain.checkFee(question.check);
    case 'prepare':
      return chain.prepare(question.request, given);
    case 'broadcast':
      return chain.broadcast(question.transaction);
    default:
      return question satisfies never;
  }
}
