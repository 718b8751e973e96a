import type { PaymentQuery } from '../../ports/chain.ts';
import type { Logger } from '../../ports/logger.ts';
import { shortReason } from '../errors.ts';
import type { RuntimeChain } from './gate.ts';
import type { Scheduler } from './scheduler.ts';
import { settle } from './settle.ts';

/** A caller who asks about a payment. Neither callback may throw. */
type Asker = {
  readonly query: PaymentQuery;
  readonly done: (answer: unknown) => void;
  readonly failed: (error: unknown) => void;
};

/** Questions about payments of many slots to one chain, asked together. */
export type Batches = { readonly payment: (chain: RuntimeChain, asker: Asker) => void };

export type BatchesOptions = {
  readonly scheduler: Pick<Scheduler, 'soon'>;
  /** Registers an action with the scheduler and returns its id. */
  readonly register: (run: () => void) => number;
  readonly unregister: (id: number) => void;
  readonly logger: Pick<Logger, 'error'>;
};

/**
 * Collects questions to a chain until all due slots have had their turns, then asks once. Each answer belongs to its
 * own question, good or bad. If the adapter fails or returns another number of answers, each question is asked
 * separately.
 */
export function createBatches({ scheduler, register, unregister, logger }: BatchesOptions): Batches {
  const waiting = new Map<RuntimeChain, Asker[]>();
  return {
    payment(chain, asker) {
      const askers = waiting.get(chain);
      if (askers !== undefined) {
        askers.push(asker);
        return;
      }
      const first = [asker];
      waiting.set(chain, first);
      const id = register(() => {
        waiting.delete(chain);
        unregister(id);
        askTogether(chain, first, logger);
      });
      scheduler.soon(id);
    },
  };
}

function askTogether(chain: RuntimeChain, askers: readonly Asker[], logger: Pick<Logger, 'error'>): void {
  if (askers.length === 1 || chain.payments === undefined) {
    for (const asker of askers) askAlone(chain, asker);
    return;
  }
  const alone = (reason: string): void => {
    logger.error('payments are asked for one by one', { coin: chain.traits.coin, reason });
    for (const asker of askers) askAlone(chain, asker);
  };
  settle<unknown>(() => chain.payments?.(askers.map(({ query }) => query)), {
    done(answers) {
      if (!Array.isArray(answers) || answers.length !== askers.length) {
        const count = Array.isArray(answers) ? `${answers.length} answers` : 'no list';
        alone(`${count} to ${askers.length} questions`);
      } else askers.forEach(({ done }, index) => void done(answers[index]));
    },
    failed: (error) => alone(shortReason(error)),
  });
}

function askAlone(chain: RuntimeChain, { query, done, failed }: Asker): void {
  settle<unknown>(() => chain.payment(query), { done, failed });
}
