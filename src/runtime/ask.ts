import type { Chain, ForSwap } from '../ports/chain.ts';
import type { Awaitable } from '../ports/event-log.ts';
import type { AskResult, Question } from './command.ts';

/** For which swap the question is: the named one, or the one of the asking runner's stream. */
export type Asker = ForSwap | { readonly stream: string };

/** Puts a question to a chain. */
export function askChain(chain: Chain, question: Question, asker: Asker): Awaitable<AskResult> {
  switch (question.op) {
    case 'quote':
      return chain.quote();
    case 'payment':
      return chain.payment(question.query);
    case 'transaction':
      return chain.transaction(question.hash);
    case 'checkFee':
      return chain.checkFee(question.check, forSwapOf(asker));
    case 'prepare':
      return chain.prepare(question.request, forSwapOf(asker));
    case 'broadcast':
      return question.doubtful === true
        ? chain.broadcast(question.transaction, { doubtful: true })
        : chain.broadcast(question.transaction);
    default:
      return question satisfies never;
  }
}

function forSwapOf(asker: Asker): ForSwap {
  return 'swap' in asker ? asker : { swap: asker.stream.slice(asker.stream.indexOf('/') + 1) };
}
